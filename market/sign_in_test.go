package market

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"golang.org/x/crypto/argon2"
	"gorm.io/gorm"
)

var visitor = Actor{Via: "portal", Address: "192.0.2.1", RequestID: "r1"}

// cheap is a hash that is made in no time.
func cheap(password string) string {
	c := cost{memory: 8, passes: 1, threads: 1}
	salt := []byte("0123456789abcdef")
	return phc(c, salt, argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, hashBytes))
}

// withPassword makes a user who can sign in.
func (a accounts) withPassword(name, password string) Actor {
	a.t.Helper()
	who := a.user(name)
	a.must(func(tx *gorm.DB) error {
		return tx.Model(&models.User{}).Where("id = ?", who.UserID).Update("password_hash", cheap(password)).Error
	})
	return who
}

// failed adds wrong passwords of the past.
func (a accounts) failed(n int, account, address string, ago time.Duration) {
	a.t.Helper()
	a.must(func(tx *gorm.DB) error {
		var rows []models.SignInFailure
		for range n {
			rows = append(rows, models.SignInFailure{Account: account, Address: address, At: models.Now().Add(-ago)})
		}
		return tx.Create(&rows).Error
	})
}

func TestU3_OneSentenceForEveryFailure(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		disabled := a.withPassword("berta", lanterns)
		a.platformAdmin("petra")
		ok(t, a.DisableUser(t.Context(), Console(), disabled.UserID))

		var first error
		for _, name := range []string{"anna", "berta", "nobody", "", "a\x00b", "a\xffb", " anna", strings.Repeat("x", 1<<20)} {
			password := lanterns
			if name == "anna" {
				password = barrels
			}
			_, err := a.SignIn(t.Context(), visitor, name, password, "")
			refused(t, err, fault.Unknown)
			if first == nil {
				first = err
			}
			if !reflect.DeepEqual(err, first) {
				t.Errorf("%.20q: %v, want %v", name, err, first)
			}
		}
		entries := a.recorded("user.sign_in_failed")
		if len(entries) != 8 || entries[0].Address != visitor.Address || entries[2].Object != "user unknown" {
			t.Errorf("recorded %+v", entries)
		}
		a.nothingRecordedOf(barrels)
		a.nothingRecordedOf("nobody")
	})
}

func TestU3_FailuresTakeOneHashEach(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.user("anna")
		for range cap(a.hashing) {
			a.hashing <- struct{}{}
		}
		ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer leave()
		for _, name := range []string{"anna", "nobody", ""} {
			if _, err := a.SignIn(ctx, visitor, name, lanterns, ""); err == nil || fault.Is(err, fault.Unknown) {
				t.Errorf("%q was answered without a hash: %v", name, err)
			}
		}
	})
}

func TestU1_CheapHashesAreRenewed(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.withPassword("gr\u00e9ta", lanterns)
		secret, err := a.SignIn(t.Context(), visitor, "gre\u0301ta", lanterns, "Firefox\x00\r\n\xff 144")
		ok(t, err)
		user, err := models.UserByID(a.read(t.Context()), who.UserID)
		if err != nil || !strings.HasPrefix(user.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") || user.LastSignIn == nil {
			t.Errorf("after signing in: %+v, %v", user, err)
		}
		sessions, err := a.Sessions(t.Context(), who)
		if err != nil || len(sessions) != 1 || !SessionIs(sessions[0], secret) || sessions[0].Agent != "Firefox 144" {
			t.Errorf("Sessions() = %+v, %v", sessions, err)
		}
		_, err = a.SignIn(t.Context(), visitor, "gr\u00e9ta", lanterns, "")
		ok(t, err)
		if entries := a.recorded("user.sign_in"); len(entries) != 2 || entries[1].Actor != "gr\u00e9ta" {
			t.Errorf("recorded %+v", entries)
		}
	})
}

func TestU4_Delay(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{0: 0, 4: 0, 5: time.Second, 6: 2 * time.Second, 10: 32 * time.Second, 11: time.Minute, 100: time.Minute} {
		if got := delay(failures); got != want {
			t.Errorf("delay(%d) = %v, want %v", failures, got, want)
		}
	}
}

