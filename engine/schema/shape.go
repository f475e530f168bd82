package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// maxShapes bounds the shapes of one schema; only schemas that combine many
// recursive parts by allOf come near it.
const maxShapes = 5_000

// shape is everything that a schema says about one place of an item, gathered
// through $ref and allOf. Shapes are cyclic where the schema is recursive.
type shape struct {
	nodes  []*node
	props  []prop // named properties, in the order written
	parts  []part // further properties and elements, each kind by itself
	others *shape // all further properties together, nil if nothing is said of them
	items  *shape // all elements together, nil if nothing is said of them
}

// prop is a named property of an object.
type prop struct {
	name  string
	shape *shape
}

// part is what one keyword says about properties without a name of their own,
// or about elements.
type part struct {
	keyword string
	name    string // the pattern, or the index
	shape   *shape
}

// newShape gathers the shapes of a graph and returns that of its root.
func newShape(g *graph, found *findings) *shape {
	return gather(g, sure, found)
}

// gather builds shapes from the sub-schemas that keep lets count.
func gather(g *graph, keep func(place) bool, found *findings) *shape {
	b := gatherer{keep: keep, made: map[string]*shape{}}
	root := b.shape([]*node{g.root()})
	if len(b.made) > maxShapes {
		found.refuse("trust S3", "", g.root().value.At, "the schema combines its parts in more than %d ways", maxShapes)
	}
	return root
}

type gatherer struct {
	keep func(place) bool
	made map[string]*shape
}

func (b *gatherer) shape(ns []*node) *shape {
	if len(ns) == 0 {
		return nil
	}
	nodes := closure(ns, b.keep)
	key := keyOf(nodes)
	if s, ok := b.made[key]; ok {
		return s
	}
	s := &shape{nodes: nodes}
	b.made[key] = s
	if len(b.made) > maxShapes {
		return s
	}
	b.fill(s)
	return s
}

// keyOf names what a set of sub-schemas says; one that is a $ref and nothing
// else adds nothing to it.
func keyOf(nodes []*node) string {
	var ids []int
	for _, n := range nodes {
		if n.ref == nil || len(n.value.Members) > 1 {
			ids = append(ids, n.id)
		}
	}
	slices.Sort(ids)
	var key strings.Builder
	for _, id := range ids {
		key.WriteString(strconv.Itoa(id))
		key.WriteByte(' ')
	}
	return key.String()
}

// fill follows the members and elements of s; a property that one part names
// and another leaves to its additionalProperties is described by both.
func (b *gatherer) fill(s *shape) {
	var others, items []*node
	groups := map[part][]*node{}
	for _, n := range s.nodes {
		for _, l := range n.links {
			p := l.place()
			switch {
			case l.keyword == "properties":
				b.prop(s, l.name)
				continue
			case p.reach == members && b.keep(p):
				others = append(others, l.to)
			case p.reach == elements && b.keep(p):
				items = append(items, l.to)
			default:
				continue
			}
			key := part{keyword: l.keyword, name: l.name}
			if groups[key] == nil {
				s.parts = append(s.parts, key)
			}
			groups[key] = append(groups[key], l.to)
		}
	}
	for i, key := range s.parts {
		s.parts[i].shape = b.shape(groups[key])
	}
	s.others, s.items = b.shape(others), b.shape(items)
}

func (b *gatherer) prop(s *shape, name string) {
	if _, known := s.named(name); !known {
		s.props = append(s.props, prop{name, b.shape(member(s.nodes, name, b.keep))})
	}
}

// member collects what ns say about the member called name: each by its
// properties and matching patternProperties, else by its additionalProperties.
func member(ns []*node, name string, keep func(place) bool) []*node {
	var out []*node
	for _, n := range ns {
		out = append(out, n.member(name, keep)...)
	}
	return out
}

