package value

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ParseYAML reads one YAML 1.2 document of the core schema (marketplace M5). A
// text that is refused gives one problem that tells the first reason and its
// place.
func ParseYAML(text []byte) (Value, []Problem) {
	whole := string(text)
	// JSON is YAML: what reads as JSON needs no second look.
	if start := strings.TrimLeft(whole, jsonSpace); start != "" && (start[0] == '{' || start[0] == '[') {
		if v, bad := parseJSON(whole, text); bad == nil {
			return v, nil
		}
	}
	v, bad := parseYAML(whole, text)
	if bad != nil {
		return Value{}, bad.problem(whole, "M5")
	}
	return v, nil
}

func parseYAML(whole string, text []byte) (Value, *refusal) {
	if bad := checkYAML(whole); bad != nil {
		return Value{}, bad
	}
	documents := yaml.NewDecoder(bytes.NewReader(oldVersion(text)))
	first, err := nextDocument(documents)
	if err == io.EOF {
		return Value{}, &refusal{message: isEmpty}
	}
	if err != nil {
		return Value{}, explainYAML(whole, err)
	}
	y := &yamlReader{text: whole, line: 1, column: 1}
	v, bad := y.read(first.Content[0], 0)
	if bad != nil {
		return Value{}, bad
	}
	second, err := nextDocument(documents)
	if err == io.EOF {
		return v, nil
	}
	if err != nil {
		return Value{}, explainYAML(whole, err)
	}
	return Value{}, &refusal{at: y.offset(second), message: "A second document is not allowed: remove it."}
}

// nextDocument reads a node tree; a panic of the library is one more way to
// say that the text is not YAML.
func nextDocument(documents *yaml.Decoder) (document *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	document = new(yaml.Node)
	err = documents.Decode(document)
	if err == nil && len(document.Content) != 1 {
		err = errors.New("yaml: no document")
	}
	return document, err
}

// oldVersion lets a text that declares itself YAML 1.2 pass the library, which
// knows the number 1.1 only. Scalars are resolved here, not there.
func oldVersion(text []byte) []byte {
	const declared = "%YAML 1.2"
	if !bytes.HasPrefix(text, []byte(declared)) {
		return text
	}
	text = bytes.Clone(text)
	text[len(declared)-1] = '1'
	return text
}

// yamlReader turns nodes into values. The nodes come in the order of the text,
// so that one walk through it finds the places of all.
type yamlReader struct {
	text         string
	at           int // byte offset of line and column
	line, column int
	nodes        int
	path         []byte // JSON Pointer of the value that is read
}

// offset returns the byte offset of a node.
func (y *yamlReader) offset(n *yaml.Node) int {
	for y.at < len(y.text) && (y.line < n.Line || y.line == n.Line && y.column < n.Column) {
		if endsLine(y.text, y.at) {
			y.line, y.column = y.line+1, 0
		}
		_, size := utf8.DecodeRuneInString(y.text[y.at:])
		y.at, y.column = y.at+size, y.column+1
	}
	return y.at
}

// read turns the node n, which lies in depth arrays and objects, into a value.
func (y *yamlReader) read(n *yaml.Node, depth int) (Value, *refusal) {
	at := y.offset(n)
	if bad := y.check(n, at); bad != nil {
		return Value{}, bad
	}
	if n.Kind == yaml.ScalarNode {
		v, wrong := scalar(n)
		v.At = at
		if wrong != "" {
			return Value{}, y.refuse(at, scalarLength(n), wrong)
		}
		return v, nil
	}
	if depth == MaxDepth {
		return Value{}, y.refuse(at, 1, tooDeep)
	}
	if n.Kind == yaml.SequenceNode {
		return y.array(n, at, depth+1)
	}
	return y.object(n, at, depth+1)
}

// check refuses what M5 does not accept of any node.
func (y *yamlReader) check(n *yaml.Node, at int) *refusal {
	y.nodes++
	sign := byte(0)
	if at < len(y.text) {
		sign = y.text[at]
	}
	switch {
	case y.nodes > MaxValues:
		return y.refuse(at, 0, tooMany)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return y.refuse(at, 1+len(n.Anchor), noAnchors)
	// The library forgets the tag "!"; no plain text begins with one.
	case n.Style&yaml.TaggedStyle != 0 || sign == '!':
		return y.refuse(at, max(strings.IndexAny(y.text[at:], jsonSpace), 1), "Tags are not accepted: remove it; put text in quotes.")
	}
	return nil
}

const noAnchors = "Anchors and aliases are not accepted: write the value out."

func (y *yamlReader) array(n *yaml.Node, at, depth int) (v Value, bad *refusal) {
	v = Value{Kind: Array, At: at, Items: make([]Value, len(n.Content))}
	parent := len(y.path)
	for i, item := range n.Content {
		y.path = strconv.AppendInt(append(y.path, '/'), int64(i), 10)
		if v.Items[i], bad = y.read(item, depth); bad != nil {
			return v, bad
		}
		y.path = y.path[:parent]
	}
	return v, nil
}

func (y *yamlReader) object(n *yaml.Node, at, depth int) (v Value, bad *refusal) {
	v = Value{Kind: Object, At: at, Members: make([]Member, len(n.Content)/2)}
	known := make(map[string]bool, len(v.Members))
	parent := len(y.path)
	for i := range v.Members {
		m := &v.Members[i]
		if m.Name, m.At, bad = y.key(n.Content[2*i], known); bad != nil {
			return v, bad
		}
		y.path = appendPointer(y.path, m.Name)
		if m.Value, bad = y.read(n.Content[2*i+1], depth); bad != nil {
			return v, bad
		}
		y.path = y.path[:parent]
	}
	return v, nil
}

// key reads a key that is not among the known ones yet.
func (y *yamlReader) key(n *yaml.Node, known map[string]bool) (name string, at int, bad *refusal) {
	at = y.offset(n)
	if bad := y.check(n, at); bad != nil {
		return "", at, bad
	}
	length := scalarLength(n)
	if n.Kind == yaml.ScalarNode && plain(n) && n.Value == "<<" {
		return "", at, y.refuse(at, length, "Merge keys are not accepted: write the keys out.")
	}
	key, wrong := scalar(n)
	switch {
	case n.Kind != yaml.ScalarNode || wrong == "" && key.Kind != String:
		return "", at, y.refuse(at, length, "Keys must be strings: put the key in quotes.")
	case wrong != "":
		return "", at, y.refuse(at, length, wrong)
	case known[key.Text]:
		y.path = appendPointer(y.path, key.Text)
		return "", at, y.refuse(at, length, appearsTwice(key.Text))
	}
	known[key.Text] = true
	return key.Text, at, nil
}

func (y *yamlReader) refuse(at, length int, message string) *refusal {
	return &refusal{at: at, length: length, pointer: string(y.path), message: message}
}
