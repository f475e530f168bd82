package market

import (
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// setSession changes columns of the session of a secret.
func (a accounts) setSession(secret string, changes map[string]any) {
	a.t.Helper()
	a.must(func(tx *gorm.DB) error {
		return tx.Model(&models.Session{}).Where("hash = ?", hashOf(secret)).Updates(changes).Error
	})
}

func TestU6_SessionsEnd(t *testing.T) {
	ago := func(d time.Duration) time.Time { return models.Now().Add(-d) }
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.user("anna")
		for name, tc := range map[string]struct {
			changes map[string]any
			dead    bool
		}{
			"nearly idle": {map[string]any{"seen": ago(12*time.Hour - time.Minute)}, false},
			"idle":        {map[string]any{"seen": ago(12*time.Hour + time.Minute)}, true},
			"nearly over": {map[string]any{"expires": ago(-time.Minute)}, false},
			"over":        {map[string]any{"expires": ago(time.Minute)}, true},
			"revoked":     {map[string]any{"revoked": ago(0)}, true},
		} {
			secret := a.session(who, nil)
			a.setSession(secret, tc.changes)
			got, err := a.SessionActor(t.Context(), secret, "192.0.2.7", "r7")
			if tc.dead != fault.Is(err, fault.Unknown) || !tc.dead && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if want := (Actor{UserID: who.UserID, UserName: "anna", Via: "portal", Address: "192.0.2.7", RequestID: "r7"}); !tc.dead && got != want {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
		for _, secret := range []string{"", "x", "\x00", "\xff"} {
			_, err := a.SessionActor(t.Context(), secret, "", "")
			refused(t, err, fault.Unknown)
		}
	})
}

func TestU6_SessionsLiveSevenDays(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.user("anna")
		a.session(who, nil)
		sessions, err := a.Sessions(t.Context(), who)
		ok(t, err)
		if life := sessions[0].Expires.Sub(sessions[0].Created); life != 7*24*time.Hour {
			t.Errorf("a session lives %v", life)
		}
	})
}

func TestU6_SeenIsWrittenOnceAMinute(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		secret := a.session(a.user("anna"), nil)
		for _, tc := range []struct {
			ago     time.Duration
			touched bool
		}{{50 * time.Second, false}, {70 * time.Second, true}} {
			before := models.Now().Add(-tc.ago)
			a.setSession(secret, map[string]any{"seen": before})
			_, err := a.SessionActor(t.Context(), secret, "", "")
			ok(t, err)
			session, err := models.LiveSession(a.read(t.Context()), hashOf(secret), sessionIdle)
			if err != nil || session.Seen.Equal(before) == tc.touched {
				t.Errorf("seen %v ago: now %v, %v", tc.ago, session.Seen, err)
			}
		}
	})
}

func TestZ7_SessionsFollowMemberships(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who, boss := a.user("anna"), a.user("berta")
		secret := a.session(who, nil)
		act := func() Actor {
			got, err := a.SessionActor(t.Context(), secret, "", "")
			ok(t, err)
			return got
		}
		if got := act(); got.TeamID != 0 || got.MayWrite() {
			t.Errorf("without a team: %+v", got)
		}
		red, blue := a.team("red"), a.team("blue")
		boss = a.join(boss, blue, models.Admin)
		a.join(who, red, models.General)
		inBlue := a.join(who, blue, models.Admin)
		if got := act(); got.TeamID != blue.ID || got.TeamName != "blue" || got.Role != models.Admin {
			t.Errorf("nothing chosen: %+v, want the first by name", got)
		}
		ok(t, a.SwitchTeam(t.Context(), who, secret, blue.ID))
		_, err := a.ChangeMember(t.Context(), boss, a.membership(inBlue), models.ReadOnly)
		ok(t, err)
		if got := act(); got.TeamID != blue.ID || got.Role != models.ReadOnly {
			t.Errorf("demoted: %+v", got)
		}
		ok(t, a.RemoveMember(t.Context(), boss, a.membership(inBlue)))
		if got := act(); got.TeamID != 0 || got.Role != "" || got.TeamName != "" {
			t.Errorf("removed from the chosen team: %+v, want no team", got)
		}
	})
}

