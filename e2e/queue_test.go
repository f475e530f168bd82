package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// row is one row of a list of changes as the page shows it.
type row struct{ ID, State, Type, Text string }

// rows reads the list of changes on the page.
func (b *tab) rows() []row {
	b.t.Helper()
	return eval[[]row](b, `[...document.querySelectorAll("#list tr[data-row]")].map(r => ({ID: r.id, State: r.dataset.state, Type: r.dataset.type, Text: r.innerText}))`)
}

// states maps each row to its state.
func states(rows []row) map[string]string {
	all := map[string]string{}
	for _, r := range rows {
		all[r.ID] = r.State
	}
	return all
}

// stateOf waits until a row has a state.
func (b *tab) becomes(id, state string) {
	b.t.Helper()
	b.until(id+" becomes "+state, fmt.Sprintf(`document.getElementById(%q)?.dataset.state === %q`, id, state))
}

func TestQUEb_KeysDecideExactlyTheRowUnderTheCursor(t *testing.T) {
	t.Parallel()
	b := open(t, demo(t)).signIn("bo").visit("/queue")
	before := b.rows()
	second, third := before[1], before[2]
	if second.State != "PENDING" || second.Type != "MODIFY" {
		t.Fatalf("the second row of bo's queue is %+v", second)
	}
	b.press("jxa")
	b.becomes(second.ID, "APPROVED")
	b.until("the focus is on the third row", fmt.Sprintf(`document.activeElement.matches("#%s a[data-open]")`, third.ID))
	b.until("the count is spoken", `/CoreVM1 is approved, \d+ left/.test(document.getElementById("live").textContent)`)
	b.until("nothing is selected", `document.querySelector("[data-bulk-count]").textContent === "0 selected" && document.querySelector("[data-bulk-count]").offsetParent === null`)

	want := states(before)
	want[second.ID] = "APPROVED"
	if b.visit("/queue"); fmt.Sprint(states(b.rows())) != fmt.Sprint(want) {
		t.Errorf("the queue is now %v, want %v", states(b.rows()), want)
	}

	b.press("a") // row 1 is approved already, so this key has nothing to press
	b.press("jj ")
	b.until("space opens the diff below the third row", fmt.Sprintf(`document.querySelector("#%s + tr.detail:not([hidden])") !== null`, third.ID))
	b.press(" ")
	b.until("space folds it", fmt.Sprintf(`document.querySelector("#%s + tr.detail[hidden]") !== null`, third.ID))
}

func TestQUEc_KeysAreLettersInTheSearch(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").visit("/queue")
	before := b.rows()
	b.press("/").press("jax")
	if typed := eval[string](b, `document.activeElement.value`); typed != "jax" {
		t.Errorf("the search holds %q", typed)
	}
	if b.visit("/queue"); !slices.Equal(b.rows(), before) {
		t.Errorf("the queue is now %v, want %v", b.rows(), before)
	}
}

func TestQUEi_SingleKeysCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").visit("/account")
	b.click("checkbox", "Single keys").follow("button", "Save display").visit("/queue")
	before := b.rows()
	b.press("jja")
	b.click("heading", "Queue") // whatever the keys began has begun by now
	if b.visit("/queue"); !slices.Equal(b.rows(), before) {
		t.Errorf("the queue is now %v, want %v", b.rows(), before)
	}
}

func TestQUEa_AFilteredQueueSurvivesReload(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").visit("/queue")
	b.fill("Search items", "CoreVM2").click("button", "Filter")
	b.until("only CoreVM2 is left", `[...document.querySelectorAll("#list tr[data-row]")].every(r => r.innerText.includes("CoreVM2")) && location.search.includes("q=CoreVM2")`)
	filtered := b.rows()
	b.do("reload", chromedp.Reload())
	if !slices.Equal(b.rows(), filtered) {
		t.Errorf("after reload the queue is %v, want %v", b.rows(), filtered)
	}
	b.back()
	b.until("Back is a whole page", `location.search === "" && document.querySelector("header.masthead") !== null && document.querySelector("#list") !== null`)
}

