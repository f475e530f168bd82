// Package forms draws what people fill in: fields with their label, hint and
// error wired together for assistive technology, and the hidden parts that
// every form which changes something carries (portal X3, X4).
package forms

import (
	"strings"

	"github.com/a-h/templ"
)

// Field says what one control is called, holds and complains about.
type Field struct {
	Name, Label, Hint string
	ID                string // the Name where empty
	Value             string // what was typed; an error never empties it
	Error             string // a sentence; empty when the value is fine
	Required          bool
	ReadOnly          bool
	Disabled          bool
	Reason            string           // why it is read-only or disabled, as text
	Attrs             templ.Attributes // anything else, such as type, maxlength or autocomplete
}

// Option is one of several things to choose from.
type Option struct {
	Value, Label, Hint string
	Selected, Disabled bool
}

// FieldError names a field and what is wrong with it.
type FieldError struct{ Field, Text string }

func (f Field) id() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

// describedBy lists the ids of the texts that explain the control.
func (f Field) describedBy() string {
	var ids []string
	for _, part := range []struct{ text, suffix string }{{f.Error, "-error"}, {f.Hint, "-hint"}, {f.Reason, "-reason"}} {
		if part.text != "" {
			ids = append(ids, f.id()+part.suffix)
		}
	}
	return strings.Join(ids, " ")
}

// control returns the attributes every control of the field shares. A field
// with an error takes the focus, the first one of a page winning.
func (f Field) control() templ.Attributes {
	attrs := templ.Attributes{"id": f.id(), "name": f.Name, "required": f.Required, "disabled": f.Disabled, "readonly": f.ReadOnly}
	if described := f.describedBy(); described != "" {
		attrs["aria-describedby"] = described
	}
	if f.Error != "" {
		attrs["aria-invalid"] = "true"
		attrs["autofocus"] = true
	}
	for name, value := range f.Attrs {
		attrs[name] = value
	}
	return attrs
}

// group returns the attributes that radio buttons leave to the set they are in.
func (f Field) group() templ.Attributes {
	attrs := f.control()
	for _, own := range []string{"name", "required", "disabled", "readonly", "autofocus"} {
		delete(attrs, own)
	}
	return attrs
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
