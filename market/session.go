package market

import (
	"context"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// How long sessions live (trust U6, U8).
const (
	sessionIdle  = 12 * time.Hour
	sessionLife  = 7 * 24 * time.Hour
	sessionFresh = 15 * time.Minute
	seenEvery    = time.Minute
)

const signInAgain = "You are not signed in, or not any more. Sign in again."

// openSession signs the actor in with a new secret, of which the hash is kept (trust U6).
func openSession(tx *gorm.DB, who Actor, team *int64, agent string) (secret string, err error) {
	secret = random(secretBytes)
	now := models.Now()
	session := models.Session{
		Hash: hashOf(secret), UserID: who.UserID, TeamID: team, Address: who.Address, Agent: clean(agent),
		Created: now, Seen: now, Expires: now.Add(sessionLife),
	}
	if err := tx.Create(&session).Error; err != nil {
		return "", err
	}
	return secret, record(tx, who, "user.sign_in", object("session", session.ID), "")
}

// SessionActor says who a browser's secret stands for right now, with the role
// that the user has at this moment in the team the session is about (trust Z7).
func (m *Market) SessionActor(ctx context.Context, secret, address, requestID string) (Actor, error) {
	session, err := models.LiveSession(m.read(ctx), hashOf(secret), sessionIdle)
	if err != nil {
		return Actor{}, unknown(err, signInAgain)
	}
	if err := m.touch(ctx, &models.Session{}, session.ID, "seen", &session.Seen, seenEvery); err != nil {
		return Actor{}, err
	}
	who := Actor{UserID: session.UserID, Via: "portal", Address: address, RequestID: requestID}
	return m.held(ctx, who, session.TeamID, session.Holder)
}

// unknown makes nobody we know of a credential that is not there.
func unknown(err error, text string) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.Unknown, "%s", text)
	}
	return err
}

// touch notes that a credential was used, but not each time.
func (m *Market) touch(ctx context.Context, table any, id int64, column string, last *time.Time, every time.Duration) error {
	now := models.Now()
	if last != nil && now.Sub(*last) < every {
		return nil
	}
	return m.db.Write(ctx, func(tx *gorm.DB) error {
		return tx.Model(table).Where("id = ?", id).Update(column, now).Error
	})
}

// held completes an actor who holds a session or a token. A user who has never
// chosen a team acts for the first; who was removed from the chosen one acts
// for none, since what is being sent was meant for that team.
func (m *Market) held(ctx context.Context, who Actor, team *int64, now models.Holder) (Actor, error) {
	who.UserName, who.PlatformAdmin = now.UserName, now.PlatformAdmin
	if now.Role != nil {
		who.TeamID, who.TeamName, who.Role = *team, *now.TeamName, *now.Role
	}
	if team != nil {
		return who, nil
	}
	memberships, err := models.MembershipsOf(m.read(ctx), who.UserID)
	if err != nil || len(memberships) == 0 {
		return who, err
	}
	first := memberships[0]
	who.TeamID, who.TeamName, who.Role = first.TeamID, first.TeamName, first.Role
	return who, nil
}

// SignOut ends the session of a secret; ending it twice is no mistake.
func (m *Market) SignOut(ctx context.Context, who Actor, secret string) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		n, err := endSessions(tx.Where("user_id = ? AND hash = ?", who.UserID, hashOf(secret)))
		if err != nil || n == 0 {
			return err
		}
		return record(tx, who, "user.sign_out", object("user", who.UserID), "")
	})
}

// endSessions ends those of the sessions that are not over yet.
func endSessions(of *gorm.DB) (int64, error) {
	done := of.Model(&models.Session{}).Where("revoked IS NULL").Update("revoked", models.Now())
	return done.RowsAffected, done.Error
}

// Sessions lists where the actor is signed in, newest first.
func (m *Market) Sessions(ctx context.Context, who Actor) ([]models.Session, error) {
	return models.SessionsOf(m.read(ctx), who.UserID, sessionIdle)
}

// SessionIs reports whether a session is the one of a secret.
func SessionIs(session models.Session, secret string) bool { return matches(secret, session.Hash) }

// EndSession ends one of the actor's own sessions.
func (m *Market) EndSession(ctx context.Context, who Actor, id int64) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		n, err := endSessions(tx.Where("user_id = ? AND id = ?", who.UserID, id))
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.Missing()
		}
		return record(tx, who, "session.end", object("session", id), "")
	})
}

// EndOtherSessions ends all of the actor's sessions but the one of a secret.
func (m *Market) EndOtherSessions(ctx context.Context, who Actor, secret string) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		if _, err := endSessions(tx.Where("user_id = ? AND hash <> ?", who.UserID, hashOf(secret))); err != nil {
			return err
		}
		return record(tx, who, "session.end_others", object("user", who.UserID), "")
	})
}

// SwitchTeam makes the session act for another team of the user.
func (m *Market) SwitchTeam(ctx context.Context, who Actor, secret string, team int64) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		if _, err := models.MembershipOf(tx, who.UserID, team); err != nil {
			return err
		}
		done := tx.Model(&models.Session{}).
			Where("user_id = ? AND hash = ? AND revoked IS NULL", who.UserID, hashOf(secret)).Update("team_id", team)
		return switched(tx, who, team, done)
	})
}

// switched records that a credential now acts for another team.
func switched(tx *gorm.DB, who Actor, team int64, done *gorm.DB) error {
	if done.Error != nil {
		return done.Error
	}
	if done.RowsAffected == 0 {
		return fault.New(fault.Unknown, signInAgain)
	}
	who.TeamID = team
	return record(tx, who, "user.switch_team", object("team", team), "")
}

// Fresh reports whether the password was given so recently that keys, roles,
// members and settings may be changed without asking for it again (trust U8).
func (m *Market) Fresh(ctx context.Context, secret string) (bool, error) {
	session, err := models.LiveSession(m.read(ctx), hashOf(secret), sessionIdle)
	if err != nil {
		return false, unknown(err, signInAgain)
	}
	return models.Now().Sub(session.Created) <= sessionFresh, nil
}

// Confirm asks for the password once more: the session goes on as a fresh one
// with a new secret (trust U8).
func (m *Market) Confirm(ctx context.Context, who Actor, secret, password string) (renewed string, err error) {
	err = m.prove(ctx, who, who.UserName, password, func(tx *gorm.DB, user models.User) (err error) {
		renewed, err = renewSession(tx, as(who, user), secret)
		return err
	})
	return renewed, err
}

// renewSession ends the session of a secret and opens another like it.
func renewSession(tx *gorm.DB, who Actor, secret string) (string, error) {
	old, err := models.LiveSession(tx, hashOf(secret), sessionIdle)
	if err == nil && old.UserID != who.UserID {
		err = fault.Missing()
	}
	if err != nil {
		return "", unknown(err, signInAgain)
	}
	if _, err := endSessions(tx.Where("user_id = ? AND id = ?", who.UserID, old.ID)); err != nil {
		return "", err
	}
	return openSession(tx, who, old.TeamID, old.Agent)
}
