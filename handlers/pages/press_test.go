package pages_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// press sends a form of a page to where one of its buttons leads.
func (b *browser) press(on page, action, to string, set ...string) page {
	b.t.Helper()
	fields, found := on.form(action)
	if !found {
		b.t.Fatalf("the page has no form to %s:\n%s", action, on.text())
	}
	for i := 0; i+1 < len(set); i += 2 {
		fields.Set(set[i], set[i+1])
	}
	return b.send("POST", to, fields)
}

// fragment sends what htmx would.
func (b *browser) fragment(method, path string, fields url.Values) page {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.origin+path, strings.NewReader(fields.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Origin", b.origin)
	request.Header.Set("HX-Request", "true")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	return page{b.t, response.StatusCode, string(text), response.Header.Get("Location"), response.Header, root}
}

// field finds the control of a name.
func (p page) field(name string) *html.Node {
	p.t.Helper()
	for node := range p.root.Descendants() {
		if attr(node, "name") == name && attr(node, "type") != "hidden" {
			return node
		}
	}
	p.t.Fatalf("the page has no field %q: %s", name, p.text())
	return nil
}

// invalid expects a field that says what is wrong with it, and has the focus.
func (p page) invalid(name string) page {
	p.t.Helper()
	node := p.field(name)
	if attr(node, "aria-invalid") != "true" || !has(node, "autofocus") || attr(node, "aria-describedby") == "" {
		p.t.Errorf("the field %q is not marked", name)
	}
	return p
}

// change reads the newest change of an item in one lane.
func (w world) change(owner int64, item string) models.ChangeInstance {
	w.t.Helper()
	changes, _, err := models.Changes(w.db.Read(w.t.Context()), models.ChangeQuery{Owner: owner, Search: item, Page: models.Page{Limit: 1}})
	must(w.t, err)
	if len(changes) == 0 {
		w.t.Fatalf("no change of %s", item)
	}
	return changes[0]
}

// stands expects the newest change of a machine in a state, with so many steps behind it.
func (w world) stands(item string, state engine.State, steps int) models.ChangeInstance {
	w.t.Helper()
	c := w.change(w.owner.ID, item)
	history, err := models.HistoryOf(w.db.Read(w.t.Context()), c.ID)
	must(w.t, err)
	if c.State != state || len(history) != steps {
		w.t.Errorf("%s is %s after %d steps, want %s after %d", item, c.State, len(history), state, steps)
	}
	return c
}

func vms(names ...string) string {
	items := make([]string, len(names))
	for i, name := range names {
		items[i] = `{"name":"` + name + `","cpu":2}`
	}
	return strings.Join(items, ",")
}

// document is a whole declaration of the consumer's machines.
func document(items string) string {
	return `{"Consumer":{"App":{"services":{"VM":[` + items + `]}}}}`
}

// everything counts all rows that a submission may write.
func (w world) everything() (n int64) {
	for _, table := range []string{"applications", "service_items", "change_instances", "change_history", "submissions", "outbox"} {
		n += w.count(table)
	}
	return n
}

// unchanged expects that nothing was stored meanwhile.
func (w world) unchanged(t *testing.T, do func()) {
	t.Helper()
	before := w.everything()
	do()
	if after := w.everything(); after != before {
		t.Errorf("%d rows were written", after-before)
	}
}

// hidden finds a hidden field.
func (p page) hidden(name string) *html.Node {
	p.t.Helper()
	for node := range p.root.Descendants() {
		if attr(node, "name") == name && attr(node, "type") == "hidden" {
			return node
		}
	}
	p.t.Fatalf("no hidden field %q: %s", name, p.body)
	return nil
}

// accepting posts as a script that wants one media type.
func (b *browser) accepting(kind, path string, fields url.Values) page {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.origin+path, strings.NewReader(fields.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Origin", b.origin)
	request.Header.Set("Accept", kind)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{t: b.t, status: response.StatusCode, body: string(text), header: response.Header}
}

// move takes a step as bo.
func (w world) move(change int64, state engine.State, log string) error {
	_, err := w.market.MoveChange(w.t.Context(), w.bo(), change, market.Move{State: state, Log: &log})
	return err
}
