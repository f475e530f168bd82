package engine

import (
	"fmt"
	"slices"

	"github.com/portolan/portolan/engine/value"
)

// report collects the problems of one text and puts them in the order of their places.
type report struct {
	text     []byte
	problems []Problem
	offsets  []int
}

// mostProblems bounds the problems that are counted, and so the memory they take.
const mostProblems = MaxItems

// add notes a problem at a byte offset of the text; pointer and path are copied.
func (r *report) add(at int, rule string, pointer, path []string, format string, args ...any) {
	if len(r.problems) == mostProblems {
		return
	}
	r.problems = append(r.problems, Problem{
		Pointer: value.Pointer(pointer...),
		Message: fmt.Sprintf(format, args...),
		Rule:    rule,
		Path:    slices.Clone(path),
	})
	r.offsets = append(r.offsets, at)
}

// done returns the problems with line and column, in the order of the text.
func (r *report) done() []Problem {
	if len(r.problems) == 0 {
		return nil
	}
	places := value.NewText(r.text)
	for i := range r.problems {
		r.problems[i].Line, r.problems[i].Column = places.Place(r.offsets[i])
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return r.problems
}
