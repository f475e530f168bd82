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
	c.part(old.others, new.others, dotted(path, "*"))
	c.part(old.items, new.items, path+"[]")
}

func (c *comparison) types(old, new *shape, path string) {
	was, is := typesOf(old.nodes), typesOf(new.nodes)
	if !slices.Equal(was, is) {
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
	if v := s.first("const"); v != nil {
		return &value.Value{Kind: value.Array, Items: []value.Value{*v}}
	}
	return s.first("enum")
}

// missing names the values of a that b does not have.
func missing(a, b *value.Value) string {
	var out []string
	for i := range a.Items {
		if !slices.ContainsFunc(b.Items, func(v value.Value) bool { return value.Equal(&v, &a.Items[i], nil) }) {
			out = append(out, plainText(&a.Items[i]))
		}
	}
	return strings.Join(out, ", ")
}

// bound is a keyword with a number that limits values on one side.
type bound struct {
	keyword string
	lower   bool
}

var bounds = []bound{
	{"minimum", true}, {"exclusiveMinimum", true}, {"minLength", true}, {"minItems", true}, {"minProperties", true},
	{"maximum", false}, {"exclusiveMaximum", false}, {"maxLength", false}, {"maxItems", false}, {"maxProperties", false},
}

func (c *comparison) bound(b bound, old, new *shape, path string) {
	was, is := old.first(b.keyword), new.first(b.keyword)
	switch {
	case was == nil && is == nil:
	case was == nil:
		c.add(path, true, "%s %s added", b.keyword, is.Text)
	case is == nil:
		c.add(path, false, "%s %s removed", b.keyword, was.Text)
	case rat(was.Text).Cmp(rat(is.Text)) != 0:
		narrower := rat(is.Text).Cmp(rat(was.Text)) > 0 == b.lower
		c.add(path, narrower, "%s %s -> %s", b.keyword, was.Text, is.Text)
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
		was, is := old.first(keyword), new.first(keyword)
		if !value.Equal(was, is, nil) {
			c.add(path, is != nil, "%s %s", keyword, verb(was, is))
		}
	}
	for _, keyword := range told {
		if was, is := old.first(keyword), new.first(keyword); !value.Equal(was, is, nil) {
			c.add(path, false, "%s %s", keyword, verb(was, is))
		}
	}
}

func verb(was, is *value.Value) string {
	switch {
	case was == nil:
		return "added"
	case is == nil:
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

// part compares what may be described on one side only.
func (c *comparison) part(old, new *shape, path string) {
	switch {
	case old == nil && new == nil:
	case old == nil:
		c.add(path, !new.allows(), "%s", map[bool]string{true: "no longer allowed", false: "now described"}[new.forbids()])
	case new == nil:
		c.add(path, false, "no longer described")
	case old.forbids() != new.forbids():
		c.add(path, new.forbids(), "%s", map[bool]string{true: "no longer allowed", false: "now allowed"}[new.forbids()])
	default:
		c.compare(old, new, path)
	}
}

// allows reports whether every value meets s.
func (s *shape) allows() bool {
	return !slices.ContainsFunc(s.nodes, func(n *node) bool { return n.value.Text == "false" || len(n.value.Members) > 0 })
}
