package value

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are texts that meet every branch of both parsers.
func seeds(f *testing.F) {
	f.Helper()
	for _, tc := range refusals {
		f.Add([]byte(tc.text))
	}
	for _, text := range []string{
		`{"a":[1,1.0,-0,1e400,9007199254740993],"b":{"c":null,"d":"\ud83d\ude00\u2028"}}`, nested(64), "a: 1\nb:\n  - x\n  - {y: 010}\n", "a: |\n  b\n  c\n",
		"? a\n: &x b", "a: !!str 1", "--- \na\n--- b", "a: 'b\n\n  c'", "%YAML 1.2\n---\n[a, b: c]", "a: .inf", "- - - a\n  - b", "\"\\x41\\N\": >-\n  a\n", "a: *b",
	} {
		f.Add([]byte(text))
	}
}

// What is accepted is valid JSON, within the limits and comes back the same.
func FuzzParseJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, problems := ParseJSON(text)
		if len(problems) > 0 {
			checkProblem(t, text, problems)
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("%q is accepted", text)
		}
		checkSame(t, &v)
		if again, problems := ParseYAML(text); len(problems) == 0 && !Equal(&v, &again, nil) {
			t.Fatalf("%q is something else as YAML", text)
		}
	})
}

// What is accepted is a value that JSON can hold.
func FuzzParseYAML(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, problems := ParseYAML(text)
		if len(problems) > 0 {
			checkProblem(t, text, problems)
			return
		}
		checkSame(t, &v)
	})
}

// checkProblem wants one problem that lies within the text.
func checkProblem(t *testing.T, text []byte, problems []Problem) {
	t.Helper()
	p := problems[0]
	lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
	if len(problems) != 1 || p.Line < 1 || p.Line > lines || p.Column < 1 || p.Column > len(text)+1 || p.Length < 0 || p.Length > len(text) {
		t.Fatalf("%q gives %+v", text, problems)
	}
	if !utf8.ValidString(p.Message) || len(p.Message) < 10 || len(p.Message) > 600 {
		t.Fatalf("%q gives the sentence %q", text, p.Message)
	}
}

// checkSame wants v back from JSON and from YAML.
func checkSame(t *testing.T, v *Value) {
	t.Helper()
	compact := AppendJSON(nil, v)
	fromJSON, problems := ParseJSON(compact)
	if len(problems) > 0 || !bytes.Equal(AppendJSON(nil, &fromJSON), compact) {
		t.Fatalf("%s comes back as %s, %v", compact, AppendJSON(nil, &fromJSON), problems)
	}
	fromYAML, problems := ParseYAML(YAML(v))
	if len(problems) > 0 || !bytes.Equal(AppendJSON(nil, &fromYAML), compact) {
		t.Fatalf("%s comes back from %q as %s, %v", compact, YAML(v), AppendJSON(nil, &fromYAML), problems)
	}
}

// pairs are two texts and which orderings to compare them under.
func pairs(f *testing.F) {
	f.Helper()
	for _, pair := range [][2]string{
		{"1", "1.0"}, {"1e399", "10e398"}, {"[1,2]", "[2,1]"}, {`{"a":[1,2,2]}`, `{"a":[2,1,2]}`}, {`{"a":1,"b":[{"c":null}]}`, `{"b":[{"c":0}],"a":1}`},
		{`[[1],{"x":1},2]`, `[[2],{"x":2},3,2]`}, {"0", "-0.00e7"}, {`{"a":[[1,2],[3]]}`, `{"a":[[3],[2,1]]}`},
	} {
		f.Add(pair[0], pair[1], byte(0))
		f.Add(pair[0], pair[1], byte(3))
	}
}

// orderings returns one of a few orderings, among them cyclic ones.
func orderings(bits byte) *Ordering {
	if bits&7 == 0 {
		return nil
	}
	o := &Ordering{Unordered: bits&1 != 0, Everywhere: bits&2 != 0}
	o.Items = o
	if bits&4 != 0 {
		o.Members = map[string]*Ordering{"a": {Unordered: true}, "b": nil}
		o.Others = o
	}
	return o
}

// readable parses both texts, if they are not too big for a quadratic check.
func readable(a, b string) (va, vb Value, ok bool) {
	va, wrongA := ParseJSON([]byte(a))
	vb, wrongB := ParseJSON([]byte(b))
	return va, vb, len(wrongA)+len(wrongB) == 0
}

// Equality is symmetric and the same as equality of canonical bytes.
func FuzzEqual(f *testing.F) {
	pairs(f)
	f.Fuzz(func(t *testing.T, a, b string, bits byte) {
		va, vb, ok := readable(a, b)
		if !ok {
			return
		}
		o := orderings(bits)
		same := bytes.Equal(Canonical(&va, o), Canonical(&vb, o))
		if Equal(&va, &vb, o) != same || Equal(&vb, &va, o) != same || !Equal(&va, &va, o) {
			t.Fatalf("%s and %s: the same bytes %v, equal %v", a, b, same, Equal(&va, &vb, o))
		}
		if canonical := Canonical(&va, o); !json.Valid(canonical) {
			t.Fatalf("%s is not JSON", canonical)
		}
	})
}

// There are differences exactly between values that differ.
func FuzzDiff(f *testing.F) {
	pairs(f)
	f.Fuzz(func(t *testing.T, a, b string, bits byte) {
		va, vb, ok := readable(a, b)
		if !ok {
			return
		}
		o := orderings(bits)
		found := Diff(&va, &vb, o)
		if (len(found) == 0) != Equal(&va, &vb, o) {
			t.Fatalf("%s and %s: %q", a, b, lines(found))
		}
		for _, d := range found {
			if d.Pointer != "" && !strings.HasPrefix(d.Pointer, "/") || d.After != nil && at(&vb, d.Pointer) != d.After {
				t.Fatalf("%s and %s: %q leads elsewhere", a, b, d.Pointer)
			}
		}
	})
}
