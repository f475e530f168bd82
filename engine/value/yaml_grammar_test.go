package value

import (
	"strings"
	"testing"
)

// Documents as people write them, after the chapters of the YAML 1.2
// specification, and the JSON they stand for.
func TestM5_Grammar(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"sequence of scalars", "- Mark\n- Sammy\n- Ken\n", `["Mark","Sammy","Ken"]`},
		{"mapping of scalars", "hr:  65    # Home runs\navg: 0.278 # Average\nrbi: 147\n", `{"hr":65,"avg":0.278,"rbi":147}`},
		{"mapping of sequences", "american:\n- Boston\n- Detroit\nnational:\n- New York\n", `{"american":["Boston","Detroit"],"national":["New York"]}`},
		{"sequence of mappings", "-\n  name: Mark\n  hr:   65\n-\n  name: Sammy\n  hr:   63\n", `[{"name":"Mark","hr":65},{"name":"Sammy","hr":63}]`},
		{"sequence of sequences", "- [name  , hr, avg  ]\n- [Mark, 65, 0.278]\n", `[["name","hr","avg"],["Mark",65,0.278]]`},
		{"mapping of mappings", "Mark: {hr: 65, avg: 0.278}\nSammy: {\n    hr: 63,\n    avg: 0.288\n  }\n", `{"Mark":{"hr":65,"avg":0.278},"Sammy":{"hr":63,"avg":0.288}}`},
		{"compact nested mapping", "---\n- item    : Super Hoop\n  quantity: 1\n- item    : Basketball\n  quantity: 4\n", `[{"item":"Super Hoop","quantity":1},{"item":"Basketball","quantity":4}]`},
		{"compact nested sequence", "- - a\n  - b\n- - - c\n", `[["a","b"],[["c"]]]`},
		{"literal block", "--- |\n  \\//||\\/||\n  // ||  ||__\n", `"\\//||\\/||\n// ||  ||__\n"`},
		{"folded block", "--- >\n  Mark's\n  year was\n  crippled.\n", `"Mark's year was crippled.\n"`},
		{"folded block keeps more indented lines", ">\n Sammy\n completed\n\n   63 Home Runs\n   0.288 Avg\n\n What a year!\n", `"Sammy completed\n\n  63 Home Runs\n  0.288 Avg\n\nWhat a year!\n"`},
		{"stripped block", "a: |-\n  x\n  y\n", `{"a":"x\ny"}`},
		{"kept block", "a: |+\n  x\n\nb: 1\n", `{"a":"x\n\n","b":1}`},
		{"block with indentation", "a: |2\n   x\n  y\n", `{"a":" x\ny\n"}`},
		{"block of numbers is text", "a: |\n  12\n", `{"a":"12\n"}`},
		{"empty block", "a: |\nb: 1\n", `{"a":"","b":1}`},
		{"quoted scalars", "unicode: \"Sosa did fine.\\u263A\"\ncontrol: \"\\b1998\\t1999\\t2000\\n\"\nsingle: '\"Howdy!\" he cried.'\n", `{"unicode":"Sosa did fine.☺","control":"\b1998\t1999\t2000\n","single":"\"Howdy!\" he cried."}`},
		{"quotes in quotes", "a: ' # Not a ''comment''.'\n", `{"a":" # Not a 'comment'."}`},
		{"plain text over lines", "plain:\n  This unquoted scalar\n  spans many lines.\n", `{"plain":"This unquoted scalar spans many lines."}`},
		{"quoted text over lines", "quoted: \"So does this\n  quoted scalar.\\n\"\n", `{"quoted":"So does this quoted scalar.\n"}`},
		{"escaped line break", "a: \"x\\\n  y\"\n", `{"a":"xy"}`},
		{"all escapes", `"\a\b\e\f\n\r\t\v\"\\\x41\u0042\U00000043\_\ "`, `"\u0007\b\u001b\f\n\r\t\u000b\"\\ABC` + "\u00a0" + ` "`},
		{"escaped line separators", `"\N\L\P"`, "\"\u0085\u2028\u2029\""},
		{"integers", "canonical: 12345\ndecimal: +12_345\noctal: 0o14\nhexadecimal: 0xC\n", `{"canonical":12345,"decimal":"+12_345","octal":12,"hexadecimal":12}`},
		{"floats", "canonical: 1.23015e+3\nexponential: 12.3015e+02\nfixed: 1230.15\n", `{"canonical":1.23015e+3,"exponential":12.3015e+02,"fixed":1230.15}`},
		{"miscellaneous", "null:\n", ""},
		{"booleans", "booleans: [ true, false ]\nstring: '012345'\n", `{"booleans":[true,false],"string":"012345"}`},
		{"timestamps are text", "iso8601: 2001-12-14t21:59:43.10-05:00\ndate: 2002-12-14\n", `{"iso8601":"2001-12-14t21:59:43.10-05:00","date":"2002-12-14"}`},
		{"bases of old are text", "- 0b1010\n- 1:30\n- 190:20:30\n- 0o\n- 0xG\n", `["0b1010","1:30","190:20:30","0o","0xG"]`},
		{"words of old are text", "[y, n, yes, No, ON, off]", `["y","n","yes","No","ON","off"]`},
		{"versions and addresses are text", "- 1.2.3\n- 10.0.0.1\n- ::1\n- 00:1b:44\n- 1e3x\n- v1\n", `["1.2.3","10.0.0.1","::1","00:1b:44","1e3x","v1"]`},
		{"signs alone are text", "[+, -x, ., .., +.x]", `["+","-x",".","..","+.x"]`},
		{"comments", "# a\na: 1 # b\n# c\n\n# d\nb: # e\n  # f\n  - 2 # g\n# h\n", `{"a":1,"b":[2]}`},
		{"comment signs in text", "a: x#y\nb: '#'\nc: \"#\"\n", `{"a":"x#y","b":"#","c":"#"}`},
		{"colons in text", "a: x:y\nb: http://example.org:80/\nc: 'x: y'\n", `{"a":"x:y","b":"http://example.org:80/","c":"x: y"}`},
		{"empty values", "a:\nb: \nc: ~\nd: ''\n", `{"a":null,"b":null,"c":null,"d":""}`},
		{"empty entries", "-\n- \n- ~\n", `[null,null,null]`},
		{"empty collections", "a: {}\nb: []\nc: { }\n", `{"a":{},"b":[],"c":{}}`},
		{"sequence at the key's column", "a:\n- 1\n- 2\nb: 3\n", `{"a":[1,2],"b":3}`},
		{"explicit key", "? a\n: 1\n? b\n", `{"a":1,"b":null}`},
		{"key of words", "a b c: 1\n", `{"a b c":1}`},
		{"quoted keys", "\"a\": 1\n'b': 2\n\"3\": 3\n'true': 4\n'': 5\n", `{"a":1,"b":2,"3":3,"true":4,"":5}`},
		{"keys that were booleans once", "yes: 1\nno: 2\non: 3\noff: 4\ny: 5\n", `{"yes":1,"no":2,"on":3,"off":4,"y":5}`},
		{"keys that were dates once", "2001-01-01: 1\n12:30: 2\n", `{"2001-01-01":1,"12:30":2}`},
		{"keys that differ in case", "a: 1\nA: 2\n", `{"a":1,"A":2}`},
		{"JavaScript's keys", "__proto__: 1\nconstructor: 2\n", `{"__proto__":1,"constructor":2}`},
		{"flow over lines", "{\n  a: [\n    1,\n    2,\n  ],\n  b: {c: d},\n}\n", `{"a":[1,2],"b":{"c":"d"}}`},
		{"flow like JSON", "{\"a\":1,\"b\":[true,null],\"c\":\"d\"}", `{"a":1,"b":[true,null],"c":"d"}`},
		{"JSON with comments is YAML", "{\"a\": 1, # one\n \"b\": 2}", `{"a":1,"b":2}`},
		{"JSON with a trailing comma is YAML", "{\"a\": [1,2,],}", `{"a":[1,2]}`},
		{"pairs in a flow sequence", "[a: 1, \"b\":2]", `[{"a":1},{"b":2}]`},
		{"document markers", "---\na: 1\n...\n", `{"a":1}`},
		{"marker with text", "--- text\n", `"text"`},
		{"line ends of other systems", "a: 1\r\nb:\r\n  - 2\r\n", `{"a":1,"b":[2]}`},
		{"carriage returns alone", "a: 1\rb: 2\r", `{"a":1,"b":2}`},
		{"no line break at the end", "a: 1", `{"a":1}`},
		{"letters of the world", "ключ: значение\n鍵: 値\nκλειδί: 😀\n", `{"ключ":"значение","鍵":"値","κλειδί":"😀"}`},
		{"tabs between tokens", "a:\t1\t# c\n", `{"a":1}`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			v, problems := ParseYAML([]byte(tc.text))
			if tc.want == "" {
				if len(problems) != 1 {
					t.Errorf("%v, want one problem", problems)
				}
				return
			}
			if len(problems) > 0 || string(AppendJSON(nil, &v)) != tc.want {
				t.Errorf("got %s, %v, want %s", AppendJSON(nil, &v), problems, tc.want)
			}
		})
	}
}

