package value

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// refusals are texts that strict JSON does not allow, where they go wrong and
// a part of the sentence that says what to do.
var refusals = []struct {
	text         string
	line, column int
	pointer      string
	message      string
}{
	// Comments.
	{"{\"a\": 16, // modified\n \"b\": 8}", 1, 11, "", "Comments are not allowed in JSON: remove it."},
	{"{\"a\": 1,\n \"b\": 16 // modified\n}", 2, 10, "", "Comments are not allowed"},
	{"{\"a\": // here\n 1}", 1, 7, "/a", "Comments are not allowed"},
	{"[1 /* x */]", 1, 4, "", "Comments are not allowed"},
	{"[1, /* not closed", 1, 5, "/1", "Comments are not allowed"},
	{"[1 # x\n]", 1, 4, "", "Comments are not allowed"},
	{"/* a */ {}", 1, 1, "", "Comments are not allowed"},
	{"{}\n// after", 2, 1, "", "Comments are not allowed"},
	// Quotes and keys.
	{"{\"a\":'x'}", 1, 6, "/a", "double quotes"},
	{"{'a':1}", 1, 2, "", "double quotes"},
	{"[“x”]", 1, 2, "/0", "use \" instead of “"},
	{"{a:1}", 1, 2, "", `write "a"`},
	{"{\"a\":1,\n b:2}", 2, 2, "", `write "b"`},
	{"{1:2}", 1, 2, "", `Keys must be in double quotes: write "1"`},
	{"{\"k\" 1}", 1, 6, "/k", "A colon is missing"},
	{"{\"k\"=1}", 1, 5, "/k", "A colon is missing"},
	{"{\"k\"}", 1, 5, "/k", "A colon is missing"},
	{"{\"k\"::1}", 1, 6, "/k", "not allowed here"},
	{"{\"k\":}", 1, 6, "/k", "The value of this key is missing"},
	// Duplicate keys, also after unescaping (trust J3).
	{`[{"name":"a","cpu":1,"cpu":64}]`, 1, 22, "/0/cpu", `The key "cpu" appears twice in this object.`},
	{"{\"k\":1,\n\"\\u006b\":2}", 2, 1, "/k", `The key "k" appears twice`},
	{`{"__proto__":{"a":1},"__proto__":{}}`, 1, 22, "/__proto__", `"__proto__" appears twice`},
	{`{"a\"b":1,"a\u0022b":2}`, 1, 11, `/a"b`, "appears twice"},
	// Commas and brackets.
	{"[1,]", 1, 3, "", "A comma after the last value"},
	{"{\"a\":1,\n}", 1, 7, "", "A comma after the last value"},
	{"[,1]", 1, 2, "", "missing before this comma"},
	{"[1,,2]", 1, 4, "/1", "missing before this comma"},
	{"{,}", 1, 2, "", "missing before this comma"},
	{"[1 2]", 1, 4, "", "A comma is missing"},
	{"[1;2]", 1, 3, "", "A comma is missing"},
	{"{\"a\":1 \"b\":2}", 1, 8, "", "A comma is missing"},
	{"[}", 1, 2, "/0", "Close the array with ] first"},
	{"{\"a\":1]", 1, 7, "", "Close the object with } first"},
	{"{\"a\":[1}", 1, 8, "/a", "Close the array with ] first"},
	{"]", 1, 1, "", "Nothing is open"},
	{"[[1]\n,", 2, 2, "", "The text ends before"},
	{"[", 1, 2, "", "The text ends before"},
	{"{\"a\":", 1, 6, "/a", "The text ends before"},
	{"\"abc", 1, 5, "", "The text ends before"},
	{"[\"abc\\", 1, 7, "/0", "The text ends before"},
	{"[\"ab\\u12", 1, 9, "/0", "The text ends before"},
	{"[nul", 1, 5, "/0", "The text ends before"},
	{"{} {}", 1, 4, "", "goes on after the end"},
	{"[]\n\nx", 3, 1, "", "goes on after the end"},
	{"1 2", 1, 3, "", "goes on after the end"},
	{"", 1, 1, "", "The text is empty"},
	{" \n\t", 1, 1, "", "The text is empty"},
	// Words of other languages.
	{"{\"a\":NaN}", 1, 6, "/a", "NaN is not allowed in JSON"},
	{"[Infinity]", 1, 2, "/0", "Infinity is not allowed in JSON"},
	{"[-Infinity]", 1, 2, "/0", "Infinity is not allowed in JSON"},
	{"[undefined]", 1, 2, "/0", "undefined is not a JSON value"},
	{"[None]", 1, 2, "/0", "Write null instead of None"},
	{"[True]", 1, 2, "/0", "lower case"},
	{"[tru]", 1, 2, "/0", `"tru" is not a JSON value`},
	{"[true1]", 1, 2, "", `"true1" is not a JSON value`},
	{"[hello]", 1, 2, "/0", "put text in double quotes"},
	// Numbers.
	{"[0x10]", 1, 2, "", "write it in decimal"},
	{"{\"a\":0x10}", 1, 6, "", "write it in decimal"},
	{"[01]", 1, 2, "", "must not begin with zeros"},
	{"[-01]", 1, 2, "", "must not begin with zeros"},
	{"[+1]", 1, 2, "/0", "plus sign"},
	{"[.5]", 1, 2, "/0", "must not begin with a point"},
	{"[1.]", 1, 2, "/0", "missing after the point"},
	{"[1.e5]", 1, 2, "/0", "missing after the point"},
	{"[1e]", 1, 2, "/0", "missing in the exponent"},
	{"[1e+]", 1, 2, "/0", "missing in the exponent"},
	{"[1_000]", 1, 2, "", "is not a number in JSON"},
	{"[--1]", 1, 2, "/0", "is not a number in JSON"},
	{"[-]", 1, 2, "/0", "is not a JSON value"},
	// Strings.
	{"[\"a\tb\"]", 1, 4, "/0", "write it as \\t"},
	{"[\"a\nb\"]", 1, 4, "/0", "write the line break as \\n"},
	{"[\"a\x01b\"]", 1, 4, "/0", "U+0001"},
	{"[\"a\x00b\"]", 1, 4, "/0", "NUL"},
	{`{"a":"x\u0000y"}`, 1, 6, "/a", "NUL"},
	{`{"a\u0000":1}`, 1, 2, "/a\x00", "NUL"},
	{`["\x41"]`, 1, 3, "/0", `\x is no escape`},
	{`["\é"]`, 1, 3, "/0", `\é is no escape`},
	{`["\u00g0"]`, 1, 3, "/0", "Four hexadecimal digits"},
	{`["\udfff"]`, 1, 3, "/0", `\udfff is half of a surrogate pair`},
	{`["\ud800x"]`, 1, 3, "/0", "half of a surrogate pair"},
	{`["\udc00\ud800"]`, 1, 3, "/0", "half of a surrogate pair"},
	{"[\"é😀\", x]", 1, 8, "/1", `"x" is not a JSON value`},
	// Encodings (trust J5).
	{"\xef\xbb\xbf{}", 1, 1, "", "byte order mark"},
	{"\xff\xfe{\x00}\x00", 1, 1, "", "UTF-16"},
	{"\xfe\xff\x00{\x00}", 1, 1, "", "UTF-16"},
	{"{\x00\"\x00", 1, 1, "", "UTF-16"},
	{"\x00{\x00\"", 1, 1, "", "UTF-16"},
	{"\xff\xfe\x00\x00{\x00\x00\x00", 1, 1, "", "UTF-32"},
	{"\x00\x00\xfe\xff\x00\x00\x00{", 1, 1, "", "UTF-32"},
	{"{\x00\x00\x00}\x00\x00\x00", 1, 1, "", "UTF-32"},
	{"\x00\x00\x00{\x00\x00\x00}", 1, 1, "", "UTF-32"},
	{"[\"a\xffb\"]", 1, 4, "", "0xFF is not UTF-8"},
	{"[\"\xed\xa0\x80\"]", 1, 3, "", "0xED is not UTF-8"},
	{"[\"\xc0\xaf\"]", 1, 3, "", "0xC0 is not UTF-8"},
	{"[\u00a01]", 1, 2, "/0", "not allowed here"},
	{"[\u20281]", 1, 2, "/0", "not allowed here"},
}

