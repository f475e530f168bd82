package e2e_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// each runs a test with script and without (portal C4 row 5).
func each(t *testing.T, test func(t *testing.T, open func(*testing.T, *portal) *tab)) {
	t.Parallel()
	t.Run("with script", func(t *testing.T) { t.Parallel(); test(t, open) })
	t.Run("without script", func(t *testing.T) {
		t.Parallel()
		test(t, func(t *testing.T, p *portal) *tab { return open(t, p).withoutScript() })
	})
}

var apiKey = regexp.MustCompile(`Authorization: Api-Key (\S+?)['"]`)

func TestTEAa_AKeyIsSeenOnceAndEndsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		b := open(t, p).signIn("abe").follow("link", "Team").follow("link", "API keys")
		keys := b.path()
		b.fill("Name", "deploy pipeline").click("radio", "Read only").follow("button", "Create key").sees("Copy it now")
		found := apiKey.FindStringSubmatch(b.text())
		if found == nil {
			t.Fatalf("the page does not show the key in a curl line\n%s", b.snapshot())
		}
		secret := found[1]
		for _, path := range []string{keys, "/", "/account"} {
			if b.visit(path); strings.Contains(b.html(), secret) {
				t.Errorf("the key is on %s as well", path)
			}
		}

		pipeline := p.visitor(t)
		pipeline.token, pipeline.scheme = secret, "Api-Key"
		if a := pipeline.get("/v1/account/teams/"); a.status != http.StatusOK {
			t.Errorf("the key answers %d", a.status)
		}
		b.expect(422).visit(keys).click("button", "Revoke…")
		b.fill("Type the name of the key", "deploy").follow("button", "Revoke").sees("Type the name of the key exactly")
		b.fill("Type the name of the key", "deploy pipeline").follow("button", "Revoke").sees("The key is revoked")
		if a := pipeline.get("/v1/account/teams/"); a.status != http.StatusUnauthorized {
			t.Errorf("TEA-b: the revoked key answers %d", a.status)
		}
	})
}

func TestTEAc_TheLastAdminStays(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).signIn("abe").follow("link", "Team")
	members := b.path()
	b.in("#list tbody tr:has(.reason)").sees("abe", "The last admin stays")
	id := strings.TrimPrefix(eval[string](b, `document.querySelector("#list tr:has(.reason)").id`), "member-")

	forged := p.person(t, "abe").post(members+"/"+id, "role", "GENERAL", "idempotency_key", "forged-0001-forged-0001")
	if forged.status != http.StatusConflict || !strings.Contains(forged.body, "admin") {
		t.Errorf("demoting the last admin answers %d:\n%s", forged.status, forged.body)
	}
	b.visit(members).in("#list tbody tr:has(.reason)").sees("Admin")
}

func TestTEAd_AfterSwitchingNothingIsLeftOfTheFormerTeam(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		b := open(t, demo(t)).signIn("ana")
		for _, move := range [][2]string{{"AwesomeConsumer", "AwesomeConsumer2"}, {"AwesomeConsumer2", "AwesomeConsumer"}} {
			former, next := move[0], move[1]
			if !strings.Contains(b.in("header").text(), former+" ") {
				former, next = next, former
			}
			b.openMenu("Team: "+former).in("header").follow("button", next)
			for _, path := range []string{"/", "/items", "/apps", "/submissions", "/changes", "/declare"} {
				b.visit(path)
				if shown := b.in("main").text() + " "; strings.Contains(shown, former+" ") {
					t.Errorf("%s shows %s after switching to %s", path, former, next)
				}
			}
		}
	})
}

func TestTEAe_MembersAreAddedChangedAndRemoved(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := demo(t)
		b := open(t, p).expect(422).signIn("abe").follow("link", "Team")
		b.fill("Name of the user", "nobody at all").click("radio", "Read only").follow("button", "Add").sees("There is no such user")
		if name := b.value("Name of the user"); name != "nobody at all" {
			t.Errorf("the name that was typed is now %q", name)
		}
		b.fill("Name of the user", "tim").follow("button", "Add").in("#list").sees("tim")
		b.choose("Role of tim", "GENERAL").follow("button", "Change the role of tim")
		if role := b.chosen("Role of tim"); role != "GENERAL" {
			t.Errorf("tim is now %s", role)
		}
		b.in("#list tbody tr:has([aria-label='Role of tim'])").click("button", "Remove…")
		b.in("dialog[open]").follow("button", "Remove")
		b.in("#list").seesNot("tim")
	})
}
