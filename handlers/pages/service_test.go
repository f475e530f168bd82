package pages_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// service reads VM as it is now.
func (w world) service() models.Service {
	w.t.Helper()
	s, err := w.market.Service(w.t.Context(), w.bo(), w.vm.ID)
	must(w.t, err)
	return s
}

func TestSVC1_OwnersPublish(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		b := w.as("bo")
		form := b.get("/services/new").is(200).says("MyService")
		b.fill(form, "/services/new", "action", "validate").is(200).says("The schema is valid", "it is the service MyService, version 1")
		if got := w.count("services"); got != 2 {
			t.Fatalf("%d services, want 2", got)
		}
		b.fill(form, "/services/new", "action", "publish").to("/services/3/overview")
		b.get("/services/3/overview").is(200).says("MyService", "The service MyService is published.", "The first version.")
		b.fill(form, "/services/new", "action", "publish").to("/services/3/overview")
		yaml := "title: Disk\ntype: object\nrequired: [name]\nproperties:\n  name: {type: string}\n"
		b.fill(form, "/services/new", "schema", yaml, "action", "publish", "idempotency_key", "other").to("/services/4/overview")
		w.as("tim").get("/services/4/overview").is(404)
	})
}

func TestSVCa_ASyntaxErrorHasAPlace(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	form := b.get("/services/1/schema").is(200)
	broken := "{\n  \"title\": \"VM\",,\n}"
	for _, action := range []string{"validate", "publish"} {
		got := b.fill(form, "/services/1/schema", "schema", broken, "action", action)
		if values, _ := got.form("/services/1/schema"); values.Get("schema") != broken {
			t.Errorf("the text came back as %q", values.Get("schema"))
		}
		got.says("2:17", "The schema has a problem")
		if want := map[string]int{"validate": 200, "publish": 422}[action]; got.status != want {
			t.Errorf("%s answers %d, want %d", action, got.status, want)
		}
	}
	if got := w.service().SchemaVersion; got != 1 {
		t.Errorf("version %d, want 1", got)
	}
}

func TestSVC2_ABreakIsConfirmedByName(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	form := b.get("/services/1/schema")
	narrow := strings.Replace(vmSchema, `"maximum":64`, `"maximum":32`, 1)
	asked := b.fill(form, "/services/1/schema", "schema", narrow, "action", "publish").is(422).says("breaking", "cpu", "type VM to publish it anyway")
	b.fill(asked, "/services/1/schema", "confirm_name", "vm", "action", "publish").is(422)
	if got := w.service().SchemaVersion; got != 1 {
		t.Fatalf("version %d, want 1", got)
	}
	b.fill(asked, "/services/1/schema", "confirm_name", "VM", "action", "publish").to("/services/1/overview")
	b.get("/services/1/overview").says("Version 2 is published: 1 change, 1 breaking.", "Schema version 2")

	again := b.get("/services/1/schema")
	b.fill(again, "/services/1/schema", "action", "publish").to("/services/1/overview")
	b.get("/services/1/overview").says("no new version was made")
	b.fill(again, "/services/1/schema", "schema", lbSchema, "action", "publish", "idempotency_key", "another").is(422).says("which is another service")
}

func TestSVC_TitleTaken(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("abe")
	form := b.get("/services/new")
	b.fill(form, "/services/new", "schema", vmSchema, "action", "publish").is(409).says("Another team has published a service called")
	if got := w.count("service_versions"); got != 2 {
		t.Errorf("%d versions, want 2", got)
	}
}

func TestSVCc_ApprovalOffAffectsLaterChangesOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(`{"name":"a","cpu":1}`)
		b := w.as("bo")
		form := b.get("/services/1/settings").is(200).says("Open changes keep their state (1 now).", "Default: on.")
		b.fill(form, "/services/1/settings", "approval_required", "-").to("/services/1/settings")
		b.get("/services/1/settings").says("Last changed by bo")
		w.declare(`{"name":"a","cpu":1},{"name":"b","cpu":1}`)
		changes, _, err := w.market.Changes(t.Context(), w.bo(), market.AsServiceOwner, models.ChangeQuery{Page: models.Page{Order: "id"}})
		must(t, err)
		if len(changes) != 2 || changes[0].State != engine.Pending || changes[1].State != engine.Approved {
			t.Errorf("the changes are %+v", changes)
		}
	})
}

func TestC4_ALostRaceShowsBothValues(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	form := b.get("/services/1/settings")
	no := false
	_, err := w.market.ChangeService(t.Context(), w.bo(), w.vm.ID, market.ServicePatch{ApprovalRequired: &no})
	must(t, err)
	back := b.fill(form, "/services/1/settings", "private", "on").is(409).says("Somebody changed the settings", "Meanwhile somebody made it: off")
	if s := w.service(); s.Private || s.ApprovalRequired {
		t.Errorf("the settings are %+v", s)
	}
	b.fill(back, "/services/1/settings").to("/services/1/settings")
	if s := w.service(); !s.Private || !s.ApprovalRequired {
		t.Errorf("the settings are %+v", s)
	}
}

