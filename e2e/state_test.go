package e2e_test

import (
	"strings"
	"testing"
)

// TestMatrixOfStates looks at what pages show after something was done in them:
// plans, problems, questions, refusals (portal C4 row 8).
func TestMatrixOfStates(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	states := map[string]func(b *tab){
		"a plan with a deletion": func(b *tab) {
			b.signIn("ana").visit("/declare?application=NewApp1").declare(document("", "")).until("there is a plan", `document.querySelectorAll("#plan > li").length === 2`)
			b.do("open a row", openRow)
		},
		"a plan with a cause": func(b *tab) {
			b.signIn("bea").visit("/declare").declare(`{"AwesomeConsumer2":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":2,"memory":2},{"name":"CoreVM2","cpu":8,"memory":16}],"LoadBalancer":[{"name":"CoreLB1","related_vms":["CoreVM1","CoreVM2"],"algorithm":"LeastConnections"}]}}}}`)
			b.in("#plan").sees("referenced").do("open all rows", openRows)
		},
		"problems": func(b *tab) {
			b.signIn("tim").visit("/declare").declare(strings.ReplaceAll(timsShop, "8", `"eight"`)).in("#problems-box").sees("cpu must be an integer")
		},
		"a question": func(b *tab) {
			b.signIn("bo").visit("/queue").press("jr").in("dialog[open]").send("Reject").until("the reason is asked for", `document.querySelector("dialog[open] [aria-invalid=true]") !== null`)
		},
		"a diff below a row": func(b *tab) { b.signIn("bo").visit("/queue").press("j ").in("tr.detail").sees("cpu") },
		"ticked rows":        func(b *tab) { b.signIn("bo").visit("/queue").press("jxjx").in(".bulk").sees("2 selected") },
		"an empty queue":     func(b *tab) { b.signIn("bo").visit("/queue?q=nothing-like-this").sees("Clear all") },
		"a near miss":        func(b *tab) { b.signIn("tim").visit("/catalogue?q=LoadBalancr").sees("Did you mean") },
		"a page not there":   func(b *tab) { b.signIn("tim").visit("/items/999999").sees("404") },
		"a refused sign-in": func(b *tab) {
			b.visit("/sign-in").fill("Name", "tim").fill("Password", "x").follow("button", "Sign in")
		},
		"a valid schema": func(b *tab) {
			b.signIn("tim").visit("/services/new").follow("button", "Validate").sees("The schema is valid")
		},
		"a broken schema": func(b *tab) {
			b.signIn("tim").visit("/services/new").fill("Schema", `{"title": "x"`).follow("button", "Validate").sees("problem")
		},
		"a readme to be": func(b *tab) {
			b.signIn("bo").own("VM", "Docs").fill("Readme", "# One\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n> said").follow("button", "Preview").sees("not saved yet")
		},
		"a deployed item": func(b *tab) {
			b.signIn("ana").visit("/items").in("#list").follow("link", "CoreVM1").in("main").click("link", "Deployed item").sees("10.20.0.11")
		},
		"relations of an item": func(b *tab) {
			b.signIn("bea").visit("/items").in("#list").follow("link", "CoreLB1").in("main").click("link", "Relations").sees("CoreVM2")
		},
		"keys of the page":    func(b *tab) { b.signIn("bo").visit("/queue").press("?").in("dialog[open]").sees("Keys") },
		"the menu, narrow":    func(b *tab) { b.narrow(); b.signIn("ana").openMenu("Menu").in("nav").sees("Declare") },
		"another team's page": func(b *tab) { b.signIn("ana").visit("/changes/14").sees("AwesomeConsumer2") },
	}
	for name, reach := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, p).expect(404, 422)
			reach(b)
			b.look()
		})
	}
}
