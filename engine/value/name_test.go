package value

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestM3_Names(t *testing.T) {
	t.Parallel()
	accepted := []string{
		"a",
		"my disk 1",
		"éclair",
		"ディスク",
		strings.Repeat("ü", 255),
		"a/b",
		"C\u043ereVM1",
		"=cmd|'/c calc'!A1",
		"%s%n%x",
		"{{7*7}} ${7*7}",
		"</script><script>alert(1)</script>",
		"\" autofocus onfocus=alert(1) x=\"",
		"__proto__",
		"a\u00a0b",
		"😀",
		"..",
		"\ufffd",
	}
	for _, name := range accepted {
		if wrong := CheckName(name); wrong != "" {
			t.Errorf("%q %s", name, wrong)
		}
	}
	refused := map[string]string{
		"":                        "must be 1 to 255 characters long (has 0)",
		strings.Repeat("x", 256):  "must be 1 to 255 characters long (has 256)",
		strings.Repeat("ü", 300):  "(has 300)",
		strings.Repeat("a", 4096): "(has 4096)",
		"e\u0301clair":            "must be in Unicode normal form NFC",
		"\u212b":                  "NFC",
		"\u1100\u1161":            "NFC",
		"a\tb":                    "must not contain control or format characters",
		"\x1b[2J\x1b[31mred":      "U+001B",
		"a\nb":                    "control",
		"a\x00b":                  "control",
		"a\u0085b":                "control",
		"a\u200bb":                "format",
		"abc\u202egnp.exe":        "U+202E",
		"\ufeffa":                 "format",
		"a\u00adb":                "format",
		"\U000e0001a":             "format",
		" a":                      "must not begin or end with white space",
		"a ":                      "white space",
		"a\u00a0":                 "white space",
		"\u3000a":                 "white space",
		"a\u2028":                 "white space",
		"a\xff":                   "UTF-8",
	}
	for name, want := range refused {
		if wrong := CheckName(name); !strings.Contains(wrong, want) {
			t.Errorf("%.20q gives %q, want %q", name, wrong, want)
		}
	}
}

// FuzzName compares CheckName with the rule spelt out once more.
func FuzzName(f *testing.F) {
	for _, name := range []string{"a", "", " a", "e\u0301", "a\u200bb", "a\tb", "ディスク", "a\xff", "\u3000", strings.Repeat("é", 256)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		length := len([]rune(name))
		good := utf8.ValidString(name) && length >= 1 && length <= 255 && strings.TrimSpace(name) == name &&
			norm.NFC.String(name) == name && !strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) })
		if wrong := CheckName(name); (wrong == "") != good {
			t.Errorf("%q gives %q, want accepted %v", name, wrong, good)
		}
	})
}
