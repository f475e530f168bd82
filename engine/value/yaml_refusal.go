package value

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// advice says in a sentence what the library's words mean for the author.
var advice = []struct{ words, sentence string }{
	{"unknown anchor", noAnchors},
	{"mapping values are not allowed", "A \"key: value\" is not allowed here: check the indentation, or put text that holds a colon in quotes."},
	{"cannot start any token", "A value cannot begin with this character: put text in quotes, indent with spaces."},
	{"tab character", "Tabs are not allowed here: indent with spaces."},
	{"',' or ']'", "A comma or the closing ] is missing."},
	{"',' or '}'", "A comma or the closing } is missing."},
	{"'-' indicator", "This line does not belong to the list above: check the indentation."},
	{"did not find expected key", "This line does not belong to the object above: check the indentation."},
	{"could not find expected ':'", "A colon is missing after this key."},
	{"end of stream", "Text in quotes is not closed: add the missing quote."},
	{"unexpected document indicator", "Text in quotes is not closed: add the missing quote."},
	{"hexdecimal", "Hexadecimal digits are missing in this escape."},
	{"escape", "This escape is not known in YAML: write \\\\ for a backslash."},
	{"node content", "A value is missing here."},
	{"max depth", tooDeep},
	{"anchor", noAnchors},
	{"tag", "Tags are not accepted: remove it; put text in quotes."},
}

var anchorName = regexp.MustCompile(`unknown anchor '(.*)' referenced`)

// explainYAML says what to do about a text that the library refuses.
func explainYAML(text string, err error) *refusal {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	r := &refusal{at: troubled(text, message), message: "This is not YAML: " + message + "."}
	for _, a := range advice {
		if strings.Contains(message, a.words) {
			r.message = a.sentence
			break
		}
	}
	if alias := anchorName.FindStringSubmatch(message); alias != nil {
		r.at, r.length = strings.Index(text, "*"+alias[1]), 1+len(alias[1])
	}
	return r
}

// troubled returns the place at which the library gives up. Its message names
// at best the line where the enclosing object begins, so the text is handed to
// it once more, byte by byte, to see how far it reads.
func troubled(text, message string) int {
	least := lineStart(text, message)
	feed := &feeder{text: text, most: least}
	documents := yaml.NewDecoder(feed)
	for range 2 {
		if _, err := nextDocument(documents); err != nil {
			break
		}
	}
	const lookahead = 3
	at := feed.at
	if at < len(text) {
		at = max(at-lookahead, 0)
	}
	return max(least, len(strings.TrimRight(text[:at], jsonSpace)))
}

// lineStart returns where the line named by a message of the library begins.
func lineStart(text, message string) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(message, "line "), ":")
	line, _ := strconv.Atoi(number)
	at := 0
	for ; line > 1 && at < len(text); at++ {
		if endsLine(text, at) {
			line--
		}
	}
	return at
}

// feeder hands out the beginning of a text at once and the rest byte by byte.
type feeder struct {
	text     string
	at, most int
}

// Read hands out the next part of the text.
func (f *feeder) Read(p []byte) (int, error) {
	if f.at == len(f.text) {
		return 0, io.EOF
	}
	n := copy(p, f.text[f.at:max(f.at+1, f.most)])
	f.at += n
	return n, nil
}
