package value

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	jsonSpace  = " \t\r\n"
	noComments = "Comments are not allowed in JSON: remove it."
)

// explain says what to do about a text that the decoder refuses. The sentence
// is derived from the text at the place of the error and from what was
// expected there.
func (p *jsonParser) explain(err error) *refusal {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return p.unfinished(string(p.tokens.StackPointer()))
	}
	at := min(int(syntax.ByteOffset), len(p.text))
	r := &refusal{pointer: string(syntax.JSONPointer), at: at}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return p.unfinished(r.pointer)
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return p.twice(r)
	}
	if strings.Contains(err.Error(), "in string") && at < len(p.text) {
		r.length, r.message = inString(p.text[at:])
		return r
	}
	if message := p.comma(r); message != "" {
		r.length, r.message = 1, message
		return r
	}
	p.foreign(r)
	if r.message == "" {
		_, r.length = utf8.DecodeRuneInString(p.text[r.at:])
		r.message = p.structure(err.Error(), p.text[r.at:r.at+r.length])
	}
	return r
}

// unfinished blames the end of the text.
func (p *jsonParser) unfinished(pointer string) *refusal {
	message := "The text ends before the document does: close every string, array and object."
	return &refusal{at: len(p.text), pointer: pointer, message: message}
}

// twice names the key that is in an object already.
func (p *jsonParser) twice(r *refusal) *refusal {
	end := r.at + 1
	for end < len(p.text) && p.text[end] != '"' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	r.length = end + 1 - r.at
	name, _ := jsontext.AppendUnquote(nil, p.text[r.at:end+1])
	r.message = appearsTwice(string(name))
	return r
}

func appearsTwice(name string) string {
	return fmt.Sprintf("The key %q appears twice in this object.", shorten(name))
}

// shorten keeps a quoted part of the text from making a sentence endless.
func shorten(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// comma finds a comma with nothing before or behind it. Otherwise it moves r
// on to what follows the comma or colon that the decoder stumbled over.
func (p *jsonParser) comma(r *refusal) string {
	if r.at == len(p.text) || p.text[r.at] != ',' && p.text[r.at] != ':' {
		return ""
	}
	before := p.text[:r.at]
	rest := strings.TrimLeft(p.text[r.at+1:], jsonSpace)
	switch {
	case p.text[r.at] == ':':
		if !follows(before, `"`) {
			return ""
		}
	case !follows(before, "") || follows(before, "[{,:"):
		return "A value is missing before this comma: write it or remove the comma."
	case rest != "" && (rest[0] == ']' || rest[0] == '}'):
		return "A comma after the last value is not allowed in JSON: remove it."
	case rest != "" && rest[0] == ',':
		return "Two commas follow one another: remove one."
	}
	r.at = len(p.text) - len(rest)
	return ""
}

// follows reports whether what comes after before follows one of signs, or
// anything at all if no signs are given.
func follows(before, signs string) bool {
	before = strings.TrimRight(before, jsonSpace)
	if before == "" || signs == "" {
		return before != ""
	}
	return strings.IndexByte(signs, before[len(before)-1]) >= 0
}

// foreign recognises what other languages allow and JSON does not.
func (p *jsonParser) foreign(r *refusal) {
	rest := p.text[r.at:]
	if r.length = commentLength(rest); r.length > 0 {
		r.message = noComments
		return
	}
	if quote, size := utf8.DecodeRuneInString(rest); strings.ContainsRune("'`‘’“”„", quote) {
		r.length, r.message = size, "Text must be in double quotes in JSON: use \" instead of "+string(quote)+"."
		return
	}
	from, to := wordAround(p.text, r.at)
	word := p.text[from:to]
	message := misspelt(word)
	if word != "" && p.wantsKey() && follows(p.text[:from], "{,") {
		message = fmt.Sprintf("Keys must be in double quotes: write %q.", shorten(word))
	}
	if message != "" {
		r.at, r.length, r.message = from, to-from, message
	}
}

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

// structure says what is missing where the decoder found c.
func (p *jsonParser) structure(wrong, c string) string {
	closing := c == "]" || c == "}"
	switch {
	case strings.Contains(wrong, "expecting ':'"):
		return "A colon is missing after this key."
	case strings.Contains(wrong, "missing value") || closing && len(p.open) > 0 && p.open[len(p.open)-1].named && !strings.Contains(wrong, "after object value"):
		return "The value of this key is missing."
	case closing && len(p.open) == 0:
		return "Nothing is open that " + c + " could close: remove it."
	case closing && p.open[len(p.open)-1].Kind == Object:
		return "Close the object with } first."
	case closing:
		return "Close the array with ] first."
	case strings.Contains(wrong, "expecting ','"):
		return "A comma is missing before this value."
	case p.wantsKey():
		return "Keys must be in double quotes."
	}
	return fmt.Sprintf("The character %q is not allowed here: remove it or put text in double quotes.", c)
}
