package schema

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/portolan/portolan/engine/value"
)

var simple = regexp.MustCompile(`^[\pL_][\pL\pN_-]*$`)

// subject names a place in an item as people do: tiers[0].members[1].
func subject(path []string) string {
	if len(path) == 0 {
		return "the item"
	}
	var out strings.Builder
	for _, step := range path {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			out.WriteString("[" + step + "]")
		case !simple.MatchString(step):
			out.WriteString("[" + quote(step) + "]")
		case out.Len() > 0:
			out.WriteString("." + step)
		default:
			out.WriteString(step)
		}
	}
	return out.String()
}

var typeWords = map[string]string{
	"null": "null", "boolean": "true or false", "number": "a number", "integer": "an integer",
	"string": "a string", "array": "an array", "object": "an object",
}

func kinds(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = typeWords[t]
	}
	return listed(words)
}

// listed joins words with commas and a last "or".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

const shownChoices = 10

func among(values []any) string {
	var words []string
	for _, v := range values[:min(len(values), shownChoices)] {
		words = append(words, showAny(v))
	}
	if more := len(values) - shownChoices; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + listed(words)
}

func showAny(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	case []any:
		return "a certain array"
	case map[string]any:
		return "a certain object"
	}
	return clip(fmt.Sprint(v))
}

func show(v *value.Value) string {
	switch v.Kind {
	case value.Null:
		return "null"
	case value.String:
		return quote(v.Text)
	case value.Array:
		return "an array"
	case value.Object:
		return "an object"
	}
	return clip(v.Text)
}

func quote(text string) string { return strconv.Quote(clip(text)) }

const shownRunes = 60

func clip(text string) string {
	if runes := []rune(text[:min(len(text), 4*shownRunes+4)]); len(runes) > shownRunes {
		return string(runes[:shownRunes]) + "…"
	}
	return text
}

func decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return clip(r.FloatString(digits))
}

// formatWord tells a format with an example.
func formatWord(format string) string {
	if word, ok := formatWords[format]; ok {
		return word
	}
	return "a valid " + format
}

var formatWords = map[string]string{
	"date":      "a date such as 2026-11-22",
	"time":      "a time with zone such as 10:30:00Z",
	"date-time": "a date and time such as 2026-11-22T10:30:00Z",
	"duration":  "a duration such as P1DT12H",
	"email":     "an e-mail address",
	"hostname":  "a host name",
	"ipv4":      "an IPv4 address such as 192.0.2.1",
	"ipv6":      "an IPv6 address such as 2001:db8::1",
	"uri":       "an absolute URI such as https://example.org/",
	"uuid":      "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
	"regex":     "a regular expression (RE2)",
}
