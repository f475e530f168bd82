package pages_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func TestDOOR4_PasswordOfTheAccount(t *testing.T) {
	t.Parallel()
	w := people(t)
	b, other := w.as("ana"), w.as("ana")
	form := b.get("/account").is(200).says("Signed in as ana", "Where you are signed in")
	b.fill(form, "/account/password", "old", "wrong", "password", "four quiet harbours").is(422).says("This is not your password.").hides("four quiet harbours")
	b.fill(form, "/account/password", "old", password, "password", "short").is(422).says("15 characters")
	other.get("/account").is(200)

	b.fill(form, "/account/password", "old", password, "password", "four quiet harbours").to("/account")
	b.get("/account").is(200).says("All other sessions have ended.")
	other.get("/account").to("/sign-in?next=%2Faccount")
}

func TestDOOR4_SessionsEnd(t *testing.T) {
	t.Parallel()
	w := people(t)
	b, second, third := w.as("ana"), w.as("ana"), w.as("ana")
	form := b.get("/account")
	one := ""
	for _, input := range form.all("input") {
		if attr(input, "name") == "session" {
			one = attr(input, "value")
			break
		}
	}
	b.fill(form, "/account/sessions", "session", one).to("/account")
	if a, b := second.get("/").status, third.get("/").status; a == b {
		t.Errorf("statuses %d and %d, want one session to be over", a, b)
	}
	b.fill(b.get("/account"), "/account/sessions", "session", "-").to("/account")
	second.get("/").to("/sign-in")
	third.get("/").to("/sign-in")
	b.get("/").is(200)
}

func TestDOOR4_TokenIsInOneAnswerOnly(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	form := b.get("/account")
	b.fill(form, "/account/tokens", "name", " ").is(422).says("The name")
	made := b.fill(form, "/account/tokens", "name", "laptop").is(200).says("“laptop” is made", "curl -H")
	secret := secretOn(made)
	if !strings.HasPrefix(secret, "ptu_") {
		t.Fatalf("no token on the page: %q", secret)
	}
	b.fill(form, "/account/tokens", "name", "laptop").to("/account")
	list := b.get("/account").hides(secret).says("laptop")
	if got := w.count("user_tokens"); got != 1 {
		t.Errorf("%d tokens, want 1", got)
	}
	b.fill(list, "/account/tokens/1/revoke").to("/account")
	b.get("/account").says("revoked")
	w.as("abe").post("/account/tokens/1/revoke", keyed()).is(404)
}

// secretOn reads the secret that a page shows once.
func secretOn(p page) string {
	for _, input := range p.all("input") {
		if attr(input, "id") == "secret" {
			return attr(input, "value")
		}
	}
	return ""
}

func TestU8_WhatMattersAsksForThePasswordAgain(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("abe")
	b.get("/account").hides("Your password")
	w.age(b)
	form := b.get("/account").says("Your password")
	b.fill(form, "/account/tokens", "name", "laptop").is(422).says("Enter your password to go on.")
	b.fill(form, "/account/tokens", "name", "laptop", "confirm", "wrong").is(422).says("This is not your password.")
	if got := w.count("user_tokens"); got != 0 {
		t.Fatalf("%d tokens, want none", got)
	}
	before := b.secret()
	b.fill(form, "/account/tokens", "name", "laptop", "confirm", password).is(200).says("“laptop” is made")
	if b.secret() == before {
		t.Error("the session has no new secret")
	}
	b.get("/account").is(200).hides("Your password")
}

func TestX17_SingleKeysAndLooksAreKept(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	form := b.get("/account").says(`data-theme="system"`, `data-keys="on"`)
	b.fill(form, "/account/display", "theme", "dark", "density", "compact", "keys", "-").to("/account")
	again := b.get("/account").says(`data-theme="dark"`, `data-density="compact"`, `data-keys="off"`)
	values, _ := again.form("/account/display")
	if values.Get("theme") != "dark" || values.Get("density") != "compact" || values.Has("keys") {
		t.Errorf("the form holds %v", values)
	}
}

func TestX5_TheOtherTeamsPageIsOneButtonAway(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("tim")
	b.get("/teams/99/members").is(404).hides("Switch to")
	b.get("/").says("You act for Blue")
	path := "/teams/" + itoa(w.owner.ID) + "/members"
	b.fill(b.get(path).is(404).says("Switch to Owner and open"), "/account/team").to(path)
	b.get(path).is(200).says("Owner")
	b.get("/services").is(200).says("VM", "LB")
	b.get("/teams/" + itoa(w.blue.ID) + "/members").is(404).says("Switch to Blue and open")
	w.as("ana").post("/account/team", keyed("team", itoa(w.owner.ID))).is(404)
}

func TestC3_ADoubleClickIsOneSubmission(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		b := w.as("dee")
		form, before := b.get("/admin/users"), w.count("users")
		var wait sync.WaitGroup
		answers := make([]page, 4)
		for i := range answers {
			wait.Go(func() { answers[i] = b.fill(form, "/admin/users", "name", "eve", "password", password) })
		}
		wait.Wait()
		for _, answer := range answers {
			answer.to("/admin/users")
		}
		b.fill(form, "/admin/users", "name", "eva", "password", password).is(409).says("This form was sent before, with something else in it.")
		b.post("/admin/users", map[string][]string{"name": {"eva"}, "password": {password}}).is(400)
		if got := w.count("users") - before; got != 1 {
			t.Errorf("%d new users, want 1", got)
		}
	})
}
