package web

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestA13_PanicIsOne500(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for _, path := range []string{"/v1/panic", "/panic"} {
		got := f.get(path, asAdmin, "X-Request-Id: my-id")
		if got.StatusCode != 500 || !strings.Contains(got.body, ours) || !strings.Contains(got.body, "my-id") {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.body)
		}
		if strings.Contains(got.body, "oops") || strings.Contains(got.body, "goroutine") || strings.Contains(got.body, ".go") {
			t.Errorf("%s tells too much: %s", path, got.body)
		}
	}
	if got := f.get("/"); got.StatusCode != 200 {
		t.Errorf("afterwards: %d", got.StatusCode)
	}
	var failures, requests int
	for line := range strings.Lines(f.log.String()) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if event["msg"] == "failure" {
			failures++
			if !strings.Contains(line, "web.sample") {
				t.Errorf("the place is missing: %s", line)
			}
		}
		if event["msg"] == "request" && event["status"] == 500.0 {
			requests++
		}
	}
	if failures != 2 || requests != 2 {
		t.Errorf("%d failures, %d requests in the log, want 2 and 2: %s", failures, requests, f.log)
	}
}

// heard passes on what is logged.
type heard chan string

func (h heard) Write(p []byte) (int, error) { h <- string(p); return len(p), nil }

func TestH6_GoroutinesSurvive(t *testing.T) {
	t.Parallel()
	log := make(heard, 1)
	Go(NewLogger(log, nil), "job", func() { panic("oops") })
	if line := <-log; !strings.Contains(line, `"work":"job"`) || !strings.Contains(line, "oops") {
		t.Errorf("log: %s", line)
	}
}
