package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// mark names a change as a ticked box does.
func mark(c models.ChangeInstance) string { return fmt.Sprintf("%d:%d", c.ID, c.Version) }

func TestQUE1_ARowSufficesToDecide(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	must(t, w.move(w.change(w.owner.ID, "web-1").ID, engine.Rejected, "no capacity"))
	w.declare(vms("web-1"))
	w.as("bo").get("/queue").is(200).says("+ Create", "web-1", "cpu 2", "direct", "Consumer", "App", "by bo: no capacity", "Approve", "Reject…", "1 change")
	w.as("tim").get("/queue").is(200).hides("web-1")
}

func TestQUEa_FiltersLiveInTheAddress(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1", "web-2"))
	must(t, w.move(w.change(w.owner.ID, "web-2").ID, engine.Approved, ""))
	b := w.as("bo")
	b.get("/queue").is(200).says("web-1", "web-2")
	b.get("/queue?state=PENDING").says(">web-1<").hides(">web-2<")
	b.get("/queue?q=WEB-2").says(">web-2<").hides(">web-1<")
	b.get("/queue?type=DELETE").says("No change matches").hides(">web-1<")
	b.get("/queue?older_than=1d").hides(">web-1<")
	b.get(fmt.Sprintf("/queue?service=%d&consumer=%d&cause=direct", w.vm.ID, w.consumer.ID)).says(">web-1<")
	b.get("/queue?colour=red&state=PURPLE").is(200).says("colour", "state=PURPLE", "left out", ">web-1<")
	b.fragment("GET", "/queue?state=APPROVED", nil).is(200).says(`id="list"`, ">web-2<").hides("<html", ">web-1<")
}

func TestX1_UnknownFiltersAreNamed(t *testing.T) {
	t.Parallel()
	b := people(t).as("bo")
	b.get("/queue?colour=red").is(200).says("The filter &#34;colour&#34; is not known")
	b.get("/queue?colour=red&state=BOGUS").is(200).says("The filters &#34;colour&#34; and &#34;state=BOGUS&#34; are not known and were left out.")
}

func TestX11_ListsArePaged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		var names []string
		for i := range 60 {
			names = append(names, fmt.Sprintf("vm-%02d", i))
		}
		w.declare(vms(names...))
		b := w.as("bo")
		first := b.get("/queue").is(200).says("60 changes", ">vm-00<", ">vm-24<").hides(">vm-25<", `rel="prev"`)
		second := b.get(first.link("next")).says(">vm-25<", ">vm-49<").hides(">vm-24<", ">vm-50<")
		third := b.get(second.link("next")).says(">vm-59<").hides(`rel="next"`)
		b.get(third.link("prev")).says(">vm-25<", ">vm-49<").hides(">vm-24<", ">vm-50<")
		b.get("/queue?sort=newest&size=50").says(">vm-59<", ">vm-10<").hides(">vm-09<")
	})
}

// link is the address of a step through a list.
func (p page) link(rel string) string {
	p.t.Helper()
	for _, a := range p.all("a") {
		if attr(a, "rel") == rel {
			return attr(a, "href")
		}
	}
	p.t.Fatalf("no link %q", rel)
	return ""
}

func TestQUEd_BulkTellsOfEachChange(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		w.declare(vms("a1", "b1", "c1"))
		fields := keyed("state", "APPROVED")
		for _, name := range []string{"a1", "b1", "c1"} {
			fields.Add("change", mark(w.change(w.owner.ID, name)))
		}
		must(t, w.move(w.change(w.owner.ID, "b1").ID, engine.Rejected, "no"))
		came := w.as("gil").post("/queue/bulk", fields).is(200).says("2 done, 1 stayed as they were", "a1 is approved", "stayed: bo moved this to Rejected")
		for _, box := range came.all("input") {
			if attr(box, "name") == "change" && has(box, "checked") {
				t.Error("a row that was moved is still ticked")
			}
		}
		w.stands("a1", engine.Approved, 2)
		w.stands("b1", engine.Rejected, 2)
		w.stands("c1", engine.Approved, 2)
	})
}

func TestQUEg_BulkRejectionNeedsAReason(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("a1"))
	b := w.as("bo")
	fields := keyed("state", "REJECTED", "change", mark(w.change(w.owner.ID, "a1")), "log", " ")
	b.post("/queue/bulk", fields).is(422).says("Say why").invalid("log")
	b.post("/queue/bulk", keyed("state", "APPROVED")).is(422).says("Tick at least one change")
	w.stands("a1", engine.Pending, 1)
	fields.Set("log", "no capacity")
	b.post("/queue/bulk", fields).is(200)
	w.stands("a1", engine.Rejected, 2)
}

func TestQUEf_ARowButtonWorksWithoutScript(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("a1", "b1"))
	fields := keyed("one", mark(w.change(w.owner.ID, "b1"))+":APPROVED", "change", mark(w.change(w.owner.ID, "a1")))
	w.as("bo").post("/queue/bulk", fields).is(200).says("b1 is approved")
	w.stands("a1", engine.Pending, 1)
	w.stands("b1", engine.Approved, 2)
}

