package market

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

func TestA1_OnlyPlatformAdminsCreateTeams(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		admin := a.join(a.user("anna"), a.team("blue"), models.Admin)
		_, err := a.CreateTeam(t.Context(), admin, "red", nil)
		refused(t, err, fault.Forbidden)

		boss := a.platformAdmin("petra")
		red, err := a.CreateTeam(t.Context(), boss, "red", nil)
		ok(t, err)
		if m, err := models.MembershipOf(a.read(t.Context()), boss.UserID, red.ID); err != nil || m.Role != models.Admin {
			t.Errorf("the creator is %+v, %v; want ADMIN", m, err)
		}
		green, err := a.CreateTeam(t.Context(), boss, "green", &admin.UserID)
		ok(t, err)
		if members, err := models.MembersOf(a.read(t.Context()), green.ID); err != nil || len(members) != 1 || members[0].UserName != "anna" || members[0].Role != models.Admin {
			t.Errorf("members of the team with an owner: %+v, %v", members, err)
		}
		if green.Metadata != "{}" || green.DeletionGuard != models.GuardOff {
			t.Errorf("a new team: %+v", green)
		}
		missing := int64(4711)
		_, err = a.CreateTeam(t.Context(), boss, "yellow", &missing)
		refused(t, err, fault.Invalid, "owner")
		_, err = a.CreateTeam(t.Context(), boss, "green", nil)
		refused(t, err, fault.Conflict, "name")
		if n := len(a.recorded("team.create")); n != 3 {
			t.Errorf("%d entries of new teams, want 3", n)
		}
	})
}

func TestM3_NamesOfTeams(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		for _, name := range []string{"", " blue", "blue\n", "bl\x00ue", "b\xffe", "gre\u0301y", strings.Repeat("x", 256)} {
			_, err := a.CreateTeam(t.Context(), Console(), name, nil)
			refused(t, err, fault.Invalid, "name")
		}
		for _, name := range []string{"Blue", "blue", strings.Repeat("ü", 255), "'; DROP TABLE teams --"} {
			_, err := a.CreateTeam(t.Context(), Console(), name, nil)
			ok(t, err)
		}
	})
}

func TestA1_ChangeTeam(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red := a.team("blue"), a.team("red")
		admin := a.join(a.user("anna"), blue, models.Admin)
		metadata, email, allow, guard := `{ "cost centre": 4711e0 }`, "blue@example.org", true, models.GuardAny
		patch := TeamPatch{Metadata: &metadata, Email: &email, AllowSubmitSubmissionBuilder: &allow, DeletionGuard: &guard}
		for name, tc := range map[string]struct {
			who  Actor
			want fault.Kind
		}{
			"general":               {a.join(a.user("berta"), blue, models.General), fault.Forbidden},
			"read only":             {a.join(a.user("carla"), blue, models.ReadOnly), fault.Forbidden},
			"admin of another team": {a.join(a.user("dora"), red, models.Admin), fault.NotFound},
			"platform admin":        {a.platformAdmin("petra"), fault.Forbidden},
			"and admin elsewhere":   {a.join(a.platformAdmin("paula"), red, models.Admin), fault.Forbidden},
			"read-only key":         {Actor{KeyID: 9, TeamID: blue.ID, Role: models.ReadOnly}, fault.Forbidden},
			"key of another team":   {Actor{KeyID: 9, TeamID: red.ID, Role: models.Admin}, fault.NotFound},
		} {
			if _, err := a.ChangeTeam(t.Context(), tc.who, blue.ID, patch); !fault.Is(err, tc.want) {
				t.Errorf("%s: %v, want %s", name, err, tc.want)
			}
		}
		got, err := a.ChangeTeam(t.Context(), admin, blue.ID, patch)
		if err != nil || got.Metadata != `{"cost centre":4711e0}` || got.Email != email || !got.AllowSubmitSubmissionBuilder || got.DeletionGuard != guard || got.Name != "blue" {
			t.Errorf("ChangeTeam() = %+v, %v", got, err)
		}
		same, err := a.ChangeTeam(t.Context(), admin, blue.ID, TeamPatch{})
		if err != nil || same != got {
			t.Errorf("an empty patch: %+v, %v", same, err)
		}
		entries := a.recorded("team.change")
		if len(entries) != 1 || entries[0].Summary != "allow_submit_submission_builder, deletion_guard, email, metadata" {
			t.Errorf("recorded %+v", entries)
		}
	})
}

