package value

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJ7_AcceptsTheGrammar(t *testing.T) {
	t.Parallel()
	for _, text := range wellFormed {
		v, problems := ParseJSON([]byte(text))
		if len(problems) > 0 {
			t.Errorf("%q is refused: %v", text, problems)
			continue
		}
		if again := must(t, string(AppendJSON(nil, &v))); !Equal(&v, again, nil) {
			t.Errorf("%q comes back as %s", text, AppendJSON(nil, again))
		}
	}
}

func TestJ7_RefusesAllElse(t *testing.T) {
	t.Parallel()
	for _, text := range malformed {
		_, problems := ParseJSON([]byte(text))
		if len(problems) != 1 {
			t.Errorf("%q gives %v, want one problem", text, problems)
			continue
		}
		if message := problems[0].Message; len(message) < 10 || !strings.HasSuffix(message, ".") {
			t.Errorf("%q gives %q, which is no sentence", text, message)
		}
	}
}

// Where RFC 8259 leaves the choice, these are the decisions, with the rule.
func TestJ7_Decisions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		good bool
		rule string
	}{
		{`{"a":"b","a":"c"}`, false, "no duplicate keys"},
		{`{"a":"b","a":"b"}`, false, "no duplicate keys"},
		{`{"a":0,"\u0061":-0}`, false, "no duplicate keys, after unescaping"},
		{`["\u0000"]`, false, "no NUL"},
		{`{"foo\u0000bar":42}`, false, "no NUL"},
		{"[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999]", false, "exponent"},
		{"[-1e+9999]", false, "exponent"},
		{"[1.5e+9999]", false, "exponent"},
		{"[-123123e100000]", false, "exponent"},
		{"[123123e100000]", false, "exponent"},
		{"[123e-10000000]", false, "exponent"},
		{"[-123123123123123123123123123123]", true, "digits are kept"},
		{"[100000000000000000000]", true, "digits are kept"},
		{"[-237462374673276894279832749832423479823246327846]", true, "digits are kept"},
		{`{"a":"\uDADA"}`, false, "no lone surrogates"},
		{`["\uDADA"]`, false, "no lone surrogates"},
		{`["\uD888\u1234"]`, false, "no lone surrogates"},
		{`["\uD800\n"]`, false, "no lone surrogates"},
		{`["\uDd1ea"]`, false, "no lone surrogates"},
		{`["\uD800\uD800\n"]`, false, "no lone surrogates"},
		{`["\ud800"]`, false, "no lone surrogates"},
		{`["\ud800abc"]`, false, "no lone surrogates"},
		{`["\uDd1e\uD834"]`, false, "no lone surrogates"},
		{`["\uDFAA"]`, false, "no lone surrogates"},
		{"[\"\xe6\x97\xa5\xd1\x88\xfa\"]", false, "UTF-8"},
		{"[\"\xed\xa0\x80\"]", false, "UTF-8"},
		{"[\"\xf4\xbf\xbf\xbf\"]", false, "UTF-8"},
		{"[\"\x81\"]", false, "UTF-8"},
		{"[\"\xc0\xaf\"]", false, "UTF-8"},
		{"[\"\xfc\x83\xbf\xbf\xbf\xbf\"]", false, "UTF-8"},
		{"[\"\xe0\xff\"]", false, "UTF-8"},
		{"\xff\xfe[\x00\"\x00\xe9\x00\"\x00]\x00", false, "UTF-8"},
		{"[\x00\"\x00\xe9\x00\"\x00]\x00", false, "UTF-8"},
		{"\x00[\x00\"\x00\xe9\x00\"\x00]", false, "UTF-8"},
		{"\xef\xbb\xbf{}", false, "no byte order mark"},
		{strings.Repeat("[", 500) + strings.Repeat("]", 500), false, "depth"},
		{strings.Repeat("[", 100000), false, "depth"},
		{strings.Repeat("[{\"\":", 50000) + "\n", false, "depth"},
	}
	for _, tc := range tests {
		if _, problems := ParseJSON([]byte(tc.text)); (len(problems) == 0) != tc.good {
			t.Errorf("%.60q gives %v, want accepted %v: %s", tc.text, problems, tc.good, tc.rule)
		}
	}
}

// The tables above are what they claim to be, says the standard library,
// which lets invalid UTF-8 pass.
func TestJ7_TablesAreRight(t *testing.T) {
	t.Parallel()
	for _, text := range wellFormed {
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is not well-formed", text)
		}
	}
	for _, text := range malformed {
		if json.Valid([]byte(text)) {
			t.Errorf("%q is well-formed", text)
		}
	}
}