func TestTEA_SwitchTeam(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		red, blue := a.team("red"), a.team("blue")
		anna, berta := a.join(a.user("anna"), red, models.ReadOnly), a.join(a.user("berta"), blue, models.Admin)
		secret := a.session(anna, &red.ID)
		refused(t, a.SwitchTeam(t.Context(), anna, secret, blue.ID), fault.NotFound)
		refused(t, a.SwitchTeam(t.Context(), anna, secret, 4711), fault.NotFound)
		refused(t, a.SwitchTeam(t.Context(), berta, secret, blue.ID), fault.Unknown)
		a.join(anna, blue, models.General)
		ok(t, a.SwitchTeam(t.Context(), anna, secret, blue.ID))
		got, err := a.SessionActor(t.Context(), secret, "", "")
		if err != nil || got.TeamID != blue.ID || got.Role != models.General {
			t.Errorf("after switching: %+v, %v", got, err)
		}
		team, err := lastTeam(a.read(t.Context()), anna.UserID)
		if err != nil || team == nil || *team != blue.ID {
			t.Errorf("the next session begins with %v, %v; want the last active team", team, err)
		}
		if entries := a.recorded("user.switch_team"); len(entries) != 1 || *entries[0].TeamID != blue.ID {
			t.Errorf("recorded %+v", entries)
		}
	})
}

func TestU6_EndingSessions(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		anna, berta := a.user("anna"), a.user("berta")
		first, second, third := a.session(anna, nil), a.session(anna, nil), a.session(anna, nil)
		other := a.session(berta, nil)
		alive := func(secret string) bool {
			_, err := a.SessionActor(t.Context(), secret, "", "")
			return err == nil
		}
		list, err := a.Sessions(t.Context(), anna)
		if err != nil || len(list) != 3 || !SessionIs(list[0], third) || SessionIs(list[0], first) {
			t.Fatalf("Sessions() = %+v, %v", list, err)
		}
		refused(t, a.EndSession(t.Context(), berta, list[0].ID), fault.NotFound)
		ok(t, a.SignOut(t.Context(), berta, third))
		if !alive(third) {
			t.Error("somebody else ended the session")
		}
		ok(t, a.EndSession(t.Context(), anna, list[0].ID))
		refused(t, a.EndSession(t.Context(), anna, list[0].ID), fault.NotFound)
		ok(t, a.EndOtherSessions(t.Context(), anna, first))
		if !alive(first) || alive(second) || alive(third) || !alive(other) {
			t.Error("wrong sessions ended")
		}
		ok(t, a.SignOut(t.Context(), anna, first))
		ok(t, a.SignOut(t.Context(), anna, first))
		if alive(first) || len(a.recorded("user.sign_out")) != 1 {
			t.Error("signing out must end the session, once")
		}
	})
}

func TestU8_FreshAuthentication(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.withPassword("anna", lanterns)
		team := a.team("blue")
		a.join(who, team, models.General)
		secret := a.session(who, &team.ID)
		stranger := a.session(a.user("berta"), nil)
		if fresh, err := a.Fresh(t.Context(), secret); !fresh || err != nil {
			t.Errorf("just signed in: %v, %v", fresh, err)
		}
		a.setSession(secret, map[string]any{"created": models.Now().Add(-16 * time.Minute)})
		if fresh, err := a.Fresh(t.Context(), secret); fresh || err != nil {
			t.Errorf("16 minutes later: %v, %v", fresh, err)
		}
		_, err := a.Confirm(t.Context(), who, secret, barrels)
		refused(t, err, fault.Unknown)
		_, err = a.Confirm(t.Context(), who, stranger, lanterns)
		refused(t, err, fault.Unknown)
		renewed, err := a.Confirm(t.Context(), who, secret, lanterns)
		ok(t, err)
		if fresh, err := a.Fresh(t.Context(), renewed); !fresh || err != nil {
			t.Errorf("confirmed: %v, %v", fresh, err)
		}
		got, err := a.SessionActor(t.Context(), renewed, "", "")
		if err != nil || got.TeamID != team.ID {
			t.Errorf("confirmed: %+v, %v; want the same team", got, err)
		}
		_, err = a.Fresh(t.Context(), secret)
		refused(t, err, fault.Unknown)
		_, err = a.SessionActor(t.Context(), stranger, "", "")
		ok(t, err)
	})
}
