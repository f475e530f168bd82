package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// forbidden are methods of *fiber.Ctx that read bodies without a limit (trust
// H5), serve files by path (H10), or trust what a client says about itself.
var forbidden = map[string]string{
	"Body": "web.Body", "BodyParser": "web.Body", "FormValue": "web.Form", "FormFile": "web.Upload", "MultipartForm": "web.Upload",
	"SaveFile": "web.Upload", "SendFile": "web.Static", "Download": "web.Static", "IP": "web.ClientAddress", "IPs": "web.ClientAddress",
	"BaseURL": "web.URL", "Hostname": "web.URL", "AutoFormat": "web.Render",
}

// contexts are what handlers call a *fiber.Ctx.
var contexts = map[string]bool{"c": true, "ctx": true, "fc": true}

func TestH5_ForbiddenNames(t *testing.T) {
	t.Parallel()
	var seen int
	for _, root := range []string{".", "../handlers"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			seen++
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return nil // half-written; the compiler says so
			}
			for _, name := range badCalls(file) {
				t.Errorf("%s: %s is forbidden, use %s", path, name, forbidden[name])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 30 {
		t.Errorf("only %d files were looked at", seen)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package a; func f(c *C) { c.Body(); c.Request().Body(); x := c.BodyParser; r.Body.Close() }", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := badCalls(file); len(got) != 3 {
		t.Errorf("the test finds %v, want three", got)
	}
}

// badCalls lists the forbidden methods of a context, or of its request, that
// a file mentions.
func badCalls(file *ast.File) (found []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || forbidden[selector.Sel.Name] == "" {
			return true
		}
		switch of := selector.X.(type) {
		case *ast.Ident:
			if contexts[of.Name] {
				found = append(found, selector.Sel.Name)
			}
		case *ast.CallExpr:
			if called, ok := of.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Request" {
				found = append(found, selector.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestH2_Settings(t *testing.T) {
	t.Parallel()
	a := NewApp(Config{})
	cfg := a.Config()
	if !cfg.CaseSensitive || !cfg.StrictRouting || !cfg.Immutable || !cfg.DisableStartupMessage || cfg.EnablePrintRoutes || cfg.ServerHeader != "" ||
		cfg.ReadTimeout != 15*time.Second || cfg.WriteTimeout != time.Minute || cfg.IdleTimeout != time.Minute || cfg.ReadBufferSize != 16384 || cfg.BodyLimit != 16<<20 {
		t.Errorf("%+v", cfg)
	}
	s := a.server()
	if s.ReadTimeout != 15*time.Second || s.WriteTimeout != time.Minute || s.IdleTimeout != time.Minute || s.ReadBufferSize != 16384 || s.MaxRequestBodySize != 16<<20 || !s.NoDefaultServerHeader {
		t.Errorf("%+v", s)
	}
}
