package schema

import (
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// Example returns an item that meets the schema, made from its examples,
// defaults and limits (marketplace S5). Where none could be made, a warning at
// compilation says so, and the example has the required properties only.
func (s *Schema) Example() value.Value { return s.example }

// makeExample tries the fullest example first and takes the first that meets
// the schema.
func makeExample(s *Schema, found *findings) value.Value {
	var last value.Value
	for _, full := range []bool{true, false} {
		for _, quoting := range []bool{true, false} {
			for choice := range 3 {
				left := maxRows
				m := maker{title: s.Title(), quoting: quoting, full: full, choice: choice, left: &left, open: map[*node]int{}}
				last = m.make([]*node{s.graph.root()}, "", 0)
				if len(s.Validate(&last)) == 0 {
					return last
				}
			}
		}
	}
	found.warn("S5", "", s.root.At, `no example could be made; give the properties "examples", or the schema itself`)
	return last
}

// maker makes example values.
type maker struct {
	title   string
	quoting bool          // take what the schema gives as example or default
	full    bool          // fill in what is not required
	choice  int           // which alternative to follow
	index   int           // of the element, to make elements differ
	left    *int          // how many values may still be made
	open    map[*node]int // being made, so that what is optional does not recur
}

// How far an example goes into what is not required, and at all.
const (
	optionalDepth = 4
	deepest       = 24
)

func (m maker) make(ns []*node, name string, depth int) value.Value {
	if *m.left--; *m.left < 0 {
		return value.Value{Kind: value.Null}
	}
	s := &shape{nodes: m.follow(ns)}
	if v := m.given(s); v != nil {
		return bare(v)
	}
	switch m.kind(s) {
	case "object":
		return m.object(s, depth)
	case "array":
		return m.array(s, name, depth)
	case "integer", "number":
		return value.Value{Kind: value.Number, Text: m.number(s)}
	case "boolean":
		return value.Value{Kind: value.Bool, Text: "true"}
	case "null":
		return value.Value{Kind: value.Null}
	}
	return value.Value{Kind: value.String, Text: m.text(s, name, depth)}
}

// follow lists what applies to one value when of each alternative one is taken.
func (m maker) follow(ns []*node) []*node {
	out := closure(ns, sure)
	for i := 0; i < len(out) && i < maxNodes; i++ {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			if forms := alternatives(out[i], keyword); len(forms) > 0 {
				out = closure(append(out, forms[m.choice%len(forms)]), sure)
			}
		}
	}
	return out
}

func alternatives(n *node, keyword string) []*node {
	var out []*node
	for _, l := range n.links {
		if l.keyword == keyword {
			out = append(out, l.to)
		}
	}
	return out
}

// given returns the value that the schema itself proposes, nil if none.
func (m maker) given(s *shape) *value.Value {
	if v := s.first("const"); v != nil {
		return v
	}
	if m.quoting {
		if v := s.first("examples"); v != nil && len(v.Items) > 0 {
			return &v.Items[(m.choice+m.index)%len(v.Items)]
		}
		for _, keyword := range []string{"example", "default"} {
			if v := s.first(keyword); v != nil {
				return v
			}
		}
	}
	if v := s.first("enum"); v != nil && len(v.Items) > 0 {
		return &v.Items[(m.choice+m.index)%len(v.Items)]
	}
	return nil
}

// bare copies a value without its places in the text of the schema.
func bare(v *value.Value) value.Value {
	out := value.Value{Kind: v.Kind, Text: v.Text}
	for i := range v.Members {
		out.Members = append(out.Members, value.Member{Name: v.Members[i].Name, Value: bare(&v.Members[i].Value)})
	}
	for i := range v.Items {
		out.Items = append(out.Items, bare(&v.Items[i]))
	}
	return out
}

