package e2e_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// sees waits until the part that is looked at shows all these texts.
func (b *tab) sees(texts ...string) *tab {
	b.t.Helper()
	b.eventually("see on the page", func() string {
		shown := b.text()
		for _, text := range texts {
			if !strings.Contains(shown, text) {
				return fmt.Sprintf("%q is not there", text)
			}
		}
		return ""
	})
	return b
}

// seesNot says that none of these texts is on the page as it is now.
func (b *tab) seesNot(texts ...string) *tab {
	b.t.Helper()
	shown := b.text()
	for _, text := range texts {
		if strings.Contains(shown, text) {
			b.t.Errorf("%q is on the page %s", text, b.path())
		}
	}
	return b
}

// text is what the part that is looked at shows, white space made single.
func (b *tab) text() string {
	scope := b.scope
	if scope == "" {
		scope = "body"
	}
	ctx, cancel := b.soon()
	defer cancel()
	shown, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector(`+strconv.Quote(scope)+`)?.innerText ?? ""`))
	if err != nil {
		return "" // the page is on its way
	}
	return strings.Join(strings.Fields(shown), " ")
}

// until waits until an expression is true in the page.
func (b *tab) until(what, expression string) *tab {
	b.t.Helper()
	b.eventually(what, func() string {
		ctx, cancel := b.soon()
		defer cancel()
		if yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err != nil || !yes {
			return "not so: " + expression
		}
		return ""
	})
	return b
}

// value is what stands in a text field, found by its label.
func (b *tab) value(label string) string {
	b.t.Helper()
	return b.valueOf(b.find(textField, label))
}

// chosen is the value of a select, found by its label.
func (b *tab) chosen(label string) string {
	b.t.Helper()
	return b.valueOf(b.find("combobox", label))
}

func (b *tab) valueOf(field found) (value string) {
	b.t.Helper()
	object := call(b, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: field.node})
	result := call(b, runtime.CallFunctionOn, runtime.CallFunctionOnParams{ObjectID: object.Object.ObjectID, FunctionDeclaration: "function() { return this.value }", ReturnByValue: new(true)})
	if err := json.Unmarshal(result.Result.Value, &value); err != nil {
		b.t.Fatal(err)
	}
	return value
}

// html is the whole page as the browser holds it.
func (b *tab) html() string {
	b.t.Helper()
	return eval[string](b, "document.documentElement.outerHTML")
}

// openMenu opens a menu of the header by what its summary says.
func (b *tab) openMenu(name string) *tab {
	b.t.Helper()
	return b.click("DisclosureTriangle", name)
}

// back presses the browser's Back; what it leads to is for the caller to await.
func (b *tab) back() *tab {
	b.t.Helper()
	past := call(b, page.GetNavigationHistory, cdp.Empty{})
	entry := past.Entries[past.CurrentIndex-1]
	call(b, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry.ID})
	return b
}
