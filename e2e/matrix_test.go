package e2e_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// viewers are whose portal is looked at: the roles of the demo's world.
var viewers = []string{"bo", "ana", "cy", "tim", "nina", "dee"}

// fragments are addresses that are no pages of their own, and why.
var fragments = map[string]string{}

// TestMatrix looks at every page that somebody is shown a link to (portal C4).
func TestMatrix(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	shown := &addresses{}
	t.Run("as", func(t *testing.T) {
		t.Run("a stranger", func(t *testing.T) {
			t.Parallel()
			lookAround(open(t, p), shown, "/sign-in")
		})
		for _, name := range viewers {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				lookAround(open(t, p).signIn(name), shown, crawl(t, p.person(t, name), "/")...)
			})
		}
	})
	for _, route := range routes(t) {
		if !shown.has(route) && fragments[route] == "" && route != "/setup" { // the set-up is looked at by DOOR-a
			t.Errorf("nobody is shown a link to %s, so nobody looked at it", route)
		}
	}
}

// lookAround looks at the first page of each kind.
func lookAround(b *tab, shown *addresses, visited ...string) {
	looked := map[string]bool{}
	for _, address := range visited {
		shown.add(address)
		if page := pageOf(address); !looked[page] && !isFile(address) {
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

// isFile reports whether an address is a download.
func isFile(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.Contains(filepath.Base(path), ".")
}

// addresses is what all viewers were shown together.
type addresses struct {
	mu    sync.Mutex
	paths []string
}

func (a *addresses) add(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	path, _, _ := strings.Cut(address, "?")
	a.paths = append(a.paths, path)
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

// routes reads from the handlers which pages the portal has.
func routes(t *testing.T) (paths []string) {
	t.Helper()
	files, err := filepath.Glob("../handlers/pages/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if path := routeOf(node); path != "" {
				paths = append(paths, path)
			}
			return true
		})
	}
	if len(paths) < 10 {
		t.Fatalf("read only %d routes: are they written in another way now?", len(paths))
	}
	return paths
}

// routeOf is the path in an expression that declares a page: a literal "GET"
// with a literal path after it.
func routeOf(node ast.Node) string {
	var parts []ast.Expr
	switch node := node.(type) {
	case *ast.CallExpr:
		parts = node.Args
	case *ast.CompositeLit:
		for _, part := range node.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok {
				part = pair.Value
			}
			parts = append(parts, part)
		}
	}
	for i := range max(len(parts)-1, 0) {
		if path := text(parts[i+1]); text(parts[i]) == "GET" && strings.HasPrefix(path, "/") {
			return path
		}
	}
	return ""
}

func text(expression ast.Expr) string {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	value, _ := strconv.Unquote(literal.Value)
	return value
}