func TestA1_BadSettingsOfTeams(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	guard := models.DeletionGuard("never")
	for name, tc := range map[string]struct {
		patch TeamPatch
		field string
	}{
		"no object":       {TeamPatch{Metadata: text(`[1]`)}, "metadata"},
		"no JSON":         {TeamPatch{Metadata: text(`{`)}, "metadata"},
		"two documents":   {TeamPatch{Metadata: text(`{} {}`)}, "metadata"},
		"no UTF-8":        {TeamPatch{Metadata: text("{\"a\":\"\xff\"}")}, "metadata"},
		"no duplicates":   {TeamPatch{Metadata: text(`{"a":1,"a":2}`)}, "metadata"},
		"no NUL":          {TeamPatch{Metadata: text(`{"a":"\u0000"}`)}, "metadata"},
		"too much":        {TeamPatch{Metadata: text(`{"a":"` + strings.Repeat("x", 1<<16) + `"}`)}, "metadata"},
		"no mail address": {TeamPatch{Email: text("blue")}, "email"},
		"a mail name":     {TeamPatch{Email: text("Blue <blue@example.org>")}, "email"},
		"a mail header":   {TeamPatch{Email: text("blue@example.org\r\nBcc: x@example.org")}, "email"},
		"no such guard":   {TeamPatch{DeletionGuard: &guard}, "deletion_guard"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tc.patch.changes()
			refused(t, err, fault.Invalid, tc.field)
		})
	}
	if changes, err := (TeamPatch{Email: text("")}).changes(); err != nil || changes["email"] != "" {
		t.Errorf("no address: %v, %v", changes, err)
	}
}

func TestA2_WhichTeamsAreSeen(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red, green := a.team("blue"), a.team("red"), a.team("green")
		who := a.join(a.join(a.user("anna"), blue, models.General), red, models.ReadOnly)
		key := Actor{KeyID: 9, TeamID: green.ID, Role: models.General}
		names := func(teams []models.Team, count int64, err error) (list string) {
			for _, team := range teams {
				list += team.Name + " "
			}
			if err != nil || int(count) != len(teams) {
				t.Errorf("%d teams of %d, %v", len(teams), count, err)
			}
			return list
		}
		if got := names(a.Teams(t.Context(), who, models.Page{})); got != "red blue " {
			t.Errorf("Teams() of a user = %s, want the active one first", got)
		}
		if got := names(a.Teams(t.Context(), key, models.Page{})); got != "green " {
			t.Errorf("Teams() of a key = %s", got)
		}
		if got := names(a.Teams(t.Context(), a.user("berta"), models.Page{})); got != "" {
			t.Errorf("Teams() of a user without = %s", got)
		}
		if got := names(a.AllTeams(t.Context(), who, "", models.Page{})); got != "blue green red " {
			t.Errorf("AllTeams() = %s", got)
		}
		if got := names(a.AllTeams(t.Context(), who, "green", models.Page{})); got != "green " {
			t.Errorf("AllTeams(green) = %s", got)
		}
		for id, want := range map[int64]bool{blue.ID: true, red.ID: true, green.ID: false, 4711: false} {
			team, err := a.Team(t.Context(), who, id)
			if (err == nil) != want || err != nil && !fault.Is(err, fault.NotFound) || want && team.ID != id {
				t.Errorf("Team(%d) = %+v, %v", id, team, err)
			}
		}
	})
}
