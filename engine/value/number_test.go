package value

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// exact reads a number the slow way.
func exact(t interface{ Fatalf(string, ...any) }, number string) *big.Rat {
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		t.Fatalf("%s is no number", number)
	}
	return r
}

// Numbers are equal exactly if their rational values are (G3, J4).
func TestG3_NumbersAgreeWithRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyNumber().Draw(t, "a"), anyNumber().Draw(t, "b")
		want := exact(t, a).Cmp(exact(t, b)) == 0
		if got := equalNumbers(a, b); got != want {
			t.Fatalf("%s equals %s: %v, want %v", a, b, got, want)
		}
	})
}

// The canonical form is a JSON number of the same value, and its own canonical form (G3).
func TestG3_CanonicalNumbersKeepTheirValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := anyNumber().Draw(t, "number")
		canonical := appendNumber(nil, number)
		if !json.Valid(canonical) || exact(t, string(canonical)).Cmp(exact(t, number)) != 0 {
			t.Fatalf("%s becomes %s", number, canonical)
		}
		if again := appendNumber(nil, string(canonical)); !bytes.Equal(again, canonical) {
			t.Fatalf("%s becomes %s, then %s", number, canonical, again)
		}
	})
}

// Numbers of YAML keep their value when they are made numbers of JSON (M5).
func TestM5_NumbersKeepTheirValue(t *testing.T) {
	t.Parallel()
	written := rapid.StringMatching(`[-+]?(\.[0-9]{1,9}|0{0,3}[0-9]{1,9}(\.[0-9]{0,9})?)([eE][-+]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		text := written.Draw(t, "text")
		v, wrong := resolve(text)
		if wrong != "" || v.Kind != Number || !json.Valid([]byte(v.Text)) {
			t.Fatalf("%s is %v, %s", text, v, wrong)
		}
		if exact(t, v.Text).Cmp(exact(t, text)) != 0 {
			t.Fatalf("%s becomes %s", text, v.Text)
		}
	})
}

// Octal and hexadecimal numbers keep their value as well (M5).
func TestM5_BasedNumbersKeepTheirValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`0o[0-7]{1,60}|0x[0-9a-fA-F]{1,60}`).Draw(t, "text")
		v, wrong := resolve(text)
		want, _ := new(big.Int).SetString(text, 0)
		if wrong != "" || v.Kind != Number || v.Text != want.String() {
			t.Fatalf("%s is %v, %s, want %s", text, v, wrong, want)
		}
	})
}

// The limits are lexical: nothing is computed from a number that breaks them (J4).
func TestM4_NumberLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		number string
		good   bool
	}{
		{"0", true},
		{"-0", true},
		{strings.Repeat("9", 400), true},
		{strings.Repeat("9", 401), false},
		{"-" + strings.Repeat("9", 400), true},
		{"-" + strings.Repeat("9", 401), false},
		{strings.Repeat("9", 200) + "." + strings.Repeat("9", 200), true},
		{strings.Repeat("9", 200) + "." + strings.Repeat("9", 201), false},
		{"0." + strings.Repeat("0", 399), true},
		{"0." + strings.Repeat("0", 400), false},
		{"1e400", true},
		{"1E400", true},
		{"1e+400", true},
		{"1e-400", true},
		{"1e401", false},
		{"1E+401", false},
		{"1e-401", false},
		{"1e999", false},
		{"1e1000", false},
		{"1e0400", true},
		{"1e0401", false},
		{"1e000000000000000000000000000000", true},
		{"1e" + strings.Repeat("0", 399) + "1", true},
		{"1e" + strings.Repeat("0", 400) + "1", false},
		{"1e9223372036854775807", false},
		{"1e9223372036854775808", false},
		{"1e-99999999999999999999999999", false},
		{strings.Repeat("9", 400) + "e400", true},
	}
	for _, tc := range tests {
		if wrong := checkNumber(tc.number); (wrong == "") != tc.good {
			t.Errorf("%.30s gives %q, want accepted %v", tc.number, wrong, tc.good)
		}
	}
}
