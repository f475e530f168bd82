package market

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

const (
	lanterns = "seven grey lanterns"
	barrels  = "nine empty barrels"
)

// accounts is a marketplace for tests of who may do what.
type accounts struct {
	*Market
	t *testing.T
}

// eachAccounts runs a test on an empty marketplace on both databases.
func eachAccounts(t *testing.T, body func(t *testing.T, a accounts)) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		body(t, accounts{New(db, slog.New(slog.DiscardHandler)), t})
	})
}

// must runs something that cannot go wrong in one transaction.
func (a accounts) must(do func(tx *gorm.DB) error) {
	a.t.Helper()
	if err := a.db.Write(a.t.Context(), do); err != nil {
		a.t.Fatal(err)
	}
}

// user makes a user who has no password and thus never needs a hash.
func (a accounts) user(name string) (who Actor) {
	a.t.Helper()
	a.must(func(tx *gorm.DB) error {
		user, err := addUser(tx, Console(), name, "none", false)
		who = as(Actor{Via: "portal", Address: "192.0.2.1", RequestID: "r1"}, user)
		return err
	})
	return who
}

// platformAdmin makes a user who is one.
func (a accounts) platformAdmin(name string) Actor {
	a.t.Helper()
	who := a.user(name)
	a.must(func(tx *gorm.DB) error {
		return tx.Model(&models.User{}).Where("id = ?", who.UserID).Update("platform_admin", true).Error
	})
	who.PlatformAdmin = true
	return who
}

// team makes a team without members.
func (a accounts) team(name string) (team models.Team) {
	a.t.Helper()
	a.must(func(tx *gorm.DB) (err error) {
		team, err = addTeam(tx, Console(), name, nil)
		return err
	})
	return team
}

// join makes the user a member of the team and active for it.
func (a accounts) join(who Actor, team models.Team, role models.Role) Actor {
	a.t.Helper()
	a.must(func(tx *gorm.DB) error {
		_, err := addMember(tx, Actor{TeamID: team.ID, Via: "system"}, models.User{ID: who.UserID, Name: who.UserName}, role)
		return err
	})
	who.TeamID, who.TeamName, who.Role = team.ID, team.Name, role
	return who
}

// session signs a user in without asking for a password.
func (a accounts) session(who Actor, team *int64) (secret string) {
	a.t.Helper()
	a.must(func(tx *gorm.DB) (err error) {
		secret, err = openSession(tx, who, team, "a browser")
		return err
	})
	return secret
}

// membership finds the id of the actor's membership of its team.
func (a accounts) membership(who Actor) int64 {
	a.t.Helper()
	m, err := models.MembershipOf(a.read(a.t.Context()), who.UserID, who.TeamID)
	if err != nil {
		a.t.Fatal(err)
	}
	return m.ID
}

// recorded lists the audit entries of an action.
func (a accounts) recorded(action string) (entries []models.Audit) {
	a.t.Helper()
	if err := a.read(a.t.Context()).Where("action = ?", action).Order("id").Find(&entries).Error; err != nil {
		a.t.Fatal(err)
	}
	return entries
}

// nothingRecordedOf fails if a secret is found anywhere in the audit log.
func (a accounts) nothingRecordedOf(secret string) {
	a.t.Helper()
	var entries []models.Audit
	if err := a.read(a.t.Context()).Find(&entries).Error; err != nil {
		a.t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e.Actor+e.Object+e.Summary, secret) {
			a.t.Errorf("the audit entry %+v holds a secret", e)
		}
	}
}

