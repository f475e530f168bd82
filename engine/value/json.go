package value

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse reads text as YAML or as JSON.
func Parse(text []byte, yaml bool) (Value, []Problem) {
	if yaml {
		return ParseYAML(text)
	}
	return ParseJSON(text)
}

// ParseJSON reads one strict JSON document (marketplace M4). A text that is
// refused gives one problem that tells the first reason and its place.
func ParseJSON(text []byte) (Value, []Problem) {
	// Strings without escapes share the memory of this copy.
	whole := string(text)
	v, bad := parseJSON(whole, text)
	if bad != nil {
		return Value{}, bad.problem(whole, "M4")
	}
	return v, nil
}

// jsonParser turns tokens into values without recursion. The children of all
// open arrays and objects wait on two stacks until their parent is closed.
type jsonParser struct {
	text    string
	tokens  *jsontext.Decoder
	open    []container
	items   []Value
	members []Member
	count   int
	root    Value
}

// container is an array or object that is not closed yet.
type container struct {
	Value
	first int  // of its children on their stack
	named bool // a key was read, its value not yet
}

func parseJSON(whole string, text []byte) (Value, *refusal) {
	if bad := checkEncoding(whole); bad != nil {
		return Value{}, bad
	}
	p := &jsonParser{text: whole, tokens: jsontext.NewDecoder(bytes.NewBuffer(text))}
	if strings.Trim(whole, jsonSpace) == "" {
		return Value{}, &refusal{message: isEmpty}
	}
	for {
		if bad := p.step(); bad != nil {
			return Value{}, bad
		}
		if len(p.open) == 0 {
			return p.root, p.end()
		}
	}
}

// step reads one token.
func (p *jsonParser) step() *refusal {
	switch p.tokens.PeekKind() {
	case '{':
		return p.begin(Object, len(p.members))
	case '[':
		return p.begin(Array, len(p.items))
	case '}', ']':
		return p.close()
	}
	raw, err := p.tokens.ReadValue()
	if err != nil {
		return p.explain(err)
	}
	return p.scalar(raw, int(p.tokens.InputOffset())-len(raw))
}

// begin opens an array or object whose children begin at first.
func (p *jsonParser) begin(kind Kind, first int) *refusal {
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.explain(err)
	}
	at := int(p.tokens.InputOffset()) - 1
	if len(p.open) == MaxDepth {
		return p.refuse(at, 1, tooDeep)
	}
	p.open = append(p.open, container{Value: Value{Kind: kind, At: at}, first: first})
	return nil
}

// close ends the innermost array or object and gives it its children.
func (p *jsonParser) close() *refusal {
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.explain(err)
	}
	c := &p.open[len(p.open)-1]
	v := c.Value
	if v.Kind == Object {
		v.Members = append([]Member(nil), p.members[c.first:]...)
		p.members = p.members[:c.first]
	} else {
		v.Items = append([]Value(nil), p.items[c.first:]...)
		p.items = p.items[:c.first]
	}
	p.open = p.open[:len(p.open)-1]
	return p.place(v)
}

// scalar reads a key, a string, a number or a word.
func (p *jsonParser) scalar(raw []byte, at int) *refusal {
	v := Value{Text: p.text[at : at+len(raw)], At: at}
	switch raw[0] {
	case '"':
		v.Kind, v.Text = String, p.unquote(raw, at)
		if strings.IndexByte(v.Text, 0) >= 0 {
			return p.refuse(at, len(raw), holdsNul)
		}
	case 't', 'f':
		v.Kind = Bool
	case 'n':
		v.Text = ""
	default:
		v.Kind = Number
		if wrong := checkNumber(v.Text); wrong != "" {
			return p.refuse(at, len(raw), wrong)
		}
	}
	if p.wantsKey() {
		p.members = append(p.members, Member{Name: v.Text, At: at})
		p.open[len(p.open)-1].named = true
		return nil
	}
	return p.place(v)
}

// unquote returns what the string literal raw stands for.
func (p *jsonParser) unquote(raw []byte, at int) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return p.text[at+1 : at+len(raw)-1]
	}
	// The decoder has checked the literal.
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}

// place puts a finished value where it belongs.
func (p *jsonParser) place(v Value) *refusal {
	if p.count++; p.count > MaxValues {
		return p.refuse(v.At, 1, tooMany)
	}
	if len(p.open) == 0 {
		p.root = v
		return nil
	}
	parent := &p.open[len(p.open)-1]
	if parent.Kind == Object {
		p.members[len(p.members)-1].Value = v
		parent.named = false
	} else {
		p.items = append(p.items, v)
	}
	return nil
}

// wantsKey reports whether a key has to come next.
func (p *jsonParser) wantsKey() bool {
	if len(p.open) == 0 {
		return false
	}
	parent := &p.open[len(p.open)-1]
	return parent.Kind == Object && !parent.named
}

// end refuses everything but white space after the document.
func (p *jsonParser) end() *refusal {
	at := int(p.tokens.InputOffset())
	rest := strings.TrimLeft(p.text[at:], jsonSpace)
	if rest == "" {
		return nil
	}
	at = len(p.text) - len(rest)
	if length := commentLength(rest); length > 0 {
		return &refusal{at: at, length: length, message: noComments}
	}
	return &refusal{at: at, length: len(rest), message: "The text goes on after the end of the document: remove the rest."}
}

// refuse blames the value that was read last.
func (p *jsonParser) refuse(at, length int, message string) *refusal {
	return &refusal{at: at, length: length, pointer: string(p.tokens.StackPointer()), message: message}
}
