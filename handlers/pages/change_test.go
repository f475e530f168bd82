package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func path(c models.ChangeInstance) string { return fmt.Sprintf("/changes/%d", c.ID) }

func TestCHGe_AStepIsOneEntry(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(vms("web-1"))
		b, at := w.as("bo"), path(w.change(w.owner.ID, "web-1"))
		seen := b.get(at).is(200).says("VM / web-1", "Pending", "Next step", "only once the change is approved", "ana", "1 of 1")
		b.fill(seen, at, "state", "APPROVED", "log", "Capacity is there.\nSee https://wiki.example/vm.").to(at)
		b.fill(seen, at, "state", "APPROVED", "log", "Capacity is there.\nSee https://wiki.example/vm.").to(at) // the same press again
		w.stands("web-1", engine.Approved, 2)
		b.get(at).is(200).says("Capacity is there.", `href="https://wiki.example/vm"`, "in the portal", "Mark errored", "Deployed item")
	})
}

func TestCHGa_AForgedMoveIsRefused(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b, at := w.as("bo"), path(w.change(w.owner.ID, "web-1"))
	b.post(at, keyed("state", "COMPLETED")).is(400).says("A change instance cannot go from PENDING to COMPLETED.", "Next step")
	b.post(at, keyed("state", "PURPLE")).is(400)
	b.post(at, keyed()).is(422)
	b.post(at, map[string][]string{"state": {"APPROVED"}}).is(400) // no form of ours: no key
	w.stands("web-1", engine.Pending, 1)
	w.as("ana").post(at, keyed("state", "APPROVED")).is(404)
}

func TestCHGb_TheSlowerOneIsTold(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(vms("web-1"))
		c := w.change(w.owner.ID, "web-1")
		bo, gil := w.as("bo"), w.as("gil")
		one, two := bo.get(path(c)), gil.get(path(c))
		bo.fill(one, path(c), "state", "APPROVED").to(path(c))
		gil.fill(two, path(c), "state", "REJECTED", "log", "no room").is(409).says("bo moved this to Approved", "no room", "Complete")
		w.stands("web-1", engine.Approved, 2)
	})
}

func TestCHGc_ARejectionNeedsAReason(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b, at := w.as("bo"), path(w.change(w.owner.ID, "web-1"))
	b.fill(b.get(at), at, "state", "REJECTED", "log", "  \n").is(422).says("Say why").invalid("log")
	w.stands("web-1", engine.Pending, 1)
}

func TestCHGd_ABadDeployedItemKeepsEverything(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	c := w.change(w.owner.ID, "web-1")
	must(t, w.move(c.ID, engine.Approved, ""))
	b, bad := w.as("bo"), "{\n  \"ip\": 10.0.0.1\n}"
	seen := b.get(path(c)).is(200)
	came := b.fill(seen, path(c), "state", "COMPLETED", "log", "built", "deployed_item", bad).is(422).says("Line 2, column", "built").invalid("deployed_item")
	if values, _ := came.form(path(c)); values.Get("deployed_item") != bad {
		t.Errorf("the text came back as %q", values.Get("deployed_item"))
	}
	w.stands("web-1", engine.Approved, 2)
	b.press(seen, path(c), path(c)+"/compare", "deployed_item", bad).is(422).says("2:")
	good := `{"ip":"10.0.0.1","id":9007199254740993}`
	b.press(seen, path(c), path(c)+"/compare", "deployed_item", good).is(200).says("9007199254740993")
	b.fill(seen, path(c), "state", "COMPLETED", "log", "built", "deployed_item", good).to(path(c))
	b.get(path(c)).says("Add to the record", "version 1 so far", "9007199254740993")
	b.fill(b.get(path(c)), path(c), "deployed_item", `{"ip":"10.0.0.2"}`).to(path(c))
	w.as("ana").get("/items/1?tab=deployed").is(200).says("10.0.0.2", "10.0.0.1", "Version 1 to version 2")
}

func TestCHGg_AutomationOnly(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	c := w.change(w.owner.ID, "web-1")
	must(t, w.move(c.ID, engine.Approved, ""))
	no := false
	_, err := w.market.ChangeService(t.Context(), w.bo(), w.vm.ID, market.ServicePatch{AllowManualCompletion: &no})
	must(t, err)
	b := w.as("bo")
	seen := b.get(path(c)).is(200).says("automation only")
	for _, button := range seen.all("button") {
		if attr(button, "value") == "COMPLETED" {
			t.Error("a blocked step has a button")
		}
	}
	b.post(path(c), keyed("state", "COMPLETED")).is(403)
	w.stands("web-1", engine.Approved, 2)
}

