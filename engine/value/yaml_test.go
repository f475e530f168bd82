package value

import (
	"strings"
	"testing"
)

// Scalars without quotes mean what the core schema of YAML 1.2 says (trust J6).
func TestM5_CoreSchema(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":                             "null",
		"~":                            "null",
		"null":                         "null",
		"Null":                         "null",
		"NULL":                         "null",
		"nULL":                         `"nULL"`,
		"true":                         "true",
		"True":                         "true",
		"TRUE":                         "true",
		"tRUE":                         `"tRUE"`,
		"False":                        "false",
		"yes":                          `"yes"`,
		"no":                           `"no"`,
		"on":                           `"on"`,
		"Off":                          `"Off"`,
		"y":                            `"y"`,
		"1":                            "1",
		"010":                          "10",
		"-010":                         "-10",
		"+1":                           "1",
		"00":                           "0",
		"-0":                           "-0",
		"0o17":                         "15",
		"0x1F":                         "31",
		"0x":                           `"0x"`,
		"0o8":                          `"0o8"`,
		"0b1":                          `"0b1"`,
		"-0x1":                         `"-0x1"`,
		"1_000":                        `"1_000"`,
		"12:30":                        `"12:30"`,
		"12:30:45":                     `"12:30:45"`,
		"2001-01-01":                   `"2001-01-01"`,
		"2001-12-14t21:59:43.10-05:00": `"2001-12-14t21:59:43.10-05:00"`,
		".5":                           "0.5",
		"-.5":                          "-0.5",
		"+.5e3":                        "0.5e3",
		"1.":                           "1",
		"1.e5":                         "1e5",
		"1.50":                         "1.50",
		"010.50":                       "10.50",
		"1e05":                         "1e05",
		"1E+2":                         "1E+2",
		"1e":                           `"1e"`,
		".":                            `"."`,
		"-":                            "[null]",
		"9007199254740993":             "9007199254740993",
		"12345678901234567890123":      "12345678901234567890123",
		"0.1000000000000000055":        "0.1000000000000000055",
		"0xffffffffffffffffffff":       "1208925819614629174706175",
		`"7"`:                          `"7"`,
		"'7'":                          `"7"`,
		`"no"`:                         `"no"`,
		`""`:                           `""`,
		"''":                           `""`,
		"a b":                          `"a b"`,
		"a # b":                        `"a"`,
		"a#b":                          `"a#b"`,
		"|\n  7\n":                     `"7\n"`,
		">-\n  a\n  b\n":               `"a b"`,
		`"\u0041\x42\t\e"`:             `"AB\t\u001b"`,
		"'it''s'":                      `"it's"`,
		".inf.":                        `".inf."`,
		"inf":                          `"inf"`,
		"nan":                          `"nan"`,
	}
	for text, want := range tests {
		v, problems := ParseYAML([]byte("k: " + text))
		if text == "-" {
			v, problems = ParseYAML([]byte("k:\n- "))
		}
		if len(problems) > 0 {
			t.Errorf("%q is refused: %v", text, problems)
			continue
		}
		if got := string(AppendJSON(nil, &v.Members[0].Value)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestM5_ReadsDocuments(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"\"Orchard\":\n  Shop:\n    services:\n      \"Disk\":\n        - name: a\n          size: 12\n          tier: no\n          tags: [on, 12:30, \"7\", yes]\n" +
			"          opt: {f: 1.50, big: 12345678901234567890, t: true, n: null}\n": `{"Orchard":{"Shop":{"services":{"Disk":[{"name":"a","size":12,"tier":"no",` +
			`"tags":["on","12:30","7","yes"],"opt":{"f":1.50,"big":12345678901234567890,"t":true,"n":null}}]}}}}`,
		"---\na: 1\n...\n":              `{"a":1}`,
		"%YAML 1.2\n---\na: 1\n":        `{"a":1}`,
		"%YAML 1.1\n---\na: no\n":       `{"a":"no"}`,
		"# c\na: 1 # d\n# e\n":          `{"a":1}`,
		"yes: 1\n\"1\": 2\n'<<': 3\n":   `{"yes":1,"1":2,"<<":3}`,
		"a:\r\n  - b\r\n  - |\r\n    c": `{"a":["b","c"]}`,
		"? a\n: b\n? c\n":               `{"a":"b","c":null}`,
		"{a, b: 1, \"c\":2}":            `{"a":null,"b":1,"c":2}`,
		"[a: 1, b]":                     `[{"a":1},"b"]`,
		"{\"a\":\"\\ud83d\\ude00\\/\"}": `{"a":"😀/"}`,
		"a: é😀\nb: x":                   `{"a":"é😀","b":"x"}`,
		"text":                          `"text"`,
		"--- \n":                        "null",
	}
	for text, want := range tests {
		v, problems := Parse([]byte(text), true)
		if got := string(AppendJSON(nil, &v)); got != want || len(problems) > 0 {
			t.Errorf("%q is %s, %v, want %s", text, got, problems, want)
		}
	}
}

func TestM5_RefusesWithPlaceAndSentence(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text         string
		line, column int
		pointer      string
		message      string
	}{
		{"a:\n  b: &x 1\n", 2, 6, "/a/b", "Anchors"},
		{"a: [&x 1, *x]", 1, 5, "/a/0", "Anchors"},
		{"a: &a {x: 1}\nb: {<<: *a}", 1, 4, "/a", "Anchors"},
		{"a: 1\nb: *x", 2, 4, "", "Anchors"},
		{"&x a: 1", 1, 1, "", "Anchors"},
		{"a: !!str 1", 1, 4, "/a", "Tags"},
		{"a: !foo bar", 1, 4, "/a", "Tags"},
		{"a: ! 5", 1, 4, "/a", "Tags"},
		{"!!map\na: 1", 1, 1, "", "Tags"},
		{"a:\n- !x\n  - 1", 2, 3, "/a/0", "Tags"},
		{"!!str a: 1", 1, 1, "", "Tags"},
		{"a: !x!y 1", 1, 10, "", "Tags"},
		{"x: 1\n<<: {a: 1}", 2, 1, "", "Merge keys"},
		{"x: 1\n1: 2", 2, 1, "", "Keys must be strings"},
		{"opt: {1: x}", 1, 7, "/opt", "Keys must be strings"},
		{"opt: {true: x}", 1, 7, "/opt", "Keys must be strings"},
		{"~: x", 1, 1, "", "Keys must be strings"},
		{"? [a]\n: b", 1, 3, "", "Keys must be strings"},
		{"? {a: 1}\n: b", 1, 3, "", "Keys must be strings"},
		{": b", 1, 4, "", "check the indentation"},
		{".nan: b", 1, 1, "", ".nan is not allowed"},
		{"a: 1\na: 2", 2, 1, "/a", `The key "a" appears twice`},
		{"x:\n  \"\\x61\": 1\n  a: 2", 3, 3, "/x/a", `The key "a" appears twice`},
		{"a: .inf", 1, 4, "/a", ".inf is not allowed"},
		{"a: -.INF", 1, 4, "/a", "-.INF is not allowed"},
		{"a: .NaN", 1, 4, "/a", ".NaN is not allowed"},
		{"a: \"\\0\"", 1, 4, "/a", "NUL"},
		{"a: 1\n---\nb: 2", 2, 1, "", "A second document"},
		{"a: 1\n---\nb: [", 3, 5, "", "missing"},
		{"", 1, 1, "", "empty"},
		{"# only\n", 1, 1, "", "empty"},
		{"a: 'x\u2028y'", 1, 6, "", `write "\u2028"`},
		{"a: x\u0085y", 1, 5, "", `write "\u0085"`},
		{"a: x\ufeffy", 1, 5, "", `write "\ufeff"`},
		{"a: x\x1by", 1, 5, "", "U+001B"},
		{"a: x\x00y", 1, 5, "", "NUL"},
		{"\ufeffa: 1", 1, 1, "", "byte order mark"},
		{"a\x00:\x00", 1, 1, "", "UTF-16"},
		{"a: \xff", 1, 4, "", "0xFF is not UTF-8"},
		{"a: 1\n b: 2\nc: 3\nd: 4\n", 2, 4, "", "check the indentation"},
		{"a:\n\tb: 1\nc: 3\nd: 4\n", 2, 1, "", "indent with spaces"},
		{"a: @x\nc: 3\nd: 4\n", 1, 5, "", "cannot begin with this character"},
		{"a: b: c\nd: 4\n", 1, 6, "", "text that holds a colon in quotes"},
		{"a: 1\nb:\n    - x\n   - y\nc: 3\nd: 4\n", 4, 7, "", "check the indentation"},
		{"a: \"\\q\"\nb: 1\n", 1, 6, "", "write \\\\ for a backslash"},
	}
	for _, tc := range tests {
		v, problems := ParseYAML([]byte(tc.text))
		if len(problems) != 1 {
			t.Errorf("%q gives %v, want one problem", tc.text, problems)
			continue
		}
		p := problems[0]
		if p.Line != tc.line || p.Column != tc.column || p.Pointer != tc.pointer || !strings.Contains(p.Message, tc.message) {
			t.Errorf("%q: %d:%d %q %s, want %d:%d %q %s", tc.text, p.Line, p.Column, p.Pointer, p.Message, tc.line, tc.column, tc.pointer, tc.message)
		}
		if p.Rule != "M5" || v.Kind != Null {
			t.Errorf("%q: rule %q, value %v", tc.text, p.Rule, v)
		}
	}
}