func (n *node) member(name string, keep func(place) bool) []*node {
	var out, rest []*node
	if p := n.props[name]; p != nil {
		out = append(out, p)
	}
	for _, l := range n.open {
		switch {
		case l.pattern != nil && l.pattern.MatchString(name):
			out = append(out, l.to)
		case l.keyword != "patternProperties" && keep(l.place()):
			rest = append(rest, l.to)
		}
	}
	if len(out) == 0 {
		return rest
	}
	return out
}

// prop finds what is said about the member called name, nil if nothing is.
func (s *shape) prop(name string) *shape {
	if p, ok := s.named(name); ok {
		return p
	}
	return s.others
}

// named finds a property by its name only.
func (s *shape) named(name string) (*shape, bool) {
	i := slices.IndexFunc(s.props, func(p prop) bool { return p.name == name })
	if i < 0 {
		return nil, false
	}
	return s.props[i].shape, true
}

// first returns the first value that the parts of s give to a keyword.
func (s *shape) first(keyword string) *value.Value {
	for _, n := range s.nodes {
		if v, ok := n.get(keyword); ok {
			return v
		}
	}
	return nil
}

// tightest returns the value of a keyword that limits most, of one that is no
// bound the first.
func (s *shape) tightest(keyword string) *value.Value {
	var out *value.Value
	for _, n := range s.nodes {
		if v, ok := n.get(keyword); ok && (out == nil || tighter(keyword, v, out)) {
			out = v
		}
	}
	return out
}

// tighter reports whether a bound limits values more with a than with b.
func tighter(keyword string, a, b *value.Value) bool {
	order := 0
	if a.Kind == value.Number && b.Kind == value.Number {
		order = rat(a.Text).Cmp(rat(b.Text))
	}
	switch {
	case strings.HasPrefix(keyword, "min"), keyword == "exclusiveMinimum":
		return order > 0
	case strings.HasPrefix(keyword, "max"), keyword == "exclusiveMaximum":
		return order < 0
	}
	return false
}

// text returns the first string that the parts of s give to a keyword.
func (s *shape) text(keyword string) string {
	for _, n := range s.nodes {
		if text, ok := n.text(keyword); ok {
			return text
		}
	}
	return ""
}

// yes reports whether some part of s has the keyword as true.
func (s *shape) yes(keyword string) bool {
	return slices.ContainsFunc(s.nodes, func(n *node) bool { return n.yes(keyword) })
}

// demands reports whether a consumer must set the member of an object of this
// shape; what is readOnly the owner sets (lifecycle M2).
func (s *shape) demands(name string) bool {
	p, ok := s.named(name)
	return !(ok && p.yes("readOnly")) && slices.ContainsFunc(s.nodes, func(n *node) bool { return lists(n, "required", name) })
}

// each visits s and every shape below it once.
func (s *shape) each(visit func(*shape)) {
	seen := map[*shape]bool{}
	var walk func(*shape)
	walk = func(s *shape) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		visit(s)
		for _, p := range s.props {
			walk(p.shape)
		}
		for _, p := range s.parts {
			walk(p.shape)
		}
	}
	walk(s)
}

// settled lists the keywords on which all parts of a shape must agree (lifecycle K2).
var settled = []string{
	"readOnly", "writeOnly", "x-owner-default", "x-immutable", "x-unordered", "x-ignore-change", "x-unique", "x-secret",
	"service_reference", "reference_scope", "propagate", "x-title", "x-page", "x-order", "x-required-in",
}

// checkShape refuses parts that contradict each other about the same value.
func checkShape(root *shape, found *findings) {
	root.each(func(s *shape) {
		if len(s.nodes) < 2 {
			return
		}
		for _, k := range settled {
			s.agree(k, found)
		}
	})
}

func (s *shape) agree(keyword string, found *findings) {
	first := s.first(keyword)
	for _, n := range s.nodes {
		if v, ok := n.get(keyword); ok && !value.Equal(v, first, nil) {
			found.keyword("K2", n, keyword, "%s contradicts the %s at another part that describes the same value", keyword, keyword)
			return
		}
	}
}
