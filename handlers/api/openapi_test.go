package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/portolan/portolan/handlers/api"
	"github.com/portolan/portolan/models/dbtest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contract judges answers by the OpenAPI document that the portal serves.
type contract struct {
	document any
	compiler *jsonschema.Compiler
	paths    map[*regexp.Regexp]string
	schemas  map[string]*jsonschema.Schema
}

var hole = regexp.MustCompile(`\\\{\w+\\\}`)

// readContract reads the document as any client would.
func readContract(t *testing.T, p *portal) *contract {
	t.Helper()
	got := p.ask(t, "GET", "/v1/openapi.json", "", "")
	got.want(t, 200)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	k := &contract{document: document, compiler: jsonschema.NewCompiler(), paths: map[*regexp.Regexp]string{}, schemas: map[string]*jsonschema.Schema{}}
	if err := k.compiler.AddResource("mem:///openapi.json", document); err != nil {
		t.Fatal(err)
	}
	for path := range at(document, "paths").(map[string]any) {
		pattern := hole.ReplaceAllString(regexp.QuoteMeta(strings.TrimSuffix(path, "/")), `[^/]+`)
		k.paths[regexp.MustCompile("^"+pattern+"/?$")] = path
	}
	return k
}

// path finds the document's path for a request: the one with the fewest holes.
func (k *contract) path(request string) string {
	request, _, _ = strings.Cut(request, "?")
	best := ""
	for pattern, path := range k.paths {
		if pattern.MatchString(request) && (best == "" || strings.Count(path, "{") < strings.Count(best, "{")) {
			best = path
		}
	}
	return best
}

// judge fails if an answer is not what the document says.
func (k *contract) judge(t *testing.T, method, request string, got reply) {
	t.Helper()
	path := k.path(request)
	responses := at(k.document, "paths", path, strings.ToLower(method), "responses")
	if responses == nil {
		if got.status != 404 && got.status != 405 {
			t.Errorf("%s %s is not in the document", method, request)
		}
		return
	}
	status := http.StatusText(got.status)
	answer, there := responses.(map[string]any)[strings.TrimSpace(itoa(got.status))]
	if !there {
		t.Errorf("%s %s: the document knows no answer %d %s", method, path, got.status, status)
		return
	}
	if at(answer, "content", "application/json") == nil || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		return
	}
	body, err := jsonschema.UnmarshalJSON(strings.NewReader(got.body))
	if err != nil {
		t.Errorf("%s %s: %v in %s", method, path, err, got.body)
		return
	}
	place := strings.NewReplacer("~", "~0", "/", "~1").Replace(path)
	pointer := "#/paths/" + percent(place) + "/" + strings.ToLower(method) + "/responses/" + itoa(got.status) + "/content/application~1json/schema"
	if k.schemas[pointer] == nil {
		if k.schemas[pointer], err = k.compiler.Compile("mem:///openapi.json" + pointer); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.schemas[pointer].Validate(body); err != nil {
		t.Errorf("%s %s %d: %v\n%s", method, path, got.status, err, got.body)
	}
}

func percent(pointer string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer)
}

// Every route is in the document, nothing else is, and the document itself holds.
func TestOpenAPI_KnowsEveryRoute(t *testing.T) {
	t.Parallel()
	p := serve(t, dbtest.Open(t))
	k := readContract(t, p)
	documented := 0
	for _, path := range k.paths {
		documented += len(at(k.document, "paths", path).(map[string]any))
	}
	routes := api.API{Market: p.market, BaseURL: p.origin}.Routes()
	for _, route := range routes {
		path := regexp.MustCompile(`:\w+`).ReplaceAllString(route.Path, "7")
		operation := at(k.document, "paths", k.path(path), strings.ToLower(route.Method))
		if at(operation, "summary") == nil || at(operation, "operationId") == nil {
			t.Errorf("%s %s is not in the document", route.Method, route.Path)
		}
	}
	if documented != len(routes) {
		t.Errorf("%d operations for %d routes", documented, len(routes))
	}
	if at(k.document, "openapi") != "3.1.0" {
		t.Errorf("version %v", at(k.document, "openapi"))
	}
	for name := range at(k.document, "components", "schemas").(map[string]any) {
		if _, err := k.compiler.Compile("mem:///openapi.json#/components/schemas/" + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenAPI_ReadablePage(t *testing.T) {
	t.Parallel()
	p := serve(t, dbtest.Open(t))
	got := p.ask(t, "GET", "/docs/api", "", "")
	got.want(t, 200)
	for _, word := range []string{"<!doctype html>", "/v1/orcabase/consumer/submissions/submit/", "declaration_regex"} {
		if !strings.Contains(got.body, word) {
			t.Errorf("%q is not on the page", word)
		}
	}
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || strings.Contains(got.body, "style=") || strings.Contains(got.body, "<script") {
		t.Error("the page breaks the policy")
	}
}
