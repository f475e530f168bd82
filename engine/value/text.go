package value

import (
	"strings"
	"unicode/utf8"
)

// Text tells the line and the column of places in a text. Its index is built
// once and stays small, so that thousands of problems, all on one huge line
// or each on a line of its own, are placed quickly.
type Text struct {
	text  string
	marks []mark
}

// mark is what is known about every stride-th byte of a text.
type mark struct {
	line  int // number of the line, from 0
	start int // byte offset at which that line begins
	chars int // characters before this byte
}

const stride = 1024

// NewText builds the index of text.
func NewText(text []byte) *Text { return indexed(string(text)) }

func indexed(text string) *Text {
	t := &Text{text: text, marks: make([]mark, 1, len(text)/stride+1)}
	var now mark
	for from := 0; from+stride <= len(text); from += stride {
		now = t.advance(now, from, from+stride)
		t.marks = append(t.marks, now)
	}
	return t
}

// Place returns the line and the column, in characters and both from 1, of the
// byte at offset. CRLF, LF and CR end a line.
func (t *Text) Place(offset int) (line, column int) {
	offset = min(max(offset, 0), len(t.text))
	at := t.mark(offset)
	return at.line + 1, at.chars - t.mark(at.start).chars + 1
}

// mark computes what is known about the byte at offset.
func (t *Text) mark(offset int) mark {
	near := offset / stride
	return t.advance(t.marks[near], near*stride, offset)
}

// advance moves what is known about the byte at from on to the byte at to.
func (t *Text) advance(m mark, from, to int) mark {
	for i := from; i < to; i++ {
		if utf8.RuneStart(t.text[i]) {
			m.chars++
		}
		if endsLine(t.text, i) {
			m.line, m.start = m.line+1, i+1
		}
	}
	return m
}

// endsLine reports whether the byte at i is the last one of a line.
func endsLine(text string, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n')
}

// Pointer joins parts to a JSON Pointer (RFC 6901).
func Pointer(parts ...string) string {
	var pointer []byte
	for _, part := range parts {
		pointer = appendPointer(pointer, part)
	}
	return string(pointer)
}

// appendPointer lengthens a JSON Pointer by one part.
func appendPointer(pointer []byte, part string) []byte {
	pointer = append(pointer, '/')
	if !strings.ContainsAny(part, "~/") {
		return append(pointer, part...)
	}
	return append(pointer, strings.NewReplacer("~", "~0", "/", "~1").Replace(part)...)
}

// refusal is the first reason why a text is not read.
type refusal struct {
	at, length int // in bytes
	pointer    string
	message    string
}

// problem tells the author of text about r.
func (r *refusal) problem(text, rule string) []Problem {
	at := min(r.at, len(text))
	end := min(at+r.length, len(text))
	line, column := indexed(text).Place(at)
	return []Problem{{
		Pointer: r.pointer,
		Line:    line,
		Column:  column,
		Length:  utf8.RuneCountInString(text[at:end]),
		Message: r.message,
		Rule:    rule,
	}}
}
