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

// routesIn finds the pages that one function declares: a literal "GET" with a
// literal path after it, below the path that a local maker of routes adds.
func routesIn(function ast.Node) (paths []string) {
	below := map[string]string{}
	ast.Inspect(function, func(node ast.Node) bool {
		if maker, ok := node.(*ast.AssignStmt); ok && len(maker.Lhs) == 1 && len(maker.Rhs) == 1 {
			if name, ok := maker.Lhs[0].(*ast.Ident); ok {
				below[name.Name] = prefixIn(maker.Rhs[0])
			}
		}
		name, parts := partsOf(node)
		for i := range max(len(parts)-1, 0) {
			if method, ok := text(parts[i]); ok && method == "GET" {
				if path, ok := text(parts[i+1]); ok {
					paths = append(paths, below[name]+path)
				}
			}
		}
		return true
	})
	return paths
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

// prefixIn is what a function puts before the path it is given: the literal in
// Path: "/changes/:id" + below.
func prefixIn(maker ast.Expr) (prefix string) {
	ast.Inspect(maker, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, named := pair.Key.(*ast.Ident)
		sum, added := pair.Value.(*ast.BinaryExpr)
		if named && added && key.Name == "Path" {
			prefix, _ = text(sum.X)
		}
		return true
	})
	return prefix
}

func text(expression ast.Expr) (string, bool) {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(literal.Value)
	return value, err == nil
}
