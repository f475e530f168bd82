package schema

import (
	"cmp"
	"slices"

	"github.com/portolan/portolan/engine/value"
)

// Violation is one reason why an item does not meet its service's schema.
type Violation struct {
	Path    []string // from the item to the offending value
	At      int      // byte offset of the offending value, of its name if that is the fault
	Message string   // a sentence for people; it shows no secret value
	Keyword string   // the keyword of JSON Schema that is not met
}

// Costly is the Keyword of an item that takes too much work to validate.
const Costly = "cost"

func costly(item *value.Value) []Violation {
	return []Violation{{At: item.At, Message: "the item is too expensive to validate; make it smaller, or its service's schema simpler", Keyword: Costly}}
}

// Validate tells everything that keeps an item from meeting the schema, in the
// order written and at most value.MaxProblems of it.
func (s *Schema) Validate(item *value.Value) (found []Violation) {
	defer func() {
		if recover() != nil {
			found = []Violation{{At: item.At, Message: "the item cannot be validated", Keyword: Costly}}
		}
	}()
	if s.effort.tooMuch(item) {
		return costly(item)
	}
	err := s.compiled.Validate(plain(item))
	if err == nil {
		return nil
	}
	return s.violations(misses(err, newFinder(item)))
}

func (s *Schema) violations(ms []miss) []Violation {
	arrange(ms)
	var out []Violation
	for _, m := range ms {
		v := Violation{Path: m.path, At: m.at, Message: m.sentence(s.secretAt(m.path)), Keyword: m.keyword()}
		if !slices.ContainsFunc(out, func(o Violation) bool { return o.Message == v.Message && slices.Equal(o.Path, v.Path) }) {
			out = append(out, v)
		}
		if len(out) == value.MaxProblems {
			break
		}
	}
	return out
}

// arrange orders misses, and those of each form, as their text does; the
// library's order differs from run to run.
func arrange(ms []miss) {
	for _, m := range ms {
		for _, form := range m.forms {
			arrange(form)
		}
	}
	slices.SortStableFunc(ms, inOrder)
}

func inOrder(a, b miss) int {
	return cmp.Or(cmp.Compare(a.at, b.at), slices.Compare(a.path, b.path), cmp.Compare(a.keyword(), b.keyword()))
}
