//go:build browser

package components_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/portolan/portolan/static"
)

// policy is the content security policy of every answer (portal A4).
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-x'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const axeRun = `axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}).then(r =>
	r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; "))))`

// TestC4_GalleryInABrowser looks for violations of accessibility and policy,
// and for sideways scrolling, in each theme and at two widths. With GALLERY
// set to a folder it leaves screenshots there.
func TestC4_GalleryInABrowser(t *testing.T) {
	axe, err := os.ReadFile("../../e2e/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	tab := open(t)
	for _, theme := range []string{"light", "dark"} {
		server := httptest.NewServer(site(theme))
		t.Cleanup(server.Close)
		for name := range gallery(theme) {
			for _, width := range []int64{1280, 320} {
				t.Run(fmt.Sprintf("%s-%s-%d", name, theme, width), func(t *testing.T) {
					look(t, tab, server.URL+"/"+name, width, string(axe))
				})
			}
		}
	}
}

func look(t *testing.T, tab *tab, url string, width int64, axe string) {
	ctx, cancel := context.WithTimeout(tab.ctx, 20*time.Second)
	defer cancel()
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(url)))

	wide, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
	must(t, err)
	if wide {
		t.Error("the page scrolls sideways")
	}
	must(t, chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](axe+";0")))
	violations, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](axeRun, chromedp.EvalAwaitPromise))
	must(t, err)
	for _, complaint := range append(violations, tab.complaints()...) {
		t.Error(complaint)
	}
	if folder := os.Getenv("GALLERY"); folder != "" {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestC4_GalleryInABrowser/"), "/", "-")+".png"), picture, 0o644))
	}
}

// site serves the gallery under the portal's policy.
func site(theme string) http.Handler {
	pages := gallery(theme)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		if body, _, contentType, ok := static.File(r.URL.Path); ok {
			w.Header().Set("Content-Type", contentType)
			w.Write(body)
			return
		}
		if page, ok := pages[strings.TrimPrefix(r.URL.Path, "/")]; ok {
			page.Render(r.Context(), w)
			return
		}
		http.NotFound(w, r)
	})
}

// tab is a browser's tab and what it has complained about.
type tab struct {
	ctx    context.Context
	mu     sync.Mutex
	events []string
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *log.EventEntryAdded:
		if event.Entry.Level != log.EntryLevelVerbose {
			b.events = append(b.events, event.Entry.Text)
		}
	case *runtime.EventExceptionThrown:
		b.events = append(b.events, event.ExceptionDetails.Text)
	}
}

// complaints returns what was heard since it was last asked.
func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	events := b.events
	b.events = nil
	return events
}

func open(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx))
	opened := &tab{ctx: ctx}
	must(t, chromedp.Listen(ctx, opened.hear))
	return opened
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
