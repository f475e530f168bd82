package components

import (
	"fmt"
	"maps"
	"slices"

	"github.com/a-h/templ"
	"github.com/portolan/portolan/views/forms"
)

// Into makes a link that swaps the target for what the address answers, and
// without script simply goes there. The address becomes the browser's.
func Into(href, target string) templ.Attributes {
	attrs := templ.Attributes{"href": string(templ.URL(href))}
	if target != "" {
		attrs["hx-get"] = string(templ.URL(href))
		attrs["hx-target"] = target
		attrs["hx-swap"] = "outerHTML"
		attrs["hx-push-url"] = "true"
	}
	return attrs
}

// Paging leads through a list by cursor (portal X11).
type Paging struct {
	Noun       string // what is listed, in the plural: "changes"
	Prev, Next string // addresses; empty at either end
	Size       int
	SizeHref   func(int) string // nil leaves the choice of sizes out
	Total      int
	Many       bool   // there are more than Total
	Target     string // "#list"; empty for plain links
}

var pageSizes = []int{25, 50, 100}

func (p Paging) total() string {
	if p.Many {
		return grouped(p.Total) + "+ " + p.Noun
	}
	return grouped(p.Total) + " " + p.Noun
}

// FilterKind is how a filter is filled in.
type FilterKind int

// The kinds of filters.
const (
	Choice FilterKind = iota // one of the options
	AnyOf                    // any of the options; the name is sent once for each
	Words                    // words to search
)

// Filter is one condition a list may be narrowed by.
type Filter struct {
	Name, Label string
	Kind        FilterKind
	Value       string
	Options     []forms.Option
}

// ticked counts the options that are chosen.
func (f Filter) ticked() string {
	n := 0
	for _, option := range f.Options {
		if option.Selected {
			n++
		}
	}
	if n == 0 {
		return "any"
	}
	return fmt.Sprint(n)
}

// Chip is a condition that holds, and the address without it.
type Chip struct{ Label, Value, Remove string }

// Filters is the bar above a list: its conditions and those that hold.
type Filters struct {
	Action string // the list's own address
	Target string // what the answer replaces: "#list"
	Fields []Filter
	Active []Chip
	Clear  string            // the address without any condition
	Notice string            // names a condition that was left out (portal X1)
	Keep   map[string]string // what else the address carries, such as the sort
	Holds  int               // conditions that hold; they may be shown elsewhere
}

// holding is how many conditions hold, where any do.
func (f Filters) holding() string {
	if n := max(f.Holds, len(f.Active)); n > 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return ""
}

func (f Filters) kept() []string { return slices.Sorted(maps.Keys(f.Keep)) }

// Direction is which way a column is sorted.
type Direction string

// The directions, in the words of aria-sort.
const (
	Unsorted   Direction = "none"
	Ascending  Direction = "ascending"
	Descending Direction = "descending"
)

// Tab is one of several views of a page.
type Tab struct {
	Label, Href string
	Count       int
	Current     bool
}

// Bulk says what the bar under a list with boxes acts on.
type Bulk struct {
	Noun         string // "changes"
	Matching     int    // how many match the filters, on all pages
	MatchingHref string // selects all of those; empty leaves that out
}