// refused fails unless err is an expected failure of a kind, about a field if one is named.
func refused(t *testing.T, err error, kind fault.Kind, field ...string) {
	t.Helper()
	f := fault.Of(err)
	if f == nil || f.Kind != kind {
		t.Fatalf("error = %v, want %s", err, kind)
	}
	for _, name := range field {
		if len(f.Fields[name]) == 0 {
			t.Fatalf("%q is about %v, want %s", f.Text, f.Fields, name)
		}
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// atOnce runs something several times in parallel and returns what failed.
func atOnce(n int, do func(i int) error) (errs []error) {
	errs = make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// queued runs second while the transaction of first is still open, and returns
// its error; it fails if second does not wait for the end of first.
func (a accounts) queued(first func(tx *gorm.DB) error, second func() error) (err error) {
	a.t.Helper()
	done := make(chan error, 1)
	a.must(func(tx *gorm.DB) error {
		if err := first(tx); err != nil {
			return err
		}
		go func() { done <- second() }()
		select {
		case err := <-done:
			a.t.Errorf("ended before what it has to wait for: %v", err)
			done <- err
		case <-time.After(300 * time.Millisecond):
		}
		return nil
	})
	return <-done
}

func TestA1_OnlyPlatformAdminsCreateUsers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		admin := a.join(a.user("anna"), a.team("blue"), models.Admin)
		_, err := a.CreateUser(t.Context(), admin, "berta", lanterns, false)
		refused(t, err, fault.Forbidden)
		_, _, err = a.Users(t.Context(), admin, models.Page{})
		refused(t, err, fault.Forbidden)

		user, err := a.CreateUser(t.Context(), a.platformAdmin("petra"), "berta", lanterns, false)
		ok(t, err)
		if user.PlatformAdmin || user.Disabled || strings.Contains(user.PasswordHash, lanterns) {
			t.Errorf("CreateUser() = %+v", user)
		}
		_, err = a.CreateUser(t.Context(), Console(), "berta", lanterns, true)
		refused(t, err, fault.Conflict, "name")
		_, err = a.CreateUser(t.Context(), Console(), " berta", lanterns, true)
		refused(t, err, fault.Invalid, "name")
		_, err = a.CreateUser(t.Context(), Console(), "carla", "short", true)
		refused(t, err, fault.Invalid, "password")

		users, count, err := a.Users(t.Context(), Console(), models.Page{Limit: 2})
		if err != nil || count != 3 || len(users) != 2 || users[0].Name != "anna" {
			t.Errorf("Users() = %v, %d, %v", users, count, err)
		}
		a.nothingRecordedOf(lanterns)
	})
}

func TestU6_PasswordChangeEndsEverySession(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		user, err := a.CreateUser(t.Context(), Console(), "anna", lanterns, false)
		ok(t, err)
		who := as(Actor{Via: "portal", Address: "192.0.2.1"}, user)
		here, there := a.session(who, nil), a.session(who, nil)

		_, err = a.ChangePassword(t.Context(), who, lanterns, "short", here)
		refused(t, err, fault.Invalid, "password")
		_, err = a.ChangePassword(t.Context(), who, barrels, barrels, here)
		refused(t, err, fault.Unknown)
		renewed, err := a.ChangePassword(t.Context(), who, lanterns, barrels, here)
		ok(t, err)
		for _, dead := range []string{here, there} {
			_, err = a.SessionActor(t.Context(), dead, "", "")
			refused(t, err, fault.Unknown)
		}
		_, err = a.SessionActor(t.Context(), renewed, "", "")
		ok(t, err)
		_, err = a.SignIn(t.Context(), who, "anna", barrels, "")
		ok(t, err)

		refused(t, a.SetPassword(t.Context(), who, user.ID, lanterns), fault.Forbidden)
		ok(t, a.SetPassword(t.Context(), Console(), user.ID, lanterns))
		_, err = a.SessionActor(t.Context(), renewed, "", "")
		refused(t, err, fault.Unknown)
		if n := len(a.recorded("user.change_password")); n != 2 {
			t.Errorf("%d entries of changed passwords, want 2", n)
		}
	})
}

func TestZ7_DisabledUsersAreOutAtOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		boss, who := a.platformAdmin("petra"), a.join(a.user("anna"), a.team("blue"), models.Admin)
		session := a.session(who, nil)
		_, token, err := a.CreateUserToken(t.Context(), who, "laptop", nil)
		ok(t, err)

		refused(t, a.DisableUser(t.Context(), who, boss.UserID), fault.Forbidden)
		refused(t, a.DisableUser(t.Context(), boss, 4711), fault.NotFound)
		ok(t, a.DisableUser(t.Context(), boss, who.UserID))
		_, err = a.SessionActor(t.Context(), session, "", "")
		refused(t, err, fault.Unknown)
		_, err = a.TokenActor(t.Context(), token, "", "")
		refused(t, err, fault.Unknown)

		ok(t, a.EnableUser(t.Context(), boss, who.UserID))
		_, err = a.SessionActor(t.Context(), session, "", "")
		refused(t, err, fault.Unknown)
		_, err = a.TokenActor(t.Context(), token, "", "")
		ok(t, err)
	})
}

func TestZ6_LastPlatformAdminStays(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		petra, paula := a.platformAdmin("petra"), a.platformAdmin("paula")
		errs := atOnce(2, func(i int) error {
			if i == 0 {
				return a.DisableUser(t.Context(), petra, paula.UserID)
			}
			return a.SetPlatformAdmin(t.Context(), paula, petra.UserID, false)
		})
		if len(errs) != 1 {
			t.Fatalf("both platform admins gone or both there: %v", errs)
		}
		refused(t, errs[0], fault.Conflict)
		anna := a.user("anna")
		ok(t, a.SetPlatformAdmin(t.Context(), Console(), anna.UserID, true))
		if user, err := a.User(t.Context(), Console(), anna.UserID); err != nil || !user.PlatformAdmin {
			t.Errorf("User() = %+v, %v", user, err)
		}
	})
}
