package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// hostile is text that tries to be more than text.
type hostile struct{ names, markdown []string }

// readHostile takes what concerns browsers from the cases, adds what reports to
// a canary, and the longest and the right-to-left name.
func readHostile(t *testing.T, canary string) (h hostile) {
	t.Helper()
	text, err := os.ReadFile("../testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Where, Must string
			Make        any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		made, isText := c.Make.(string)
		switch {
		case isText && strings.HasPrefix(c.Where, "name of") && strings.HasPrefix(c.Must, "accepted"):
			h.names = append(h.names, made)
		case isText && c.Where == "service documentation":
			h.markdown = append(h.markdown, made)
		}
	}
	h.names = append(h.names, `<img src=x onerror=alert(1)>`, `'"><svg onload=alert(1)>`, `<img src="`+canary+`/name">`, `<a href=javascript:alert(1) hx-get=/ hx-trigger=load>x</a>`,
		strings.Repeat("W", 255), "שלום עולם", `__proto__`, `&lt;b&gt;`)
	h.markdown = append(h.markdown, `![x](`+canary+`/image)`, `<iframe src="`+canary+`/frame"></iframe>`, `[x](data:text/html,<script>alert(1)</script>)`,
		`<form action=`+canary+`><button formaction=javascript:alert(1)>x</button></form>`, "<svg><script>alert(1)</script></svg>", `<p onclick="alert(1)" style="position:fixed" class="btn">x</p>`)
	return h
}

// all is every text in one, for fields that take much.
func (h hostile) all() string {
	return strings.Join(append(slices.Clone(h.names), h.markdown...), "\n\n")
}

// TestA3_NoScriptRunsFromData puts hostile text into every field that is stored
// and looks at the pages, with the content security policy and without.
func TestA3_NoScriptRunsFromData(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(canary.Close)
	h, p := readHostile(t, canary.URL), demo(t)
	h.fill(t, p)
	t.Run("as", func(t *testing.T) {
		for _, name := range []string{"bo", "tim", "abe", "dee"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				pages, _ := crawl(t, p.person(t, name), "/")
				for _, bypass := range []bool{true, false} {
					if !bypass && name != "bo" { // the policy is the same on all pages
						continue
					}
					b := open(t, p)
					call(b, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: bypass})
					b.signIn(name).seesOnlyText(pages...)
				}
			})
		}
	})
	if n := calls.Load(); n > 0 {
		t.Errorf("%d requests reached another host", n)
	}
	b := open(t, p).signIn("tim").visit("/items?size=100")
	for _, name := range h.names {
		if quoted, _ := json.Marshal(name); !eval[bool](b, `[...document.querySelectorAll("#list a bdi")].some(b => b.textContent === `+string(quoted)+`)`) {
			t.Errorf("no item is shown as %q", name)
		}
	}
}

// fill writes hostile text wherever the portal keeps text.
func (h hostile) fill(t *testing.T, p *portal) {
	markup := h.names[slices.Index(h.names, `<img src=x onerror=alert(1)>`)]
	quoted := func(text string) string { q, _ := json.Marshal(text); return string(q) }

	bo := open(t, p).expect(422).signIn("bo").visit("/services/new")
	bo.fill("Schema", fmt.Sprintf(`{"title":%[1]s,"description":%[1]s,"type":"object","required":["name"],"properties":{"name":{"type":"string"},%[1]s:{"description":%[2]s,"enum":[%[1]s,%[2]s],"default":%[1]s}}}`, quoted(markup), quoted(h.all())))
	bo.follow("button", "Publish").own(markup, "Docs")
	bo.fill("Readme", h.all()).fill("One line", markup).fill("Tags", markup).follow("button", "Save docs")

	applications := map[string]any{}
	for _, name := range h.names {
		applications[name] = map[string]any{"metadata": map[string]string{name: h.all()}, "services": map[string]any{markup: []any{map[string]any{"name": name, markup: h.all()}}}}
	}
	document, err := json.Marshal(map[string]any{"TeamBlue": applications})
	if err != nil {
		t.Fatal(err)
	}
	tim := open(t, p).signIn("tim").visit("/declare").fill("Declaration", string(document)).click("button", "Preview")
	tim.until("there is a plan", fmt.Sprintf(`document.querySelectorAll("#plan > li").length === %d`, len(h.names)))
	tim.fill("Comment", markup+" "+h.names[0]).click("button", "Submit").until("it is submitted", `location.pathname.startsWith("/submissions/")`)
	tim.fillAccount(markup)

	waiting := slices.DeleteFunc(bo.visit("/queue?size=100").rows(), func(r row) bool { return !strings.Contains(r.Text, "TeamBlue") })
	for i, state := range []string{"REJECTED", "APPROVED"} {
		id := strings.TrimPrefix(waiting[i].ID, "change-")
		if a := p.person(t, "bo").post("/changes/"+id, "state", state, "log", h.all(), "deployed_item", fmt.Sprintf(`{%s:%s}`, quoted(markup), quoted(h.all())), "idempotency_key", "hostile-"+state+"-hostile"); a.status != http.StatusSeeOther {
			t.Fatalf("a hostile log answers %d", a.status)
		}
	}
	open(t, p).signIn("abe").visit("/teams").in("main").follow("link", "AwesomeConsumer").follow("link", "API keys").in("#create").fill("Name", markup).follow("button", "Create key")
	dee := open(t, p).signIn("dee").visit("/admin/users").in("#create").fill("Name", markup).fill("First password", password).follow("button", "Create user").in("")
	dee.visit("/admin/teams").in("#create").fill("Name", markup).fill("First admin", "tim").follow("button", "Create team")
}

// fillAccount names a token.
func (b *tab) fillAccount(name string) {
	b.t.Helper()
	b.visit("/account").fill("Name", name).follow("button", "Create token")
}

// seesOnlyText visits up to two pages of each kind; on none may data have
// become markup that acts.
func (b *tab) seesOnlyText(pages ...string) {
	b.t.Helper()
	seen := map[string]int{}
	for _, address := range pages {
		if seen[pageOf(address)]++; seen[pageOf(address)] > 2 {
			continue
		}
		b.visit(address)
		for _, fault := range eval[[]string](b, acting) {
			b.t.Errorf("%s: %s", address, fault)
		}
		b.narrow()
		if wide := eval[[]string](b, tooWide); len(wide) > 0 {
			b.t.Errorf("%s scrolls sideways at 320 px: %s", address, strings.Join(wide, "\n"))
		}
		b.wide()
	}
}

// acting lists elements that no template of ours makes.
const acting = `(() => {
	const foreign = e => [...e.attributes].some(a => a.name.startsWith("on") || /^\s*(javascript|data|vbscript):/i.test(a.value) && ["href", "src", "action", "formaction"].includes(a.name) && !(e.matches("img, link") && a.value.startsWith("data:image/")));
	const bad = [...document.querySelectorAll("body *")].filter(e => foreign(e) || e.matches("script, iframe, object, embed, style, svg script, [id=htmx], [name=config], .prose [style], .prose [class], .prose [id], .prose form, .prose [hx-get], .prose [data-hx-get]"));
	if (getComputedStyle(document.body).display === "none") bad.push(document.body);
	return bad.map(e => e.outerHTML.slice(0, 200));
})()`
