package web

import (
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// One request breaks every rule; each step mends the one that was found, so
// that the next rule is the one that answers.
func TestH7_OrderOfMiddleware(t *testing.T) {
	t.Parallel()
	handled := func(*fiber.Ctx) error { panic("the handler was reached") }
	route := Route{Method: "POST", Path: "/last", Door: Person, Pov: None, Role: "ADMIN", Loads: None, Takes: []string{FormType}, Handle: handled}
	f := serve(t, func(cfg *Config) {
		cfg.Limits = Limits{Request: Rate{PerSecond: 1e-9, Burst: 1}, TeamRequests: -1}
		cfg.IsProgram = func(string) bool { return true }
	}, route)
	large := strings.NewReader(strings.Repeat("a", BodyLimit+1))

	f.get("/") // the bucket of this address is empty now
	step := func(want int, word string, headers ...string) {
		t.Helper()
		large.Seek(0, 0)
		got := f.ask("POST", "/last", large, headers...)
		if got.StatusCode != want || !strings.Contains(got.body, word) {
			t.Errorf("%d %s, want %d %q", got.StatusCode, got.body, want, word)
		}
		if got.Header.Get("Content-Security-Policy") == "" || got.Header.Get("X-Request-Id") == "" {
			t.Errorf("%d goes without its headers", got.StatusCode)
		}
	}
	step(415, "Compressed", "Content-Encoding: gzip", "Content-Type: text/plain")
	step(413, "larger", "Content-Type: text/plain")
	large = strings.NewReader("x")
	step(429, "Too many requests", "Content-Type: text/plain")

	f = serve(t, func(cfg *Config) {
		cfg.Limits.TeamRequests = -1
		cfg.IsProgram = func(string) bool { return true }
	}, route)
	step(401, "Signed out", "Content-Type: text/plain", "Sec-Fetch-Site: cross-site")
	step(403, "another site", "Cookie: __Host-portolan=session-GENERAL", "Content-Type: text/plain", "Sec-Fetch-Site: cross-site")
	step(403, "role", "Cookie: __Host-portolan=session-GENERAL", "Content-Type: text/plain", ourSite)
	step(415, "read as", signed, "Content-Type: text/plain", ourSite)
	step(429, "Your team", signed, asForm, ourSite)

	f = serve(t, func(cfg *Config) { cfg.IsProgram = func(string) bool { return true } }, route)
	step(500, "our side", signed, asForm, ourSite)
	for _, want := range []string{"the handler was reached", `"status":500`} {
		if !strings.Contains(f.log.String(), want) {
			t.Errorf("the log does not say %s: %s", want, f.log)
		}
	}
}
