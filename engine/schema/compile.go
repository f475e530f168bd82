package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// address names the one document that a compiler of ours knows.
const address = "schema:service"

// closed is a loader that opens nothing (trust S1).
type closed struct{}

// Load refuses; the library's meta-schemas are embedded and never come here.
func (closed) Load(url string) (any, error) {
	return nil, fmt.Errorf("the portal does not load %s", url)
}

// compile hands a checked schema to the library, nil if that refuses it.
func compile(g *graph, found *findings) (compiled *jsonschema.Schema) {
	root := g.root()
	defer func() {
		if cause := recover(); cause != nil {
			compiled = nil
			found.refuse("S2", "", root.value.At, "the schema cannot be used: %v", cause)
		}
	}()
	compiled, err := newCompiler(g).Compile(address)
	if err != nil {
		found.refuse("S2", "", root.value.At, "the schema cannot be used: %s", err)
		return nil
	}
	return compiled
}

func newCompiler(g *graph) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(closed{})
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "ipv4", Validate: checkIPv4})
	c.RegisterVocabulary(vocabulary())
	c.AssertVocabs()
	if err := c.AddResource(address, library{g}.convert(g.root().value)); err != nil {
		panic(err) // the address is ours and new
	}
	return c
}

// checkIPv4 replaces the library's check, which takes signs before digits.
func checkIPv4(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	if a, err := netip.ParseAddr(text); err != nil || !a.Is4() {
		return errors.New("not an IPv4 address")
	}
	return nil
}

// plain turns a value into what the library works on; numbers keep their text.
func plain(v *value.Value) any {
	switch v.Kind {
	case value.Bool:
		return v.Text == "true"
	case value.Number:
		return json.Number(v.Text)
	case value.String:
		return v.Text
	case value.Array:
		out := make([]any, len(v.Items))
		for i := range v.Items {
			out[i] = plain(&v.Items[i])
		}
		return out
	case value.Object:
		out := make(map[string]any, len(v.Members))
		for i := range v.Members {
			out[v.Members[i].Name] = plain(&v.Members[i].Value)
		}
		return out
	}
	return nil
}

// library turns a schema into the one that the library gets: it has no $id,
// for only local references are left; what the portal checks better goes by
// another name; and readOnly properties are not required (lifecycle M2).
type library struct{ graph *graph }

func (l library) convert(v *value.Value) any {
	switch v.Kind {
	case value.Array:
		out := make([]any, len(v.Items))
		for i := range v.Items {
			out[i] = l.convert(&v.Items[i])
		}
		return out
	case value.Object:
		return l.object(v)
	}
	return plain(v)
}

func (l library) object(v *value.Value) any {
	out := make(map[string]any, len(v.Members))
	for i := range v.Members {
		out[v.Members[i].Name] = l.convert(&v.Members[i].Value)
	}
	n := l.graph.of[v]
	if n == nil {
		return out
	}
	if n.id == 0 {
		out["$schema"] = l.graph.draft
		delete(out, "$id")
	}
	if n.yes("uniqueItems") {
		delete(out, "uniqueItems")
		out[distinctKey] = true
	}
	if required, ok := out["required"].([]any); ok {
		out["required"] = slices.DeleteFunc(required, func(name any) bool { return ownersOnly(n, name) })
	}
	return out
}

// ownersOnly reports whether only the owner sets the property called name.
func ownersOnly(n *node, name any) bool {
	text, _ := name.(string)
	parts := closure([]*node{n}, sure)
	return slices.ContainsFunc(closure(linked(parts, "properties", text), sure), func(p *node) bool { return p.yes("readOnly") })
}
