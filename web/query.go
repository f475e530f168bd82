package web

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// Filters are the decoded parameters of a query. A parameter with nothing in
// it counts as not given.
type Filters struct{ values map[string][]string }

// Query reads the query for programs: a filter that is not among the known
// ones is an error that names it (api.md, section 1).
func Query(c *fiber.Ctx, known ...string) (Filters, error) {
	filters, strange, err := readQuery(c, known)
	if err != nil || len(strange) == 0 {
		return filters, err
	}
	problems := make(map[string][]string, len(strange))
	for _, name := range strange {
		problems[name] = []string{"Unknown filter."}
	}
	return filters, &fault.Error{Kind: fault.Invalid, Text: "Unknown filter.", Fields: problems}
}

// QueryKnown reads the query for people: unknown filters are left out and
// returned, to be named in a notice (portal.md X1).
func QueryKnown(c *fiber.Ctx, known ...string) (Filters, []string, error) {
	return readQuery(c, known)
}

// RawQuery returns the query as the client sent it.
func RawQuery(c *fiber.Ctx) string {
	_, query := target(c.Context())
	return query
}

func readQuery(c *fiber.Ctx, known []string) (Filters, []string, error) {
	filters := Filters{map[string][]string{}}
	var strange []string
	var broken error
	bad, ok := pairs(RawQuery(c), func(name, value string) {
		switch {
		case !slices.Contains(known, name):
			strange = append(strange, name)
		case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
			broken = fault.Field(name, "This is not text.")
		case value != "":
			filters.values[name] = append(filters.values[name], value)
		}
	})
	if !ok {
		broken = fault.Field(bad, "This is not percent-encoded correctly.")
	}
	return filters, strange, broken
}

// Has reports whether a filter is given.
func (f Filters) Has(name string) bool { return len(f.values[name]) > 0 }

// Text returns a filter whole, commas included.
func (f Filters) Text(name string) string { return last(f.values[name]) }

// Any returns the values of which any may match: commas mean "or".
func (f Filters) Any(name string) []string {
	var any []string
	for _, value := range f.values[name] {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				any = append(any, part)
			}
		}
	}
	return any
}

// AnyOf is Any for a filter whose values come from a list.
func (f Filters) AnyOf(name string, allowed ...string) ([]string, error) {
	values := f.Any(name)
	for _, value := range values {
		if !slices.Contains(allowed, value) {
			return nil, fault.Field(name, "Choose from %s.", strings.Join(allowed, ", "))
		}
	}
	return values, nil
}

// IDs is Any for a filter on ids.
func (f Filters) IDs(name string) ([]int64, error) {
	var ids []int64
	for _, value := range f.Any(name) {
		id, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fault.Field(name, "An id is a whole number.")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Number returns a whole number between least and most, or the usual one if
// the filter is not given.
func (f Filters) Number(name string, usual, least, most int) (int, error) {
	if !f.Has(name) {
		return usual, nil
	}
	n, err := strconv.Atoi(f.Text(name))
	if err != nil || n < least || n > most {
		return 0, fault.Field(name, "A whole number from %d to %d is needed here.", least, most)
	}
	return n, nil
}

// Bool returns true or false, or the usual one if the filter is not given.
func (f Filters) Bool(name string, usual bool) (bool, error) {
	switch strings.ToLower(f.Text(name)) {
	case "":
		return usual, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fault.Field(name, "true or false is needed here.")
}

// Time returns a date or a moment in RFC 3339, the zero time if the filter is
// not given.
func (f Filters) Time(name string) (time.Time, error) {
	text := f.Text(name)
	if text == "" {
		return time.Time{}, nil
	}
	// A plus in a query is a space, which is what zones are written with.
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(layout, strings.ReplaceAll(text, " ", "+")); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fault.Field(name, "A date or time such as 2026-01-31T09:00:00Z is needed here.")
}

// Ordering returns the columns to sort by, a minus before the descending
// ones, each from the allowed list.
func (f Filters) Ordering(allowed ...string) ([]string, error) {
	columns := f.Any("ordering")
	for _, column := range columns {
		if !slices.Contains(allowed, strings.TrimPrefix(column, "-")) {
			return nil, fault.Field("ordering", "Sort by %s.", strings.Join(allowed, ", "))
		}
	}
	return columns, nil
}
