package value

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// commentLength returns how long the comment at the start of text is.
func commentLength(text string) int {
	end := strings.IndexAny(text, "\r\n")
	switch {
	case strings.HasPrefix(text, "/*"):
		if end = strings.Index(text, "*/"); end >= 0 {
			end += 2
		}
	case !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "#"):
		return 0
	}
	if end < 0 {
		return len(text)
	}
	return end
}

// wordAround returns the bounds of the word or number that holds the byte at.
func wordAround(text string, at int) (from, to int) {
	for from = at; from > 0 && isWord(text[from-1]); from-- {
	}
	for to = at; to < len(text) && isWord(text[to]); to++ {
	}
	return from, to
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("_$+-.", c) >= 0
}

// words are the values of other languages and what to write instead.
var words = map[string]string{
	"nan":       "NaN is not allowed in JSON: write null or a string.",
	"infinity":  "Infinity is not allowed in JSON: write null or a string.",
	"inf":       "Infinity is not allowed in JSON: write null or a string.",
	"undefined": "undefined is not a JSON value: write null or leave the key out.",
	"none":      "Write null instead of None.",
	"nil":       "Write null instead of nil.",
	"null":      "Write null in lower case.",
	"true":      "Write true in lower case.",
	"false":     "Write false in lower case.",
}

// misspelt says how a word should be written, "" if it is good JSON.
func misspelt(word string) string {
	switch word {
	case "", "true", "false", "null":
		return ""
	}
	bare := strings.TrimLeft(word, "+-")
	if message := words[strings.ToLower(bare)]; message != "" {
		return message
	}
	if bare != "" && (bare[0] == '.' || '0' <= bare[0] && bare[0] <= '9') {
		return misspeltNumber(word, bare)
	}
	return fmt.Sprintf("%q is not a JSON value: put text in double quotes.", shorten(word))
}

func misspeltNumber(word, bare string) string {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(bare), "e")
	switch {
	case word[0] == '+':
		return "Numbers must not begin with a plus sign in JSON: remove it."
	case bare[0] == '.':
		return "Numbers must not begin with a point in JSON: write 0 before it."
	case len(bare) > 1 && bare[0] == '0' && strings.IndexByte("xXoObB", bare[1]) >= 0:
		return "Hexadecimal, octal and binary numbers are not allowed in JSON: write it in decimal."
	case len(bare) > 1 && bare[0] == '0' && '0' <= bare[1] && bare[1] <= '9':
		return "Numbers must not begin with zeros in JSON: remove them or write a string."
	case strings.HasSuffix(mantissa, "."):
		return "A digit is missing after the point of this number."
	case hasExponent && strings.Trim(exponent, "+-") == "":
		return "A digit is missing in the exponent of this number."
	case jsonNumber(word):
		return ""
	}
	return fmt.Sprintf("%q is not a number in JSON: mend it or write a string.", shorten(word))
}

func jsonNumber(word string) bool {
	value := jsontext.Value(word)
	return value.IsValid() && value.Kind() == '0'
}

// inString says what is wrong with a string whose unfit part begins text.
func inString(text string) (length int, message string) {
	switch c := text[0]; {
	case c == '\n' || c == '\r':
		return 1, "A string must end on its own line: close it with \" or write the line break as \\n."
	case c == '\t':
		return 1, "A tab is not allowed in a string: write it as \\t."
	case c == 0:
		return 1, holdsNul
	case c < ' ':
		return 1, fmt.Sprintf("The control character U+%04X is not allowed in a string: write it as \\u%04x.", c, c)
	case strings.HasPrefix(text, "\\u"):
		return escape(text)
	}
	_, size := utf8.DecodeRuneInString(text[1:])
	wrong := text[:1+size]
	return len(wrong), fmt.Sprintf("%s is no escape in JSON: write \\\\ for a backslash.", wrong)
}

func escape(text string) (length int, message string) {
	length = 2
	for length < min(6, len(text)) && strings.IndexByte("0123456789abcdefABCDEF", text[length]) >= 0 {
		length++
	}
	if length < 6 {
		return length, "Four hexadecimal digits must follow \\u."
	}
	return length, fmt.Sprintf("%s is half of a surrogate pair: write both halves or the character itself.", text[:length])
}
