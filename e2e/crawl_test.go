package e2e_test

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// perShape bounds how many addresses of one kind are asked for.
const perShape = 12

var (
	href    = regexp.MustCompile(`<a\s[^>]*?href="([^"]*)"`)
	number  = regexp.MustCompile(`/\d+`)
	valueOf = regexp.MustCompile(`=[^&]*`)
)

// crawl follows every link of the portal that this client is shown, and
// returns the addresses in the order they were found, pages apart from files.
// Each has to answer 200, or to lead on to one that does.
func crawl(t *testing.T, c *client, from ...string) (pages, others []string) {
	t.Helper()
	seen, kinds, queue := map[string]bool{}, map[string]int{}, slices.Clone(from)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if seen[at] || kinds[kind(at)] >= perShape {
			continue
		}
		seen[at] = true
		kinds[kind(at)]++
		a := c.get(at)
		if to := a.header.Get("Location"); a.status == http.StatusSeeOther && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "/sign-in") {
			others, queue = append(others, at), append(queue, to)
			continue
		}
		if a.status != http.StatusOK {
			t.Errorf("%s answers %d", at, a.status)
			continue
		}
		if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			others = append(others, at)
			continue
		}
		pages, queue = append(pages, at), append(queue, links(at, a.body)...)
	}
	return pages, others
}

// kind is an address without its numbers and values.
func kind(address string) string {
	path, query, _ := strings.Cut(address, "?")
	return number.ReplaceAllString(path, "/:id") + "?" + valueOf.ReplaceAllString(query, "")
}

// links lists where a page leads inside the portal.
func links(at, page string) (found []string) {
	here, _, _ := strings.Cut(at, "?")
	for _, match := range href.FindAllStringSubmatch(page, -1) {
		address, _, _ := strings.Cut(html.UnescapeString(match[1]), "#")
		if strings.HasPrefix(address, "?") {
			address = here + address
		}
		if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "/static/") {
			found = append(found, address)
		}
	}
	return found
}
