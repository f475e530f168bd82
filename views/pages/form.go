// Package pages draws what each page of the portal holds, from plain values
// that the handlers make.
package pages

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/portolan/portolan/views/forms"
)

// Problems say why a form came back: a sentence for all of it, and one for each
// field that has to be mended.
type Problems struct {
	Text   string
	Fields map[string]string
}

// Of returns what is wrong with a field.
func (p Problems) Of(field string) string { return p.Fields[field] }

// Any reports whether anything is wrong.
func (p Problems) Any() bool { return p.Text != "" || len(p.Fields) > 0 }

// rest returns the sentence for the whole form, unless a shown field says it already.
func (p Problems) rest(shown ...string) string {
	for field := range p.Fields {
		if slices.Contains(shown, field) {
			return ""
		}
	}
	return p.Text
}

// field makes a form field that says what is wrong with it.
func (p Problems) field(f forms.Field) forms.Field {
	f.Error = p.Of(f.Name)
	return f
}

// newPassword is a field for a password that is being chosen; no page repeats one.
func newPassword(name, label string) forms.Field {
	return forms.Field{Name: name, Label: label, Required: true,
		Hint:  "At least 15 characters, any of them; several words are easy to remember.",
		Attrs: templ.Attributes{"autocomplete": "new-password"}}
}

// password is a field for the password that one has.
func password(name, label, hint string) forms.Field {
	return forms.Field{Name: name, Label: label, Hint: hint, Required: true,
		Attrs: templ.Attributes{"autocomplete": "current-password"}}
}

// withID gives a field an id of its own where a page has several of a name.
func withID(f forms.Field, id string) forms.Field {
	f.ID = id
	return f
}
