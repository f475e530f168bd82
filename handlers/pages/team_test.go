package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func TestTEAa_AKeyIsInOneAnswerOnly(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	path := "/teams/" + itoa(w.owner.ID) + "/keys"
	form := b.get(path).is(200).says("No keys")
	b.fill(form, path, "name", "", "role", "ADMIN").is(422)
	b.fill(form, path, "name", "ci", "days", "9999").is(422).says("two years")
	made := b.fill(form, path, "name", "ci", "role", "READ_ONLY").is(200).says("“ci” is made", "Authorization: Api-Key ptl_")
	secret := secretOn(made)
	b.fill(form, path, "name", "ci", "role", "READ_ONLY").to(path)
	b.get(path).hides(secret).says("ci", secret[:12], "Read only")
	if got := w.count("api_keys"); got != 1 {
		t.Errorf("%d keys, want 1", got)
	}
}

func TestTEAb_ARevokedKeyStopsAtOnce(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	path := "/teams/" + itoa(w.owner.ID) + "/keys"
	secret := secretOn(b.fill(b.get(path), path, "name", "ci").is(200))
	alive := func() bool { _, err := w.market.KeyActor(t.Context(), secret, "127.0.0.1", ""); return err == nil }
	if !alive() {
		t.Fatal("the key does not work")
	}
	list := b.get(path)
	b.fill(list, path+"/1/revoke", "name", "cd").is(422).says("Type the name of the key exactly: ci.")
	if !alive() {
		t.Fatal("the key does not work any more")
	}
	b.fill(list, path+"/1/revoke", "name", "ci").to(path)
	if alive() {
		t.Error("the revoked key works")
	}
	b.get(path).says("revoked")
}

func TestTEAc_TheLastAdminStays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		b := w.as("bo")
		path := "/teams/" + itoa(w.owner.ID) + "/members"
		list := b.get(path).says("The last admin stays.")
		own := memberOf(list, "bo")
		if strings.Contains(strings.Join(list.actions(), " "), path+"/"+own) {
			t.Error("the last admin's row has a form")
		}
		b.post(path+"/"+own, keyed("role", "GENERAL")).is(409).says("This is the last admin of the team.")
		b.post(path+"/"+own+"/remove", keyed()).is(409)
		b.post(path+"/"+own, keyed("role", "KING")).is(422)

		b.fill(list, path+"/"+memberOf(list, "gil"), "role", "ADMIN").to(path)
		b.get(path).hides("The last admin stays.")
		b.fill(b.get(path), path+"/"+own+"/remove").to(path)
		b.get("/").is(200).says("You are in no team yet")
	})
}

// memberOf reads the id of somebody's membership.
func memberOf(p page, name string) string {
	for _, row := range p.all("tr") {
		if strings.HasPrefix(strings.TrimSpace(textOf(row)), name) {
			return strings.TrimPrefix(attr(row, "id"), "member-")
		}
	}
	return ""
}

func TestTEA1_AdminsAddMembers(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	path := "/teams/" + itoa(w.owner.ID) + "/members"
	form := b.get(path)
	back := b.fill(form, path, "user", "nobody", "role", "ADMIN").is(422).says("There is no such user.")
	if values, _ := back.form(path); values.Get("user") != "nobody" || values.Get("role") != "ADMIN" {
		t.Errorf("what was typed is gone: %v", values)
	}
	b.fill(form, path, "user", "gil").is(409).says("member of the team already")
	b.fill(form, path, "user", "ana", "role", "READ_ONLY").to(path)
	b.get(path).says("ana")
}

func TestZ6_OthersThanAdminsOnlyLook(t *testing.T) {
	t.Parallel()
	w := people(t)
	at := "/teams/" + itoa(w.owner.ID)
	for _, name := range []string{"gil", "ron"} {
		b := w.as(name)
		for _, tab := range []string{"/members", "/settings", "/metadata"} {
			got := b.get(at + tab).is(200)
			for _, node := range got.all("button") {
				if text := textOf(node); strings.HasPrefix(text, "Save") || strings.HasPrefix(text, "Add") || strings.HasPrefix(text, "Remove") {
					t.Errorf("%s sees %q on %s", name, text, tab)
				}
			}
		}
		b.get(at + "/keys").is(http.StatusForbidden)
		for _, path := range []string{"/members", "/members/1", "/members/1/remove", "/keys", "/keys/1/revoke", "/settings", "/metadata"} {
			b.post(at+path, keyed("user", "ana", "role", "ADMIN", "name", "x")).is(http.StatusForbidden)
		}
	}
	w.as("ana").get(at + "/members").is(404)
}

func TestTEA3_SettingsAndMetadata(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("bo")
	at := "/teams/" + itoa(w.owner.ID)
	form := b.get(at + "/settings").is(200)
	b.fill(form, at+"/settings", "email", "no address").is(422).says("This is no mail address.", "no address")
	b.fill(form, at+"/settings", "email", "vm@example.org", "deletion_guard", "any").to(at + "/settings")
	values, _ := b.get(at + "/settings").form(at + "/settings")
	if values.Get("email") != "vm@example.org" || values.Get("deletion_guard") != "any" {
		t.Errorf("the settings are %v", values)
	}

	metadata := b.get(at + "/metadata").is(200)
	b.fill(metadata, at+"/metadata", "metadata", "[1]").is(422).says("The metadata must be a JSON object")
	b.fill(metadata, at+"/metadata", "metadata", `{"cost":9007199254740993}`).to(at + "/metadata")
	values, _ = b.get(at + "/metadata").form(at + "/metadata")
	if got := values.Get("metadata"); !strings.Contains(got, "9007199254740993") {
		t.Errorf("the metadata are %q", got)
	}
}
