package pages_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// draft opens the editor, types a text and previews it.
func draft(b *browser, text string) page {
	b.t.Helper()
	return b.press(b.get("/declare").is(200), "/declare", "/declare/preview", "declaration", text)
}

func TestDECg_DeclaresWithoutScript(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		b := w.as("ana")
		b.get("/declare").is(200).says("Nothing is declared here yet", `"Consumer"`)
		seen := draft(b, document(vms("web-1", "web-2"))).is(200).says("+ Create", "VM / web-1", "starts Pending", "Owner", "Submit 2 changes")
		b.fill(seen, "/declare", "comment", "two machines").to("/submissions/1")
		w.stands("web-1", engine.Pending, 1)
		b.get("/submissions/1").is(200).says("0 of 2 done", "two machines", "App / VM / web-2")
		b.fill(seen, "/declare", "comment", "two machines").to("/submissions/1") // DEC-j: a second press
		if n := w.count("submissions"); n != 1 {
			t.Errorf("%d submissions, want 1", n)
		}
	})
}

func TestDEC4_SubmitNeedsThePreviewOfThisText(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	w.unchanged(t, func() {
		editor := b.get("/declare")
		b.fill(editor, "/declare", "declaration", document(vms("web-1"))).is(422).says("Look at the preview, then submit", "VM / web-1")
		seen := draft(b, document(vms("web-1")))
		other := document(vms("web-1", "web-2"))
		came := b.fill(seen, "/declare", "declaration", other, "comment", "kept").is(409).says("The text changed after its preview", "VM / web-2", "kept")
		if values, _ := came.form("/declare"); values.Get("declaration") != other {
			t.Errorf("the text came back as %q", values.Get("declaration"))
		}
		b.fill(seen, "/declare", "preview", "0193-made-up").is(409).says("expired")
	})
}

func TestDECa_ProblemsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	text := "{\"Consumer\": {\"App\": {\"services\": {\"VM\": [\n  {\"name\": \"web-1\", \"cpu\": \"eight\"}\n]}}}}"
	w.unchanged(t, func() {
		seen := draft(b, text).is(422).says("1 problem", "2:28", "/Consumer/App/services/VM/0/cpu", "fix 1 problem")
		if values, _ := seen.form("/declare"); values.Get("declaration") != text {
			t.Errorf("the text came back as %q", values.Get("declaration"))
		}
		draft(b, `{"Blue":{}}`).is(422).says("You cannot submit for the team Blue")
		b.fill(seen, "/declare").is(422)
	})
	answer := b.send("POST", "/declare/lint", keyed("declaration", text, "format", "json"))
	answer.is(200).says("2:28")
	var lint struct {
		Problems []struct{ Line, Column int }
		Count    int `json:"problem_count"`
	}
	fields := keyed("declaration", text, "format", "json")
	must(t, json.Unmarshal([]byte(b.accepting("application/json", "/declare/lint", fields).body), &lint))
	if lint.Count != 1 || lint.Problems[0].Line != 2 || lint.Problems[0].Column != 28 {
		t.Errorf("lint = %+v", lint)
	}
}

func TestDECd_DeletionsAreTyped(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("old", "web-1"))
	b := w.as("ana")
	seen := draft(b, document(vms("web-1"))).is(200).says("− Delete", "not in the declaration", "Confirm deletions", "type old")
	w.unchanged(t, func() {
		for _, typed := range []string{"", "Old", "old ", "web-1"} {
			b.fill(seen, "/declare", "confirm", typed).is(422).says("Confirm what is deleted").invalid("confirm")
		}
		b.fill(seen, "/declare", "confirm_for", "count", "confirm", "old").is(422)
	})
	b.fill(seen, "/declare", "confirm", "old").to("/submissions/2")
	if c := w.change(w.owner.ID, "old"); c.ChangeType != engine.Delete {
		t.Errorf("the newest change is a %s", c.ChangeType)
	}
}

func TestDEC6_AnApplicationOrTheNumber(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	w.declare(vms("a", "b", "c", "d", "e", "f", "web-1"))
	draft(b, `{"Consumer":{}}`).is(200).says("type App").hides("type web-1")
	seen := draft(b, document(vms("web-1"))).says("This deletes 6 items")
	b.fill(seen, "/declare", "confirm", "5").is(422)
	b.fill(seen, "/declare", "confirm", "6").to("/submissions/2")
}

func TestDECe_AStalePreviewIsRefused(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b, text := w.as("ana"), document(vms("web-1", "mine"))
	seen := draft(b, text)
	other := draft(w.as("abe"), document(vms("web-1", "theirs")))
	w.as("abe").fill(other, "/declare").to("/submissions/2")
	w.unchanged(t, func() {
		came := b.fill(seen, "/declare", "comment", "still wanted").is(409).says("abe submitted #2 since your preview", "App / VM / mine", "still wanted", "− Delete", "type theirs")
		if values, _ := came.form("/declare"); values.Get("declaration") != text {
			t.Errorf("the text came back as %q", values.Get("declaration"))
		}
	})
}

func TestDEC8_NothingToDo(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b := w.as("ana")
	w.unchanged(t, func() {
		file := b.get("/declare/download").is(200) // APP-b
		if got := file.header.Get("Content-Disposition"); got != `attachment; filename="declaration.json"` {
			t.Errorf("disposition %q", got)
		}
		seen := draft(b, file.body).is(200).says("Nothing to do")
		b.fill(seen, "/declare").is(200).says("Nothing was recorded")
	})
	draft(b, b.get("/declare/download?format=yaml").body).is(422)
	b.press(b.get("/declare?format=yaml"), "/declare", "/declare/preview").is(200).says("Nothing to do")
}

