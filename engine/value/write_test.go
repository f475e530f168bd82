package value

import (
	"strings"
	"testing"
)

func TestM6_AppendJSON(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		` { "b" : 1.0 , "a" : [ 1E+5 , -0 ] } `:      `{"b":1.0,"a":[1E+5,-0]}`,
		`"\u0022\u005c\u002f\b\f\n\r\t\u0001\u001f"`: `"\"\\/\b\f\n\r\t\u0001\u001f"`,
		`"\u2028\u2029\u007f\u00e9<>&"`:              "\"\u2028\u2029\u007fé<>&\"",
		`[[],{},[{}],{"":[]}]`:                       `[[],{},[{}],{"":[]}]`,
		`{"\n":null,"t":true,"f":false}`:             `{"\n":null,"t":true,"f":false}`,
	}
	for text, want := range tests {
		if got := string(AppendJSON([]byte("> "), must(t, text))); got != "> "+want {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
	}
}

func TestIndent(t *testing.T) {
	t.Parallel()
	got := string(Indent(must(t, `{"a":[1,{"b":{}}],"c":[],"d":{"e":null}}`)))
	want := `{
  "a": [
    1,
    {
      "b": {}
    }
  ],
  "c": [],
  "d": {
    "e": null
  }
}`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestM5_WritesReadableYAML(t *testing.T) {
	t.Parallel()
	got := string(YAML(must(t, `{"Orchard":{"Shop":{"services":{"Disk":[{"name":"a b","size":1.50,"tags":["no","7","x"],"deep":[[1,[2]],{}]},
		{"name":"éclair","init":"#!/bin/sh\n\necho hi\n  done\n","key":"a\nb","opt":null,"on":true,"from":"2001-01-01","at":"12:30"}]}},"metadata":{}}}`)))
	want := `Orchard:
  Shop:
    services:
      Disk:
        - name: a b
          size: 1.50
          tags:
            - "no"
            - "7"
            - x
          deep:
            - - 1
              - - 2
            - {}
        - name: éclair
          init: |
            #!/bin/sh

            echo hi
              done
          key: |-
            a
            b
          opt: null
          "on": true
          from: "2001-01-01"
          at: "12:30"
  metadata: {}
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// Each text comes back from YAML as a key, as a value and as a document.
func TestM5_YAMLKeepsEveryText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"",
		" ",
		"~",
		"null",
		"True",
		"yes",
		"010",
		"0x1F",
		"1e5",
		".5",
		"-",
		"- a",
		"?",
		":",
		"a:",
		"a: b",
		"a #b",
		"#a",
		"&a",
		"*a",
		"!a",
		"|",
		">",
		"%a",
		"@a",
		"`a`",
		"{",
		"}",
		"[",
		"]",
		",",
		"'",
		"\"",
		"\\",
		"<<",
		"=",
		"---",
		"...",
		"a\nb",
		"a\n",
		"\na",
		"a\n\nb\n",
		"a\n b\n",
		" a\nb",
		"a \nb",
		"a\nb \n",
		"a\r\nb",
		"a\tb",
		"\t",
		"a\n---\nb",
		"a\n...\nb",
		"#a\nb",
		"a\n#b",
		"\u0001",
		"\u007f",
		"\u0085",
		"\u00a0",
		"\u2028",
		"\ufeff",
		"\ufffe",
		"\U0001ffff",
		"😀",
		"é",
		strings.Repeat("k", 2000),
		strings.Repeat("k ", 2000),
	}
	for _, text := range texts {
		s := Value{Kind: String, Text: text}
		for _, v := range []Value{s, {Kind: Object, Members: []Member{{Name: text, Value: s}}}, {Kind: Array, Items: []Value{s, {Kind: Array, Items: []Value{s, s}}}}} {
			written := YAML(&v)
			read, problems := ParseYAML(written)
			if len(problems) > 0 || !Equal(&v, &read, nil) {
				t.Errorf("%q is written as %q and read as %s, %v", text, written, AppendJSON(nil, &read), problems)
			}
		}
	}
}

func TestM5_YAMLKeepsTheDeepestDocument(t *testing.T) {
	t.Parallel()
	for _, text := range []string{nested(64), strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64), strings.Repeat(`[{"a":`, 32) + "1" + strings.Repeat("}]", 32)} {
		v := must(t, text)
		read, problems := ParseYAML(YAML(v))
		if len(problems) > 0 || !Equal(v, &read, nil) {
			t.Errorf("%.20s… comes back as %.20s, %v", text, AppendJSON(nil, &read), problems)
		}
	}
}
