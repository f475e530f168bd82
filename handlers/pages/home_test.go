package pages_test

import (
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
)

func TestHOM1_WhatWaits(t *testing.T) {
	t.Parallel()
	w := people(t)
	for _, name := range []string{"ana", "cy"} {
		w.as(name).get("/").is(200).says("See what there is", "Declare what you need", "Offer something yourselves")
	}
	w.as("bo").get("/").says("Nothing waits")
	w.as("dee").get("/").says("You are in no team yet")

	w.declare(`{"name":"a","cpu":1},{"name":"b","cpu":2},{"name":"c","cpu":3}`)
	move := func(id int64, to engine.State, log string) {
		_, err := w.market.MoveChange(t.Context(), w.bo(), id, market.Move{State: to, Log: &log})
		must(t, err)
	}
	move(1, engine.Approved, "")
	move(2, engine.Rejected, "no room left")
	w.as("bo").get("/").says("To decide and complete", `href="/queue?state=PENDING&amp;service=VM"`, "approved change to complete")
	w.as("ana").get("/").says("submission in progress", "rejected change", "no room left", "VM / b").hides("To decide and complete")
	w.as("tim").get("/").hides("VM / b", "no room left")
}

func TestHOMe_NobodyElsesWorkIsCounted(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(`{"name":"a","cpu":1}`)
	for name, queue := range map[string]string{"bo": "1", "ana": "", "dee": ""} {
		got := w.as(name).get("/")
		for _, node := range got.all("span") {
			if attr(node, "id") == "count-queue" && textOf(node) != queue {
				t.Errorf("%s sees %q beside the queue, want %q", name, textOf(node), queue)
			}
		}
	}
}

func TestADM_TeamsWithoutAnAdminAreShown(t *testing.T) {
	t.Parallel()
	w := people(t)
	_, err := w.market.CreateTeam(t.Context(), market.Console(), "Orphans", nil)
	must(t, err)
	w.as("dee").get("/").says("Teams without an admin", "Orphans")
	w.as("dee").get("/admin/teams").says("no admin")
	w.as("ana").get("/").hides("Orphans")
}