func TestQUE4_AllThatMatch(t *testing.T) {
	t.Parallel()
	w := people(t)
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("vm-%02d", i))
	}
	w.declare(vms(names...))
	b := w.as("bo")
	b.get("/queue").says("Select all 30 matching", "?all=1")
	all := b.get("/queue?all=1").is(200).says("All 30 changes that match are selected")
	form, _ := all.form("/queue/bulk")
	form.Set("state", "APPROVED")
	form.Set("expected", "29")
	b.send("POST", "/queue/bulk", form).is(409).says("has changed since you counted")
	w.stands("vm-00", engine.Pending, 1)
	form.Set("expected", "30")
	b.send("POST", "/queue/bulk", form).is(200).says("30 changes done")
	w.stands("vm-29", engine.Approved, 2)
}

func TestQUEh_CopiesStandOnlyInTheDependentTeamsQueue(t *testing.T) {
	t.Parallel()
	w := people(t)
	must(t, w.db.Write(t.Context(), func(tx *gorm.DB) error {
		return models.ReplaceTeams(tx, models.DependantTeams, w.vm.ID, []int64{w.blue.ID})
	}))
	w.declare(vms("web-1"))
	own, copied := w.change(w.owner.ID, "web-1"), w.change(w.blue.ID, "web-1")
	w.as("tim").get("/queue").is(200).says("dependent:", fmt.Sprintf(`id="change-%d"`, copied.ID)).hides(fmt.Sprintf(`id="change-%d"`, own.ID))
	w.as("bo").get("/queue").is(200).hides(fmt.Sprintf(`id="change-%d"`, copied.ID))
	b := w.as("tim")
	b.post(fmt.Sprintf("/changes/%d", own.ID), keyed("state", "APPROVED")).is(404)
	b.get(fmt.Sprintf("/changes/%d", own.ID)).is(404)
	b.get(fmt.Sprintf("/changes/%d", copied.ID)).is(200).hides("Deployed item")
	w.as("ana").get("/changes").is(200).says(fmt.Sprintf(`id="change-%d"`, own.ID), fmt.Sprintf(`id="change-%d"`, copied.ID))
}

func TestX6_ReadersOfTheQueueDecideNothing(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b := w.as("ron")
	if actions := b.get("/queue").is(200).says("web-1").hides(`class="pick"`, ":APPROVED").actions(); len(actions) > 0 {
		t.Errorf("a reader is offered %v", actions)
	}
	c := w.change(w.owner.ID, "web-1")
	b.post("/queue/bulk", keyed("state", "APPROVED", "change", mark(c))).is(403)
	b.post(fmt.Sprintf("/changes/%d", c.ID), keyed("state", "APPROVED")).is(403)
	w.stands("web-1", engine.Pending, 1)
}

func TestQUE6_ChangesAreTaken(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	path := fmt.Sprintf("/changes/%d/assignee", w.change(w.owner.ID, "web-1").ID)
	bo, gil := w.as("bo"), w.as("gil")
	bo.post(path, keyed("state", "take")).is(303)
	gil.post(path, keyed("state", "take")).is(409).says("bo has taken this change", "Take over")
	gil.get("/queue?assignee=none").hides(">web-1<")
	gil.get("/queue?assignee=me").hides(">web-1<")
	gil.post(path, keyed("state", "over")).is(303)
	gil.get("/queue?assignee=me").says(">web-1<", "Release")
	gil.post(path, keyed("state", "release")).is(303)
	gil.get("/queue?assignee=none").says(">web-1<")
}

func TestQUE2_RowsAnswerWithRows(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1", "web-2"))
	c := w.change(w.owner.ID, "web-1")
	b, path := w.as("bo"), fmt.Sprintf("/changes/%d", c.ID)
	b.fragment("GET", path+"/diff", nil).is(200).says("cpu", "colspan").hides("<html")
	b.fragment("GET", path+"/move?state=REJECTED", nil).is(200).says("Reject the change of web-1", "data-open", `name="view"`)
	missing := b.fragment("POST", path, keyed("state", "REJECTED", "view", "row", "version", "1")).is(422).says("Say why", "data-open")
	if missing.header.Get("HX-Retarget") != "#dialog" {
		t.Error("the reason is asked for in another place")
	}
	row := b.fragment("POST", path, keyed("state", "APPROVED", "view", "row", "version", "1")).is(200).says("web-1 is approved, 2 left", `data-state="APPROVED"`).hides("<html")
	if !strings.HasPrefix(strings.TrimSpace(row.body), "<tr ") {
		t.Errorf("the answer begins with %.40q", row.body)
	}
	must(t, w.move(w.change(w.owner.ID, "web-2").ID, engine.Approved, ""))
	late := fmt.Sprintf("/changes/%d", w.change(w.owner.ID, "web-2").ID)
	b.fragment("POST", late, keyed("state", "APPROVED", "view", "row", "version", "1")).is(409).says("bo moved this to Approved", "<tr ")
}
