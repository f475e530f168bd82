package pages

import (
	"strings"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
)

// compared tells two versions of an item's declaration apart, field by field.
// An absent version is nil; values that the schema calls secret are not shown.
func compared(label string, before, after *string, s *schema.Schema) components.Diff {
	a, b := parsed(before), parsed(after)
	if s == nil {
		return comparison(label, a, b, nil, nil)
	}
	return comparison(label, a, b, s.Ordering(), s)
}

func parsed(text *string) *value.Value {
	if text == nil {
		return nil
	}
	v, _ := value.ParseJSON([]byte(*text))
	return &v
}

var diffOps = map[string]components.DiffOp{value.Add: components.Added, value.Remove: components.Removed, value.Change: components.Changed}

func comparison(label string, a, b *value.Value, ordering *value.Ordering, s *schema.Schema) components.Diff {
	diff := components.Diff{Label: label, Before: whole(s, a), After: whole(s, b)}
	touched := map[string]bool{}
	for _, d := range value.Diff(a, b, ordering) {
		path := steps(d.Pointer)
		touched[path[0]] = true
		diff.Rows = append(diff.Rows, components.DiffRow{
			Path: fieldPath(path), Op: diffOps[d.Op], Before: shownValue(s, path, d.Before), After: shownValue(s, path, d.After),
		})
	}
	if a == nil || b == nil {
		return diff
	}
	for i := range b.Members {
		m := &b.Members[i]
		if _, there := a.Get(m.Name); there && !touched[m.Name] {
			text := shownValue(s, []string{m.Name}, &m.Value)
			diff.Unchanged = append(diff.Unchanged, components.DiffRow{Path: m.Name, Before: text, After: text})
		}
	}
	return diff
}

// steps splits a JSON Pointer; the root has one empty step.
func steps(pointer string) []string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, part := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
	}
	return parts
}

// fieldPath writes a path for people: disks[2].mount.
func fieldPath(path []string) string {
	var text strings.Builder
	for i, part := range path {
		switch {
		case i > 0 && part != "" && strings.Trim(part, "0123456789") == "":
			text.WriteString("[" + part + "]")
		case i > 0:
			text.WriteString("." + part)
		default:
			text.WriteString(part)
		}
	}
	return text.String()
}

// shownValue writes a value with the digits it was written with, objects over
// several lines.
func shownValue(s *schema.Schema, path []string, v *value.Value) string {
	if v == nil {
		return ""
	}
	shown := *v
	if s != nil {
		shown = s.Hide(path, v)
	}
	if shown.Kind == value.String && shown.Text == schema.Hidden {
		return schema.Hidden
	}
	if len(shown.Members) > 0 || len(shown.Items) > 0 && len(value.AppendJSON(nil, &shown)) > 60 {
		return strings.TrimRight(string(value.Indent(&shown)), "\n")
	}
	return string(value.AppendJSON(nil, &shown))
}

// whole writes a version over several lines, "" for none.
func whole(s *schema.Schema, v *value.Value) string {
	if v == nil {
		return ""
	}
	if s != nil {
		shown := s.Hide(nil, v)
		v = &shown
	}
	return string(value.Indent(v))
}

// touches says in a few words what a change alters: the first two fields, with
// their values where these are short, and how many more.
func touches(diff components.Diff) string {
	var words []string
	for _, row := range diff.Rows {
		if row.Path != "name" || len(diff.Rows) == 1 {
			words = append(words, touch(row))
		}
	}
	if n := len(words); n > 2 {
		words = append(words[:2:2], plus(n-2))
	}
	return strings.Join(words, ", ")
}

// short is how long a value may be to stand in a row.
const short = 24

func touch(row components.DiffRow) string {
	switch {
	case row.Op == components.Removed:
		return "− " + row.Path
	case len(row.Before)+len(row.After) > short || strings.Contains(row.Before+row.After, "\n"):
		return row.Path
	case row.Op == components.Added:
		return row.Path + " " + row.After
	}
	return row.Path + " " + row.Before + " → " + row.After
}