func TestCHGh_ADeletionShowsWhatWas(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(`{"name":"web-1","cpu":7}`)
	w.declare("")
	w.as("bo").get(path(w.change(w.owner.ID, "web-1"))).is(200).says("− Delete", "− cpu", "7")
}

func TestCHG4_RelatedChangesAreLinkedBothWays(t *testing.T) {
	t.Parallel()
	w := people(t)
	lb := func(cpu int) {
		t.Helper()
		text := fmt.Sprintf(`{"Consumer":{"App":{"services":{"VM":[{"name":"web-1","cpu":%d}],"LB":[{"name":"front","vms":["web-1"]}]}}}}`, cpu)
		_, err := w.market.Submit(t.Context(), w.ana(), market.Proposal{Text: []byte(text)})
		must(t, err)
	}
	lb(2)
	lb(4)
	cause, woken := w.change(w.owner.ID, "web-1"), w.change(w.owner.ID, "front")
	b := w.as("bo")
	b.get(path(cause)).is(200).says("Caused these", path(woken))
	b.get(path(woken)).is(200).says("Caused by", path(cause), "referenced:", "Earlier changes of this item")
	b.get("/queue").says("referenced:", "no field differs")
	w.as("ana").get("/items/1?tab=relations").is(200).says("Used by", "front", "vms")
	w.as("ana").get("/items/2?tab=relations").is(200).says("Depends on", "web-1")
}

func TestCHG7_NewerAndOlderKeepTheList(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("a1", "b1", "c1"))
	must(t, w.move(w.change(w.owner.ID, "b1").ID, engine.Approved, ""))
	b := w.as("bo")
	from := "?from=state%3DPENDING"
	first := b.get(path(w.change(w.owner.ID, "a1"))+from).is(200).says("1 of 2", path(w.change(w.owner.ID, "c1"))+from)
	if strings.Contains(first.body, path(w.change(w.owner.ID, "b1"))+from) {
		t.Error("the next one is not of the list")
	}
	b.get(path(w.change(w.owner.ID, "b1"))).is(200).says("2 of 3")
}

func TestX28_AChangeIsInTheListOfTheTeamThatLooks(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	c := path(w.change(w.owner.ID, "web-1"))
	for who, list := range map[string]string{"bo": "/queue", "ana": "/changes"} {
		for _, link := range w.as(who).get(c).is(200).all("a") {
			if attr(link, "aria-current") == "page" && attr(link, "href") != list {
				t.Errorf("%s stands in %s, want %s", who, attr(link, "href"), list)
			}
		}
	}
}

func TestCHG1_ErroredChangesAreAskedForAgain(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	c := w.change(w.owner.ID, "web-1")
	must(t, w.move(c.ID, engine.Approved, ""))
	must(t, w.move(c.ID, engine.Errored, "quota"))
	b := w.as("ana")
	seen := b.get(path(c)).is(200).says("Request again", "A new change", "quota")
	b.fill(seen, path(c)+"/retry").to("/changes/2")
	b.get("/changes/2").is(200).says("retry of", path(c))
	b.post(path(c)+"/retry", keyed()).is(409).says("newer change #2")
	b.get(path(c)).hides("Request again")
}

func TestCHG8_ConsumersWithdraw(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	c := w.change(w.owner.ID, "web-1")
	b := w.as("ana")
	seen := b.get(path(c)).is(200).says("Withdraw this change", "Change it in the editor").hides("Next step")
	b.fill(seen, path(c)+"/withdraw", "reason", " ").is(422).invalid("reason")
	w.as("bo").post(path(c)+"/withdraw", keyed("reason", "mine")).is(404)
	b.fill(seen, path(c)+"/withdraw", "reason", "changed our minds").to(path(c))
	b.get(path(c)).says("This change was withdrawn", "changed our minds").hides("Withdraw this change")
	w.as("cy").get(path(c)).is(200).hides("Change it in the editor")
}

