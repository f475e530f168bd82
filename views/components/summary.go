package components

import (
	"fmt"
	"strings"

	"github.com/portolan/portolan/engine"
)

// Summary counts changes; the referenced and dependent ones are counted apart
// from the three types (portal X24).
type Summary struct{ Create, Modify, Delete, Referenced, Dependent int }

// Total returns how many changes there are.
func (s Summary) Total() int {
	return s.Create + s.Modify + s.Delete + s.Referenced + s.Dependent
}

// Words says the summary aloud: "2 to create, 1 to modify, 1 referenced".
func (s Summary) Words() string {
	var words []string
	for _, part := range s.parts() {
		words = append(words, part.spoken)
	}
	if len(words) == 0 {
		return "no changes"
	}
	return strings.Join(words, ", ")
}

// apart is the class of the numbers that are not among the three types.
const apart = "muted"

// part is one number of a summary, in signs and in words, and the query that
// leaves only what it counts.
type part struct{ shown, spoken, class, query string }

func (s Summary) parts() []part {
	var parts []part
	for i, n := range []int{s.Create, s.Modify, s.Delete} {
		if n > 0 {
			kind := engine.ChangeTypes[i]
			sign := typeSigns[kind]
			parts = append(parts, part{sign.glyph + grouped(n), grouped(n) + " " + sign.spoken, sign.class, "type=" + string(kind)})
		}
	}
	for i, n := range []int{s.Referenced, s.Dependent} {
		if n > 0 {
			kind := []engine.ChangeKind{engine.Referenced, engine.Dependent}[i]
			words := fmt.Sprintf("%s %s", grouped(n), kind)
			parts = append(parts, part{words, words, apart, "cause=" + string(kind)})
		}
	}
	return parts
}
