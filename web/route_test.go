package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/portolan/portolan/market"
)

func TestZ1_RoutesDeclareEverything(t *testing.T) {
	t.Parallel()
	whole := handle("GET", "/new", func(*fiberCtx) error { return nil })
	for word, change := range map[string]func(*Route){
		"":        func(*Route) {},
		"method":  func(r *Route) { r.Method = "" },
		"path":    func(r *Route) { r.Path = "new" },
		"door":    func(r *Route) { r.Door = "" },
		"point":   func(r *Route) { r.Pov = "" },
		"role":    func(r *Route) { r.Role = "" },
		"loader":  func(r *Route) { r.Loads = "" },
		"handler": func(r *Route) { r.Handle = nil },
	} {
		route := whole
		change(&route)
		err := NewApp(Config{}).Mount(route)
		if (err == nil) != (word == "") || err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("without %q: %v", word, err)
		}
	}
}

func TestZ2_NoRouteBesideMount(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	if got := f.Undeclared(); len(got) != 0 {
		t.Errorf("Undeclared() = %v", got)
	}
	f.Get("/stray", func(*fiberCtx) error { return nil })
	if got := f.Undeclared(); !slices.Equal(got, []string{"HEAD /stray", "GET /stray"}) && !slices.Equal(got, []string{"GET /stray", "HEAD /stray"}) {
		t.Errorf("Undeclared() = %v", got)
	}
	if len(f.Routes()) != len(sample()) {
		t.Errorf("%d routes", len(f.Routes()))
	}
}

func TestZ3_LeastRole(t *testing.T) {
	t.Parallel()
	roles := []string{"READ_ONLY", "GENERAL", "ADMIN"}
	var routes []Route
	for _, role := range append(slices.Clone(roles), None, Platform) {
		routes = append(routes, Route{Method: "GET", Path: "/v1/as/" + role, Door: Program, Pov: None, Role: role, Loads: None, Handle: func(*fiberCtx) error { return nil }})
	}
	f := serve(t, func(cfg *Config) {
		known := cfg.Doors.Key
		cfg.Doors.Key = func(c ctx, key, address, requestID string) (market.Actor, error) {
			actor, err := known(c, key, address, requestID)
			actor.PlatformAdmin = key == "key-"
			return actor, err
		}
	}, routes...)
	for has, role := range append(roles, "nobody", "") {
		for least, path := range append(slices.Clone(roles), None, Platform) {
			want := 403
			if path == None || has < 3 && least <= has || role == "" && path == Platform {
				want = 200
			}
			if got := f.get("/v1/as/"+path, "Authorization: Api-Key key-"+role).StatusCode; got != want {
				t.Errorf("%q where %s is needed: %d, want %d", role, path, got, want)
			}
		}
	}
}
