package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// SchemaChange is one difference between two versions of a service's schema
// (marketplace S3).
type SchemaChange struct {
	Path     string // of the property, as in Row; "" for the item itself
	What     string // a phrase such as "minimum 1 -> 2"
	Breaking bool   // an item that was valid may not be valid any more
}

// Impact lists what changes for the items of a service when its schema goes
// from old to new, in the order of new.
func Impact(old, new *Schema) []SchemaChange {
	c := comparison{seen: map[[2]*shape]bool{}}
	c.compare(old.shape, new.shape, "")
	return c.changes
}

type comparison struct {
	changes []SchemaChange
	seen    map[[2]*shape]bool
}

func (c *comparison) add(path string, breaking bool, format string, args ...any) {
	c.changes = append(c.changes, SchemaChange{Path: path, What: fmt.Sprintf(format, args...), Breaking: breaking})
}

func (c *comparison) compare(old, new *shape, path string) {
	key := [2]*shape{old, new}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.types(old, new, path)
	c.enum(old, new, path)
	for _, b := range bounds {
		c.bound(b, old, new, path)
	}
	c.rest(old, new, path)
	c.properties(old, new, path)
	c.parts(old, new, path)
}

func (c *comparison) types(old, new *shape, path string) {
	was, is := typesOf(old.nodes), typesOf(new.nodes)
	if !slices.Equal(slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(is))) {
		c.add(path, is != nil && (was == nil || !covers(is, was)), "type %s -> %s", words(was), words(is))
	}
}

// covers reports whether every value of a type in was has a type in is.
func covers(is, was []string) bool {
	return !slices.ContainsFunc(was, func(t string) bool {
		return !slices.Contains(is, t) && !(t == "integer" && slices.Contains(is, "number"))
	})
}

func words(types []string) string {
	if types == nil {
		return "any"
	}
	return strings.Join(types, " or ")
}

func (c *comparison) enum(old, new *shape, path string) {
	was, is := choices(old), choices(new)
	switch {
	case was == nil && is == nil:
	case was == nil:
		c.add(path, true, "limited to %s", oneOfWords(is))
	case is == nil:
		c.add(path, false, "no longer limited to %s", oneOfWords(was))
	default:
		if gone := missing(was, is); gone != "" {
			c.add(path, true, "no longer allows %s", gone)
		}
		if fresh := missing(is, was); fresh != "" {
			c.add(path, false, "also allows %s", fresh)
		}
	}
}

// choices returns the values that s is limited to, nil if it is not.
func choices(s *shape) *value.Value {
	var out *value.Value
	for _, n := range s.nodes {
		said, ok := n.get("enum")
		if v, one := n.get("const"); one {
			said, ok = &value.Value{Kind: value.Array, Items: []value.Value{*v}}, true
		}
		switch {
		case !ok:
		case out == nil:
			out = said
		default:
			both := slices.DeleteFunc(slices.Clone(out.Items), func(v value.Value) bool { return !has(said, &v) })
			out = &value.Value{Kind: value.Array, Items: both}
		}
	}
	return out
}

func has(list, v *value.Value) bool {
	return slices.ContainsFunc(list.Items, func(item value.Value) bool { return value.Equal(&item, v, nil) })
}

// missing names the values of a that b does not have.
func missing(a, b *value.Value) string {
	var out []string
	for i := range a.Items {
		if !has(b, &a.Items[i]) {
			out = append(out, plainText(&a.Items[i]))
		}
	}
	return strings.Join(out, ", ")
}

// bounds lists the keywords with a number that limits values on one side.
var bounds = []string{
	"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties",
	"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties",
}

func (c *comparison) bound(keyword string, old, new *shape, path string) {
	was, is := old.tightest(keyword), new.tightest(keyword)
	switch {
	case was == nil && is == nil:
	case was == nil:
		c.add(path, true, "%s %s added", keyword, is.Text)
	case is == nil:
		c.add(path, false, "%s %s removed", keyword, was.Text)
	case !value.Equal(was, is, nil):
		c.add(path, tighter(keyword, is, was), "%s %s -> %s", keyword, was.Text, is.Text)
	}
}

