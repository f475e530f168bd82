package api

import (
	"regexp"
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// looking narrows a list by what stands in its JSON; zero fields do not narrow.
type looking struct {
	part    *value.Value // an object that it contains
	text    string       // part of its compact text, in lower case
	pattern *regexp.Regexp
}

// mostPattern bounds a regular expression, in bytes (trust S6).
const mostPattern = 200

// having reads the filters that look into declarations.
func having(l listing) (has looking, err error) {
	if text := l.Text("declaration"); text != "" {
		part, problems := value.ParseJSON([]byte(text))
		if len(problems) > 0 || part.Kind != value.Object {
			return has, fault.Field("declaration", "This must be a JSON object that the declaration contains.")
		}
		has.part = &part
	}
	if l.Has("cursor") && (l.Has("declaration") || l.Has("declaration_contains") || l.Has("declaration_regex")) {
		return has, fault.Field("cursor", "A cursor does not go with filters that look into declarations.")
	}
	has.text = strings.ToLower(l.Text("declaration_contains"))
	pattern := l.Text("declaration_regex")
	if pattern == "" {
		return has, nil
	}
	if len(pattern) > mostPattern {
		return has, fault.Field("declaration_regex", "A pattern may have at most %d characters.", mostPattern)
	}
	if has.pattern, err = regexp.Compile(pattern); err != nil {
		return has, fault.Field("declaration_regex", "This is no regular expression of RE2: look-around and back-references are not there.")
	}
	return has, nil
}

func (has looking) nowhere() bool { return has.part == nil && has.text == "" && has.pattern == nil }

// finds reports whether a compact JSON text has everything that is looked for.
func (has looking) finds(text string) bool {
	if has.text != "" && !strings.Contains(strings.ToLower(text), has.text) {
		return false
	}
	if has.pattern != nil && !has.pattern.MatchString(text) {
		return false
	}
	if has.part == nil {
		return true
	}
	whole, problems := value.ParseJSON([]byte(text))
	return len(problems) == 0 && contains(&whole, has.part)
}

// contains reports whether a value contains another one as PostgreSQL's @> means it.
func contains(whole, part *value.Value) bool {
	switch {
	case whole.Kind != part.Kind:
		return false
	case part.Kind == value.Object:
		return !slices.ContainsFunc(part.Members, func(m value.Member) bool {
			found, there := whole.Get(m.Name)
			return !there || !contains(found, &m.Value)
		})
	case part.Kind == value.Array:
		return !slices.ContainsFunc(part.Items, func(wanted value.Value) bool {
			return !slices.ContainsFunc(whole.Items, func(item value.Value) bool { return contains(&item, &wanted) })
		})
	}
	return value.Equal(whole, part, nil)
}

// sifted is how many rows are looked through at a time.
const sifted = 5_000

// sift reads one page of the rows whose JSON has what is looked for, and counts them all.
func sift[T any](has looking, page models.Page, read func(models.Page) ([]T, int64, error), text func(T) string) (found []T, count int64, err error) {
	if has.nowhere() {
		return read(page)
	}
	for offset := 0; ; offset += sifted {
		rows, all, err := read(models.Page{Limit: sifted, Offset: offset, Order: page.Order})
		if err != nil {
			return nil, 0, err
		}
		for _, row := range rows {
			if !has.finds(text(row)) {
				continue
			}
			if count >= int64(page.Offset) && len(found) < page.Limit {
				found = append(found, row)
			}
			count++
		}
		if int64(offset+sifted) >= all {
			return found, count, nil
		}
	}
}
