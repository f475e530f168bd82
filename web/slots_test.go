package web

import (
	"net/http"
	"strings"
	"testing"
)

// waiting is a route that says when it was entered and stays until told.
func waiting(path string, entered chan<- bool, leave <-chan bool) Route {
	return Route{Method: "GET", Path: path, Door: Program, Pov: None, Role: None, Loads: None, Handle: func(*fiberCtx) error {
		entered <- true
		<-leave
		return nil
	}}
}

func TestH12_ConcurrentRequests(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limits       Limits
		same, others int
	}{
		"of a team":    {Limits{Off: true, TeamRequests: 2}, 429, 200},
		"of a process": {Limits{Off: true, ProcessRequests: 2}, 503, 503},
	} {
		entered, leave := make(chan bool), make(chan bool)
		f := serve(t, func(cfg *Config) { cfg.Limits = tc.limits }, waiting("/v1/wait", entered, leave))
		ended := make(chan int)
		for range 2 {
			go func() { ended <- f.get("/v1/wait", asAdmin).StatusCode }()
			<-entered
		}
		got := f.get("/v1/things", asAdmin)
		if got.StatusCode != tc.same || got.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: %d, want %d", name, got.StatusCode, tc.same)
		}
		if got := f.get("/"); got.StatusCode != tc.others {
			t.Errorf("%s, somebody else: %d, want %d", name, got.StatusCode, tc.others)
		}
		if got := f.get("/nowhere"); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s, without a handler: %d", name, got.StatusCode)
		}
		close(leave)
		for range 2 {
			if status := <-ended; status != 200 {
				t.Errorf("%s: %d", name, status)
			}
		}
		if got := f.get("/v1/things", asAdmin); got.StatusCode != 200 {
			t.Errorf("%s, afterwards: %d", name, got.StatusCode)
		}
	}
}

// A panic gives its slots back.
func TestSlotsSurvivePanics(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) { cfg.Limits = Limits{Off: true, TeamRequests: 1, ProcessRequests: 1} })
	for range 3 {
		if got := f.get("/v1/panic", asAdmin); got.StatusCode != 500 {
			t.Errorf("%d, want 500", got.StatusCode)
		}
	}
}

// A8: bodies that dribble in hold no place of the process.
func TestSlowBodiesCostTheirOwnTeam(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) { cfg.Limits = Limits{Off: true, ProcessRequests: 1} })
	answers, _ := f.raw("POST /open HTTP/1.1\r\nHost: h\r\n"+ourSite+"\r\n"+asForm+"\r\nContent-Length: 9000\r\n\r\n"+strings.Repeat("a", 8500), 0)
	if len(answers) != 0 {
		t.Errorf("answered before the body was there: %v", answers)
	}
	if got := f.get("/"); got.StatusCode != 200 {
		t.Errorf("meanwhile: %d", got.StatusCode)
	}
}
