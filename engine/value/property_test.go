package value

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// Equality and canonical bytes say the same of any two values (G3, J8).
func TestG3_EqualMeansSameCanonicalBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOrdering(3).Draw(t, "ordering")
		a := anyValue(3).Draw(t, "a")
		b := changed(t, a)
		same := bytes.Equal(Canonical(&a, o), Canonical(&b, o))
		if Equal(&a, &b, o) != same || Equal(&b, &a, o) != same {
			t.Fatalf("Equal = %v, %v, same bytes = %v", Equal(&a, &b, o), Equal(&b, &a, o), same)
		}
		if same != (Hash(&a, o) == Hash(&b, o)) {
			t.Fatal("the hashes disagree with the bytes")
		}
	})
}

// However a value is written, it stays the same value (G3).
func TestG3_RewritingChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOrdering(3).Draw(t, "ordering")
		a := anyValue(3).Draw(t, "a")
		b := rewritten(t, &a, o)
		c := rewritten(t, &b, o)
		for _, pair := range [][2]*Value{{&a, &a}, {&a, &b}, {&b, &c}, {&a, &c}, {&c, &a}} {
			if !Equal(pair[0], pair[1], o) {
				t.Fatalf("%s and %s differ", AppendJSON(nil, pair[0]), AppendJSON(nil, pair[1]))
			}
			if found := Diff(pair[0], pair[1], o); len(found) > 0 {
				t.Fatalf("Diff tells of %v", found)
			}
		}
	})
}

// Canonical bytes are JSON, so that they can be stored as text.
func TestG3_CanonicalBytesAreJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "v")
		if canonical := Canonical(&v, anyOrdering(2).Draw(t, "ordering")); !json.Valid(canonical) {
			t.Fatalf("%s is not JSON", canonical)
		}
	})
}

// What is written as JSON is read back to the letter (M6).
func TestM6_JSONRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "v")
		compact := AppendJSON(nil, &v)
		for _, text := range [][]byte{compact, Indent(&v)} {
			read, problems := ParseJSON(text)
			if len(problems) > 0 || !bytes.Equal(AppendJSON(nil, &read), compact) {
				t.Fatalf("%s is read as %s, %v", text, AppendJSON(nil, &read), problems)
			}
		}
	})
}

// What is written as YAML is read back with its digits and the order of its keys (M5, M6).
func TestM5_YAMLRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(4).Draw(t, "v")
		text := YAML(&v)
		read, problems := ParseYAML(text)
		if len(problems) > 0 {
			t.Fatalf("%s is refused: %v", text, problems)
		}
		if want, got := AppendJSON(nil, &v), AppendJSON(nil, &read); !bytes.Equal(want, got) {
			t.Fatalf("%s is read as %s, want %s", text, got, want)
		}
	})
}
