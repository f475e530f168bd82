package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	"github.com/portolan/portolan/web"
)

// listing is the address of a list: its path and what narrows it (portal X1).
type listing struct {
	path    string
	values  url.Values
	strange []string // filters that were left out
}

// listed reads the address of a list; what it does not know is left out and named.
func listed(c *fiber.Ctx, known ...string) (listing, error) {
	known = append(known, "q", "sort", "size", "after", "before", "print")
	filters, strange, err := web.QueryKnown(c, known...)
	l := listing{path: c.Path(), values: url.Values{}, strange: strange}
	for _, name := range known {
		if values := filters.Any(name); name == "q" && filters.Has(name) {
			l.values.Set(name, filters.Text(name))
		} else if len(values) > 0 {
			l.values.Set(name, strings.Join(values, ","))
		}
	}
	return l, err
}

// any lists the values of a filter, of which any may match.
func (l listing) any(name string) []string {
	if l.values.Get(name) == "" {
		return nil
	}
	return strings.Split(l.values.Get(name), ",")
}

// leaveOut drops a filter whose value means nothing, and remembers to say so.
func (l *listing) leaveOut(name string) {
	l.strange = append(l.strange, name+"="+l.values.Get(name))
	l.values.Del(name)
}

// ids reads a filter on ids.
func (l *listing) ids(name string) (ids []int64) {
	for _, text := range l.any(name) {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			l.leaveOut(name)
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// oneOf reads a filter whose values come from a list.
func oneOf[T ~string](l *listing, name string, allowed []T) (chosen []T) {
	for _, text := range l.any(name) {
		if !slices.Contains(allowed, T(text)) {
			l.leaveOut(name)
			return nil
		}
		chosen = append(chosen, T(text))
	}
	return chosen
}

// ago reads a filter such as 3d, 12h or 30m as the moment that long ago.
func (l *listing) ago(name string) *time.Time {
	text := l.values.Get(name)
	if text == "" {
		return nil
	}
	unit, n := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute}[text[len(text)-1:]], 0
	if _, err := fmt.Sscanf(text[:len(text)-1], "%d", &n); err != nil || unit == 0 || n < 0 || n > 100_000 {
		l.leaveOut(name)
		return nil
	}
	at := models.Now().Add(-time.Duration(n) * unit)
	return &at
}

// pageSizes are how many rows a page may have (portal X11).
var pageSizes = []string{"25", "50", "100"}

// cursor reads which part of the list is wanted.
func (l *listing) cursor(newest bool) models.Cursor {
	c := models.Cursor{Size: 25, Newest: newest}
	if size := oneOf(l, "size", pageSizes); len(size) == 1 {
		c.Size, _ = strconv.Atoi(size[0])
	}
	if sort := oneOf(l, "sort", []string{"newest", "oldest"}); len(sort) == 1 {
		c.Newest = sort[0] == "newest"
	}
	if ids := l.ids("after"); len(ids) == 1 {
		c.After = ids[0]
	} else if ids := l.ids("before"); len(ids) == 1 {
		c.Before = ids[0]
	}
	return c
}

// with is the address with one value set, or without it where that is empty;
// it begins the list anew.
func (l listing) with(name, value string) string {
	values := l.narrowed()
	if value == "" {
		values.Del(name)
	} else {
		values.Set(name, value)
	}
	return l.at(values)
}

// narrowed are the values without the place in the list.
func (l listing) narrowed() url.Values {
	values := url.Values{}
	for name, list := range l.values {
		if name != "after" && name != "before" && name != "all" {
			values[name] = list
		}
	}
	return values
}

func (l listing) at(values url.Values) string {
	if len(values) == 0 {
		return l.path
	}
	return l.path + "?" + values.Encode()
}

// query is what stands behind the question mark, without the place in the list.
func (l listing) query() string { return l.narrowed().Encode() }

// paging leads through a list.
func (l listing) paging(noun string, c models.Cursor, prev, next, count int64) components.Paging {
	p := components.Paging{Noun: noun, Size: c.Size, Total: int(count), Target: "#list"}
	if count == 1 {
		p.Noun = strings.TrimSuffix(noun, "s")
	}
	if count > models.CountLimit {
		p.Total, p.Many = models.CountLimit, true
	}
	if prev != 0 {
		p.Prev = l.with("before", strconv.FormatInt(prev, 10))
	}
	if next != 0 {
		p.Next = l.with("after", strconv.FormatInt(next, 10))
	}
	p.SizeHref = func(n int) string { return l.with("size", strconv.Itoa(n)) }
	return p
}

// sorting is the other way to sort a list by age, and the way it is sorted now.
func (l listing) sorting(newest bool) (href string, direction components.Direction) {
	if newest {
		return l.with("sort", "oldest"), components.Ascending
	}
	return l.with("sort", "newest"), components.Descending
}

// filters makes the bar of a list: its fields, and what is set.
func (l listing) filters(fields ...components.Filter) components.Filters {
	f := components.Filters{Action: l.path, Target: "#list", Fields: fields, Clear: l.path, Keep: map[string]string{}, Notice: notKnown(l.strange)}
	for _, name := range []string{"sort", "size"} {
		if l.values.Has(name) {
			f.Keep[name] = l.values.Get(name)
		}
	}
	for i, field := range fields {
		if !l.values.Has(field.Name) {
			continue
		}
		f.Active = append(f.Active, components.Chip{Label: field.Label, Value: chosen(&fields[i]), Remove: l.with(field.Name, "")})
	}
	return f
}

// chosen names what a filter is set to.
func chosen(f *components.Filter) string {
	if f.Kind == components.Words {
		return f.Value
	}
	var words []string
	for _, option := range f.Options {
		if option.Selected {
			words = append(words, option.Label)
		}
	}
	return strings.Join(words, ", ")
}

// notKnown names filters that were left out.
func notKnown(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("The filter %q is not known and was left out.", names[0])
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	last := len(quoted) - 1
	return "The filters " + strings.Join(quoted[:last], ", ") + " and " + quoted[last] + " are not known and were left out."
}

// words is the field for searching.
func (l listing) words(label string) components.Filter {
	return components.Filter{Name: "q", Label: label, Kind: components.Words, Value: l.values.Get("q")}
}

// choice is a field of which one value is chosen; the first option is any.
func (l listing) choice(name, label, any string, options []forms.Option) components.Filter {
	set := l.values.Get(name)
	list := append([]forms.Option{{Label: any, Selected: set == ""}}, options...)
	for i := range list {
		list[i].Selected = list[i].Value == set
	}
	return components.Filter{Name: name, Label: label, Options: list}
}

// boxes is a field of which any number of values is chosen.
func (l listing) boxes(name, label string, set []string, options []forms.Option) components.Filter {
	for i := range options {
		options[i].Selected = slices.Contains(set, options[i].Value)
	}
	return components.Filter{Name: name, Label: label, Kind: components.AnyOf, Options: options}
}