// opaque lists the keywords whose new value may refuse what the old one took.
var opaque = []string{
	"pattern", "format", "multipleOf", "uniqueItems", "patternProperties", "propertyNames", "anyOf", "oneOf", "not", "if", "then", "else",
	"contains", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems", "service_reference", "reference_scope",
}

// told lists the keywords that no item becomes invalid by.
var told = []string{
	"default", "description", "propagate", "readOnly", "x-owner-default", "x-immutable", "x-unordered", "x-ignore-change", "x-unique", "x-secret", "writeOnly", "deprecated",
}

func (c *comparison) rest(old, new *shape, path string) {
	for _, keyword := range opaque {
		if was, is := old.all(keyword), new.all(keyword); !slices.Equal(was, is) {
			c.add(path, len(is) > 0, "%s %s", keyword, verb(was, is))
		}
	}
	for _, keyword := range told {
		if was, is := old.all(keyword), new.all(keyword); !slices.Equal(was, is) {
			c.add(path, false, "%s %s", keyword, verb(was, is))
		}
	}
}

// all lists what the parts of s give to a keyword, whatever their order.
func (s *shape) all(keyword string) []string {
	var out []string
	for _, n := range s.nodes {
		if v, ok := n.get(keyword); ok {
			out = append(out, string(value.Canonical(v, nil)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func verb(was, is []string) string {
	switch {
	case len(was) == 0:
		return "added"
	case len(is) == 0:
		return "removed"
	}
	return "changed"
}

func (c *comparison) properties(old, new *shape, path string) {
	for _, p := range new.props {
		at := dotted(path, p.name)
		was, known := old.named(p.name)
		required := new.demands(p.name)
		switch {
		case !known && required:
			c.add(at, true, "added, required")
		case !known:
			c.add(at, false, "added, optional")
		default:
			c.compare(was, p.shape, at)
			c.required(old.demands(p.name), required, at)
		}
	}
	for _, p := range old.props {
		if _, kept := new.named(p.name); !kept {
			c.add(dotted(path, p.name), new.others != nil && !new.others.allows(), "removed")
		}
	}
}

func (c *comparison) required(was, is bool, path string) {
	switch {
	case is && !was:
		c.add(path, true, "now required")
	case was && !is:
		c.add(path, false, "no longer required")
	}
}

// parts compares what is said about properties without a name and about elements.
func (c *comparison) parts(old, new *shape, path string) {
	for _, p := range new.parts {
		c.part(old.part(p), p.shape, p.path(path))
	}
	for _, p := range old.parts {
		if new.part(p) == nil {
			c.add(p.path(path), false, "no longer described")
		}
	}
}

// part finds what s says by the same keyword as p, nil if nothing.
func (s *shape) part(p part) *shape {
	for _, own := range s.parts {
		if own.keyword == p.keyword && own.name == p.name {
			return own.shape
		}
	}
	return nil
}

func (p part) path(around string) string {
	if places[p.keyword].reach == members {
		return dotted(around, p.label())
	}
	return around + "[" + p.name + "]"
}

func (c *comparison) part(old, new *shape, path string) {
	switch {
	case new.forbids() && (old == nil || !old.forbids()):
		c.add(path, true, "no longer allowed")
	case old == nil:
		c.add(path, !new.allows(), "now described")
	case old.forbids() && !new.forbids():
		c.add(path, false, "now allowed")
	default:
		c.compare(old, new, path)
	}
}

// allows reports whether every value meets s.
func (s *shape) allows() bool {
	return !slices.ContainsFunc(s.nodes, func(n *node) bool { return n.value.Text == "false" || len(n.value.Members) > 0 })
}
