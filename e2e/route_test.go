package e2e_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// routes reads from the handlers which pages the portal has.
func routes(t *testing.T) (paths []string) {
	t.Helper()
	files, err := filepath.Glob("../handlers/pages/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			paths = append(paths, routesIn(declared)...)
		}
	}
	if len(paths) < 20 {
		t.Fatalf("read only %d routes: are they written in another way now?", len(paths))
	}
	return paths
}

// maker is a local function that makes routes: what it puts before the path it
// is given, and whether all its routes are pages.
type maker struct {
	prefix string
	pages  bool
}

// routesIn finds the pages that one function declares: a literal path after a
// literal "GET", or given to a maker of pages.
func routesIn(function ast.Node) (paths []string) {
	makers := map[string]maker{}
	ast.Inspect(function, func(node ast.Node) bool {
		if made, ok := node.(*ast.AssignStmt); ok && len(made.Lhs) == 1 && len(made.Rhs) == 1 {
			if name, ok := made.Lhs[0].(*ast.Ident); ok {
				makers[name.Name] = makerIn(made.Rhs[0])
			}
		}
		name, parts := partsOf(node)
		if path, ok := pathIn(parts, makers[name].pages); ok {
			paths = append(paths, makers[name].prefix+path)
		}
		return true
	})
	return paths
}

// pathIn is the literal after "GET" or, if all are pages, the first one.
func pathIn(parts []ast.Expr, pages bool) (string, bool) {
	for i, part := range parts {
		literal, ok := text(part)
		if ok && pages {
			return literal, strings.HasPrefix(literal, "/")
		}
		if ok && literal == "GET" && i+1 < len(parts) {
			return text(parts[i+1])
		}
	}
	return "", false
}

// partsOf lists the arguments of a call, with its name, or the values of a literal.
func partsOf(node ast.Node) (name string, parts []ast.Expr) {
	switch node := node.(type) {
	case *ast.CallExpr:
		if called, ok := node.Fun.(*ast.Ident); ok {
			name = called.Name
		}
		return name, node.Args
	case *ast.CompositeLit:
		for _, part := range node.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok {
				part = pair.Value
			}
			parts = append(parts, part)
		}
	}
	return "", parts
}

// makerIn reads the literals in Path: "/changes/:id" + below and Method: "GET".
func makerIn(function ast.Expr) (m maker) {
	ast.Inspect(function, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, named := pair.Key.(*ast.Ident)
		if sum, added := pair.Value.(*ast.BinaryExpr); named && added && key.Name == "Path" {
			m.prefix, _ = text(sum.X)
		}
		if method, literal := text(pair.Value); named && literal && key.Name == "Method" {
			m.pages = method == "GET"
		}
		return true
	})
	return m
}

func text(expression ast.Expr) (string, bool) {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(literal.Value)
	return value, err == nil
}