func TestDEC9_OnlyAddAndChange(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b := w.as("ana")
	seen := b.press(b.get("/declare"), "/declare", "/declare/preview", "declaration", document(vms("web-2")), "partial", "on").is(200)
	seen.says("partial: nothing is deleted").hides("− Delete")
	b.fill(seen, "/declare").to("/submissions/2")
	w.stands("web-1", engine.Pending, 1)
}

func TestDECi_DigitsSurvive(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	text := `{"Consumer":{"App":{"services":{},"metadata":{"a":9007199254740993,"b":0.1000000000000000055,"c":1.0}}}}`
	at := b.press(b.get("/declare"), "/declare", "/declare/convert", "declaration", text, "to", "yaml").is(200)
	for range 2 {
		at.says("9007199254740993", "0.1000000000000000055", "1.0", "The metadata of App changes")
		at = b.press(at, "/declare", "/declare/convert", "to", "json").is(200)
	}
	b.fill(at, "/declare").to("/submissions/1")
	b.get("/submissions/1/text").is(200).says("9007199254740993", "0.1000000000000000055")
	yaml := "Consumer: # ours\n  App: {services: {}}\n"
	asked := b.press(b.get("/declare?format=yaml"), "/declare", "/declare/convert", "declaration", yaml, "to", "json").is(200).says("comments of this text would be lost", "# ours")
	b.press(asked, "/declare", "/declare/convert?lose=1", "to", "json").is(200).hides("# ours")
}

func TestDEC10_PastedYAMLNeedsNoConversion(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	yaml := "Consumer: # ours\n  App:\n    services: {VM: [{name: web-1, cpu: 2}]}\n"
	stuck := draft(b, yaml).is(422).says("is not a JSON value")
	b.press(stuck, "/declare", "/declare/convert", "declaration", yaml, "to", "yaml").is(200).says("# ours", "VM / web-1", "Submit 1 change")
	b.press(stuck, "/declare", "/declare/convert", "declaration", "Consumer: [", "to", "yaml").is(422).says("1 problem", "Consumer: [")
}

func TestDEC5_RowsSayWhy(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	must(t, w.move(w.change(w.owner.ID, "web-1").ID, engine.Rejected, "no capacity"))
	b := w.as("ana")
	draft(b, document(vms("web-1"))).is(200).says("+ Create", "by bo: no capacity", "rejected before on")
}

func TestX6_ReadersDeclareNothing(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("web-1"))
	b := w.as("cy")
	if actions := b.get("/declare").is(200).says("web-1").actions(); len(actions) > 0 {
		t.Errorf("a reader is offered %v", actions)
	}
	w.unchanged(t, func() {
		for _, path := range []string{"/declare", "/declare/preview", "/declare/lint", "/declare/convert"} {
			b.post(path, keyed("declaration", document(""))).is(403)
		}
	})
	w.as("dee").get("/declare").is(403)
}

func TestDEC4_FragmentsLeaveTheLastGoodPreview(t *testing.T) {
	t.Parallel()
	w := people(t)
	w.declare(vms("old", "web-1"))
	b := w.as("ana")
	form, _ := b.get("/declare").form("/declare")
	form.Set("declaration", document(vms("web-1")))
	good := b.fragment("POST", "/declare/preview", form).is(200).says(`innerHTML:#confirm`, "− Delete", `name="preview"`)
	form.Set("confirm_set", attr(good.hidden("confirm_set"), "value"))
	form.Set("preview", attr(good.hidden("preview"), "value"))
	b.fragment("POST", "/declare/preview", form).is(200).hides(`innerHTML:#confirm`)
	form.Set("declaration", document(`{"name":"web-1","cpu":"eight"}`))
	bad := b.fragment("POST", "/declare/preview", form).is(422).says("Preview of", "fix 1 problem", "innerHTML:#problems-box").hides(`innerHTML:#confirm`, "− Delete")
	if bad.header.Get("HX-Reswap") != "none" {
		t.Error("the last good preview is replaced")
	}
}

func TestDEC15_ManyChangesAreShownInParts(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	var names []string
	for i := range 130 {
		names = append(names, fmt.Sprintf("vm-%03d", i))
	}
	seen := draft(b, document(vms(names...))).is(200).says("30 more changes", "vm-099").hides(`<strong><bdi>vm-100`)
	b.press(seen, "/declare", "/declare/preview", "rows", "130").is(200).says(`<strong><bdi>vm-129`)
}

func TestC4_HostileNamesStayText(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("ana")
	name := `<img src=x onerror=alert(1)>` + strings.Repeat("x", 200) + "خادم"
	text, _ := json.Marshal(map[string]any{"Consumer": map[string]any{name: map[string]any{"services": map[string]any{"VM": []any{map[string]any{"name": name, "cpu": 2}}}}}})
	seen := draft(b, string(text)).is(200)
	b.fill(seen, "/declare", "comment", name).to("/submissions/1")
	for _, path := range []string{"/submissions", "/submissions/1", "/apps", "/apps/1", "/items", "/items/1", "/changes", "/changes/1", "/declare"} {
		if strings.Contains(b.get(path).is(200).body, "<img src=x") {
			t.Errorf("%s holds markup of a name", path)
		}
	}
	if strings.Contains(w.as("bo").get("/queue").is(200).body, "<img src=x") {
		t.Error("/queue holds markup of a name")
	}
}
