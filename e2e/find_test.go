package e2e_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
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

// textField stands for every field that text is written into.
const textField = "textbox searchbox combobox"

// all lists what is visible of some roles, in the part that is looked at.
func (b *tab) all(roles string) (things []found) {
	for _, role := range strings.Fields(roles) {
		things = append(things, b.having(role)...)
	}
	return things
}

func (b *tab) having(role string) (things []found) {
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
