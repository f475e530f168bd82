package value

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// at follows a JSON Pointer into v.
func at(v *Value, pointer string) *Value {
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if v.Kind == Object {
			v, _ = v.Get(part)
			continue
		}
		index := 0
		for _, digit := range part {
			index = index*10 + int(digit-'0')
		}
		v = &v.Items[index]
	}
	return v
}

func TestPlace(t *testing.T) {
	t.Parallel()
	text := "a\né😀b\r\nc\rd\n\n"
	want := map[string][2]int{"a": {1, 1}, "é": {2, 1}, "😀": {2, 2}, "b": {2, 3}, "\r\nc": {2, 4}, "c": {3, 1}, "d": {4, 1}, "\n\n": {4, 2}}
	index := NewText([]byte(text))
	for part, place := range want {
		line, column := index.Place(strings.Index(text, part))
		if line != place[0] || column != place[1] {
			t.Errorf("%q is at %d:%d, want %v", part, line, column, place)
		}
	}
	if line, column := index.Place(len(text) + 9); line != 6 || column != 1 {
		t.Errorf("the end is at %d:%d, want 6:1", line, column)
	}
	if line, column := index.Place(-1); line != 1 || column != 1 {
		t.Errorf("before the start is at %d:%d, want 1:1", line, column)
	}
}

// The index gives the same places as counting from the start.
func TestPlaceAgreesWithCounting(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 10*stride {
		b.WriteString([]string{"x", "é", "😀", "\n", "\r\n", "\r", strings.Repeat("y", 300)}[r.IntN(7)])
	}
	text := b.String()
	index := NewText([]byte(text))
	line, start := 1, 0
	for offset := range text {
		wantColumn := utf8.RuneCountInString(text[start:offset]) + 1
		if gotLine, gotColumn := index.Place(offset); gotLine != line || gotColumn != wantColumn {
			t.Fatalf("offset %d is at %d:%d, want %d:%d", offset, gotLine, gotColumn, line, wantColumn)
		}
		if endsLine(text, offset) {
			line, start = line+1, offset+1
		}
	}
}

// Thousands of problems on one huge line are placed in no time.
func TestPlaceIsQuick(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("é", 4<<20))
	index := NewText(text)
	for i := range 5000 {
		if _, column := index.Place(2 * 800 * i); column != 800*i+1 {
			t.Fatalf("column %d, want %d", column, 800*i+1)
		}
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"":               nil,
		"/":              {""},
		"/a/0/b c":       {"a", "0", "b c"},
		"/~0~01/~1x~1/é": {"~~1", "/x/", "é"},
	}
	for want, parts := range tests {
		if got := Pointer(parts...); got != want {
			t.Errorf("Pointer(%q) = %q, want %q", parts, got, want)
		}
	}
}
