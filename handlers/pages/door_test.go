package pages_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func TestDOORa_AnEmptyPortalLeadsEverywhereToItsSetUp(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		p := serve(t, db)
		b := p.stranger()
		for _, route := range p.routes {
			if route.Method == "GET" && route.Path != "/setup" {
				b.get(strings.NewReplacer(":id", "1", ":tab", "x").Replace(route.Path)).to("/setup")
			}
		}
		b.get("/nowhere").to("/setup")

		code, err := p.market.NewSetUpCode(t.Context())
		must(t, err)
		form := b.get("/setup").is(200)
		wrong := b.fill(form, "/setup", "code", "WRONG", "name", "dee", "password", password, "team", "First").is(422).says("This is not the set-up code")
		if values, _ := wrong.form("/setup"); values.Get("name") != "dee" || values.Get("team") != "First" {
			t.Errorf("what was typed is gone: %v", values)
		}
		b.fill(form, "/setup", "code", code, "name", "dee", "password", "short", "team", "First").is(422).says("password").hides(`value="short"`)

		b.fill(form, "/setup", "code", code, "name", "dee", "password", password, "team", "First").to("/")
		b.get("/").is(200).says("First", "What waits for you")
		b.get("/setup").is(404)
		b.fill(form, "/setup", "code", code, "name", "eve", "password", password, "team", "Other").is(404)
		p.stranger().get("/account").to("/sign-in?next=%2Faccount")
	})
}

func TestDOORc_WrongUserAndWrongPasswordAreEqual(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.stranger()
	form := b.get("/sign-in?next=/queue").is(200)
	nobody := b.fill(form, "/sign-in", "name", "nobody", "password", password).is(422).says("The name or the password is wrong.")
	wrong := b.fill(form, "/sign-in", "name", "ana", "password", "wrong").is(422)
	if nobody.body != wrong.body {
		t.Errorf("the pages differ:\n%s\n%s", nobody.body, wrong.body)
	}
	b.fill(wrong, "/sign-in", "name", "ana", "password", password).to("/queue")
}

func TestDOORd_NextStaysHere(t *testing.T) {
	t.Parallel()
	w := people(t)
	for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "/%2f/evil.example"} {
		b := w.stranger()
		b.fill(b.get("/sign-in"), "/sign-in", "name", "ana", "password", password, "next", next).to("/")
	}
}

func TestDOORe_AfterSignOutNothingIsLeft(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	home := b.get("/").is(200)
	if got := home.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	secret := b.secret()
	b.fill(home, "/sign-out").to("/sign-in")
	b.get("/").to("/sign-in")
	b.hold(secret)
	b.get("/").to("/sign-in")
	b.post("/sign-out", map[string][]string{}).to("/sign-in")
}
