package schema

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/portolan/portolan/engine/value"
)

// number finds a number within the limits of s.
func (m maker) number(s *shape) string {
	step := big.NewRat(1, 1)
	if v := s.first("multipleOf"); v != nil {
		step = rat(v.Text)
	}
	at := new(big.Rat).Set(step)
	if low := s.limit("minimum", "exclusiveMinimum"); low != nil {
		at = up(low, step)
		if v := s.tightest("exclusiveMinimum"); v != nil && rat(v.Text).Cmp(at) >= 0 {
			at.Add(at, step)
		}
	} else if high := s.limit("maximum", "exclusiveMaximum"); high != nil && high.Cmp(at) <= 0 {
		at = up(new(big.Rat).Sub(high, step), step)
	}
	at.Add(at, new(big.Rat).Mul(step, big.NewRat(int64(m.index), 1)))
	if high := s.limit("maximum", "exclusiveMaximum"); high != nil && at.Cmp(high) >= 0 && m.kind(s) == "number" {
		at = between(s, high, at)
	}
	digits, _ := at.FloatPrec()
	return at.FloatString(digits)
}

// between tries the middle where whole steps leave the limits.
func between(s *shape, high, otherwise *big.Rat) *big.Rat {
	low := s.limit("minimum", "exclusiveMinimum")
	if low == nil || s.first("multipleOf") != nil {
		return otherwise
	}
	middle := new(big.Rat).Add(low, high)
	return middle.Quo(middle, big.NewRat(2, 1))
}

func (s *shape) limit(keywords ...string) *big.Rat {
	for _, keyword := range keywords {
		if v := s.tightest(keyword); v != nil && v.Kind == value.Number {
			return rat(v.Text)
		}
	}
	return nil
}

// up rounds r up to a multiple of step.
func up(r, step *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(r, step)
	whole := new(big.Int).Div(q.Num(), q.Denom()) // rounds down, the denominator is positive
	out := new(big.Rat).SetInt(whole)
	if out.Cmp(q) < 0 {
		out.Add(out, big.NewRat(1, 1))
	}
	return out.Mul(out, step)
}

// text makes a string that meets format, pattern and length of s.
func (m maker) text(s *shape, name string, depth int) string {
	text := fit(s, m.words(s, name, depth))
	pattern := s.text("pattern")
	if pattern == "" || regexp.MustCompile(pattern).MatchString(text) {
		return text
	}
	return fit(s, matching(pattern, min(s.number("minLength", 0), maxPattern)))
}

// fit lengthens or cuts a text to the limits of s.
func fit(s *shape, text string) string {
	shortest, longest := s.number("minLength", 0), s.number("maxLength", maxText)
	if n := len([]rune(text)); n < shortest && shortest <= maxText {
		text += strings.Repeat("x", shortest-n)
	}
	if runes := []rune(text); len(runes) > longest && longest >= 0 {
		text = string(runes[:longest])
	}
	return text
}

func (m maker) words(s *shape, name string, depth int) string {
	if service := s.text("service_reference"); service != "" {
		return m.numbered("my-" + slug(service))
	}
	if example, ok := formatExamples[s.text("format")]; ok {
		return example
	}
	if depth == 1 && name == "name" {
		return m.numbered("my-" + slug(m.title))
	}
	if name == "" {
		name = "example"
	}
	return m.numbered(name)
}

func (m maker) numbered(text string) string {
	if m.index == 0 {
		return text
	}
	return text + "-" + strconv.Itoa(m.index+1)
}

// slug writes a name in small letters and dashes.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

var formatExamples = map[string]string{
	"date": "2026-11-22", "time": "10:30:00Z", "date-time": "2026-11-22T10:30:00Z", "duration": "P1DT12H",
	"email": "someone@example.org", "hostname": "host.example.org", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.org/", "iri": "https://example.org/", "uri-reference": "/path", "iri-reference": "/path",
	"uri-template": "/path/{id}", "uuid": "123e4567-e89b-12d3-a456-426614174000", "regex": "^[a-z]+$",
	"json-pointer": "/a/b", "relative-json-pointer": "1/a", "semver": "1.0.0", "period": "2026-11-22T10:30:00Z/P1D",
}
