package api

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/web"
)

// The sizes of a page.
const (
	usualPage = 20
	mostRows  = 10_000
	mostSkip  = 1 << 31
)

// Page is one part of a list.
type Page[T any] struct {
	Count    int64   `json:"count"`
	Next     *string `json:"next"`
	Previous *string `json:"previous"`
	Results  []T     `json:"results"`
}

// listing is what a client wants of a list.
type listing struct {
	web.Filters
	page models.Page
	last int64 // id of the last row, for the cursor
}

// pageFilters are known to every list.
var pageFilters = []string{"limit", "offset", "ordering"}

// list reads the query of a list; sortable maps what a client may sort by to columns.
func list(c *fiber.Ctx, filters []string, sortable ...string) (listing, error) {
	query, err := web.Query(c, slices.Concat(filters, pageFilters)...)
	if err != nil {
		return listing{}, err
	}
	l := listing{Filters: query}
	if l.page.Limit, err = query.Number("limit", usualPage, 1, mostRows); err != nil {
		return l, err
	}
	if l.page.Offset, err = query.Number("offset", 0, 0, mostSkip); err != nil {
		return l, err
	}
	columns, err := query.Ordering(sortable...)
	if err != nil {
		return l, err
	}
	l.page.Order = orderBy(columns)
	return l, l.readCursor()
}

// firstCursor begins a list that is read by cursor.
const firstCursor = "first"

// readCursor reads where a list goes on that is read in constant time, newest first.
func (l *listing) readCursor() error {
	text := l.Text("cursor")
	if text == "" {
		return nil
	}
	if l.page.Offset > 0 || l.page.Order != "" {
		return fault.Field("cursor", "A cursor goes with neither an offset nor an ordering.")
	}
	if text == firstCursor {
		l.page.Before = math.MaxInt64
		return nil
	}
	var err error
	if l.page.Before, err = strconv.ParseInt(text, 10, 64); err != nil || l.page.Before < 1 {
		return fault.Field("cursor", "Begin with %s and go on with the address in next.", firstCursor)
	}
	return nil
}

// orderBy writes columns of an allow-list as SQL, the id as the last word.
func orderBy(columns []string) string {
	if len(columns) == 0 {
		return ""
	}
	var terms []string
	for _, column := range columns {
		name, descending := strings.CutPrefix(column, "-")
		if descending {
			name += " DESC"
		}
		terms = append(terms, name)
	}
	return strings.Join(append(terms, "id DESC"), ", ")
}

// answerPage writes one part of a list with the addresses of its neighbours.
func answerPage[T any](a API, c *fiber.Ctx, l listing, count int64, results []T) error {
	page := Page[T]{Count: count, Results: results}
	if results == nil {
		page.Results = []T{}
	}
	if after := l.page.Offset + l.page.Limit; l.page.Before > 0 && len(results) == l.page.Limit {
		page.Next = ptr(a.neighbour(c, l, "cursor", l.last))
	} else if l.page.Before == 0 && int64(after) < count {
		page.Next = ptr(a.neighbour(c, l, "offset", int64(after)))
	}
	if l.page.Offset > 0 {
		page.Previous = ptr(a.neighbour(c, l, "offset", int64(max(0, l.page.Offset-l.page.Limit))))
	}
	return answer(c, fiber.StatusOK, page)
}

// neighbour is the address of another part of the same list.
func (a API) neighbour(c *fiber.Ctx, l listing, name string, place int64) string {
	query, _ := url.ParseQuery(web.RawQuery(c)) // pairs that cannot be read were refused before
	query.Set("limit", strconv.Itoa(l.page.Limit))
	query.Set(name, strconv.FormatInt(place, 10))
	return a.base() + c.Path() + "/?" + query.Encode()
}

// answerCut writes one part of a list that is there as a whole.
func answerCut[T any](a API, c *fiber.Ctx, l listing, all []T) error {
	from := min(l.page.Offset, len(all))
	until := min(from+l.page.Limit, len(all))
	return answerPage(a, c, l, int64(len(all)), all[from:until])
}