// What YAML itself does not allow is refused with a sentence.
func TestM5_Malformed(t *testing.T) {
	t.Parallel()
	texts := []string{
		"a: [",
		"a: {",
		"a: ]",
		"a: }",
		"[1, 2",
		"[1 2: 3",
		"{a: 1",
		"{a: 1]",
		"[a: 1}",
		"a: 'x",
		"a: \"x",
		"a: \"x\" y",
		"a: 'x' y",
		"a: b: c",
		"a: - b",
		"a: 1\n b: 2",
		"a:\n  b: 1\n c: 2",
		"a:\n    b: 1\n  c: 2",
		"- a\nb: 1",
		"a: 1\n- b",
		"a: @x",
		"a: `x`",
		"a: %x",
		"a: |x\n  y",
		"a: |0\n  y",
		"a: >9x\n  y",
		"a:\n\tb: 1",
		"\ta: 1",
		"a: \"\\q\"",
		"a: \"\\x4\"",
		"a: \"\\u12\"",
		"a: \"\\ud800\"",
		"a: \"\\U00110000\"",
		"a: *",
		"a: &",
		"a: &x",
		"a: !<x",
		"a: !<tag:yaml.org,2002:str> x",
		"%YAML 2.0\n---\na: 1",
		"%YAML 1.2\n%YAML 1.2\n---\na: 1",
		"%TAG ! x\n%TAG ! y\n---\na: 1",
		"%YAML 1.2",
		"a: 1\n...\nb: 2",
		"a: 1\n---\n",
		"--- a\n--- b\n",
		"a: 1\n...\n}",
		"? ? a",
		"{[a]: 1}",
		"{{a: 1}: 1}",
		"[a]: 1",
		"{a: 1}: 1",
		"- a: 1\n  a: 2",
		"{a: 1, a: 2}",
		"{a, a}",
		"'a': 1\na: 2",
	}
	for _, text := range texts {
		_, problems := ParseYAML([]byte(text))
		if len(problems) != 1 {
			t.Errorf("%q gives %v, want one problem", text, problems)
			continue
		}
		p := problems[0]
		if p.Rule != "M5" || p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || !strings.HasSuffix(p.Message, ".") {
			t.Errorf("%q gives %+v", text, p)
		}
	}
}
