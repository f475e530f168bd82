package market

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

func TestDOOR1_SetUpMakesTheFirstUserAndTeam(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		needs, err := a.NeedsSetUp(t.Context())
		if err != nil || !needs {
			t.Fatalf("NeedsSetUp() = %v, %v", needs, err)
		}
		old, err := a.NewSetUpCode(t.Context())
		ok(t, err)
		code, err := a.NewSetUpCode(t.Context())
		ok(t, err)
		a.nothingRecordedOf(code)
		for field, in := range map[string][4]string{
			"code":     {old, "anna", lanterns, "blue"},
			"name":     {code, "", lanterns, "blue"},
			"password": {code, "anna", "short", "blue"},
			"team":     {code, "anna", lanterns, "blue "},
		} {
			_, err := a.SetUp(t.Context(), visitor, in[0], in[1], in[2], in[3], "")
			refused(t, err, fault.Invalid, field)
		}

		secret, err := a.SetUp(t.Context(), visitor, strings.ToLower(strings.ReplaceAll(code, "-", " ")), "anna", lanterns, "blue", "")
		ok(t, err)
		got, err := a.SessionActor(t.Context(), secret, "", "")
		if err != nil || !got.PlatformAdmin || got.TeamName != "blue" || got.Role != models.Admin {
			t.Errorf("the first user: %+v, %v", got, err)
		}
		_, err = a.SetUp(t.Context(), visitor, code, "berta", lanterns, "red", "")
		refused(t, err, fault.NotFound)
		_, err = a.NewSetUpCode(t.Context())
		refused(t, err, fault.NotFound)
		if needs, err := a.NeedsSetUp(t.Context()); needs || err != nil {
			t.Errorf("afterwards NeedsSetUp() = %v, %v", needs, err)
		}
		_, err = a.SignIn(t.Context(), visitor, "anna", lanterns, "")
		ok(t, err)
		for _, action := range []string{"user.create", "team.create", "membership.create"} {
			if entries := a.recorded(action); len(entries) != 1 {
				t.Errorf("%s: recorded %+v", action, entries)
			}
		}
	})
}

func TestDOOR1_SetUpNeedsACodeThatWasMade(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		_, err := a.SetUp(t.Context(), visitor, "", "anna", lanterns, "blue", "")
		refused(t, err, fault.Invalid, "code")
	})
}

func TestDOOR1_SetUpWorksOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		code, err := a.NewSetUpCode(t.Context())
		ok(t, err)
		errs := atOnce(4, func(i int) error {
			_, err := a.SetUp(t.Context(), visitor, code, fmt.Sprint("anna", i), lanterns, fmt.Sprint("blue", i), "")
			return err
		})
		if len(errs) != 3 {
			t.Errorf("%d of 4 failed, want 3", len(errs))
		}
		for _, err := range errs {
			refused(t, err, fault.NotFound)
		}
		if n, err := models.CountUsers(a.read(t.Context())); n != 1 || err != nil {
			t.Errorf("%d users, %v", n, err)
		}
	})
}

func TestDOOR1_TheCodeIsUsedOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		code, err := a.NewSetUpCode(t.Context())
		ok(t, err)
		err = a.queued(func(tx *gorm.DB) error {
			if err := useSetUpCode(tx, code); err != nil {
				return err
			}
			_, err := addUser(tx, visitor, "anna", "none", true)
			return err
		}, func() error {
			return a.db.Write(t.Context(), func(tx *gorm.DB) error { return useSetUpCode(tx, code) })
		})
		refused(t, err, fault.NotFound)
	})
}