// JSON that is refused as JSON is refused as YAML, unless YAML allows it.
func TestM5_SameChecksAsJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{\"a\":1,\n\"a\":2}",
		"[NaN, .nan]",
		"{\"a\":\"\\ud800\"}",
		"[\"\\u0000\"]",
		nested(65),
		"[1e401]",
		"{} {}",
		"[1",
		"{\"a\":1]",
	} {
		if _, problems := ParseYAML([]byte(text)); len(problems) != 1 {
			t.Errorf("%q gives %v, want one problem", text, problems)
		}
	}
}

func TestM5_NumbersKeepTheLimits(t *testing.T) {
	t.Parallel()
	accepted := []string{strings.Repeat("1", 400), "0x" + strings.Repeat("f", 332), "1e400", "-.5e-400"}
	for _, text := range accepted {
		if _, problems := ParseYAML([]byte("a: " + text)); len(problems) > 0 {
			t.Errorf("%.20s… is refused: %v", text, problems)
		}
	}
	refused := []string{strings.Repeat("1", 401), "0x" + strings.Repeat("f", 333), "0x" + strings.Repeat("0", 401), "0o" + strings.Repeat("7", 1<<20), "1e401", "." + strings.Repeat("5", 401)}
	for _, text := range refused {
		if _, problems := ParseYAML([]byte("a: " + text)); len(problems) != 1 || problems[0].Pointer != "/a" {
			t.Errorf("%.20s… gives %v, want one problem", text, problems)
		}
	}
}

func TestM5_Places(t *testing.T) {
	t.Parallel()
	text := "é: 😀\r\nlist:\r\n  - a\r\n  - {k: \"v\", n: 010}\r\nblock: |\r\n  x\r\n  y\r\nnone:\r\nlast: 'q'\r\n"
	v, problems := ParseYAML([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	starts := map[string]string{"": "é", "/é": "😀", "/list": "- a", "/list/0": "a", "/list/1": "{k", "/list/1/k": "\"v\"", "/list/1/n": "010", "/block": "|", "/last": "'q'"}
	for pointer, start := range starts {
		if offset := at(&v, pointer).At; !strings.HasPrefix(text[offset:], start) {
			t.Errorf("%s is at %d, %.10q, want %q", pointer, offset, text[offset:], start)
		}
	}
	for _, m := range v.Members {
		if !strings.HasPrefix(text[m.At:], m.Name+":") {
			t.Errorf("the key %s is at %d", m.Name, m.At)
		}
	}
}
