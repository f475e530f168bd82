package e2e_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// password is everybody's in these tests.
const password = "seven owls count the tides"

// portal is a running program.
type portal struct {
	url     string
	code    string // guards first-run set-up; empty for the demo
	command *exec.Cmd
	ended   chan error
	log     journal
}

// journal keeps what a program said, for the report of a failure.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

// with returns the lines that hold a text.
func (j *journal) with(text string) (found []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range j.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// start runs the program with these arguments until it serves.
func start(arguments ...string) (*portal, error) {
	p := &portal{ended: make(chan error, 1)}
	p.command = exec.Command(program, append(arguments, "--listen", "127.0.0.1:0", "--rate-limits", "off", "--log", "json")...)
	p.command.Env = append(os.Environ(), "PORTOLAN_DEMO_PASSWORD="+password)
	p.command.Stdout = io.Discard
	said, err := p.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	serves := make(chan struct{})
	go p.listen(said, serves)
	select {
	case <-serves:
		return p, nil
	case err := <-p.ended:
		return nil, fmt.Errorf("the portal ended: %w\n%s", err, strings.Join(p.log.with(""), "\n"))
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("the portal does not serve: %s", strings.Join(p.log.with(""), "\n"))
	}
}

var setUpCode = regexp.MustCompile(`with this code: (\S+)`)

// listen reads what the program says to its end.
func (p *portal) listen(said io.Reader, serves chan<- struct{}) {
	lines := bufio.NewScanner(said)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.log.add(lines.Text())
		if code := setUpCode.FindStringSubmatch(lines.Text()); code != nil {
			p.code = code[1]
		}
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			p.url = line.Address
			close(serves)
		}
	}
	p.ended <- p.command.Wait()
}

// stop ends the program and says what went wrong on its side.
func (p *portal) stop() (faults []string) {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return []string{err.Error()}
	}
	select {
	case err := <-p.ended:
		if err != nil {
			faults = append(faults, "the portal ended: "+err.Error())
		}
	case <-time.After(20 * time.Second):
		faults = append(faults, "the portal does not stop", fmt.Sprint(p.command.Process.Kill()))
	}
	return append(faults, p.log.with(`"level":"ERROR"`)...)
}

// lasts ends the portal with the test.
func (p *portal) lasts(t *testing.T) *portal {
	t.Helper()
	t.Cleanup(func() {
		for _, fault := range p.stop() {
			t.Error(fault)
		}
	})
	return p
}

// playedDemo is a folder with the demo's database, its story played.
var playedDemo = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(filepath.Dir(program), "demo")
	p, err := start("demo", "--data", folder)
	if err != nil {
		return "", err
	}
	if faults := p.stop(); len(faults) > 0 {
		return "", errors.New(strings.Join(faults, "\n"))
	}
	return folder, nil
})

// startDemo goes on with a copy of the demo.
func startDemo(folder string) (*portal, error) {
	played, err := playedDemo()
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(folder, os.DirFS(played)); err != nil {
		return nil, err
	}
	return start("demo", "--data", folder)
}

// demo starts a demo of the test's own.
func demo(t *testing.T) *portal {
	t.Helper()
	p, err := startDemo(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return p.lasts(t)
}

// empty starts a portal on an empty database.
func empty(t *testing.T, database string) *portal {
	t.Helper()
	p, err := start("serve", "--grace", "0s", "--database", database)
	if err != nil {
		t.Fatal(err)
	}
	return p.lasts(t)
}

func sqlite(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "portolan.db") }

// postgres makes a database of the test's own.
func postgres(t *testing.T) string {
	t.Helper()
	url := os.Getenv("PORTOLAN_TEST_POSTGRES")
	if url == "" {
		t.Fatal("PORTOLAN_TEST_POSTGRES is not set: run the tests by make test, which starts a PostgreSQL server beside them")
	}
	server, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("e2e_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := server.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return databaseOf(url, name)
}

var databaseName = regexp.MustCompile(`^(postgres(?:ql)?://[^/]*/)[^?]*`)

func databaseOf(url, name string) string { return databaseName.ReplaceAllString(url, "${1}"+name) }

// shared is a portal that tests only look at.
type shared struct {
	once   sync.Once
	portal *portal
	err    error
}

var sharedDemo shared

// get starts the shared demo when it is first asked for.
func (s *shared) get(t *testing.T) *portal {
	t.Helper()
	s.once.Do(func() { s.portal, s.err = startDemo(filepath.Join(filepath.Dir(program), "shared")) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.portal
}

func (s *shared) stop() {
	if s.portal != nil {
		for _, fault := range s.portal.stop() {
			fmt.Fprintln(os.Stderr, fault)
		}
	}
}