func TestX15_SecretsAreNotShown(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.publish(`{"title":"DB","type":"object","required":["name"],"properties":{"name":{"type":"string"},"password":{"type":"string","x-secret":true},"users":{"type":"array","items":{"type":"object","properties":{"token":{"type":"string","writeOnly":true}}}}}}`)
	for _, secret := range []string{"first-secret", "second-secret"} {
		text := fmt.Sprintf(`{"Consumer":{"App":{"services":{"DB":[{"name":"main","password":%q,"users":[{"token":%q}]}]}}}}`, secret, secret)
		_, err := w.market.Submit(t.Context(), w.ana(), market.Proposal{Text: []byte(text)})
		must(t, err)
	}
	ana, bo, cy := w.as("ana"), w.as("bo"), w.as("cy")
	bo.get("/queue").is(200).says("password").hides("-secret")
	bo.get("/changes/2").is(200).says("(sensitive value)", "password").hides("-secret")
	for _, at := range []string{"/items/1", "/apps/1", "/changes/2", "/declare", "/declare/download", "/submissions/2"} {
		cy.get(at).is(200).hides("-secret")
	}
	ana.get("/items/1").is(200).hides("-secret")
	ana.get("/declare").is(200).says("second-secret")
	draft(ana, strings.ReplaceAll(ana.get("/declare/download").body, "second", "third")).is(200).says("1 change", "(sensitive value)")
}

func TestITMa_VersionsAreCompared(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(`{"name":"web-1","cpu":2}`)
		w.declare(`{"name":"web-1","cpu":4,"disks":[{"size":1}]}`)
		w.declare(`{"disks":[{"size":9}],"cpu":4,"name":"web-1"}`)
		b := w.as("ana")
		b.get("/items").is(200).says("web-1", "not in sync", "v3 · not deployed")
		b.get("/items/1").is(200).says("Version 2 to version 3", "disks[0].size", "proposed", "Requested", "waits for approval")
		b.get("/items/1?tab=declaration&from=1&to=2").is(200).says("Version 1 to version 2", "cpu")
		b.get("/items/1?tab=declaration&from=3&to=3").is(200).says("No field differs")
		b.get("/items/1?tab=changes").is(200).says("/changes/3", "the owner's lane")
		w.as("bo").get("/items?as=owner").is(200).says("web-1", "Consumer")
		w.as("bo").get("/items/1").is(200).hides("Change it in the editor")
		tim := w.as("tim")
		tim.get("/items/1").is(404)
		must(t, w.move(1, engine.Rejected, "too small"))
		b.get("/items/1").says("rejected", "too small")
	})
}

func TestSUBc_TheTextIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	w := people(t)
	text := "{ \"Consumer\" :\n\t{\"App\":{\"services\":{\"VM\":[" + vms("web-1") + "]}}}}\n\n"
	_, err := w.market.Submit(t.Context(), w.ana(), market.Proposal{Text: []byte(text), Comment: "the first"})
	must(t, err)
	b := w.as("ana")
	if got := b.get("/submissions/1/text").is(200); got.body != text {
		t.Errorf("the text is %q", got.body)
	}
	b.get("/submissions").is(200).says("#1", "the first", "0 of 1 done")
	b.get("/submissions?progress=done").says("No submission matches")
	b.get("/submissions?progress=open&q=FIRST&user=ana&application=1").says("the first")
	b.get("/submissions/1?type=DELETE").is(200).says("No change to show")
	w.as("cy").get("/submissions/1").is(200).says("your role may not")
	w.as("cy").get("/submissions/1/text").is(403)
	w.as("bo").get("/submissions/1").is(404)
	w.as("bo").get("/submissions/1/text").is(404)
}

func TestAPPa_ApplicationsTellHowTheyStand(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	b.get("/apps").is(200).says("No application yet", "New application")
	w.declare(vms("web-1"))
	b.get("/apps").is(200).says("App", "Requested", "Changes pending", "VM 1", "#1")
	b.get("/apps/1").is(200).says("web-1", "Open changes", "Declaration", "Download YAML")
	must(t, w.db.Write(t.Context(), func(tx *gorm.DB) error {
		return tx.Model(&models.ServiceItem{}).Where("id = 1").Update("runtime_state", engine.Decommissioned).Error
	}))
	b.get("/apps").is(200).says("1 decommissioned application")
	b.get("/apps?all=1").is(200).says("Decommissioned")
	w.as("bo").get("/apps/1").is(404)
	b.get("/declare?application=New%20App").is(200).says("Declare New App", "New App")
}
