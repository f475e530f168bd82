package e2e_test

import (
	"context"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// click clicks the middle of a control. What is drawn anew just then is looked
// for again.
func (b *tab) click(role, name string) *tab {
	b.t.Helper()
	b.quiet()
	b.eventually(fmt.Sprintf("click the %s %q", role, name), func() string {
		ctx, cancel := b.soon()
		defer cancel()
		if err := chromedp.Do(ctx, clicking(b.find(role, name))); err != nil {
			return err.Error()
		}
		return ""
	})
	return b
}

// quiet waits until no request of the page is under way and nothing is being
// swapped, so that what is clicked stays where it is.
func (b *tab) quiet() {
	b.t.Helper()
	if !b.plain {
		b.until("nothing is under way", `document.readyState === "complete" && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
	}
}

// follow clicks and waits for the page this leads to.
func (b *tab) follow(role, name string) *tab {
	b.t.Helper()
	thing := b.find(role, name)
	b.do(fmt.Sprintf("follow the %s %q", role, name), func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.WaitEvent(page.LoadEventFired, nil, clicking(thing))(ctx, t)
		return chromedp.Void{}, err
	})
	return b
}

// send presses a button that is answered in place, or by a page where script is off.
func (b *tab) send(button string) *tab {
	b.t.Helper()
	if b.plain {
		return b.follow("button", button)
	}
	return b.click("button", button)
}

// openRow opens the first change of a preview, openRows all of them.
var (
	openRow  = chromedp.Click(chromedp.CSS("#plan > li summary"))
	openRows = chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#plan details").forEach(d => d.open = true)`)
)

func clicking(thing found) chromedp.Action[chromedp.Void] { return clicks(thing, 1) }

// clicks clicks in quick succession.
func clicks(thing found, times int) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: thing.node}); err != nil {
			return err
		}
		shape, err := cdp.Call(ctx, t, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: thing.node})
		if err != nil {
			return err
		}
		if len(shape.Quads) == 0 {
			return fmt.Errorf("%q has no shape", thing.name)
		}
		q := shape.Quads[0]
		for n := range times {
			if _, err = chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2, chromedp.ClickCount(n+1))(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill replaces the text of a field, found by its label.
func (b *tab) fill(label, text string) *tab {
	b.t.Helper()
	b.write(b.find(textField, label), text)
	return b
}

func (b *tab) write(field found, text string) {
	b.t.Helper()
	call(b, dom.Focus, dom.FocusParams{BackendNodeID: field.node})
	b.do("select all", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "a", Commands: []string{"selectAll"}, Modifiers: 2})
		return chromedp.Void{}, err
	})
	if text == "" {
		b.press("\b")
		return
	}
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// choose takes an option of a select, found by its label.
func (b *tab) choose(label, value string) *tab {
	b.t.Helper()
	field := b.find("combobox", label)
	object := call(b, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: field.node})
	call(b, runtime.CallFunctionOn, runtime.CallFunctionOnParams{ObjectID: object.Object.ObjectID,
		FunctionDeclaration: "function() { this.value = " + strconv.Quote(value) + `; this.dispatchEvent(new Event("change", {bubbles: true})) }`})
	return b
}

// press types keys wherever the focus is, as a keyboard does: what the page
// does with a key keeps its letter out of the field.
func (b *tab) press(keys string, modifiers ...chromedp.Modifier) *tab {
	b.t.Helper()
	with := chromedp.KeyModifiers(modifiers...)
	for _, key := range keys {
		for _, event := range strokes(key) {
			with(event)
			call(b, input.DispatchKeyEvent, *event)
		}
	}
	return b
}

// strokes joins the letter of a key with its way down.
func strokes(key rune) (events []*input.DispatchKeyEventParams) {
	for _, event := range kb.Encode(key) {
		if event.Type == kb.KeyChar {
			events[0].Text = event.Text
			continue
		}
		events = append(events, event)
	}
	return events
}
