package schema

import (
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// keyword is one of the portal's own additions to JSON Schema.
type keyword struct {
	name  string
	ok    func(*value.Value) bool
	want  string
	types []string // the value it describes must be one of these types, if its type is said
	where where
	free  bool // it may stand on the property "name" (lifecycle K2)
}

// where limits the places of a keyword.
type where uint8

const (
	anywhere where = iota
	atRoot
	atTop        // a property of the root
	outsideLists // not below an array
)

var scalars = []string{"string", "number", "integer", "boolean", "null"}

// keywords lists them all but the notation of references (lifecycle section 2).
var keywords = []keyword{
	{name: "readOnly", ok: isBool, want: "true or false"},
	{name: "writeOnly", ok: isBool, want: "true or false"},
	{name: "x-owner-default", ok: isBool, want: "true or false"},
	{name: "x-immutable", ok: isBool, want: "true or false", where: outsideLists},
	{name: "x-unordered", ok: isBool, want: "true or false", types: []string{"array"}},
	{name: "x-ignore-change", ok: isBool, want: "true or false"},
	{name: "x-unique", ok: oneOf("application", "team", "service"), want: `"application", "team" or "service"`, types: scalars, where: outsideLists},
	{name: "x-secret", ok: isBool, want: "true or false"},
	{name: "x-title", ok: isText, want: "a template", types: []string{"object"}, free: true},
	{name: "x-computed", ok: isObject, want: "an object of templates", where: atRoot, free: true},
	{name: "x-lifecycle", ok: isLifecycle, want: `an object of "mode" (strict or warn), "IN_SERVICE" and "DEPLOYED"`, where: atRoot, free: true},
	{name: "x-required-in", ok: isPhases, want: `a list of "IN_SERVICE" and "DEPLOYED"`, free: true},
	{name: "x-page", ok: isObject, want: `an object such as {"n": 2, "title": "Network"}`, where: atTop, free: true},
	{name: "x-order", ok: isInteger, want: "a whole number", where: atTop, free: true},
}

func isPhases(v *value.Value) bool {
	phase := oneOf("IN_SERVICE", "DEPLOYED")
	return v.Kind == value.Array && !slices.ContainsFunc(v.Items, func(item value.Value) bool { return !phase(&item) })
}

func isInteger(v *value.Value) bool {
	return v.Kind == value.Number && !strings.ContainsAny(v.Text, ".eE")
}

func isLifecycle(v *value.Value) bool {
	known := map[string]func(*value.Value) bool{"mode": oneOf("strict", "warn"), "IN_SERVICE": isObject, "DEPLOYED": isObject}
	return v.Kind == value.Object && !slices.ContainsFunc(v.Members, func(m value.Member) bool {
		ok := known[m.Name]
		return ok == nil || !ok(&m.Value)
	})
}

// checkKeywords refuses the portal's own keywords where they are malformed or
// misplaced (lifecycle K2), and warns where they have no effect (K1).
func checkKeywords(g *graph, found *findings) {
	spots := newSpots(g)
	for _, n := range g.nodes {
		if n.value.Kind != value.Object {
			continue
		}
		for _, k := range keywords {
			k.check(n, spots, found)
		}
		checkReference(n, found)
		checkTogether(n, found)
		spots.warn(n, found)
	}
}

func (k keyword) check(n *node, spots spots, found *findings) {
	v, ok := n.get(k.name)
	if !ok {
		return
	}
	if !k.ok(v) {
		if k.own() { // the meta-schema knows the others
			found.keyword("K2", n, k.name, "%s must be %s", k.name, k.want)
		}
		return
	}
	types := typesOf(closure([]*node{n}, sure))
	switch {
	case v.Text == "false":
	case k.types != nil && types != nil && !slices.ContainsFunc(types, func(t string) bool { return slices.Contains(k.types, t) }):
		found.keyword("K2", n, k.name, "%s belongs on type %s, this is %s", k.name, k.types[0], strings.Join(types, " or "))
	case k.where == atRoot && n.id != 0:
		found.keyword("K2", n, k.name, "%s belongs at the root of the schema", k.name)
	case k.where == atTop && !spots.top[n]:
		found.keyword("K2", n, k.name, "%s belongs on a property of the item itself", k.name)
	case k.where == outsideLists && spots.inList[n]:
		found.keyword("K2", n, k.name, "%s cannot stand below an array", k.name)
	case !k.free && spots.name[n]:
		found.keyword("K2", n, k.name, "%s cannot stand on name, by which an item is known", k.name)
	}
}

// own reports whether JSON Schema itself does not know the keyword.
func (k keyword) own() bool { return strings.HasPrefix(k.name, "x-") }

// checkTogether refuses keywords that exclude each other (lifecycle K2, K6).
func checkTogether(n *node, found *findings) {
	for _, pair := range [][2]string{
		{"readOnly", "x-owner-default"}, {"readOnly", "x-immutable"}, {"readOnly", "x-unique"},
		{"x-secret", "x-unique"}, {"writeOnly", "x-unique"},
	} {
		if on(n, pair[0]) && on(n, pair[1]) {
			found.keyword("K2", n, pair[1], "%s and %s exclude each other", pair[0], pair[1])
		}
	}
}

func on(n *node, keyword string) bool {
	v, ok := n.get(keyword)
	return ok && v.Text != "false"
}

// spots tells where the sub-schemas of a graph stand in an item.
type spots struct {
	sure   map[*node]bool // our keywords count
	any    map[*node]bool // validation reaches it
	inList map[*node]bool // below an array
	top    map[*node]bool // a property of the item itself
	name   map[*node]bool // the property "name" of the item itself
}

func newSpots(g *graph) spots {
	root := closure([]*node{g.root()}, sure)
	s := spots{
		sure: map[*node]bool{}, any: map[*node]bool{}, inList: map[*node]bool{},
		top: map[*node]bool{}, name: map[*node]bool{},
	}
	spread(g.root(), s.sure, sure)
	spread(g.root(), s.any, func(p place) bool { return p.reach != nowhere })
	for n := range s.sure {
		for _, l := range n.links {
			if l.place().reach == elements && l.place().sure {
				spread(l.to, s.inList, sure)
			}
		}
	}
	for _, n := range root {
		for _, l := range n.links {
			if l.place().reach == members && l.place().sure {
				mark(s.top, l.to)
			}
		}
	}
	mark(s.name, linked(root, "properties", "name")...)
	return s
}

func mark(set map[*node]bool, ns ...*node) {
	for _, n := range closure(ns, sure) {
		set[n] = true
	}
}

// spread marks n and everything that keep lets it reach, definitions only by $ref.
func spread(n *node, seen map[*node]bool, keep func(place) bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	if n.ref != nil {
		spread(n.ref, seen, keep)
	}
	for _, l := range n.links {
		if p := l.place(); p.reach != nowhere && keep(p) {
			spread(l.to, seen, keep)
		}
	}
}

// warn tells what has no effect on n.
func (s spots) warn(n *node, found *findings) {
	for _, m := range n.value.Members {
		own := slices.ContainsFunc(keywords, func(k keyword) bool { return k.own() && k.name == m.Name })
		switch {
		case (own || m.Name == "service_reference") && s.any[n] && !s.sure[n]:
			found.warn("K1", join(n.pointer, m.Name), m.At, "%s has no effect here: below anyOf, oneOf, not, if, then and else only validation counts", m.Name)
		case !own && strings.HasPrefix(m.Name, "x-"):
			found.warn("K2", join(n.pointer, m.Name), m.At, "%s is not a keyword of the portal and has no effect", m.Name)
		}
	}
}
