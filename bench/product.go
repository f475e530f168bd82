package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/portolan/portolan/models/dbtest"
)

// newDatabase makes an empty database on the cluster that runs for this
// program, and returns how to drop it.
func newDatabase(ctx context.Context) (dsn string, drop func(), err error) {
	cluster := os.Getenv(dbtest.Variable)
	if cluster == "" {
		return "", nil, fmt.Errorf("%s is not set: run make bench", dbtest.Variable)
	}
	admin, err := pgx.Connect(ctx, cluster)
	if err != nil {
		return "", nil, err
	}
	defer admin.Close(ctx)
	name := fmt.Sprintf("bench_%d", time.Now().UnixNano())
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	u, err := url.Parse(cluster)
	if err != nil {
		return "", nil, err
	}
	u.Path = "/" + name
	return u.String(), func() { dropDatabase(ctx, cluster, name) }, nil
}

func dropDatabase(ctx context.Context, cluster, name string) {
	admin, err := pgx.Connect(ctx, cluster)
	if err != nil {
		return
	}
	defer admin.Close(ctx)
	_, _ = admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
}

// portal is the product, running as its users run it.
type portal struct {
	command *exec.Cmd
	base    string
	token   string
}

// product measures the running program over HTTP.
func product(ctx context.Context, f *figure, runs int) error {
	dsn, drop, err := newDatabase(ctx)
	if err != nil {
		return err
	}
	defer drop()
	p, err := start(ctx, dsn)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := p.publish(); err != nil {
		return err
	}
	idle, err := p.memory("VmRSS:")
	if err != nil {
		return err
	}
	var key string
	run := 0
	f.Submit, err = median(runs, func() (time.Duration, error) {
		run++
		if key, err = p.newTeam(fmt.Sprintf("%s%d", team, run)); err != nil {
			return 0, err
		}
		return p.time("POST", "/v1/orcabase/consumer/submissions/submit/", key, renamed(f.Items, 1, run), http.StatusCreated)
	})
	if err != nil {
		return err
	}
	peak, err := p.memory("VmHWM:")
	if err != nil {
		return err
	}
	f.Memory = peak - idle
	if f.Preview, err = median(runs, func() (time.Duration, error) {
		return p.time("POST", "/v1/orcabase/consumer/previews/", key, renamed(f.Items, 2, run), http.StatusCreated)
	}); err != nil {
		return err
	}
	generation := 1
	f.SubmitChanged, err = median(runs, func() (time.Duration, error) {
		generation++
		return p.time("POST", "/v1/orcabase/consumer/submissions/submit/", key, renamed(f.Items, generation, run), http.StatusCreated)
	})
	return err
}

// renamed is the document of one run's team.
func renamed(n, generation, run int) []byte {
	return bytes.Replace(document(n, generation), []byte(team), fmt.Appendf(nil, "%s%d", team, run), 1)
}

// start builds the program and serves it on an empty database.
func start(ctx context.Context, dsn string) (*portal, error) {
	dir, err := os.MkdirTemp("", "portolan-bench-")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "portolan")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/portolan").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	env := append(os.Environ(), "PORTOLAN_DATABASE="+dsn, "PORTOLAN_RATE_LIMITS=off", "PORTOLAN_LISTEN=127.0.0.1:18941")
	call := func(args ...string) (string, error) {
		command := exec.CommandContext(ctx, program, args...)
		command.Env, command.Stderr = env, os.Stderr
		out, err := command.Output()
		return strings.TrimSpace(string(out)), err
	}
	if _, err := call("user", "create", "bench", "--admin"); err != nil {
		return nil, err
	}
	token, err := call("token", "create", "--user", "bench")
	if err != nil {
		return nil, err
	}
	p := &portal{base: "http://127.0.0.1:18941", token: token, command: exec.Command(program, "serve", "--grace", "0s")}
	p.command.Env = env
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	return p, p.wait()
}

func (p *portal) wait() error {
	for range 200 {
		answer, err := http.Get(p.base + "/readyz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("the portal is not ready after 4 s")
}

func (p *portal) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	_ = p.command.Wait()
}

// publish makes the owner's team and its service.
func (p *portal) publish() error {
	key, err := p.newTeam("BenchOwner")
	if err != nil {
		return err
	}
	_, err = p.time("POST", "/v1/orcabase/serviceowner/services/", key, []byte(schema), http.StatusCreated)
	return err
}

// newTeam makes a team and returns a key of it.
func (p *portal) newTeam(name string) (string, error) {
	var made struct {
		ID  int64  `json:"id"`
		Key string `json:"key"`
	}
	if err := p.call("POST", "/v1/account/teams/", "Token "+p.token, fmt.Appendf(nil, `{"name":%q}`, name), http.StatusCreated, &made); err != nil {
		return "", err
	}
	path := fmt.Sprintf("/v1/account/teams/%d/api_keys/", made.ID)
	err := p.call("POST", path, "Token "+p.token, []byte(`{"name":"bench","role":"ADMIN"}`), http.StatusCreated, &made)
	return made.Key, err
}

// time makes a request with a team's key and tells how long its whole answer took.
func (p *portal) time(method, path, key string, body []byte, want int) (time.Duration, error) {
	begin := time.Now()
	err := p.call(method, path, "Api-Key "+key, body, want, nil)
	return time.Since(begin), err
}

func (p *portal) call(method, path, authorization string, body []byte, want int, into any) error {
	request, err := http.NewRequest(method, p.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", authorization)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != want {
		return fmt.Errorf("%s %s: %s %.300s", method, path, answer.Status, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// memory reads a figure of the process's memory in bytes.
func (p *portal) memory(name string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, name) {
			var kib int64
			_, err := fmt.Sscanf(strings.TrimPrefix(line, name), "%d kB", &kib)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no %s in the process's status", name)
}
