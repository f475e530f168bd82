package value

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkYAML refuses before the library sees them the texts that it reads
// differently from YAML 1.2 or that would make it build a huge tree.
func checkYAML(text string) *refusal {
	if bad := checkEncoding(text); bad != nil {
		return bad
	}
	weight := 1
	for at, c := range text {
		if !printable(c) {
			return &refusal{at: at, length: utf8.RuneLen(c), message: unprintable(c)}
		}
		if weight += separators(text, at); weight > MaxValues {
			return &refusal{at: at, message: tooMany}
		}
	}
	return nil
}

// printable reports whether YAML allows c unescaped and every version of it
// agrees on what it means: the line breaks of Unicode were breaks once.
func printable(c rune) bool {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return true
	case c < ' ' || 0x7f <= c && c < 0xa0:
		return false
	}
	return c != 0x2028 && c != 0x2029 && c != 0xfeff && c != 0xfffe && c != 0xffff
}

func unprintable(c rune) string {
	switch c {
	case 0:
		return holdsNul
	case 0x85, 0x2028, 0x2029, 0xfeff:
		return fmt.Sprintf("The character U+%04X must be escaped in YAML: write \"\\u%04x\" in double quotes.", c, c)
	}
	return fmt.Sprintf("The control character U+%04X is not allowed in YAML: remove it or write \"\\u%04x\" in double quotes.", c, c)
}

// separators returns how many values the sign at the given place may stand for.
func separators(text string, at int) int {
	switch text[at] {
	case ',', '[', '{':
		return 1
	case '-':
		return spaced(text, at, 1)
	case '?':
		return spaced(text, at, 2)
	case ':':
		if at > 0 && strings.IndexByte(`"'`, text[at-1]) >= 0 {
			return 2
		}
		return spaced(text, at, 2)
	}
	return 0
}

// spaced returns weight if the sign at the given place stands alone.
func spaced(text string, at, weight int) int {
	if at+1 == len(text) || strings.IndexByte(" \t\r\n,[]{}", text[at+1]) >= 0 {
		return weight
	}
	return 0
}
