package value

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

const (
	body = 16 << 20 // the largest text that reaches the parsers
	part = 1 << 20  // what is quadratic in it takes minutes
)

// flood repeats something until the text has size bytes.
func flood(size int, prefix, repeat, suffix string) []byte {
	return []byte(prefix + strings.Repeat(repeat, (size-len(prefix)-len(suffix))/len(repeat)) + suffix)
}

// A hostile text is answered soon, whatever the answer.
func TestM4_HostileTextsEndWithAnAnswer(t *testing.T) {
	texts := map[string][]byte{
		"open arrays":    flood(part, "", "[", ""),
		"open objects":   flood(part, "", `{"a":`, ""),
		"closed arrays":  flood(part, "[", "[],", "[]]"),
		"many zeros":     flood(part, "[", "0,", "0]"),
		"one number":     flood(part, "", "1", ""),
		"one exponent":   flood(part, "1e", "0", "1"),
		"one string":     flood(part, `"`, "a", `"`),
		"escapes":        flood(part, `"`, `\u0061`, `"`),
		"backslashes":    flood(part, `"`, `\\`, ``),
		"one comment":    flood(part, "[1, /*", "a", ""),
		"white space":    flood(part, "", " ", ""),
		"one word":       flood(part, "", "x", ""),
		"points":         flood(part, "[1", ".", "]"),
		"comment signs":  flood(part, "{}", "#", ""),
		"empty members":  flood(part, "{", `"":0,`, `"":0}`),
		"line breaks":    flood(part, "[", "\n", "x]"),
		"carriage":       flood(part, "[", "\r", "x]"),
		"wide letters":   flood(part, "[\"", "😀", "\", x]"),
		"broken unicode": flood(part, "\"", "\xff", "\""),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			ParseJSON(text)
		})
	}
}

func TestM5_HostileYAMLEndsWithAnAnswer(t *testing.T) {
	texts := map[string][]byte{
		"open arrays":     flood(part, "", "[", ""),
		"open objects":    flood(part, "", "{", ""),
		"open entries":    flood(part, "", "- ", ""),
		"entries":         flood(part, "", "-\n", ""),
		"long entries":    flood(part, "", "- abcdefghijklmn\n", ""),
		"keys":            flood(part, "", "? a\n", ""),
		"pairs":           flood(part, "a:\n", "  b: cdefghi\n", ""),
		"flow entries":    flood(part, "[", "a,", "a]"),
		"comments":        flood(part, "a: 1\n", "# a\n", ""),
		"comments inside": flood(part, "a:\n", " - b\n # a\n", ""),
		"one comment":     flood(part, "#", "a", ""),
		"one line":        flood(part, "", "a", ""),
		"words":           flood(part, "", "a ", ""),
		"lines":           flood(part, "a:\n", " a\n", ""),
		"one block":       flood(part, "a: |\n", " a\n", ""),
		"quotes":          flood(part, "'", "''", "'"),
		"open quote":      flood(part, "\"", "a\n", ""),
		"escapes":         flood(part, "\"", `\x61`, "\""),
		"anchors":         flood(part, "", "- &a a\n", ""),
		"aliases":         flood(part, "- &a a\n", "- *a\n", ""),
		"tags":            flood(part, "", "- !!str a\n", ""),
		"documents":       flood(part, "", "---\n", ""),
		"directives":      flood(part, "", "%A a\n", ""),
		"white space":     flood(part, "", " ", ""),
		"line breaks":     flood(part, "a: 1", "\n", "b"),
		"tabs":            flood(part, "a:\n", "\t", "b"),
		"colons":          flood(part, "a", ":", "b"),
		"digits":          flood(part, "a: ", "1", ""),
		"underscores":     flood(part, "a: 1", "_", ""),
		"alias bomb":      []byte("a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n"),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			ParseYAML(text)
		})
	}
}

// A million keys are accepted; more values than the limit are not.
func TestM4_ManyValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("{\"0\":0")
	for i := 1; i < 1_000_000; i++ {
		fmt.Fprintf(&text, ",\"%d\":0", i)
	}
	text.WriteString("}")
	v, problems := ParseJSON([]byte(text.String()))
	if len(problems) > 0 || len(v.Members) != 1_000_000 {
		t.Fatalf("%d members, %v", len(v.Members), problems)
	}
	for _, yaml := range []bool{false, true} {
		_, problems = Parse([]byte("["+strings.Repeat("0,", MaxValues)+"0]"), yaml)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, "2000000 values") {
			t.Errorf("YAML %v: %v", yaml, problems)
		}
	}
}

// The memory that a text of the allowed size can take is bounded.
func TestM5_MemoryIsBounded(t *testing.T) {
	for name, text := range map[string][]byte{
		"JSON":           flood(body, "[", "[],", "[]]"),
		"flow entries":   flood(body, "[", "a,", "a]"),
		"flow keys":      flood(body, "{", "a: b,", "a: b}"),
		"block entries":  flood(body, "", "- a\n", ""),
		"nested entries": flood(body, "", "- - a\n", ""),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Parse(text, true)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<30 {
			t.Errorf("%s takes %d MiB", name, taken>>20)
		}
	}
}