func TestM4_RefusesWithPlaceAndSentence(t *testing.T) {
	t.Parallel()
	for _, tc := range refusals {
		v, problems := ParseJSON([]byte(tc.text))
		if len(problems) != 1 {
			t.Errorf("%q gives %v, want one problem", tc.text, problems)
			continue
		}
		p := problems[0]
		if p.Line != tc.line || p.Column != tc.column || p.Pointer != tc.pointer || !strings.Contains(p.Message, tc.message) {
			t.Errorf("%q: %d:%d %q %s, want %d:%d %q %s", tc.text, p.Line, p.Column, p.Pointer, p.Message, tc.line, tc.column, tc.pointer, tc.message)
		}
		if p.Rule != "M4" || v.Kind != Null {
			t.Errorf("%q: rule %q, value %v", tc.text, p.Rule, v)
		}
	}
}

func TestM4_MarksTheLength(t *testing.T) {
	t.Parallel()
	tests := map[string]int{
		"[1, // é\n2]":           4,
		"[1, /* a\nb */ 2]":      9,
		"[undefined]":            9,
		`{"cpu":1,"c\u0070u":2}`: 10,
		`["\ud800"]`:             6,
		"[1e401]":                5,
		"[":                      0,
	}
	for text, want := range tests {
		if _, problems := ParseJSON([]byte(text)); len(problems) != 1 || problems[0].Length != want {
			t.Errorf("%q: %+v, want length %d", text, problems, want)
		}
	}
}