func TestQUEf_WithoutScriptABoxAndAButtonDo(t *testing.T) {
	t.Parallel()
	b := open(t, demo(t)).withoutScript().signIn("bo").visit("/queue")
	var pending []row
	for _, r := range b.rows() {
		if r.State == "PENDING" && r.Type != "DELETE" {
			pending = append(pending, r)
		}
	}
	for _, r := range pending[:2] {
		b.in("#"+r.ID).click("checkbox", "Select change")
	}
	b.in("[data-bulk] .bulk").follow("button", "Approve").in("#bulk").sees("✓", "is approved")
	now := states(b.visit("/queue").rows())
	for i, r := range pending {
		if want := map[bool]string{true: "APPROVED", false: "PENDING"}[i < 2]; now[r.ID] != want {
			t.Errorf("%s is %s, want %s", r.ID, now[r.ID], want)
		}
	}
	b.in("#"+pending[2].ID).follow("button", "Approve")
	if now := states(b.visit("/queue").rows()); now[pending[2].ID] != "APPROVED" {
		t.Errorf("the button of a row leaves it %s", now[pending[2].ID])
	}
}

func TestQUEg_ARejectionNeedsAReason(t *testing.T) {
	t.Parallel()
	b := open(t, demo(t)).expect(422).signIn("bo").visit("/queue")
	second := b.rows()[1]
	b.press("jr").in("dialog[open]").sees("Reason").click("button", "Reject")
	b.until("the reason is asked for, and the caret is there", `document.activeElement.matches("dialog[open] [name=log][aria-invalid=true]")`)
	b.press("no capacity before March").in("dialog[open]").click("button", "Reject")
	b.until("the dialog is gone", `document.querySelector("dialog[open]") === null`)
	b.becomes(second.ID, "REJECTED")
	b.until("the focus is on the next row", `document.activeElement.closest("tr[data-row]")?.id === "`+b.rows()[2].ID+`"`)
}

func TestQUEd_ABulkActionTellsWhatBecameOfEach(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		b := open(t, p).signIn("bo").visit("/queue")
		var ticked []row
		for _, r := range b.rows() {
			if r.State == "PENDING" && len(ticked) < 3 {
				b.in("#"+r.ID).click("checkbox", "Select change")
				ticked = append(ticked, r)
			}
		}
		stale := strings.TrimPrefix(ticked[1].ID, "change-")
		moved := p.person(t, "bo").post("/changes/"+stale, "state", "REJECTED", "log", "no capacity", "idempotency_key", "another-tab-another-tab")
		if moved.status != http.StatusSeeOther {
			t.Fatalf("the other tab's rejection answers %d", moved.status)
		}
		b.in("[data-bulk] .bulk").click("button", "Approve")
		lines := b.in("#bulk").sees("✓", "✕").text()
		if strings.Count(lines, "✓") != 2 || strings.Count(lines, "✕") != 1 {
			t.Errorf("the bulk action says %s", lines)
		}
		now := states(b.visit("/queue?state=PENDING,APPROVED,REJECTED").rows())
		for i, want := range []string{"APPROVED", "REJECTED", "APPROVED"} {
			if now[ticked[i].ID] != want {
				t.Errorf("%s is %s, want %s", ticked[i].ID, now[ticked[i].ID], want)
			}
		}
	})
}

func TestQUEh_CopiesAreInTheDependentTeamsQueueOnly(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	mine := states(open(t, p).signIn("bo").visit("/queue?state=PENDING,APPROVED,COMPLETED,REJECTED").rows())
	copies := states(open(t, p).signIn("nina").visit("/queue?state=PENDING,APPROVED,COMPLETED,REJECTED").rows())
	if len(copies) != len(mine) {
		t.Errorf("NPOwnerTeam has %d copies of %d changes", len(copies), len(mine))
	}
	for id := range copies {
		if mine[id] != "" {
			t.Errorf("%s is in both queues", id)
		}
	}
}
