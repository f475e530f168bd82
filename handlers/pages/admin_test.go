package pages_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

func TestADMd_NobodyElseFindsTheAdministration(t *testing.T) {
	t.Parallel()
	w := people(t)
	for _, name := range []string{"ana", "abe", "cy", "bo"} {
		b := w.as(name)
		for _, route := range w.routes {
			if strings.HasPrefix(route.Path, "/admin") {
				path := strings.NewReplacer(":user", "1", ":action", "make").Replace(route.Path)
				if route.Method == "GET" {
					b.get(path).is(404)
				} else {
					b.post(path, keyed("name", "x", "password", password)).is(404)
				}
			}
		}
	}
	if got := w.count("teams"); got != 3 {
		t.Errorf("%d teams, want 3", got)
	}
}

func TestADM1_PlatformAdminsMakeUsersAndTeams(t *testing.T) {
	t.Parallel()
	w := people(t)
	b := w.as("dee")
	users := b.get("/admin/users").is(200).says("ana", "Consumer", "platform admin")
	back := b.fill(users, "/admin/users", "name", "eve", "password", "short").is(422).says("15 characters")
	if values, _ := back.form("/admin/users"); values.Get("name") != "eve" || values.Get("password") != "" {
		t.Errorf("the form holds %v", values)
	}
	b.fill(users, "/admin/users", "name", "ana", "password", password).is(409).says("There is already a user of this name.")
	b.fill(users, "/admin/users", "name", "eve", "password", password).to("/admin/users")
	w.as("eve").get("/").is(200).says("You are in no team yet")

	teams := b.get("/admin/teams").is(200).says("Consumer")
	b.fill(teams, "/admin/teams", "name", "Blue").is(409).says("There is already a team of this name.")
	b.fill(teams, "/admin/teams", "name", "Green", "owner", "nobody").is(422).says("There is no such user.")
	b.fill(teams, "/admin/teams", "name", "Green", "owner", "eve").to("/admin/teams")
	w.as("eve").get("/").is(200).says("You act for Green")
}

func TestADMc_ADisabledUserIsOutAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := peopleOn(t, db)
		ana, dee := w.as("ana"), w.as("dee")
		ana.get("/").is(200)
		list := dee.get("/admin/users")
		id := userOf(list, "ana")
		dee.fill(list, "/admin/users/"+id+"/disable").to("/admin/users")
		ana.get("/").to("/sign-in")
		ana.post("/account/display", keyed()).is(401)
		dee.fill(dee.get("/admin/users").says("disabled"), "/admin/users/"+id+"/enable").to("/admin/users")
		w.as("ana").get("/").is(200)

		own := userOf(list, "dee")
		dee.fill(list, "/admin/users/"+own+"/unmake").is(409).says("This is the last platform admin.")
		dee.fill(list, "/admin/users/"+own+"/disable").is(409)
		dee.post("/admin/users/"+own+"/explode", keyed()).is(404)
		dee.fill(list, "/admin/users/"+id+"/password", "password", "short").is(422).says("15 characters")
	})
}

// userOf reads the id of a user.
func userOf(p page, name string) string {
	for _, row := range p.all("tr") {
		if strings.HasPrefix(strings.TrimSpace(textOf(row)), name) {
			return strings.TrimPrefix(attr(row, "id"), "user-")
		}
	}
	return ""
}