// A declaration as the cases make it: its item lies six levels deep.
func item(opt string) string {
	return "{\"Orchard\":{\"Shop\":{\"services\":{\"Disk\":[{\"name\":\"a\",\n\"opt\":" + opt + "}]}}}}"
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestM4_LimitsAtTheEdge(t *testing.T) {
	t.Parallel()
	ones := strings.Repeat("1", 400)
	accepted := []string{
		nested(58), ones, "-" + ones, ones + "e400", "1e400", "1E+400", "-1.5e-400", "1e0000400", "0." + ones[:399],
	}
	for _, opt := range accepted {
		for _, yaml := range []bool{false, true} {
			if _, problems := Parse([]byte(item(opt)), yaml); len(problems) > 0 {
				t.Errorf("%.20s… (YAML %v) is refused: %v", opt, yaml, problems)
			}
		}
	}
	refused := map[string]string{
		nested(59): "64 deep", nested(60): "64 deep", nested(1000): "64 deep",
		ones + "1": "400 digits", "0." + ones: "400 digits", strings.Repeat("9", 5000): "400 digits", "1e" + ones + "1": "400 digits",
		"1e401": "beyond 400", "1e-401": "beyond 400", "1e131071": "beyond 400", "1e10000000": "beyond 400", "1e99999999999999999999": "beyond 400",
	}
	for opt, message := range refused {
		for _, yaml := range []bool{false, true} {
			_, problems := Parse([]byte(item(opt)), yaml)
			if len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Message, message) {
				t.Errorf("%.20s… (YAML %v) gives %v, want %q in line 2", opt, yaml, problems, message)
			}
		}
	}
	_, problems := ParseJSON([]byte(item(nested(59))))
	if want := "/Orchard/Shop/services/Disk/0/opt" + strings.Repeat("/0", 58); problems[0].Pointer != want || problems[0].Column != 7+58 {
		t.Errorf("the 65th level is at %q column %d", problems[0].Pointer, problems[0].Column)
	}
}

// Values keep their digits, the order of their keys and their places (M6).
func TestM6_KeepsWhatIsWritten(t *testing.T) {
	t.Parallel()
	text := " {\"b\" : 1.0,\n\"a\":[9007199254740993, 0.1000000000000000055,-0 ,1E+2],\"é\":{\"\\u0063\":\"\\ud83d\\ude00\\/\\n\"},\"__proto__\":null,\"t\":true}\n"
	v := must(t, text)
	want := `{"b":1.0,"a":[9007199254740993,0.1000000000000000055,-0,1E+2],"é":{"c":"😀/\n"},"__proto__":null,"t":true}`
	if got := string(AppendJSON(nil, v)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	starts := map[string]string{"": "{", "/b": "1.0", "/a": "[9", "/a/1": "0.1", "/a/3": "1E", "/é": "{\"\\u0063", "/é/c": "\"\\ud83d", "/t": "true"}
	for pointer, start := range starts {
		if offset := at(v, pointer).At; !strings.HasPrefix(text[offset:], start) {
			t.Errorf("%s is at %d, %.10q", pointer, offset, text[offset:])
		}
	}
	for _, m := range v.Members[:2] {
		if !strings.HasPrefix(text[m.At:], `"`+m.Name) {
			t.Errorf("the key %s is at %d", m.Name, m.At)
		}
	}
}

func TestM4_AcceptsEveryKindOfDocument(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", "true", "0", `""`, "[]", "{}", " \r\n\t[ ] ", `"\u2028"`, "\"\u2028\u007f\"", "[[],{}]", "-0", `"𝄞"`} {
		v, problems := ParseJSON([]byte(text))
		if len(problems) > 0 {
			t.Errorf("%q is refused: %v", text, problems)
		}
		if again, _ := ParseJSON(AppendJSON(nil, &v)); !Equal(&v, &again, nil) {
			t.Errorf("%q does not come back", text)
		}
	}
}

// What encoding/json refuses is refused here too, and mostly at the same byte.
func TestM4_NeverLaxerThanTheStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, tc := range refusals {
		for cut := range len(tc.text) {
			text := []byte(tc.text[:cut])
			if _, problems := ParseJSON(text); len(problems) == 0 && !json.Valid(text) {
				t.Errorf("%q is accepted", text)
			}
		}
	}
}

// The parser leaves its input alone and its strings outlive it.
func TestParseCopiesTheText(t *testing.T) {
	t.Parallel()
	text := []byte(`{"key":["value",12]}`)
	before := slices.Clone(text)
	v, _ := ParseJSON(text)
	if !bytes.Equal(text, before) {
		t.Fatalf("the text became %s", text)
	}
	clear(text)
	if got := string(AppendJSON(nil, &v)); got != string(before) {
		t.Errorf("got %s, want %s", got, before)
	}
}
