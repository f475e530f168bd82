package api

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/web"
)

// body is a JSON object that a client sent. Members are taken out of it by
// their exact names; what nobody takes is unknown (trust Z5).
type body struct {
	object value.Value
	taken  []string
	wrong  map[string][]string
}

// readBody reads a strict JSON object; no body at all is an empty one.
func readBody(c *fiber.Ctx) (*body, error) {
	b := &body{object: value.Value{Kind: value.Object}, wrong: map[string][]string{}}
	text, err := web.Body(c)
	if err != nil || len(strings.TrimSpace(string(text))) == 0 {
		return b, err
	}
	object, problems := value.ParseJSON(text)
	if len(problems) > 0 {
		return b, unreadable(problems)
	}
	if object.Kind != value.Object {
		return b, fault.New(fault.Invalid, "Send a JSON object.")
	}
	b.object = object
	return b, nil
}

// unreadable is the answer to a text that is no strict JSON, with its place.
func unreadable(problems []value.Problem) error {
	text := fmt.Sprintf("Line %d, column %d: %s", problems[0].Line, problems[0].Column, problems[0].Message)
	return &fault.Error{Kind: fault.Invalid, Text: text, Detail: map[string]any{"detail": text, "problems": problems}}
}

// has reports whether a member is there at all.
func (b *body) has(name string) bool {
	_, there := b.object.Get(name)
	return there
}

// take finds a member of a kind; another kind is wrong.
func (b *body) take(name string, kind value.Kind, word string) *value.Value {
	b.taken = append(b.taken, name)
	v, there := b.object.Get(name)
	if !there {
		return nil
	}
	if v.Kind != kind {
		b.blame(name, "This must be %s.", word)
		return nil
	}
	return v
}

func (b *body) blame(name, format string, args ...any) {
	b.wrong[name] = append(b.wrong[name], fmt.Sprintf(format, args...))
}

// done says what was wrong with the members that were taken.
func (b *body) done() error {
	if len(b.wrong) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Text: "Some fields are wrong.", Fields: b.wrong}
}

// doneAll is done that refuses members that nobody took, too.
func (b *body) doneAll() error {
	for _, member := range b.object.Members {
		if !slices.Contains(b.taken, member.Name) {
			b.blame(member.Name, "Unknown field.")
		}
	}
	return b.done()
}

// text takes a string.
func (b *body) text(name string) *string {
	v := b.take(name, value.String, "a string")
	if v == nil {
		return nil
	}
	return &v.Text
}

// flag takes true or false.
func (b *body) flag(name string) *bool {
	v := b.take(name, value.Bool, "true or false")
	if v == nil {
		return nil
	}
	yes := v.Text == "true"
	return &yes
}

// number takes a whole number.
func (b *body) number(name string) *int64 {
	v := b.take(name, value.Number, "a whole number")
	if v == nil {
		return nil
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil {
		b.blame(name, "This must be a whole number.")
		return nil
	}
	return &n
}

// numbers takes a list of whole numbers, or of objects with an id.
func (b *body) numbers(name string) *[]int64 {
	v := b.take(name, value.Array, "a list of ids")
	if v == nil {
		return nil
	}
	list := make([]int64, 0, len(v.Items))
	for _, item := range v.Items {
		if id, there := item.Get("id"); there {
			item = *id
		}
		n, err := strconv.ParseInt(item.Text, 10, 64)
		if err != nil || item.Kind != value.Number {
			b.blame(name, "This must be a list of ids.")
			return nil
		}
		list = append(list, n)
	}
	return &list
}

// texts takes a list of strings.
func (b *body) texts(name string) *[]string {
	v := b.take(name, value.Array, "a list of strings")
	if v == nil {
		return nil
	}
	list := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != value.String {
			b.blame(name, "This must be a list of strings.")
			return nil
		}
		list = append(list, item.Text)
	}
	return &list
}

// moment takes a time.
func (b *body) moment(name string) *time.Time {
	text := b.text(name)
	if text == nil {
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, *text); err == nil {
			return &at
		}
	}
	b.blame(name, "This must be a time such as 2026-01-31T09:00:00Z.")
	return nil
}

// object takes a JSON object as it was written.
func (b *body) json(name string) []byte {
	v := b.take(name, value.Object, "a JSON object")
	if v == nil {
		return nil
	}
	return value.AppendJSON(nil, v)
}

// idIn takes the id of one thing, given as a number or at the end of its address.
func (b *body) idIn(name string) int64 {
	b.taken = append(b.taken, name)
	v, there := b.object.Get(name)
	if !there || v.Kind == value.Null {
		return 0
	}
	text := strings.TrimSuffix(v.Text, "/")
	text = text[strings.LastIndex(text, "/")+1:]
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || (v.Kind != value.Number && v.Kind != value.String) {
		b.blame(name, "This must be the address or the id of one.")
		return 0
	}
	return id
}

// id reads a number of the path; what is no number leads nowhere.
func id(c *fiber.Ctx, name string) (int64, error) {
	n, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil || n < 1 {
		return 0, fault.Missing()
	}
	return n, nil
}

// isYAML reports whether the body is sent as YAML.
func isYAML(c *fiber.Ctx) bool {
	kind, _, _ := strings.Cut(c.Get(fiber.HeaderContentType), ";")
	return strings.EqualFold(strings.TrimSpace(kind), web.YAML)
}
