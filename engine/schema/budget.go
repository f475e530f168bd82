package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/portolan/portolan/engine/value"
)

// The budget of a schema (trust S3).
const (
	maxText    = 256 << 10 // bytes
	maxDepth   = 64
	maxNodes   = 5_000
	maxEnum    = 2_000
	maxPattern = 1_000 // characters
	maxCost    = 100_000
)

// withinText reports whether a schema is small and flat enough to be walked.
func withinText(root *value.Value, found *findings) bool {
	if pointer, v := tooDeep(root, "", 1); v != nil {
		found.refuse("trust S3", pointer, v.At, "the schema is nested deeper than %d levels", maxDepth)
		return false
	}
	if size := len(value.AppendJSON(nil, root)); size > maxText {
		found.refuse("trust S3", "", root.At, "the schema has %d bytes; at most %d are allowed", size, maxText)
		return false
	}
	return true
}

// tooDeep finds the first value below the deepest level allowed.
func tooDeep(v *value.Value, pointer string, depth int) (string, *value.Value) {
	if depth > maxDepth && v.Kind >= value.Array {
		return pointer, v
	}
	for i := range v.Members {
		m := &v.Members[i]
		if p, deep := tooDeep(&m.Value, join(pointer, m.Name), depth+1); deep != nil {
			return p, deep
		}
	}
	for i := range v.Items {
		if p, deep := tooDeep(&v.Items[i], join(pointer, fmt.Sprint(i)), depth+1); deep != nil {
			return p, deep
		}
	}
	return "", nil
}

// withinGraph reports whether a schema has few enough parts, and checks the
// size of each.
func withinGraph(g *graph, found *findings) bool {
	if g.full() {
		found.refuse("trust S3", "", g.root().value.At, "the schema has more than %d sub-schemas", maxNodes)
		return false
	}
	for _, n := range g.nodes {
		checkEnum(n, found)
		checkPatterns(n, found)
		checkCounts(n, found)
	}
	return true
}

func checkEnum(n *node, found *findings) {
	if v, ok := n.get("enum"); ok && len(v.Items) > maxEnum {
		found.keyword("trust S3", n, "enum", "enum lists %d values; at most %d are allowed", len(v.Items), maxEnum)
	}
}

func checkPatterns(n *node, found *findings) {
	if text, ok := n.text("pattern"); ok {
		if why := badPattern(text); why != "" {
			found.keyword("trust S6", n, "pattern", "%s", why)
		}
	}
	if v, ok := n.get("patternProperties"); ok {
		for _, m := range v.Members {
			if why := badPattern(m.Name); why != "" {
				found.refuse("trust S6", join(join(n.pointer, "patternProperties"), m.Name), m.At, "%s", why)
			}
		}
	}
}

// badPattern says why a pattern cannot be used, "" if it can.
func badPattern(text string) string {
	if n := utf8.RuneCountInString(text); n > maxPattern {
		return fmt.Sprintf("the pattern has %d characters; at most %d are allowed", n, maxPattern)
	}
	_, err := regexp.Compile(text)
	if err == nil {
		return ""
	}
	for _, foreign := range []struct{ sign, name string }{
		{"(?=", "look-ahead"}, {"(?!", "look-ahead"}, {"(?<=", "look-behind"}, {"(?<!", "look-behind"},
	} {
		if strings.Contains(text, foreign.sign) {
			return fmt.Sprintf("the pattern uses %s %s…), which the portal does not have: patterns are RE2, which always match in linear time", foreign.name, foreign.sign)
		}
	}
	return explain(err.(*syntax.Error))
}

// explain says in the author's words why RE2 refuses a pattern.
func explain(err *syntax.Error) string {
	switch {
	case err.Code == syntax.ErrInvalidEscape && len(err.Expr) == 2 && strings.ContainsAny(err.Expr[1:], "123456789"):
		return fmt.Sprintf("the pattern uses the back-reference %s, which the portal does not have: patterns are RE2, which always match in linear time", err.Expr)
	case err.Code == syntax.ErrInvalidEscape:
		return fmt.Sprintf("the pattern uses %s, which RE2 does not know", err.Expr)
	case err.Code == syntax.ErrInvalidRepeatSize, err.Code == syntax.ErrLarge:
		return fmt.Sprintf("the pattern repeats too often: %s; RE2 allows at most 1000 repetitions in all", err.Expr)
	}
	return fmt.Sprintf("the pattern is not a regular expression: %s: %s", err.Code, err.Expr)
}

// counts are the keywords that number characters, elements or members; the
// library keeps them in 64 bits.
var counts = []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"}

func checkCounts(n *node, found *findings) {
	for _, keyword := range counts {
		if v, ok := n.get(keyword); ok && v.Kind == value.Number && tooBig(v.Text) {
			found.keyword("trust S3", n, keyword, "%s is too big; leave it out if there is no limit", keyword)
		}
	}
}

func tooBig(number string) bool {
	r := rat(number)
	return r == nil || r.Num().BitLen() > 53
}
