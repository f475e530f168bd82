package e2e_test

import (
	"net/http"
	"regexp"
	"testing"
)

func TestDOORa_AnEmptyPortalLeadsToItsSetUp(t *testing.T) {
	t.Parallel()
	p := empty(t, sqlite(t))
	b := open(t, p).expect(422, 404)
	for _, path := range []string{"/", "/catalogue", "/queue?state=PENDING", "/sign-in", "/no/such/page"} {
		if b.visit(path); b.path() != "/setup" {
			t.Errorf("%s leads to %s", path, b.path())
		}
	}
	b.fill("Set-up code", "WRONG").fill("Your name", "ada").fill("Password", password).fill("First team", "VMOwnerTeam")
	b.follow("button", "Set up").sees("code")
	if name := b.value("Your name"); name != "ada" {
		t.Errorf("the name that was typed is now %q", name)
	}
	b.fill("Set-up code", p.code).fill("Password", password).follow("button", "Set up").sees("The portal is set up")
	if b.path() != "/" {
		t.Errorf("the set-up leads to %s", b.path())
	}
	b.visit("/setup").sees("404")
}

func TestDOORb_TheDoorWorksWithoutScript(t *testing.T) {
	t.Parallel()
	p := empty(t, sqlite(t))
	b := open(t, p).withoutScript().expect(422)
	b.visit("/").fill("Set-up code", "WRONG").fill("Your name", "ada").fill("Password", password).fill("First team", "VMOwnerTeam")
	b.follow("button", "Set up")
	b.fill("Set-up code", p.code).fill("Password", password).follow("button", "Set up").sees("The portal is set up")
	b.openMenu("ada").follow("button", "Sign out").sees("You are signed out")
	b.fill("Name", "ada").fill("Password", "not the password").follow("button", "Sign in").sees("Sign in")
	b.signIn("ada").sees("VMOwnerTeam")
}

func TestDOORc_WrongUserAndWrongPasswordLookTheSame(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	try := func(name, password string) answer {
		return p.visitor(t).post("/sign-in", "name", name, "password", password, "idempotency_key", "sign-in")
	}
	nobody, wrong := try("nobody", password), try("ana", "seven owls count no tides")
	if nobody.status != http.StatusUnprocessableEntity || wrong.status != nobody.status {
		t.Fatalf("answers %d and %d", nobody.status, wrong.status)
	}
	if a, b := withoutIds(nobody), withoutIds(wrong); a != b {
		t.Errorf("the pages differ:\n%s\n%s", a, b)
	}
}

var ids = regexp.MustCompile(`name="csp-nonce" content="[^"]*"|name="idempotency_key" value="[^"]*"|/catalogue/\d+|<code>[0-9a-f]{32}</code>`)

// withoutIds takes away what differs between any two answers.
func withoutIds(a answer) string { return ids.ReplaceAllString(a.body, "") }

func TestDOORd_NextStaysHere(t *testing.T) {
	t.Parallel()
	p := sharedDemo.get(t)
	for _, next := range []string{"//evil.example", `/\evil.example`, "https:evil.example", "https://evil.example/", "/%2f%2fevil.example/..//evil.example", "/\t/evil.example"} {
		c := p.visitor(t)
		a := c.post("/sign-in", "name", "ana", "password", password, "next", next, "idempotency_key", "sign-in")
		if to := a.header.Get("Location"); a.status != http.StatusSeeOther || to != "/" {
			t.Errorf("next=%q answers %d and leads to %q", next, a.status, to)
		}
	}
	b := open(t, p).visit("/teams")
	if b.path() != "/sign-in?next=%2Fteams" {
		t.Errorf("a stranger is sent to %s", b.path())
	}
	b.fill("Name", "ana").fill("Password", password).follow("button", "Sign in")
	if b.path() != "/teams" {
		t.Errorf("after sign-in the tab is at %s", b.path())
	}
}

func TestDOORe_BackShowsNothingAfterSignOut(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("bo").visit("/teams").sees("VMOwnerTeam")
	b.openMenu("bo").follow("button", "Sign out")
	b.back()
	b.until("the door is back", `location.pathname === "/sign-in"`).seesNot("VMOwnerTeam")
}
