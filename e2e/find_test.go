package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// in looks only at the part of the page that a CSS selector names.
func (b *tab) in(css string) *tab {
	part := *b
	part.scope = css
	return &part
}

// visit goes to a path of the portal.
func (b *tab) visit(path string) *tab {
	b.t.Helper()
	b.do("visit "+path, chromedp.Navigate(b.at+path))
	return b
}

// signIn goes through the door.
func (b *tab) signIn(name string) *tab {
	b.t.Helper()
	b.visit("/sign-in").fill("Name", name).fill("Password", password).follow("button", "Sign in")
	if b.path() == "/sign-in" {
		b.t.Fatalf("%s cannot sign in\n%s", name, b.snapshot())
	}
	return b
}

// path is where the tab is, without the host.
func (b *tab) path() string {
	b.t.Helper()
	return eval[string](b, "location.pathname + location.search")
}

// found is a control on the page.
type found struct {
	node cdp.BackendNodeID
	name string
}

// find waits for the one visible thing of a role whose name is this, or begins
// with it when none is.
func (b *tab) find(role, name string) found {
	b.t.Helper()
	var things []found
	b.eventually(fmt.Sprintf("find the %s %q", role, name), func() string {
		present := b.all(role)
		if things = named(present, name); len(things) == 1 {
			return ""
		}
		return fmt.Sprintf("there are %d of %q", len(things), present)
	})
	return things[0]
}

func (f found) String() string { return f.name }

func named(things []found, name string) (matching []found) {
	for _, thing := range things {
		if thing.name == name {
			matching = append(matching, thing)
		}
	}
	if len(matching) > 0 {
		return matching
	}
	for _, thing := range things {
		if strings.HasPrefix(thing.name, name) {
			matching = append(matching, thing)
		}
	}
	return matching
}

// all lists what is visible of a role, in the part that is looked at.
func (b *tab) all(role string) (things []found) {
	ctx, cancel := b.soon()
	defer cancel()
	tree, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) (accessibility.QueryAXTreeResult, error) {
		root, err := b.root(ctx, t)
		if err != nil {
			return accessibility.QueryAXTreeResult{}, err
		}
		return cdp.Call(ctx, t, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: root, Role: role})
	})
	if err != nil {
		return nil // the page is on its way
	}
	for _, node := range tree.Nodes {
		if !node.Ignored && node.Name != nil {
			name, _ := strconv.Unquote(string(node.Name.Value))
			things = append(things, found{node: node.BackendDOMNodeID, name: strings.Join(strings.Fields(name), " ")})
		}
	}
	return things
}

// root is the part of the page that is looked at.
func (b *tab) root(ctx context.Context, t *chromedp.Target) (runtime.RemoteObjectID, error) {
	expression := "document"
	if b.scope != "" {
		expression = "document.querySelector(" + strconv.Quote(b.scope) + ")"
	}
	result, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: expression})
	if err != nil {
		return "", err
	}
	if result.Result.ObjectID == "" {
		return "", fmt.Errorf("there is no %s", b.scope)
	}
	return result.Result.ObjectID, nil
}

// click clicks the middle of a control.
func (b *tab) click(role, name string) *tab {
	b.t.Helper()
	b.clickOn(b.find(role, name))
	return b
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

func (b *tab) clickOn(thing found) {
	b.t.Helper()
	b.do("click "+thing.name, clicking(thing))
}

func clicking(thing found) chromedp.Action[chromedp.Void] {
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
		_, err = chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2)(ctx, t)
		return err
	})
}

// fill replaces the text of a field, found by its label.
func (b *tab) fill(label, text string) *tab {
	b.t.Helper()
	b.write(b.find("textbox", label), text)
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

// press types keys wherever the focus is.
func (b *tab) press(keys string, modifiers ...chromedp.Modifier) *tab {
	b.t.Helper()
	b.do("press "+keys, chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
	return b
}

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
	return b.valueOf(b.find("textbox", label))
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

// back goes back in the tab's history and waits for the page.
func (b *tab) back() *tab {
	b.t.Helper()
	b.do("go back", chromedp.NavigateBack())
	return b
}
