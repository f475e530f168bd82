package schema

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// node is one sub-schema in its place: an object or a bool, with the
// sub-schemas below it. The graph of nodes is cyclic where $ref makes it so.
type node struct {
	id      int
	value   *value.Value
	pointer string
	ref     *node // where $ref leads, nil without one
	links   []link
	props   map[string]*node // by the name of the property
	open    []link           // to members that are not named one by one
}

// link leads from a sub-schema to one directly below it.
type link struct {
	keyword string
	name    string // of the property, its pattern, or the index in a list
	pattern *regexp.Regexp
	to      *node
}

// place returns what the link's keyword means.
func (l link) place() place { return places[l.keyword] }

// reach says to which values a sub-schema below a keyword applies.
type reach uint8

const (
	nowhere  reach = iota // it is only kept for $ref
	itself                // the same value
	members               // members of the object
	names                 // names of the object's members
	elements              // elements of the array
)

// form says how sub-schemas are written below a keyword.
type form uint8

const (
	single form = iota
	list
	named
	either // one, or a list of them
)

// place is what a keyword with sub-schemas means.
type place struct {
	form  form
	reach reach
	sure  bool   // the portal's own keywords count here (lifecycle K1)
	maybe bool   // an item may have what is described here
	only  string // the one draft that knows the keyword, "" for both
}

// places lists every keyword that holds sub-schemas.
var places = map[string]place{
	"$defs":                 {form: named, sure: true},
	"definitions":           {form: named, sure: true},
	"allOf":                 {form: list, reach: itself, sure: true},
	"anyOf":                 {form: list, reach: itself, maybe: true},
	"oneOf":                 {form: list, reach: itself, maybe: true},
	"not":                   {reach: itself},
	"if":                    {reach: itself},
	"then":                  {reach: itself, maybe: true},
	"else":                  {reach: itself, maybe: true},
	"dependentSchemas":      {form: named, reach: itself, maybe: true, only: draft2020},
	"dependencies":          {form: named, reach: itself, maybe: true},
	"properties":            {form: named, reach: members, sure: true},
	"patternProperties":     {form: named, reach: members, sure: true},
	"additionalProperties":  {reach: members, sure: true},
	"unevaluatedProperties": {reach: members, maybe: true, only: draft2020},
	"propertyNames":         {reach: names},
	"items":                 {form: either, reach: elements, sure: true},
	"prefixItems":           {form: list, reach: elements, sure: true, only: draft2020},
	"additionalItems":       {reach: elements, sure: true, only: draft7},
	"unevaluatedItems":      {reach: elements, maybe: true, only: draft2020},
	"contains":              {reach: elements},
	"contentSchema":         {reach: nowhere, only: draft2020},
}

// graph is every sub-schema of one service's schema.
type graph struct {
	draft   string
	nodes   []*node // the root first, then in the order written
	at      map[string]*node
	of      map[*value.Value]*node
	anchors map[string]*node
}

// newGraph finds every sub-schema below root; it stops early when there are
// more than the budget allows.
func newGraph(root *value.Value, draft string) *graph {
	g := &graph{draft: draft, at: map[string]*node{}, of: map[*value.Value]*node{}, anchors: map[string]*node{}}
	g.add(root, "")
	for _, n := range g.nodes {
		if ref, ok := n.text("$ref"); ok {
			n.ref = g.target(ref)
		}
	}
	return g
}

func (g *graph) root() *node { return g.nodes[0] }

func (g *graph) full() bool { return len(g.nodes) > maxNodes }

func (g *graph) add(v *value.Value, pointer string) *node {
	n := &node{id: len(g.nodes), value: v, pointer: pointer}
	g.nodes = append(g.nodes, n)
	g.at[pointer], g.of[v] = n, n
	g.name(n)
	for i := range v.Members {
		m := &v.Members[i]
		if p, ok := places[m.Name]; ok && (p.only == "" || p.only == g.draft) {
			g.below(n, p.form, m, join(pointer, m.Name))
		}
	}
	return n
}