func TestSVC3_WhatSettingsRefuse(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(`{"name":"a","cpu":1}`)
	b := w.as("bo")
	form := b.get("/services/1/settings")
	b.fill(form, "/services/1/settings", "state", "DECOMMISSIONED").is(422).says("1 service items of VM are still live")
	b.fill(form, "/services/1/settings", "minimum_schema_version", "7").is(422).says("between 1 and 1")
	b.fill(form, "/services/1/settings", "minimum_schema_version", "two").is(422).says("A whole number is needed here.", `value="two"`)
	b.fill(form, "/services/1/settings", "state", "NOWHERE").is(422)
	if s := w.service(); s.State != engine.ServiceInService || s.Version != w.vm.Version {
		t.Errorf("the settings are %+v", s)
	}
}

func TestSVCf_OthersThanAdminsOnlyLook(t *testing.T) {
	t.Parallel()
	w := people(t)
	for _, name := range []string{"gil", "ron"} {
		b := w.as(name)
		b.get("/services").is(200).says("VM").hides("Publish a service")
		b.get("/services/new").is(403)
		for _, tab := range []string{"overview", "schema", "settings", "teams", "dependents", "docs"} {
			got := b.get("/services/1/" + tab).is(200).says("Only an admin of the team may change this.")
			for _, button := range got.all("button") {
				if words := textOf(button); words == "Publish" || strings.HasPrefix(words, "Save") || words == "Add" {
					t.Errorf("%s sees %q on %s", name, words, tab)
				}
			}
			if tab != "overview" {
				b.post("/services/1/"+tab, keyed("schema", vmSchema, "action", "publish", "version", "1")).is(403)
			}
		}
		b.post("/services/new", keyed("schema", vmSchema, "action", "publish")).is(403)
	}
	for _, name := range []string{"abe", "ana"} {
		w.as(name).get("/services/1/settings").is(404)
	}
	w.as("abe").post("/services/1/settings", keyed("version", "1", "state", "IN_SERVICE")).is(404)
}

func TestSVCg_ANewDependentGetsCopiesFromNowOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(`{"name":"a","cpu":1}`)
		b := w.as("bo")
		path := "/services/1/dependents"
		form := b.get(path).is(200).says("No teams", "1 is open now.")
		b.fill(form, path, "team", "Nobody").is(422).says("There is no team called Nobody.")
		b.fill(form, path, "team", "Owner").is(422).says("Your own team")
		b.fill(form, path, "team", "Blue").to(path)
		w.as("tim").get("/services?tab=dependent").says("VM", "Owner")
		copies := func() int {
			changes, _, err := w.market.Changes(t.Context(), market.Actor{TeamID: w.blue.ID}, market.AsServiceOwner, models.ChangeQuery{})
			must(t, err)
			return len(changes)
		}
		if got := copies(); got != 0 {
			t.Fatalf("%d copies, want none", got)
		}
		w.declare(`{"name":"a","cpu":1},{"name":"b","cpu":1}`)
		if got := copies(); got != 1 {
			t.Fatalf("%d copies, want 1", got)
		}
		list := b.get(path).says("Blue")
		b.fill(list, path, "team", "-", "remove", itoa(w.blue.ID)).to(path)
		b.fill(list, path, "team", "Consumer", "idempotency_key", "another").is(409).says("Somebody changed the settings")
		b.get(path).says("No teams")
	})
}

func TestSVC4_AllowedTeamsCountWhilePrivate(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	form := b.get("/services/1/teams").says("Every team may order this service")
	b.fill(form, "/services/1/teams", "team", "Blue").to("/services/1/teams")
	if w.service().Private {
		t.Error("naming an allowed team made the service private")
	}
	settings := b.get("/services/1/settings")
	b.fill(settings, "/services/1/settings", "private", "on").to("/services/1/settings")
	w.as("ana").get("/catalogue/1").is(404)
	w.as("tim").get("/catalogue/1").is(200)
	b.get("/services/1/teams").says("The service is private", "Blue")
}

func TestSVC5_DocsWithPreview(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	form := b.get("/services/1/docs").is(200)
	shown := b.fill(form, "/services/1/docs", "readme", "# Hi\n\n*there*", "tags", "a, b,a", "action", "preview").is(200).says("Preview, not saved yet", "<em>there</em>")
	if w.service().Readme != "" {
		t.Error("a preview was saved")
	}
	b.fill(shown, "/services/1/docs", "action", "save").to("/services/1/docs")
	if s := w.service(); s.Readme != "# Hi\n\n*there*" || s.Tags != `["a","b"]` {
		t.Errorf("readme %q, tags %s", s.Readme, s.Tags)
	}
	b.fill(form, "/services/1/docs", "readme", "late", "action", "save").is(409).says("late")
}