// kind is the type to make: the first one allowed that is not null, else what
// the keywords suggest.
func (m maker) kind(s *shape) string {
	types := typesOf(s.nodes)
	if i := slices.IndexFunc(types, func(t string) bool { return t != "null" }); i >= 0 {
		return types[i]
	}
	if len(types) > 0 {
		return types[0]
	}
	for _, hint := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"required", "object"}, {"items", "array"}, {"prefixItems", "array"},
		{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"}, {"exclusiveMinimum", "number"}, {"exclusiveMaximum", "number"},
	} {
		if s.first(hint.keyword) != nil {
			return hint.kind
		}
	}
	return "string"
}

func (m maker) object(s *shape, depth int) value.Value {
	out := value.Value{Kind: value.Object}
	if depth > deepest {
		return out
	}
	for _, n := range s.nodes {
		m.open[n]++
		defer func() { m.open[n]-- }()
	}
	for _, name := range m.members(s, depth) {
		if ns := member(s.nodes, name, sure); len(ns) > 0 {
			out.Members = append(out.Members, value.Member{Name: name, Value: m.make(ns, name, depth+1)})
			continue
		}
		out.Members = append(out.Members, value.Member{Name: name, Value: value.Value{Kind: value.String, Text: "example"}})
	}
	return out
}

// members lists the names to fill in: those required first, then, if the
// example is to be full, the others that a consumer may set.
func (m maker) members(s *shape, depth int) []string {
	var required, optional []string
	for _, n := range s.nodes {
		if v, ok := n.get("required"); ok {
			for _, item := range v.Items {
				required = append(required, item.Text)
			}
		}
		for _, l := range n.links {
			if l.keyword == "properties" && m.full && depth < optionalDepth {
				optional = append(optional, l.name)
			}
		}
	}
	var names []string
	for _, name := range append(required, optional...) {
		if !slices.Contains(names, name) && m.settable(s, name, slices.Contains(required, name)) {
			names = append(names, name)
		}
	}
	return names
}

// settable reports whether a consumer would set the property: not what only
// the owner sets, nor, unless it must be, what the owner chooses, is on its way
// out or recurs.
func (m maker) settable(s *shape, name string, required bool) bool {
	p := &shape{nodes: closure(member(s.nodes, name, sure), sure)}
	if p.yes("readOnly") || p.forbids() {
		return false
	}
	recurs := slices.ContainsFunc(p.nodes, func(n *node) bool { return m.open[n] > 0 })
	return required || !recurs && !p.yes("x-owner-default") && !p.yes("deprecated")
}

func (m maker) array(s *shape, name string, depth int) value.Value {
	out := value.Value{Kind: value.Array}
	if depth > deepest {
		return out
	}
	for i := range m.length(s, depth) {
		var ns []*node
		for _, n := range s.nodes {
			if e := n.element(i); e != nil {
				ns = append(ns, e)
			}
		}
		e := m
		e.index = m.index + i
		if s.text("service_reference") != "" {
			out.Items = append(out.Items, value.Value{Kind: value.String, Text: e.numbered("my-" + slug(s.text("service_reference")))})
			continue
		}
		out.Items = append(out.Items, e.make(ns, singular(name), depth+1))
	}
	return out
}

// maxElements bounds how many elements an example is filled with.
const maxElements = 50

func (m maker) length(s *shape, depth int) int {
	want := 0
	if m.full && depth < optionalDepth {
		want = 1
	}
	for _, keyword := range []string{"minItems", "minContains"} {
		want = max(want, s.number(keyword, 0))
	}
	if s.first("contains") != nil {
		want = max(want, 1)
	}
	return min(want, s.number("maxItems", want), maxElements)
}

// number reads a count, or says otherwise where there is none.
func (s *shape) number(keyword string, otherwise int) int {
	v := s.tightest(keyword)
	if v == nil || v.Kind != value.Number {
		return otherwise
	}
	if r := rat(v.Text); r != nil && r.IsInt() && r.Num().IsInt64() {
		return int(r.Num().Int64())
	}
	return otherwise
}

func singular(name string) string { return strings.TrimSuffix(name, "s") }
