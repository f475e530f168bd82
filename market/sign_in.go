package market

import (
	"context"
	"strings"
	"time"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"
)

// The limits of guessing (trust U4).
const (
	guessing     = time.Hour // how long a wrong password counts
	freeTries    = 5         // per account, before each further one has to wait
	longestDelay = time.Minute
	addressTries = 100 // per address
	noticeAfter  = 20  // wrong passwords of one account are worth a notice
	forgotten    = 24 * time.Hour
	knownFor     = 30 * 24 * time.Hour // an address where the user signed in
)

// SignIn opens a session for a user who knows the password, and returns the
// secret that the browser keeps.
func (m *Market) SignIn(ctx context.Context, who Actor, name, password, agent string) (secret string, err error) {
	err = m.prove(ctx, who, name, password, func(tx *gorm.DB, user models.User) (err error) {
		team, err := lastTeam(tx, user.ID)
		if err != nil {
			return err
		}
		secret, err = openSession(tx, as(who, user), team, agent)
		return err
	})
	return secret, err
}

// attempt is one try to prove who one is.
type attempt struct {
	who     Actor
	account string
	user    models.User // zero if there is none of this name
	known   bool        // the user signed in from this address before
}

// prove runs then in the transaction that finds the password of a user right.
// An unknown user, a wrong password and a disabled user take the same steps and
// get the same sentence (trust U3). Limits are looked at before the password is
// hashed and again when it has been, so that parallel guesses learn no more
// than one after the other would.
func (m *Market) prove(ctx context.Context, who Actor, name, password string, then func(tx *gorm.DB, user models.User) error) error {
	try, err := newAttempt(m.read(ctx), who, name)
	if err != nil {
		return err
	}
	right, renewed, err := m.compare(ctx, password, try.user.PasswordHash)
	if err != nil {
		return err
	}
	var refused error
	stale := false
	err = m.db.Write(ctx, func(tx *gorm.DB) error {
		user, err := try.lock(tx)
		if err != nil {
			return err
		}
		if stale = user.PasswordHash != try.user.PasswordHash; stale {
			return nil
		}
		if refused = nil; !right || user.Disabled {
			refused = fault.New(fault.Unknown, "The name or the password is wrong.")
			return try.fail(tx)
		}
		if err := try.succeed(tx, renewed); err != nil {
			return err
		}
		return then(tx, user)
	})
	if err == nil && stale {
		return m.prove(ctx, who, name, password, then)
	}
	if err != nil {
		return err
	}
	return refused
}

// compare checks a password and, if it is right but its hash too cheap, makes a new one.
func (m *Market) compare(ctx context.Context, password, kept string) (right bool, renewed string, err error) {
	right, outdated, err := m.checkPassword(ctx, password, kept)
	if err == nil && right && outdated {
		renewed, err = m.hashPassword(ctx, password)
	}
	return right, renewed, err
}

// newAttempt looks up who wants to sign in, and refuses who has to wait.
func newAttempt(tx *gorm.DB, who Actor, name string) (try attempt, err error) {
	try = attempt{who: who, account: norm.NFC.String(name)}
	if value.CheckName(try.account) != "" {
		try.account = " " // no user has this name, and databases can keep it
	}
	try.user, err = models.UserByName(tx, try.account)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return try, err
	}
	try.known, err = models.SignedInFrom(tx, try.user.ID, who.Address, models.Now().Add(-knownFor))
	if err != nil {
		return try, err
	}
	return try, try.delayed(tx)
}

// lock holds the account, so that its failures are counted one after the other.
func (try attempt) lock(tx *gorm.DB) (user models.User, err error) {
	if try.user.ID != 0 {
		user, err = models.LockUser(tx, try.user.ID)
	}
	if err != nil {
		return user, err
	}
	return user, try.delayed(tx)
}

// delayed refuses a try that comes too early. Where a user has signed in
// before, only wrong passwords from the same address count, so that nobody
// locks out somebody else.
func (try attempt) delayed(tx *gorm.DB) error {
	now := models.Now()
	from := ""
	if try.known {
		from = try.who.Address
	}
	failures, err := models.SignInFailuresOf(tx, try.account, from, now.Add(-guessing), noticeAfter)
	if err != nil {
		return err
	}
	if wait := delay(len(failures)); wait > 0 && now.Before(failures[0].Add(wait)) {
		return tooMany(failures[0].Add(wait).Sub(now), "There were too many wrong passwords.")
	}
	failures, err = models.SignInFailuresFrom(tx, try.who.Address, now.Add(-guessing), addressTries)
	if err != nil || len(failures) < addressTries {
		return err
	}
	return tooMany(failures[addressTries-1].Add(guessing).Sub(now), "There were too many wrong passwords.")
}

// delay is how long the next try has to wait after so many wrong passwords.
func delay(failures int) time.Duration {
	if failures < freeTries {
		return 0
	}
	return min(longestDelay, time.Second<<min(failures-freeTries, 10))
}

// fail remembers a wrong password, and forgets those that no longer count.
func (try attempt) fail(tx *gorm.DB) error {
	now := models.Now()
	err := tx.Where("(account = ? OR address = ?) AND at < ?", try.account, try.who.Address, now.Add(-forgotten)).
		Delete(&models.SignInFailure{}).Error
	if err != nil {
		return err
	}
	if err := tx.Create(&models.SignInFailure{Account: try.account, Address: try.who.Address, At: now}).Error; err != nil {
		return err
	}
	if err := record(tx, try.who, "user.sign_in_failed", try.object(), ""); err != nil {
		return err
	}
	failures, err := models.SignInFailuresOf(tx, try.account, "", now.Add(-guessing), noticeAfter+1)
	if err != nil || len(failures) != noticeAfter {
		return err
	}
	return record(tx, try.who, "user.guessed_at", try.object(), "20 wrong passwords within an hour")
}

// object names the account without what was typed, which may be a password.
func (try attempt) object() string {
	if try.user.ID == 0 {
		return "user unknown"
	}
	return object("user", try.user.ID)
}

// succeed forgets the failures from where the user now is, and keeps a renewed hash.
func (try attempt) succeed(tx *gorm.DB, renewed string) error {
	err := tx.Where("account = ? AND address = ?", try.account, try.who.Address).Delete(&models.SignInFailure{}).Error
	if err != nil {
		return err
	}
	changes := map[string]any{"last_sign_in": models.Now()}
	if renewed != "" {
		changes["password_hash"] = renewed
	}
	return tx.Model(&models.User{}).Where("id = ?", try.user.ID).Updates(changes).Error
}

// as is the actor once it is known to be a user.
func as(who Actor, user models.User) Actor {
	who.UserID, who.UserName, who.PlatformAdmin = user.ID, user.Name, user.PlatformAdmin
	return who
}

// lastTeam is the team of the user's newest session, else the first by name, nil without any.
func lastTeam(tx *gorm.DB, user int64) (*int64, error) {
	memberships, err := models.MembershipsOf(tx, user)
	if err != nil || len(memberships) == 0 {
		return nil, err
	}
	session, err := models.NewestSessionOf(tx, user)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	for _, m := range memberships {
		if session.TeamID != nil && *session.TeamID == m.TeamID {
			return &m.TeamID, nil
		}
	}
	return &memberships[0].TeamID, nil
}

// clean makes a header that anybody may have sent fit to be kept and shown.
func clean(text string) string {
	const most = 255
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
