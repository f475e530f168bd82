package e2e_test

import (
	"net/http"
	"strings"
	"testing"
)

// A stranger is sent to the door from every page, and back afterwards (portal C4 row 13).
func TestRoles_AStrangerIsSentToTheDoor(t *testing.T) {
	t.Parallel()
	c := sharedDemo.get(t).visitor(t)
	for _, route := range routes(t) {
		if route == "/sign-in" || route == "/setup" {
			continue
		}
		path := strings.NewReplacer(":id", "1", ":key", "1", ":user", "1", ":token", "1").Replace(route)
		a := c.get(path)
		if to := a.header.Get("Location"); a.status != http.StatusSeeOther || !strings.HasPrefix(to, "/sign-in") {
			t.Errorf("%s answers %d and leads to %q", path, a.status, to)
		}
	}
}

func TestRoles_WhoMayOnlyLookIsOfferedNoAction(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	pages, _ := crawl(t, p.person(t, "cy"), "/")
	b, looked := open(t, p).signIn("cy"), map[string]bool{}
	for _, address := range pages {
		if looked[pageOf(address)] || strings.HasPrefix(address, "/account") {
			continue
		}
		looked[pageOf(address)] = true
		if forms := eval[[]string](b.visit(address), `[...document.querySelectorAll("main form[method=post] button, main [hx-post]")].map(f => f.outerHTML.slice(0, 120))`); len(forms) > 0 {
			t.Errorf("%s offers %v", address, forms)
		}
	}
}

// Only platform admins find the administration (ADM-d).
func TestADMd_AdministrationIsNotThereForOthers(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	for _, name := range []string{"bo", "ana", "cy"} {
		for _, path := range []string{"/admin", "/admin/users", "/admin/teams"} {
			if a := p.person(t, name).get(path); a.status != http.StatusNotFound {
				t.Errorf("%s is answered %d at %s", name, a.status, path)
			}
		}
	}
}

// A page of another team of one's own offers to switch to it (X5).
func TestX5_APageOfAnOtherTeamOffersToSwitch(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		theirs := open(t, p).signIn("bea").visit("/changes").rows()[0]
		path := "/changes/" + strings.TrimPrefix(theirs.ID, "change-")
		b := open(t, p).expect(404).signIn("ana").visit(path).sees("404")
		b.in("main").follow("button", "Switch to AwesomeConsumer2 and open").sees("What changes")
		if b.path() != path {
			t.Errorf("switching leads to %s", b.path())
		}
		open(t, p).expect(404).signIn("tim").visit(path).sees("404").seesNot("Switch to")
	})
}

// What was typed stays when the portal fails, or knows one no more (X13, C4 row 9).
func TestX13_WhatWasTypedStays(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).expect(401).signIn("tim").visit("/declare?application=Shop").declare(timsShop)
	b.until("there is a plan", `document.querySelectorAll("#plan > li").length === 2`)
	b.fill("Comment", "half a thought")
	other := open(t, p).signIn("tim").visit("/account")
	other.follow("button", "End all other sessions")
	b.fill("Declaration", timsWiderShop).send("Preview").in("#flash").sees("Signed out: sign in again")
	if text, comment := b.in("main").value("Declaration"), b.in("main").value("Comment"); text != timsWiderShop || comment != "half a thought" {
		t.Errorf("what was typed is now %q, %q", text, comment)
	}
}

// A printed change shows its differences and its history, and nothing to press (CHG-i).
func TestCHGi_PrintHasDifferencesAndTimeline(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").waiting("PENDING", "MODIFY")
	path := b.path() + "?print=1"
	b.visit(path).in("main").sees("What changes", "cpu", "Timeline", "Pending", b.at+path, "bo")
	if controls := eval[[]string](b, `[...document.querySelectorAll("nav, button, input, textarea, header.masthead")].filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 100))`); len(controls) > 0 {
		t.Errorf("the print shows %v", controls)
	}
	if closed := eval[[]string](b, `[...document.querySelectorAll("main details:not(.menu) > :not(summary)")].filter(e => !e.checkVisibility()).map(e => e.outerHTML.slice(0, 100))`); len(closed) > 0 {
		t.Errorf("these parts are closed: %v", closed)
	}
}
