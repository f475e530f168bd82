package schema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// checkRoot refuses a schema that cannot describe service items (marketplace S1).
func checkRoot(g *graph, found *findings) {
	root := g.root()
	checkTitle(root, found)
	if text, _ := root.text("type"); text != "object" {
		found.keyword("S1", root, "type", `the root needs "type": "object", because an item is an object`)
	}
	checkName(root, found)
	checkMetadata(root, found)
}

func checkTitle(root *node, found *findings) {
	title, ok := root.text("title")
	if !ok {
		found.keyword("S1", root, "title", `the schema needs a "title": it is the service's name`)
		return
	}
	if why := value.CheckName(title); why != "" {
		found.keyword("M3", root, "title", "the title %s, because it is the service's name", why)
	}
}

func checkName(root *node, found *findings) {
	all := closure([]*node{root}, sure)
	if !slices.ContainsFunc(all, func(n *node) bool { return lists(n, "required", "name") }) {
		found.keyword("S1", root, "required", `"required" must list "name", because every item has one`)
	}
	name := closure(linked(all, "properties", "name"), sure)
	if len(name) == 0 {
		found.keyword("S1", root, "properties", `the schema needs a property "name" of type string`)
		return
	}
	if types := typesOf(name); !slices.Equal(types, []string{"string"}) {
		found.keyword("S1", name[0], "type", `the property "name" must be of type string`)
	}
}

// lists reports whether the array of strings below a keyword has text.
func lists(n *node, keyword, text string) bool {
	v, ok := n.get(keyword)
	return ok && slices.ContainsFunc(v.Items, func(item value.Value) bool { return item.Kind == value.String && item.Text == text })
}

// linked collects what is directly below one keyword and name of ns.
func linked(ns []*node, keyword, name string) []*node {
	var out []*node
	for _, n := range ns {
		for _, l := range n.links {
			if l.keyword == keyword && l.name == name {
				out = append(out, l.to)
			}
		}
	}
	return out
}

// typesOf tells the types that all of ns allow, nil where none says.
func typesOf(ns []*node) []string {
	var types []string
	for _, n := range ns {
		said := typesSaid(n)
		switch {
		case said == nil:
		case types == nil:
			types = said
		default:
			types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !slices.Contains(said, t) })
		}
	}
	return types
}

func typesSaid(n *node) []string {
	v, ok := n.get("type")
	if !ok {
		return nil
	}
	if v.Kind == value.String {
		return []string{v.Text}
	}
	var types []string
	for _, item := range v.Items {
		types = append(types, item.Text)
	}
	return types
}

// option is one known key below the schema's metadata.
type option struct {
	path string
	ok   func(*value.Value) bool
	want string
}

// options lists what the portal reads from the schema's metadata (marketplace
// S1, delivery section 3, lifecycle section 2).
var options = []option{
	{"approval_required", isBool, "true or false"},
	{"monthly_cost", isNumber, "a number"},
	{"cost_per_change", isNumber, "a number"},
	{"variants", isArray, "a list"},
	{"upgrade", isArray, "a list"},
	{"compare", isObject, "an object"},
	{"compare.arrays", oneOf("ordered", "unordered"), `"ordered" or "unordered"`},
	{"delivery.order", oneOf("item"), `"item"`},
	{"delivery.strict_order", isBool, "true or false"},
	{"delivery.supersede", oneOf("never", "unfetched"), `"never" or "unfetched"`},
	{"delivery.modify_as", oneOf("modify", "replace"), `"modify" or "replace"`},
	{"delivery.wait_for_references", isBool, "true or false"},
	{"delivery.redeliver_after", isDuration, `a duration such as "5m", or null`},
	{"delivery.timeout", isDuration, `a duration such as "5m", or null`},
	{"lifecycle", isObject, "an object"},
	{"lifecycle.on_immutable", oneOf("reject", "replace"), `"reject" or "replace"`},
	{"lifecycle.strict_completion", isBool, "true or false"},
	{"lifecycle.on_drift", oneOf("report", "reconcile"), `"report" or "reconcile"`},
	{"lifecycle.rename", oneOf("move", "modify"), `"move" or "modify"`},
	{"lifecycle.allow_release", isBool, "true or false"},
	{"lifecycle.fill_defaults", isBool, "true or false"},
}

func checkMetadata(root *node, found *findings) {
	metadata, ok := root.get("metadata")
	if !ok {
		return
	}
	if metadata.Kind != value.Object {
		found.keyword("S1", root, "metadata", "metadata must be an object")
		return
	}
	for _, o := range options {
		if v := dig(metadata, o.path); v != nil && !o.ok(v) {
			found.refuse("S1", "/metadata/"+strings.ReplaceAll(o.path, ".", "/"), v.At, "metadata.%s must be %s", o.path, o.want)
		}
	}
	for _, group := range []string{"compare", "delivery", "lifecycle"} {
		warnMetadata(metadata, group, found)
	}
}

// warnMetadata names the keys of a group of options that have no effect (delivery P0).
func warnMetadata(metadata *value.Value, group string, found *findings) {
	v, ok := metadata.Get(group)
	if !ok {
		return
	}
	if v.Kind != value.Object {
		found.warn("P0", "/metadata/"+group, v.At, "metadata.%s is no object and has no effect", group)
	}
	for _, m := range v.Members {
		path := group + "." + m.Name
		if !slices.ContainsFunc(options, func(o option) bool { return o.path == path }) {
			found.warn("P0", join("/metadata/"+group, m.Name), m.At, "metadata.%s is not an option and has no effect", path)
		}
	}
}

// dig follows a path of names written with dots, nil where it ends early.
func dig(v *value.Value, path string) *value.Value {
	for _, name := range strings.Split(path, ".") {
		next, ok := v.Get(name)
		if !ok {
			return nil
		}
		v = next
	}
	return v
}

func isBool(v *value.Value) bool   { return v.Kind == value.Bool }
func isNumber(v *value.Value) bool { return v.Kind == value.Number }
func isArray(v *value.Value) bool  { return v.Kind == value.Array }
func isObject(v *value.Value) bool { return v.Kind == value.Object }
func isText(v *value.Value) bool   { return v.Kind == value.String }

var duration = regexp.MustCompile(`^0*[1-9][0-9]{0,8}[smhd]$`)

func isDuration(v *value.Value) bool {
	return v.Kind == value.Null || v.Kind == value.String && duration.MatchString(v.Text)
}

func oneOf(words ...string) func(*value.Value) bool {
	return func(v *value.Value) bool { return v.Kind == value.String && slices.Contains(words, v.Text) }
}
