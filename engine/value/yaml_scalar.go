package value

import (
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The numbers of the YAML 1.2 core schema.
var (
	decimal = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	based   = regexp.MustCompile(`^(0o[0-7]+|0x[0-9a-fA-F]+)$`)
	endless = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// scalar resolves a scalar from its text (trust J6) and says what is wrong with it.
func scalar(n *yaml.Node) (v Value, wrong string) {
	if plain(n) {
		return resolve(n.Value)
	}
	if strings.IndexByte(n.Value, 0) >= 0 {
		wrong = holdsNul
	}
	return Value{Kind: String, Text: n.Value}, wrong
}

// plain reports whether a scalar is written without quotes and not as a block.
func plain(n *yaml.Node) bool {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Style&quoted == 0
}

// scalarLength returns how many bytes of the text show a scalar, 0 if that is
// not known.
func scalarLength(n *yaml.Node) int {
	if n.Kind == yaml.ScalarNode && plain(n) {
		return len(n.Value)
	}
	return 0
}

// resolve returns what text without quotes stands for in the core schema.
func resolve(text string) (v Value, wrong string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Value{Kind: Null}, ""
	case "true", "True", "TRUE":
		return Value{Kind: Bool, Text: "true"}, ""
	case "false", "False", "FALSE":
		return Value{Kind: Bool, Text: "false"}, ""
	}
	switch {
	case strings.IndexByte("+-.0123456789", text[0]) < 0:
	case decimal.MatchString(text):
		return Value{Kind: Number, Text: decimalNumber(text)}, checkNumber(text)
	case based.MatchString(text):
		return basedNumber(text)
	case endless.MatchString(text):
		return Value{}, text + " is not allowed: write null or a string in quotes."
	}
	return Value{Kind: String, Text: text}, ""
}

// decimalNumber makes a number of the core schema one of JSON: 010 is 10, +1
// is 1, .5 is 0.5 and 1. is 1. All other digits stay as they were written.
func decimalNumber(text string) string {
	sign := ""
	switch text[0] {
	case '-':
		sign, text = "-", text[1:]
	case '+':
		text = text[1:]
	}
	whole := strings.IndexAny(text+"e", ".eE")
	rest := text[whole:]
	if rest != "" && rest[0] == '.' && (len(rest) == 1 || rest[1] == 'e' || rest[1] == 'E') {
		rest = rest[1:]
	}
	digits := strings.TrimLeft(text[:whole], "0")
	if digits == "" {
		digits = "0"
	}
	return sign + digits + rest
}

// basedNumber reads an octal or hexadecimal number.
func basedNumber(text string) (v Value, wrong string) {
	if len(text)-2 > MaxDigits {
		return Value{}, tooLong
	}
	number, _ := new(big.Int).SetString(text, 0)
	v = Value{Kind: Number, Text: number.String()}
	return v, checkNumber(v.Text)
}
