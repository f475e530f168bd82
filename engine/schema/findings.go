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
	lines := newLines(text)
	for _, one := range found {
		one.Line, one.Column = lines.place(one.at)
		if n := len(out); n == 0 || out[n-1].Pointer != one.Pointer || out[n-1].Message != one.Message {
			out = append(out, one.Problem)
		}
	}
	return out
}

// lines counts lines and columns of a text, forward only.
type lines struct {
	text             []byte
	at, line, column int
}

func newLines(text []byte) *lines { return &lines{text: text, line: 1, column: 1} }

func (l *lines) place(at int) (line, column int) {
	if at >= len(l.text) {
		return 0, 0
	}
	for ; l.at < at; l.at++ {
		switch b := l.text[l.at]; {
		case b == '\n':
			l.line, l.column = l.line+1, 1
		case b&0xC0 != 0x80: // a byte that continues a character is no column
			l.column++
		}
	}
	return l.line, l.column
}