func TestU4_AccountsWaitAfterFiveFailures(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		for _, name := range []string{"anna", "nobody"} {
			a.failed(4, name, "203.0.113.9", 0)
			_, err := a.SignIn(t.Context(), visitor, name, barrels, "")
			refused(t, err, fault.Unknown)
			_, err = a.SignIn(t.Context(), visitor, name, lanterns, "")
			refused(t, err, fault.TooMany)
			if fault.Of(err).Retry != time.Second {
				t.Errorf("come back in %v, want 1s", fault.Of(err).Retry)
			}
		}
		a.must(func(tx *gorm.DB) error {
			return tx.Model(&models.SignInFailure{}).Where("1 = 1").Update("at", models.Now().Add(-2*time.Second)).Error
		})
		_, err := a.SignIn(t.Context(), visitor, "anna", lanterns, "")
		ok(t, err)
		var left int64
		ok(t, a.read(t.Context()).Model(&models.SignInFailure{}).Where("account = 'anna'").Count(&left).Error)
		if left != 4 {
			t.Errorf("%d failures left, want those from elsewhere only", left)
		}
	})
}

func TestU4_NobodyLocksOutAnother(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.withPassword("anna", lanterns)
		a.session(who, nil)
		a.failed(9, "anna", "203.0.113.9", 0)
		elsewhere := visitor
		elsewhere.Address = "192.0.2.2"
		_, err := a.SignIn(t.Context(), elsewhere, "anna", lanterns, "")
		refused(t, err, fault.TooMany)
		_, err = a.SignIn(t.Context(), visitor, "anna", lanterns, "")
		ok(t, err)
		a.failed(9, "anna", visitor.Address, 0)
		_, err = a.SignIn(t.Context(), visitor, "anna", lanterns, "")
		refused(t, err, fault.TooMany)
	})
}

func TestU4_AddressesWaitAfterAHundredFailures(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		a.failed(1, "others", visitor.Address, 50*time.Minute)
		a.failed(98, "others", visitor.Address, 40*time.Minute)
		_, err := a.SignIn(t.Context(), visitor, "anna", barrels, "")
		refused(t, err, fault.Unknown)
		_, err = a.IssueToken(t.Context(), visitor, "anna", lanterns)
		refused(t, err, fault.TooMany)
		if retry := fault.Of(err).Retry; retry < 9*time.Minute || retry > 10*time.Minute {
			t.Errorf("come back in %v, want 10 minutes", retry)
		}
	})
}

func TestU4_OldFailuresAreForgotten(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		a.failed(200, "anna", visitor.Address, 25*time.Hour)
		a.failed(19, "anna", "203.0.113.9", 2*time.Minute)
		_, err := a.SignIn(t.Context(), visitor, "anna", barrels, "")
		refused(t, err, fault.Unknown)
		var left int64
		ok(t, a.read(t.Context()).Model(&models.SignInFailure{}).Count(&left).Error)
		if left != 20 || len(a.recorded("user.guessed_at")) != 1 {
			t.Errorf("%d failures kept, want 20; notices: %v", left, a.recorded("user.guessed_at"))
		}
	})
}

func TestU4_ParallelGuessesLearnNoMore(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		errs := atOnce(16, func(int) error {
			_, err := a.SignIn(t.Context(), visitor, "anna", barrels, "")
			return err
		})
		wrong := 0
		for _, err := range errs {
			if fault.Is(err, fault.Unknown) {
				wrong++
			} else {
				refused(t, err, fault.TooMany)
			}
		}
		if wrong != freeTries || len(errs) != 16 {
			t.Errorf("%d of %d guesses were judged, want %d of 16", wrong, len(errs), freeTries)
		}
	})
}

func TestU4_ParallelSignInsAreNoGuesses(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		a.withPassword("anna", lanterns)
		errs := atOnce(10, func(int) error {
			_, err := a.SignIn(t.Context(), visitor, "anna", lanterns, "")
			return err // though the first one renews the hash
		})
		if len(errs) != 0 {
			t.Error(errs)
		}
	})
}
