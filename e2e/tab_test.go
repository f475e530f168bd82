package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to do what is waited for.
const patience = 20 * time.Second

// tab is one person's browser: cookies of its own, one tab, and an ear for
// everything that goes wrong in it.
type tab struct {
	t     *testing.T
	ctx   context.Context
	at    string // address of the portal
	scope string // CSS selector of the part that is looked at
	plain bool   // script is off, so each button leads to a page
	ear   *ear
}

// ear hears a tab's complaints: errors, exceptions, violations of the policy,
// failed requests, dialogs.
type ear struct {
	mu         sync.Mutex
	expected   []int64
	complaints []string
}

// open opens a tab on a portal; whatever it complains about fails the test.
func open(t *testing.T, p *portal) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("SKIPPED: THERE IS NO CHROMIUM, SO NOBODY LOOKED AT THE PAGES (apt-get install chromium)")
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, at: p.url, ear: &ear{}}
	for _, err := range []error{chromedp.Do(ctx), chromedp.Listen(ctx, b.ear.hear)} { // the tab lives as long as the first context it sees
		if err != nil {
			t.Fatal(err)
		}
	}
	b.wide()
	call(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	t.Cleanup(func() {
		for _, complaint := range b.complaints() {
			t.Errorf("the tab complains: %s", complaint)
		}
	})
	return b
}

// withoutScript switches script off in the tab.
func (b *tab) withoutScript() *tab {
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.plain = true
	return b
}

// expect says which failures are asked for in this tab.
func (b *tab) expect(statuses ...int64) *tab {
	b.ear.mu.Lock()
	defer b.ear.mu.Unlock()
	b.ear.expected = append(b.ear.expected, statuses...)
	return b
}

// complaints returns what was heard since it was last asked.
func (b *tab) complaints() []string {
	b.ear.mu.Lock()
	defer b.ear.mu.Unlock()
	heard := b.ear.complaints
	b.ear.complaints = nil
	return heard
}

// hear runs in the loop that reads the tab's events, and so must be quick.
func (e *ear) hear(event any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if complaint := e.complaint(event); complaint != "" {
		e.complaints = append(e.complaints, complaint)
	}
}

func (e *ear) complaint(event any) string {
	switch event := event.(type) {
	case *log.EventEntryAdded:
		// What failed to load is judged by its status below.
		if (event.Entry.Level == log.EntryLevelError || event.Entry.Level == log.EntryLevelWarning) && !strings.HasPrefix(event.Entry.Text, "Failed to load resource") {
			return "log: " + event.Entry.Text
		}
	case *runtime.EventExceptionThrown:
		return "exception: " + event.ExceptionDetails.Text + " " + describe(event.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		if event.Type == runtime.ConsoleAPICalledTypeError || event.Type == runtime.ConsoleAPICalledTypeWarning {
			return e.unlessExpected("console: " + spoken(event.Args))
		}
	case *network.EventResponseReceived:
		if r := event.Response; r.Status >= 400 && !slices.Contains(e.expected, r.Status) {
			return fmt.Sprintf("%d from %s", r.Status, r.URL)
		}
	case *network.EventLoadingFailed:
		if !event.Canceled && event.ErrorText != "net::ERR_ABORTED" {
			return "request failed: " + event.ErrorText
		}
	case *page.EventJavascriptDialogOpening:
		return "dialog: " + event.Message
	}
	return ""
}

// unlessExpected leaves out what htmx says about a failure that was asked for.
func (e *ear) unlessExpected(complaint string) string {
	for _, status := range e.expected {
		if strings.Contains(complaint, fmt.Sprintf("Response Status Error Code %d ", status)) {
			return ""
		}
	}
	return complaint
}

func describe(object *runtime.RemoteObject) string {
	if object == nil {
		return ""
	}
	return object.Description + string(object.Value)
}

func spoken(objects []*runtime.RemoteObject) string {
	var words []string
	for _, object := range objects {
		words = append(words, describe(object))
	}
	return strings.Join(words, " ")
}

// do takes a step that has to succeed.
func (b *tab) do(what string, step chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.soon()
	defer cancel()
	if err := chromedp.Do(ctx, step); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

// soon is the tab's context with the test's patience.
func (b *tab) soon() (context.Context, context.CancelFunc) {
	return context.WithTimeout(b.ctx, patience)
}

// call sends a command of the debugging protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], parameters P) R {
	b.t.Helper()
	ctx, cancel := b.soon()
	defer cancel()
	result, err := chromedp.Call(ctx, command, parameters)
	if err != nil {
		b.t.Fatalf("%s: %v", command.Method, err)
	}
	return result
}

// eval evaluates an expression in the page; a promise is awaited.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := b.soon()
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// eventually asks again and again until the answer is empty; what is still
// missing after the test's patience fails it.
func (b *tab) eventually(what string, missing func() string) {
	b.t.Helper()
	deadline, tick := time.After(patience), time.NewTicker(25*time.Millisecond)
	defer tick.Stop()
	for {
		last := missing()
		if last == "" {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			b.t.Fatalf("%s: %s\n%s", what, last, b.snapshot())
		}
	}
}

// snapshot says where the tab is and what it shows.
func (b *tab) snapshot() string {
	var words string
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Second)
	defer cancel()
	words, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + (document.querySelector("main") ?? document.body).innerText.replace(/\n+/g, "\n").slice(0, 1500)`))
	if err != nil {
		return err.Error()
	}
	return words
}
