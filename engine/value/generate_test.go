package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// must reads JSON that a test relies on.
func must(t testing.TB, text string) *Value {
	t.Helper()
	v, problems := ParseJSON([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("ParseJSON(%.80q) = %v", text, problems)
	}
	return &v
}

// anyName prefers names that other values share.
func anyName() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "c", "~/", "", "yes", "1", "<<"}), anyText())
}

// anyText prefers text that is hard to write.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", " ", "a b", "a: b", "- a", "# a", "a #b", "yes", "No", "null", "~", "010", "1.50", "1e3", "0x1F", ".inf", ".5", "12:30",
			"2001-01-01", "<<", "a\nb", "a\nb\n", "a\n\n b\n", "\n", "a\n\n", " a\nb", "a \nb\t\nc", "a\r\nb", "\t", "'", `"`, `\`, "a\tb", "---", "...",
			"---\na", "a\n---\nb", "%YAML", "!a", "&a", "*a", "[a", "{a", "a]", "a,b", "?", "? a", "-", "é", "e\u0301", "😀", "\u2028", "\u0085", "\ufeff",
			"\ufffe", "\ufffd", "\u007f", "\u001b[2J", "\u00a0", strings.Repeat("long ", 60), strings.Repeat("x", 1100), "ends -", "ends:", "a\n# b\n", "# a\nb",
		}),
		rapid.Map(rapid.String(), func(s string) string { return strings.ReplaceAll(s, "\x00", "") }),
	)
}

// anyNumber draws numbers that are often equal and seldom written alike.
func anyNumber() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"0", "-0", "0.0", "0e5", "1", "1.0", "1e0", "10e-1", "100E-2", "-1", "-1.0", "0.1", "1e-1", "1e400", "1E+400", "1e-400",
			"9007199254740992", "9007199254740993", "0.1000000000000000055", "12345678901234567890", "1e399", "1" + strings.Repeat("0", 399),
		}),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?`),
	)
}

// anyValue draws values that are at most depth levels deep.
func anyValue(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := []Kind{Object, Array, String, Number, Bool, Null}
		if depth == 0 {
			kinds = kinds[2:]
		}
		v := Value{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		switch v.Kind {
		case Bool:
			v.Text = fmt.Sprint(rapid.Bool().Draw(t, "bool"))
		case Number:
			v.Text = anyNumber().Draw(t, "number")
		case String:
			v.Text = anyText().Draw(t, "text")
		case Array:
			v.Items = rapid.SliceOfN(anyValue(depth-1), 0, 5).Draw(t, "items")
		case Object:
			for _, name := range rapid.SliceOfNDistinct(anyName(), 0, 5, rapid.ID[string]).Draw(t, "names") {
				v.Members = append(v.Members, Member{Name: name, Value: anyValue(depth-1).Draw(t, "member")})
			}
		}
		return v
	})
}

// anyOrdering draws the orderings that values of anyValue may meet.
func anyOrdering(depth int) *rapid.Generator[*Ordering] {
	return rapid.Custom(func(t *rapid.T) *Ordering {
		if rapid.Bool().Draw(t, "ordered") || depth == 0 {
			return nil
		}
		below := anyOrdering(depth - 1)
		return &Ordering{
			Unordered:  rapid.Bool().Draw(t, "unordered"),
			Everywhere: rapid.Bool().Draw(t, "everywhere"),
			Members:    map[string]*Ordering{"a": below.Draw(t, "a"), "b": below.Draw(t, "b")},
			Others:     below.Draw(t, "others"),
			Items:      below.Draw(t, "items"),
		}
	})
}

// rewritten draws another way to write v, equal to it under o.
func rewritten(t *rapid.T, v *Value, o *Ordering) Value {
	other := Value{Kind: v.Kind, Text: v.Text}
	if v.Kind == Number {
		other.Text = rewrittenNumber(t, v.Text)
	}
	for i := range v.Items {
		other.Items = append(other.Items, rewritten(t, &v.Items[i], o.items()))
	}
	for i := range v.Members {
		m := &v.Members[i]
		other.Members = append(other.Members, Member{Name: m.Name, Value: rewritten(t, &m.Value, o.member(m.Name))})
	}
	if o != nil && o.Unordered && len(other.Items) > 0 {
		other.Items = rapid.Permutation(other.Items).Draw(t, "order")
	}
	if len(other.Members) > 0 {
		other.Members = rapid.Permutation(other.Members).Draw(t, "keys")
	}
	return other
}

// rewrittenNumber moves the point of a number or leaves it alone.
func rewrittenNumber(t *rapid.T, number string) string {
	if strings.ContainsAny(number, "eE") || rapid.Bool().Draw(t, "keep") {
		return number
	}
	if strings.Contains(number, ".") {
		return number + "00e0"
	}
	return number + ".0E+0"
}

// changed draws a value that is close to v: one place in it is replaced.
func changed(t *rapid.T, v Value) Value {
	v.Items, v.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	switch n := len(v.Items) + len(v.Members); {
	case n == 0 || rapid.IntRange(0, 3).Draw(t, "here") == 0:
		return anyValue(1).Draw(t, "replacement")
	case len(v.Items) > 0 && rapid.Bool().Draw(t, "insert"):
		at := rapid.IntRange(0, n).Draw(t, "at")
		v.Items = slices.Insert(v.Items, at, anyValue(1).Draw(t, "inserted"))
	case len(v.Items) > 0:
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		v.Items[at] = changed(t, v.Items[at])
	default:
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		v.Members[at].Value = changed(t, v.Members[at].Value)
	}
	return v
}
