package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// safeBuffer is what a running command prints into while the test reads.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// call runs a command to its end on a database of the test.
func call(t *testing.T, database, input string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), append([]string{"--database", database}, args...), strings.NewReader(input), &o, &e)
	return code, o.String(), e.String()
}

func database(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "p.db") }

// A wrong configuration is one sentence and exit code 2 (trust O9).
func TestO9_WrongConfiguration(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"database":   {"--database", "mysql://x", "version"},
		"listen":     {"--listen", "8080", "version"},
		"base URL":   {"--base-url", "portal.example.org", "version"},
		"a path":     {"--base-url", "https://example.org/portal", "version"},
		"secret":     {"--secret", "short", "version"},
		"flag":       {"--no-such-flag", "version"},
		"command":    {"fly"},
		"no command": {},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 2 || !strings.HasPrefix(errs.String(), "portolan: ") {
			t.Errorf("%s: exit code %d, %q", name, code, errs.String())
		}
	}
}

// user create and token create work on an empty database; token create prints
// the token alone.
func TestUserAndToken(t *testing.T) {
	t.Parallel()
	db := database(t)
	code, out, errs := call(t, db, "seven grey lanterns\n", "user", "create", "dee", "--admin", "--password-stdin")
	if code != 0 || out != "Made the user dee.\n" {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	code, out, _ = call(t, db, "", "token", "create", "--user", "dee")
	if code != 0 || !regexp.MustCompile(`^ptu_[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{43}\n$`).MatchString(out) {
		t.Errorf("token: %d %q", code, out)
	}
	for name, args := range map[string][]string{
		"the name is taken":      {"user", "create", "dee"},
		"the password is short":  {"user", "create", "bo", "--password-stdin"},
		"nobody has this name":   {"token", "create", "--user", "nobody"},
		"the name is not a name": {"user", "create", " dee"},
	} {
		if code, out, errs := call(t, db, "short\n", args...); code != 1 || out != "" || !strings.HasPrefix(errs, "portolan: ") {
			t.Errorf("%s: %d %q %q", name, code, out, errs)
		}
	}
	if code, out, _ := call(t, db, "", "user", "create", "eve"); code != 0 || !strings.Contains(out, "Password: ") {
		t.Errorf("a password is made: %d %q", code, out)
	}
	if code, out, _ := call(t, db, "", "migrate"); code != 0 || out == "" {
		t.Errorf("migrate: %d %q", code, out)
	}
}

// serve on an empty database prints the set-up code, answers, and drains when
// it is told to stop (portal DOOR1, trust O4).
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var log safeBuffer
	ended := make(chan int, 1)
	db := database(t)
	go func() {
		ended <- run(ctx, []string{"--database", db, "--listen", "127.0.0.1:0", "--log", "json", "serve", "--grace", "0s"}, strings.NewReader(""), io.Discard, &log)
	}()
	address := regexp.MustCompile(`"address":"(http://[^"]+)"`)
	base := await(t, func() string {
		if found := address.FindStringSubmatch(log.String()); found != nil {
			return found[1]
		}
		return ""
	})
	if !strings.Contains(log.String(), "set it up with this code: ") {
		t.Errorf("no set-up code in %s", log.String())
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/v1/account/teams/": 401, "/v1/openapi.json": 200} {
		answer, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d\n%s", code, log.String())
	}
}

// demo prints who can sign in and serves the story.
func TestDemo(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var out, log safeBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"--listen", "127.0.0.1:0", "demo", "--data", t.TempDir()}, strings.NewReader(""), &out, &log)
	}()
	await(t, func() string {
		if strings.Contains(out.String(), "Stop it with") {
			return "ready"
		}
		return ""
	})
	for _, p := range people {
		if !strings.Contains(out.String(), fmt.Sprintf("  %s ", p.name)) {
			t.Errorf("%s is not named in\n%s", p.name, out.String())
		}
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d\n%s", code, log.String())
	}
}

// await asks again and again until there is something.
func await(t *testing.T, ask func() string) string {
	t.Helper()
	again, late := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for {
		if found := ask(); found != "" {
			return found
		}
		select {
		case <-again.C:
		case <-late:
			t.Fatal("nothing came within a minute")
		}
	}
}
