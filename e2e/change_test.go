package e2e_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// waiting opens the first change of bo's queue that is in this state and of this type.
func (b *tab) waiting(state, kind string) *tab {
	b.t.Helper()
	for _, r := range b.visit("/queue?state=" + state + "&type=" + kind).rows() {
		return b.visit("/changes/" + strings.TrimPrefix(r.ID, "change-"))
	}
	b.t.Fatalf("no %s waits in %s", kind, state)
	return b
}

func (b *tab) state() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("article[data-state]").dataset.state`)
}

func (b *tab) timeline() int {
	b.t.Helper()
	return eval[int](b, `document.querySelectorAll("#timeline ol > li").length`)
}

func TestCHGa_AForgedMoveChangesNothing(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).signIn("bo").waiting("PENDING", "CREATE")
	entries, at := b.timeline(), b.path()
	forged := p.person(t, "bo").post(at, "state", "COMPLETED", "idempotency_key", "forged-0001-forged-0001")
	if forged.status != http.StatusBadRequest || !strings.Contains(forged.body, "cannot go from PENDING to COMPLETED") {
		t.Errorf("PENDING to COMPLETED answers %d", forged.status)
	}
	if b.visit(at); b.state() != "PENDING" || b.timeline() != entries {
		t.Errorf("the change is %s with %d entries, was PENDING with %d", b.state(), b.timeline(), entries)
	}
	foreign := p.person(t, "lea").post(at, "state", "APPROVED", "idempotency_key", "forged-0002-forged-0002")
	missing := p.person(t, "lea").post("/changes/999999", "state", "APPROVED", "idempotency_key", "forged-0003-forged-0003")
	if foreign.status != http.StatusNotFound || missing.status != http.StatusNotFound {
		t.Errorf("a change of another team answers %d, a missing one %d", foreign.status, missing.status)
	}
	looking := p.person(t, "cy").post(at, "state", "APPROVED", "idempotency_key", "forged-0004-forged-0004")
	if looking.status != http.StatusForbidden && looking.status != http.StatusNotFound {
		t.Errorf("a member who may only look is answered %d", looking.status)
	}
}

func TestCHGb_OfTwoPeopleOneWins(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		first := open(t, p).signIn("bo").waiting("PENDING", "CREATE")
		second := open(t, p).expect(409).signIn("bo").visit(first.path())

		first.send("Approve").until("it is approved", `document.querySelector("article[data-state]")?.dataset.state === "APPROVED"`)
		entries := first.timeline()
		second.fill("Log", "no capacity").send("Reject").sees("bo moved this to Approved")
		if log := second.value("Log"); log != "no capacity" {
			t.Errorf("the log that was typed is now %q", log)
		}
		if second.state() != "APPROVED" || second.timeline() != entries {
			t.Errorf("the second tab shows %s with %d entries, the first APPROVED with %d", second.state(), second.timeline(), entries)
		}
		second.find("button", "Complete")
	})
}

func TestCHGc_ARejectionNeedsAReason(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		b := open(t, demo(t)).expect(422).signIn("bo").waiting("PENDING", "MODIFY")
		entries := b.timeline()
		b.send("Reject").until("the reason is asked for", `(() => {
			const log = document.querySelector("#move [name=log]");
			const why = (log.getAttribute("aria-describedby") ?? "").split(" ").map(id => document.getElementById(id)?.textContent).join(" ");
			return document.activeElement === log && log.getAttribute("aria-invalid") === "true" && why.includes("Say why");
		})()`)
		b.fill("Log", "no capacity\nbefore March").send("Reject").sees("Rejected", "before March")
		b.until("one more entry", `document.querySelectorAll("#timeline ol > li").length === `+strconv.Itoa(entries+1))
		b.in("#timeline").sees("bo", "VMOwnerTeam", "no capacity before March")
		b.until("line breaks are kept", `document.querySelector("#timeline").innerText.includes("no capacity\nbefore March")`)
	})
}

func TestCHGd_ABrokenDeployedItemIsShownWhereItIsBroken(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		b := open(t, demo(t)).expect(422).signIn("bo").waiting("APPROVED", "CREATE")
		const broken = "{\n  \"ip\": \"10.0.0.1\",\n  \"port\": nope\n}"
		b.fill("Deployed item", broken).fill("Log", "built").send("Complete").sees("Line 3, column 11")
		if text, log := b.value("Deployed item"), b.value("Log"); text != broken || log != "built" {
			t.Errorf("what was typed is now %q and %q", text, log)
		}
		if b.state() != "APPROVED" {
			t.Errorf("the change is %s", b.state())
		}
		b.fill("Deployed item", `{"serial": 9007199254740993, "load": 0.1000000000000000055}`).send("Complete")
		b.until("it is completed", `document.querySelector("article[data-state]")?.dataset.state === "COMPLETED"`)
		b.visit(b.path())
		if text := b.value("Deployed item"); !strings.Contains(text, "9007199254740993") || !strings.Contains(text, "0.1000000000000000055") {
			t.Errorf("DEC-i: the deployed item is now %s", text)
		}
	})
}

func TestCHGf_RelatedChangesAreLinkedBothWays(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	for name, list := range map[string]string{"bo": "/queue?state=any", "lea": "/queue?state=any", "bea": "/changes?state=any"} {
		c := p.person(t, name)
		for _, match := range rowOfChange.FindAllStringSubmatch(c.get(list).body, -1) {
			here := "/changes/" + match[1]
			for _, there := range related(c, here) {
				if back := related(c, there); !slices.Contains(back, here) {
					t.Errorf("%s is related to %s, which leads back to %v only", here, there, back)
				}
			}
		}
	}
}

var (
	rowOfChange    = regexp.MustCompile(`<tr id="change-(\d+)"`)
	relatedPanel   = regexp.MustCompile(`(?s)<section[^>]*id="related".*?</section>`)
	linkedToChange = regexp.MustCompile(`href="(/changes/\d+)"`)
)

// related lists the changes that the page of a change leads to as related.
func related(c *client, change string) (paths []string) {
	c.t.Helper()
	for _, match := range linkedToChange.FindAllStringSubmatch(relatedPanel.FindString(c.get(change).body), -1) {
		paths = append(paths, match[1])
	}
	return paths
}

func TestCHGh_ADeletionShowsWhatGoes(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").waiting("PENDING", "DELETE")
	b.in("#difference").sees("−", "cpu", "memory")
	if after := eval[int](b, `document.querySelectorAll("#difference .added").length`); after != 0 {
		t.Errorf("a deletion adds %d lines", after)
	}
}

func TestCHGg_WhatOnlyAProgramMayDoIsSaid(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).signIn("bo").own("VM", "Settings").click("checkbox", "People may complete").follow("button", "Save settings")
	b.waiting("APPROVED", "CREATE").sees("automation only")
	if disabled := eval[bool](b, `[...document.querySelectorAll("#move button")].filter(x => /Complete|rrored/.test(x.innerText)).every(x => x.ariaDisabled === "true" && document.getElementById(x.getAttribute("aria-describedby")).innerText.includes("automation only"))`); !disabled {
		t.Errorf("the buttons are not disabled with their reason\n%s", b.in("#move").text())
	}
	forged := p.person(t, "bo").post(b.path(), "state", "COMPLETED", "idempotency_key", "forged-0001-forged-0001")
	if forged.status != http.StatusForbidden {
		t.Errorf("completing by hand answers %d", forged.status)
	}
	if b.visit(b.path()); b.state() != "APPROVED" {
		t.Errorf("the change is %s", b.state())
	}
}
