package schema

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/portolan/portolan/engine/value"
)

// findings gathers all that is wrong with a schema, and all that is merely odd.
type findings struct {
	problems []finding
	warnings []finding
}

// finding is a problem with its place as a byte offset.
type finding struct {
	at int
	value.Problem
}

func (f *findings) refuse(rule string, pointer string, at int, format string, args ...any) {
	f.problems = append(f.problems, newFinding(rule, pointer, at, format, args))
}

func (f *findings) warn(rule string, pointer string, at int, format string, args ...any) {
	f.warnings = append(f.warnings, newFinding(rule, pointer, at, format, args))
}

// keyword refuses the value of a keyword of n, or n itself where it is missing.
func (f *findings) keyword(rule string, n *node, keyword, format string, args ...any) {
	if v, ok := n.get(keyword); ok {
		f.refuse(rule, join(n.pointer, keyword), v.At, format, args...)
		return
	}
	f.refuse(rule, n.pointer, n.value.At, format, args...)
}

func newFinding(rule, pointer string, at int, format string, args []any) finding {
	return finding{at: at, Problem: value.Problem{Pointer: pointer, Message: fmt.Sprintf(format, args...), Rule: rule}}
}

// placed orders findings as their text does and tells line and column; without
// a text there is no place.
func placed(text []byte, found []finding) []value.Problem {
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	var out []value.Problem
	lines := value.NewText(text)
	for _, one := range found {
		if text != nil {
			one.Line, one.Column = lines.Place(one.at)
		}
		if n := len(out); n == 0 || out[n-1].Pointer != one.Pointer || out[n-1].Message != one.Message {
			out = append(out, one.Problem)
		}
	}
	return out
}
