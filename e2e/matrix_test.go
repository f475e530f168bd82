package e2e_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// viewers are whose portal is looked at: the roles of the demo's world.
var viewers = []string{"bo", "ana", "cy", "tim", "nina", "dee"}

// fragments are addresses that no link leads to, and which test asks for them.
var fragments = map[string]string{
	"/setup":            "DOOR-a",
	"/admin":            "leads on to /admin/users",
	"/changes/:id/move": "QUE-g: the dialog that asks for a reason",
}

// TestMatrix looks at every page that somebody is shown a link to (portal C4).
func TestMatrix(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	shown := &addresses{}
	t.Run("as", func(t *testing.T) {
		t.Run("a stranger", func(t *testing.T) {
			t.Parallel()
			shown.add("/sign-in")
			open(t, p).lookAround("/sign-in")
		})
		for _, name := range viewers {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				pages, others := crawl(t, p.person(t, name), "/")
				shown.add(append(others, pages...)...)
				open(t, p).signIn(name).lookAround(pages...)
			})
		}
	})
	for _, route := range routes(t) {
		if !shown.has(route) && fragments[route] == "" {
			t.Errorf("nobody is shown a link to %s, so nobody looked at it", route)
		}
	}
}

// lookAround looks at the first page of each kind.
func (b *tab) lookAround(pages ...string) {
	looked := map[string]bool{}
	for _, address := range pages {
		if page := pageOf(address); !looked[page] {
			looked[page] = true
			b.visit(address)
			b.look()
		}
	}
}

// pageOf is which page an address shows: the path without numbers, and the tab.
func pageOf(address string) string {
	path, query, _ := strings.Cut(address, "?")
	page := number.ReplaceAllString(path, "/:id")
	for _, part := range strings.Split(query, "&") {
		if strings.HasPrefix(part, "tab=") || strings.HasPrefix(part, "view=") || strings.HasPrefix(part, "as=") {
			page += "?" + part
		}
	}
	return page
}

// addresses is what all viewers were shown together.
type addresses struct {
	mu    sync.Mutex
	paths []string
}

func (a *addresses) add(addresses ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, address := range addresses {
		path, _, _ := strings.Cut(address, "?")
		a.paths = append(a.paths, path)
	}
}

func (a *addresses) has(route string) bool {
	return slices.ContainsFunc(a.paths, func(path string) bool { return leadsTo(route, path) })
}

// leadsTo reports whether a path is one of a route's, such as /teams/7 of /teams/:id.
func leadsTo(route, path string) bool {
	want, got := strings.Split(route, "/"), strings.Split(path, "/")
	return len(want) == len(got) && !slices.ContainsFunc(want, func(segment string) bool {
		i := slices.Index(want, segment)
		return !strings.HasPrefix(segment, ":") && segment != got[i]
	})
}
