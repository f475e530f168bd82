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
