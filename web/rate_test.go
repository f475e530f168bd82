package web

import (
	"strconv"
	"strings"
	"testing"
)

// slow lets two through and then hardly anything.
var slow = Rate{PerSecond: 0.001, Burst: 2}

func TestH13_RateLimits(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) { cfg.Limits = Limits{Request: slow} })
	count := func(headers ...string) (passed int) {
		for range 6 {
			if got := f.get("/v1/things", headers...); got.StatusCode == 200 {
				passed++
			} else if got.StatusCode == 429 {
				if n, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || n < 1 || n > 1000 {
					t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
				}
			}
		}
		return passed
	}
	if got := count(asAdmin); got != 2 {
		t.Errorf("a key passes %d times, want 2", got)
	}
	if got := count("Authorization: Token token-ADMIN", "X-Forwarded-For: 1.2.3.4"); got != 0 {
		t.Errorf("the same user with a token passes %d times, want 0", got)
	}
	if got := count("Authorization: Api-Key guess"); got != 0 {
		t.Errorf("a guess passes %d times", got)
	}
	if got := f.get("/v1/things", "Authorization: Api-Key other guess"); got.StatusCode != 429 {
		t.Errorf("after two wrong keys: %d, want 429 before the key is looked at", got.StatusCode)
	}
}

func TestForgedAddressChangesNothing(t *testing.T) {
	t.Parallel()
	route := handle("POST", "/sign-in", func(c *fiberCtx) error { return nil })
	route.Before = append(route.Before, PaceSignIn)
	f := serve(t, func(cfg *Config) {
		cfg.Limits = Limits{SignIn: slow, Request: Rate{PerSecond: 1e6, Burst: 1e6}}
	}, route)
	passed := 0
	for n := range 100 {
		got := f.ask("POST", "/sign-in", strings.NewReader("a=b"), asForm, ourSite, "X-Forwarded-For: 1.2.3."+strconv.Itoa(n), "Forwarded: for=1.2.3."+strconv.Itoa(n))
		if got.StatusCode == 200 {
			passed++
		}
	}
	if passed != 2 {
		t.Errorf("%d tries, want 2", passed)
	}
	if got := f.get("/"); got.StatusCode != 200 {
		t.Errorf("other pages: %d", got.StatusCode)
	}
}

func TestPaceSubmitIsItsOwn(t *testing.T) {
	t.Parallel()
	route := Route{Method: "POST", Path: "/v1/submit", Door: Program, Pov: None, Role: None, Loads: None, Handle: func(*fiberCtx) error { return nil }}
	route.Before = append(route.Before, PaceSubmit)
	f := serve(t, func(cfg *Config) { cfg.Limits = Limits{Submit: slow} }, route)
	for n, want := range []int{200, 200, 429} {
		if got := f.ask("POST", "/v1/submit", nil, asAdmin); got.StatusCode != want {
			t.Errorf("submission %d: %d, want %d", n, got.StatusCode, want)
		}
	}
	if got := f.get("/v1/things", asAdmin); got.StatusCode != 200 {
		t.Errorf("reading: %d", got.StatusCode)
	}
}

func TestBucketsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBuckets(slow)
	b.take("busy")
	b.take("busy")
	for n := range 3 * remembered {
		b.of(strconv.Itoa(n))
		if n%remembered == 0 && b.take("busy") == nil {
			t.Fatalf("after %d others the busy one starts anew", n)
		}
	}
	if size := len(b.young) + len(b.old); size > 2*remembered {
		t.Errorf("%d buckets", size)
	}
}
