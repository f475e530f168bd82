package schema

import (
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

// Row describes one property for the reference table of a service (portal CAT2).
type Row struct {
	Path        string // such as tiers[].members; * stands for any name, /^vm/ for one that matches
	Type        string // such as "array of string"
	Required    bool   // of the consumer, where the object around it is there
	Constraints string // what else a value must meet, "" if nothing
	Default     string // as JSON, "" if none; the portal does not fill it in
	Example     string // as JSON, "" if none
	Description string
	References  string // the service whose items are named here, "" if none
}

// maxRows keeps the table readable where parts of a schema repeat each other.
const maxRows = 2_000

// Rows lists every property that an item may have, nested ones too, each below
// the one it belongs to.
func (s *Schema) Rows() []Row {
	var ignored findings
	all := gather(s.graph, possible, &ignored)
	if len(ignored.problems) > 0 {
		all = s.shape
	}
	t := table{open: map[*shape]bool{}}
	t.below(s.shape, all, "")
	return t.rows
}

type table struct {
	rows []Row
	open map[*shape]bool // above the place in hand, so that recursion ends
}

// below adds the rows of what is inside a value: always is what the schema says
// of it in any case, all adds what only some forms of it have.
func (t *table) below(always, all *shape, path string) {
	if all == nil || t.open[all] || len(t.rows) >= maxRows {
		return
	}
	t.open[all] = true
	for _, p := range all.props {
		t.add(always, p.name, p.shape, dotted(path, p.name))
	}
	for _, p := range all.parts {
		switch {
		case p.shape.forbids():
		case places[p.keyword].reach == members:
			t.add(always, "*", p.shape, p.path(path))
		default:
			t.below(itemsOf(always), p.shape, p.path(path))
		}
	}
	delete(t.open, all)
}

// label stands for the names of properties that have none of their own.
func (p part) label() string {
	if p.keyword == "patternProperties" {
		return "/" + p.name + "/"
	}
	return "*"
}

func (t *table) add(around *shape, name string, s *shape, path string) {
	var always *shape
	required := false
	if around != nil {
		always, required = around.prop(name), around.demands(name)
	}
	t.rows = append(t.rows, Row{
		Path: path, Type: s.typeWords(), Required: required, Constraints: strings.Join(s.constraints(always != nil), "; "),
		Default: s.json("default"), Example: s.exampleJSON(), Description: s.text("description"), References: s.text("service_reference"),
	})
	t.below(always, s, path)
}

func dotted(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func itemsOf(s *shape) *shape {
	if s == nil {
		return nil
	}
	return s.items
}

// forbids reports whether no value at all meets s.
func (s *shape) forbids() bool {
	return slices.ContainsFunc(s.nodes, func(n *node) bool { return n.value.Text == "false" })
}

// typeWords tells the type of s in the words of JSON Schema.
func (s *shape) typeWords() string {
	types := s.types()
	words := strings.Join(types, " or ")
	if slices.Contains(types, "array") && s.items != nil && !s.items.forbids() {
		if of := strings.Join(s.items.types(), " or "); of != "" {
			words = strings.Replace(words, "array", "array of "+of, 1)
		}
	}
	if words == "" {
		return "any"
	}
	return words
}

// types tells the types that some part of s allows, in the order written.
func (s *shape) types() []string {
	var types []string
	for _, n := range s.nodes {
		for _, t := range typesSaid(n) {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	return types
}

func (s *shape) json(keyword string) string {
	v := s.first(keyword)
	if v == nil {
		return ""
	}
	return string(value.AppendJSON(nil, v))
}

func (s *shape) exampleJSON() string {
	if v := s.first("examples"); v != nil && len(v.Items) > 0 {
		return string(value.AppendJSON(nil, &v.Items[0]))
	}
	return s.json("example")
}

// constraint tells one keyword in words; {} stands for its value.
type constraint struct{ keyword, words string }

var constraints = []constraint{
	{"const", "always {}"},
	{"minimum", "at least {}"},
	{"exclusiveMinimum", "more than {}"},
	{"maximum", "at most {}"},
	{"exclusiveMaximum", "less than {}"},
	{"multipleOf", "a multiple of {}"},
	{"minLength", "characters: at least {}"},
	{"maxLength", "characters: at most {}"},
	{"pattern", "matches {}"},
	{"minItems", "elements: at least {}"},
	{"maxItems", "elements: at most {}"},
	{"minProperties", "properties: at least {}"},
	{"maxProperties", "properties: at most {}"},
}

// flags tells the keywords that are either on or off.
var flags = []constraint{
	{"uniqueItems", "no element twice"},
	{"x-unordered", "the order of elements does not matter"},
	{"readOnly", "set by the owner"},
	{"x-owner-default", "chosen by the owner if left out"},
	{"x-immutable", "cannot be changed later"},
	{"x-ignore-change", "its change alone raises nothing"},
	{"x-secret", "secret"},
	{"writeOnly", "secret"},
	{"deprecated", "deprecated"},
}

func (s *shape) constraints(always bool) []string {
	var out []string
	say := func(words string) {
		if !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	if enum := s.first("enum"); enum != nil {
		say(oneOfWords(choices(s)))
	}
	if format := s.text("format"); format != "" && format != oneReference && format != manyReferences {
		say("format " + format)
	}
	for _, c := range constraints {
		if v := s.tightest(c.keyword); v != nil {
			say(strings.Replace(c.words, "{}", plainText(v), 1))
		}
	}
	for _, f := range flags {
		if s.yes(f.keyword) {
			say(f.words)
		}
	}
	if unique := s.text("x-unique"); unique != "" {
		say("unique in the " + unique)
	}
	if !always {
		say("only in some forms")
	}
	return out
}

func oneOfWords(enum *value.Value) string {
	var words []string
	for i := range enum.Items {
		if i == shownChoices {
			words = append(words, "…")
			break
		}
		words = append(words, plainText(&enum.Items[i]))
	}
	return "one of " + strings.Join(words, ", ")
}

// plainText writes a string without quotes and everything else as JSON.
func plainText(v *value.Value) string {
	if v.Kind == value.String {
		return v.Text
	}
	return string(value.AppendJSON(nil, v))
}
