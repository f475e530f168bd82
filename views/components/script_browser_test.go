//go:build browser

package components_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/portolan/portolan/static"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/layouts"
)

// bench is a page with a list to decide and a form that fails as it is told.
func bench() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /static/", func(w http.ResponseWriter, r *http.Request) {
		body, _, contentType, _ := static.File(r.URL.Path)
		w.Header().Set("Content-Type", contentType)
		w.Write(body)
	})
	routes.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		rows := waitingRow(1) + waitingRow(2) + waitingRow(3)
		layouts.Page(frame("Bench", "/", "light"), markup(`<h1>Bench</h1><input type="search" aria-label="Search">
			<form method="post" action="/bulk" data-bulk><triage-list class="region"><div id="list">`+rows+`</div></triage-list><output data-bulk-count></output></form>
			<form method="post" action="/fail" id="typed" hx-post="/fail" hx-target="#typed" hx-swap="outerHTML">
			<input name="status" id="status" aria-label="Status"><textarea name="text" id="text" aria-label="Text">one
two
three</textarea><button id="send">Send</button></form>
			<button type="button" id="goto" data-goto="text" data-goto-line="2" data-goto-column="3">Go to</button>`)).Render(r.Context(), w)
	})
	routes.HandleFunc("POST /rows/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<div id="row-%[1]s" data-row data-state="APPROVED"><a href="/x" data-open>row %[1]s</a> done</div>`, r.PathValue("id"))
		components.Announce("row "+r.PathValue("id")+" approved", components.Notice{Tone: components.OK, Text: "Approved"}).Render(r.Context(), w)
	})
	routes.HandleFunc("POST /fail", func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.FormValue("status"))
		w.Header().Set("X-Request-Id", "4f2a9c")
		w.WriteHeader(status)
		layouts.Failure(layouts.Trouble{Status: status, Text: "You may not do that here."}).Render(r.Context(), w)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		routes.ServeHTTP(w, r)
	})
}

func waitingRow(id int) string {
	return fmt.Sprintf(`<div id="row-%[1]d" data-row data-state="PENDING"><input type="checkbox" class="pick" name="id" value="%[1]d" aria-label="Select">
		<a href="/x" data-open>row %[1]d</a>
		<button type="button" data-key="a" hx-post="/rows/%[1]d" hx-target="#row-%[1]d" hx-swap="outerHTML">Approve</button></div>`, id)
}

// step is one thing done and an expression that must then become true.
type step struct {
	name string
	do   chromedp.Action[chromedp.Void]
	then string
}

func TestX17_KeysAndFailuresInABrowser(t *testing.T) {
	server := httptest.NewServer(bench())
	t.Cleanup(server.Close)
	tab := open(t)
	fail := func(status string) chromedp.Action[chromedp.Void] {
		return chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".toast").forEach(x => x.remove());
			document.getElementById("status").value = ` + status + `; document.getElementById("send").click(); 0`)
	}
	focused := `document.activeElement.textContent === `
	toast := func(words string) string {
		return `document.querySelector("#flash").textContent.includes("` + words + `") && document.getElementById("text").value.startsWith("one")`
	}
	steps := []step{
		{"the cursor begins on the first row", chromedp.KeyEvent("k"), focused + `"row 1"`},
		{"j x ticks the second row", chromedp.KeyEvent("jx"), `document.querySelector("#row-2 .pick").checked && document.querySelector("[data-bulk-count]").textContent === "1 selected"`},
		{"a approves it and goes on to the third", chromedp.KeyEvent("a"), focused + `"row 3" && document.querySelector("#row-2").textContent.includes("done")`},
		{"the sentence is spoken and shown", chromedp.KeyEvent("k"), `document.getElementById("live").textContent === "row 2 approved" && document.querySelectorAll("#flash .toast").length === 1`},
		{"/ searches", chromedp.KeyEvent("/"), `document.activeElement.type === "search"`},
		{"keys are letters while typing", chromedp.KeyEvent("jax"), `document.activeElement.value.endsWith("jax") && document.querySelector("#row-1 [data-key]") !== null`},
		{"go to moves the caret", chromedp.Click(chromedp.CSS("#goto")), `document.activeElement.id === "text" && document.activeElement.selectionStart === 6`},
		{"500 names the request", fail("500"), toast("Request 4f2a9c")},
		{"401 asks to sign in", fail("401"), toast("Signed out: sign in again")},
		{"403 says why", fail("403"), toast("You may not do that here.")},
		{"422 is swapped in, focus on its heading", fail("422"), `document.querySelector("[data-failure]") !== null && document.activeElement !== document.body`},
	}
	must(t, chromedp.Do(tab.ctx, chromedp.Navigate(server.URL)))
	for _, s := range steps {
		if !becomes(tab.ctx, s) {
			now, _ := chromedp.Run(tab.ctx, chromedp.Evaluate[string]("document.activeElement.outerHTML + (document.activeElement.value ?? \"\")"))
			t.Fatalf("%s: not so; focus is on %s", s.name, now)
		}
	}
}

// becomes does a step and waits until what it leads to is true.
func becomes(ctx context.Context, s step) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, s.do); err != nil {
		return false
	}
	_, err := chromedp.Run(ctx, chromedp.Poll[any](strings.TrimSpace(s.then), chromedp.WithPollingInterval(50*time.Millisecond)))
	return err == nil
}
