package value

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// YAML returns v as block YAML that people like to read. ParseYAML reads it
// back as an equal value with the same digits.
func YAML(v *Value) []byte {
	var y yamlWriter
	y.value(v, 0)
	y.newline()
	return y.text
}

// yamlWriter writes YAML line by line.
type yamlWriter struct{ text []byte }

// value writes v where its first line has begun already; further lines are
// indented by depth levels.
func (y *yamlWriter) value(v *Value, depth int) {
	switch {
	case v.Kind == Array && len(v.Items) > 0:
		y.array(v.Items, depth)
	case v.Kind == Object && len(v.Members) > 0:
		y.object(v.Members, depth)
	case v.Kind == String && blockSuits(v.Text):
		y.block(v.Text, max(depth, 1))
	case v.Kind == String:
		y.text = append(y.text, yamlString(v.Text)...)
	default:
		y.text = AppendJSON(y.text, v)
	}
}

// array writes the entries of a list.
func (y *yamlWriter) array(items []Value, depth int) {
	for i := range items {
		y.line(i, depth)
		y.text = append(y.text, "- "...)
		y.value(&items[i], depth+1)
	}
}

// object writes the keys of an object, and arrays and objects below their keys.
func (y *yamlWriter) object(members []Member, depth int) {
	for i := range members {
		m := &members[i]
		y.line(i, depth)
		y.key(m.Name, depth)
		switch {
		case len(m.Value.Items) > 0 || len(m.Value.Members) > 0:
			y.newline()
			y.indent(depth + 1)
		default:
			y.text = append(y.text, ' ')
		}
		y.value(&m.Value, depth+1)
	}
}

// key writes a key and its colon. YAML allows a long one only after "? ".
func (y *yamlWriter) key(name string, depth int) {
	const long = 120
	key := yamlString(name)
	if len(key) <= long {
		y.text = append(append(y.text, key...), ':')
		return
	}
	y.text = append(append(y.text, "? "...), key...)
	y.line(1, depth)
	y.text = append(y.text, ':')
}

// block writes lines of text as they are.
func (y *yamlWriter) block(text string, depth int) {
	text, ended := strings.CutSuffix(text, "\n")
	y.text = append(y.text, '|')
	if !ended {
		y.text = append(y.text, '-')
	}
	for line := range strings.SplitSeq(text, "\n") {
		y.newline()
		if line != "" {
			y.indent(depth)
			y.text = append(y.text, line...)
		}
	}
}

// line begins a line, save the first one, which has begun already.
func (y *yamlWriter) line(i, depth int) {
	if i > 0 {
		y.newline()
		y.indent(depth)
	}
}

func (y *yamlWriter) newline() { y.text = append(y.text, '\n') }

func (y *yamlWriter) indent(depth int) {
	for range depth {
		y.text = append(y.text, "  "...)
	}
}

// blockSuits reports whether text reads well, and safely, as a literal block.
func blockSuits(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") || strings.TrimSpace(body) != body {
		return false
	}
	for _, r := range body {
		if r != '\n' && !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// spoken are the words that some version of YAML reads as something else.
var spoken = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// unquoted is text that stands for itself in every version of YAML.
var unquoted = regexp.MustCompile(`^\pL([\pL\pN ._/@+-]*[\pL\pN._/@+-])?$`)

// yamlString writes text plainly if that is safe, else in double quotes.
func yamlString(text string) string {
	if unquoted.MatchString(text) && !slices.Contains(spoken, strings.ToLower(text)) {
		return text
	}
	var quoted strings.Builder
	for _, r := range string(appendString(nil, text)) {
		if printable(r) {
			quoted.WriteRune(r)
		} else {
			fmt.Fprintf(&quoted, `\u%04x`, r)
		}
	}
	return quoted.String()
}
