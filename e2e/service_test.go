package e2e_test

import (
	"net/http"
	"strings"
	"testing"
)

// own opens a tab of a service that the team owns.
func (b *tab) own(service, tab string) *tab {
	b.t.Helper()
	return b.visit("/services").in("main").follow("link", service).follow("link", tab).in("")
}

func TestSVCa_ABrokenSchemaIsNotPublished(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		b := open(t, demo(t)).expect(422).signIn("bo").own("VM", "Schema")
		was := b.value("Schema")
		const broken = "{\n  \"title\": \"VM\",\n  \"type\": object\n}"
		b.fill("Schema", broken).follow("button", "Publish").sees("Nothing was published", "3:11")
		if text := b.value("Schema"); text != broken {
			t.Errorf("what was typed is now %q", text)
		}
		if b.own("VM", "Schema"); b.value("Schema") != was {
			t.Error("the schema is another one")
		}

		wider := strings.Replace(was, `"maximum": 128`, `"maximum": 256`, 1)
		b.fill("Schema", wider).follow("button", "Validate").sees("safe").follow("button", "Publish")
		b.own("VM", "Overview").sees("Schema version 2")
		narrower := strings.Replace(was, `"maximum": 128`, `"maximum": 4`, 1)
		b.own("VM", "Schema").fill("Schema", narrower).follow("button", "Publish").sees("breaking")
		b.fill("This breaks something", "vm").follow("button", "Publish").sees("breaking")
		b.fill("This breaks something", "VM").follow("button", "Publish")
		b.own("VM", "Overview").sees("Schema version 3")
	})
}

func TestSVCf_WhoIsNoAdminPublishesNothing(t *testing.T) {
	t.Parallel()
	p := demo(t)
	abe := open(t, p).signIn("abe").visit("/services/new")
	abe.follow("button", "Publish").sees("MyService")
	id := strings.Split(abe.path(), "/")[2]

	b := open(t, p).signIn("ana").own("MyService", "Schema").sees("Only an admin")
	if buttons := named(b.in("main").all("button"), "Publish"); len(buttons) > 0 {
		t.Errorf("a general member is offered %v", buttons)
	}
	forged := p.person(t, "ana").post("/services/"+id+"/schema", "schema", `{}`, "action", "publish", "idempotency_key", "forged-0001-forged-0001")
	if forged.status != http.StatusForbidden {
		t.Errorf("publishing as a general member answers %d", forged.status)
	}
	foreign := p.person(t, "bo").post("/services/"+id+"/schema", "schema", `{}`, "action", "publish", "idempotency_key", "forged-0002-forged-0002")
	if foreign.status != http.StatusNotFound {
		t.Errorf("publishing for another team answers %d", foreign.status)
	}
}

// submit declares for a team over the API.
func (c *client) submit(document string) {
	c.t.Helper()
	if a := c.ask("POST", "/v1/orcabase/consumer/submissions/submit/", "application/json", document); a.status != http.StatusCreated {
		c.t.Fatalf("submitting answers %d: %s", a.status, a.body)
	}
}

func TestSVCc_ApprovalOffCountsForLaterChangesOnly(t *testing.T) {
	t.Parallel()
	p := demo(t)
	b := open(t, p).signIn("bo").visit("/queue")
	before := states(b.rows())
	b.own("VM", "Settings").click("checkbox", "Approval required").follow("button", "Save settings")
	tim := p.program(t, "tim")
	tim.submit(`{"TeamBlue":{"Shop":{"services":{"VM":[{"name":"first","cpu":1,"memory":1}]}}}}`)
	for _, r := range b.visit("/queue").rows() {
		if was, there := before[r.ID]; there && r.State != was || !there && r.State != "APPROVED" {
			t.Errorf("%s is %s, was %q", r.ID, r.State, was)
		}
	}

	// SVC-g: one more dependent team gets copies from now on.
	lea := open(t, p).signIn("lea").visit("/queue")
	copies := len(lea.rows())
	b.own("VM", "Dependent teams").fill("Name of a team", "LBOwnerTeam").follow("button", "Add").sees("LBOwnerTeam")
	if now := len(lea.visit("/queue").rows()); now != copies {
		t.Errorf("the new dependent team has %d changes, had %d", now, copies)
	}
	tim.submit(`{"TeamBlue":{"Shop":{"services":{"VM":[{"name":"first","cpu":2,"memory":1}]}}}}`)
	if now := len(lea.visit("/queue").rows()); now != copies+1 {
		t.Errorf("the new dependent team has %d changes, want %d", now, copies+1)
	}
}