// name keeps the anchors by which $ref may find n.
func (g *graph) name(n *node) {
	if g.draft == draft7 {
		if id, _ := n.text("$id"); strings.HasPrefix(id, "#") {
			g.anchors[id[1:]] = n
		}
		return
	}
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, ok := n.text(key); ok {
			g.anchors[anchor] = n
		}
	}
}

func (g *graph) below(n *node, f form, m *value.Member, pointer string) {
	v := &m.Value
	switch {
	case f == named && v.Kind == value.Object:
		for i := range v.Members {
			g.link(n, m.Name, v.Members[i].Name, &v.Members[i].Value, join(pointer, v.Members[i].Name))
		}
	case (f == list || f == either && g.draft == draft7) && v.Kind == value.Array:
		for i := range v.Items {
			g.link(n, m.Name, strconv.Itoa(i), &v.Items[i], join(pointer, strconv.Itoa(i)))
		}
	case f == single || f == either:
		g.link(n, m.Name, "", v, pointer)
	}
}

func (g *graph) link(from *node, keyword, name string, v *value.Value, pointer string) {
	if g.full() || v.Kind != value.Object && v.Kind != value.Bool {
		return
	}
	l := link{keyword: keyword, name: name}
	if keyword == "patternProperties" && badPattern(name) == "" {
		l.pattern = regexp.MustCompile(name)
	}
	l.to = g.add(v, pointer)
	from.link(l)
}

func (n *node) link(l link) {
	n.links = append(n.links, l)
	switch {
	case l.keyword == "properties":
		if n.props == nil {
			n.props = map[string]*node{}
		}
		n.props[l.name] = l.to
	case l.place().reach == members:
		n.open = append(n.open, l)
	}
}

// target finds the sub-schema that a local $ref names, nil if there is none.
func (g *graph) target(ref string) *node {
	fragment, local := strings.CutPrefix(ref, "#")
	fragment, err := url.PathUnescape(fragment)
	if !local || err != nil {
		return nil
	}
	if fragment == "" || strings.HasPrefix(fragment, "/") {
		return g.at[fragment]
	}
	return g.anchors[fragment]
}

// get returns the value of a keyword.
func (n *node) get(keyword string) (*value.Value, bool) { return n.value.Get(keyword) }

// text returns the value of a keyword if it is a string.
func (n *node) text(keyword string) (string, bool) {
	v, ok := n.get(keyword)
	if !ok || v.Kind != value.String {
		return "", false
	}
	return v.Text, true
}

// yes reports whether a keyword is there and true.
func (n *node) yes(keyword string) bool {
	v, ok := n.get(keyword)
	return ok && v.Kind == value.Bool && v.Text == "true"
}

// same lists the sub-schemas that n applies to the same value: the one that
// $ref leads to and those below the keywords that keep accepts.
func (n *node) same(keep func(place) bool) []*node {
	var out []*node
	if n.ref != nil {
		out = append(out, n.ref)
	}
	for _, l := range n.links {
		if p := l.place(); p.reach == itself && keep(p) {
			out = append(out, l.to)
		}
	}
	return out
}

// closure lists n and every sub-schema that applies wherever one of ns does,
// in the order found.
func closure(ns []*node, keep func(place) bool) []*node {
	seen := map[*node]bool{}
	var out []*node
	var visit func(*node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		out = append(out, n)
		for _, s := range n.same(keep) {
			visit(s)
		}
	}
	for _, n := range ns {
		visit(n)
	}
	return out
}

// sure keeps the keywords below which the portal's own keywords count.
func sure(p place) bool { return p.sure }

// possible keeps the keywords below which an item may be described.
func possible(p place) bool { return p.sure || p.maybe }

// every keeps every keyword.
func every(place) bool { return true }

// join adds one step to a JSON Pointer.
func join(pointer, step string) string { return pointer + value.Pointer(step) }
