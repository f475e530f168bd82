package schema

import (
	"testing"

	"github.com/portolan/portolan/engine/value"
)

// FuzzCompile publishes any JSON and, if it is accepted, asks the schema about
// any JSON: nothing panics, nothing takes long, the example meets its schema.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		with("", ""), rich, property(oneVM), property(manyVMs), property(bomb("allOf", 22)), property(`{"pattern":"(?=a)"}`),
		with(`"kids":{"items":{"$ref":"#"}}`, `"metadata":{"compare":{"arrays":"unordered"}}`), `{"$ref":"#"}`, `false`, `[]`,
		with(`"p":{"anyOf":[{"type":"string"},{"minimum":1e400}],"x-secret":true}`, `"$schema":"http://json-schema.org/draft-07/schema#"`),
		with(`"p":{"items":[{"$id":"#a"},{"$ref":"#a"}],"dependencies":{"a":["b"]}}`, `"$schema":"http://json-schema.org/draft-07/schema#"`),
	} {
		f.Add([]byte(text), []byte(`{"name":"x","p":[{"a":1},"b",null,1e400],"kids":[{"name":"y"}]}`))
	}
	f.Fuzz(func(t *testing.T, text, item []byte) {
		root, problems := value.ParseJSON(text)
		if len(problems) > 0 || len(text) > maxText {
			return
		}
		s, problems := Compile(&root, text)
		if s == nil {
			if len(problems) == 0 {
				t.Fatal("refused without a reason")
			}
			return
		}
		ask(t, s, item)
	})
}

func ask(t testingT, s *Schema, text []byte) {
	s.Rows()
	if changes := Impact(s, s); len(changes) > 0 {
		t.Fatalf("Impact() = %v", changes)
	}
	example := s.Example()
	if found := s.Validate(&example); found != nil && !hasLine(said(s.Warnings()), ": S5: ", "example") {
		t.Fatalf("Example() is not valid: %s", messages(found))
	}
	item, problems := value.ParseJSON(text)
	if len(problems) > 0 {
		return
	}
	for _, v := range s.Validate(&item) {
		if v.Message == "" || v.At < 0 || v.At > len(text) {
			t.Fatalf("%+v", v)
		}
	}
	for _, r := range s.References(&item) {
		if r.Service == "" || r.At > len(text) {
			t.Fatalf("%+v", r)
		}
	}
	if !value.Equal(&item, &item, s.Ordering()) {
		t.Fatal("an item differs from itself")
	}
}

// testingT is what a fuzz test and a property test share.
type testingT interface {
	Fatal(...any)
	Fatalf(string, ...any)
}
