package schema

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// matching makes a short text that matches a pattern, with at least so many
// characters where repetitions can give them.
func matching(pattern string, shortest int) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	parsed = parsed.Simplify()
	text := ""
	for extra := 0; extra <= shortest; extra++ {
		var out strings.Builder
		spell(&out, parsed, extra)
		if text = out.String(); utf8.RuneCountInString(text) >= shortest || out.Len() > maxText {
			break
		}
	}
	return text
}

// spell writes one text that re matches; what may be repeated without end is
// repeated extra times more than it must be.
func spell(out *strings.Builder, re *syntax.Regexp, extra int) {
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		out.WriteRune(pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte('x')
	case syntax.OpCapture, syntax.OpAlternate:
		spell(out, re.Sub[0], extra)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			spell(out, sub, extra)
		}
	case syntax.OpPlus:
		repeat(out, re.Sub[0], 1+extra, extra)
	case syntax.OpStar:
		repeat(out, re.Sub[0], extra, extra)
	case syntax.OpQuest:
		repeat(out, re.Sub[0], min(extra, 1), extra)
	}
}

func repeat(out *strings.Builder, re *syntax.Regexp, times, extra int) {
	for range times {
		if out.Len() > maxText {
			return
		}
		spell(out, re, extra)
	}
}

// pick takes a character of a class, a friendly one if there is one.
func pick(ranges []rune) rune {
	for _, friendly := range "ax10A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= friendly && friendly <= ranges[i+1] {
				return friendly
			}
		}
	}
	if len(ranges) == 0 {
		return 'x'
	}
	return ranges[0]
}
