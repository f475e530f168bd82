package market

import (
	"context"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// TokenActor says which user a token acts for, with the role that the user has
// at this moment in the token's active team (trust Z7).
func (m *Market) TokenActor(ctx context.Context, token, address, requestID string) (Actor, error) {
	prefix, _ := publicPart(token, tokenMark)
	kept, err := models.LiveUserToken(m.read(ctx), prefix)
	if err == nil && !matches(token, kept.Hash) {
		err = fault.Missing()
	}
	if err != nil {
		return Actor{}, unknown(err, "The token is not valid, or not any more.")
	}
	if err := m.touch(ctx, &models.UserToken{}, kept.ID, "last_used", kept.LastUsed, usedEvery); err != nil {
		return Actor{}, err
	}
	who := Actor{UserID: kept.UserID, Via: "api", Address: address, RequestID: requestID}
	return m.held(ctx, who, kept.TeamID, kept.Holder)
}

// IssueToken gives a token to a user who knows the password; the limits of
// signing in hold here as well.
func (m *Market) IssueToken(ctx context.Context, who Actor, name, password string) (secret string, err error) {
	err = m.prove(ctx, who, name, password, func(tx *gorm.DB, user models.User) error {
		until, err := expiry(who, nil)
		if err != nil {
			return err
		}
		_, secret, err = addUserToken(tx, as(who, user), "api-token-auth", until)
		return err
	})
	return secret, err
}

// CreateUserToken makes a token that acts for the actor over the API; the token
// itself is returned this once (marketplace A3).
func (m *Market) CreateUserToken(ctx context.Context, who Actor, label string, expires *time.Time) (token models.UserToken, secret string, err error) {
	if err := who.mustUser(); err != nil {
		return token, "", err
	}
	if err := checkName("name", label); err != nil {
		return token, "", err
	}
	until, err := expiry(who, expires)
	if err != nil {
		return token, "", err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) (err error) {
		token, secret, err = addUserToken(tx, who, label, until)
		return err
	})
	return token, secret, err
}

// mustUser refuses keys where only people make sense.
func (a Actor) mustUser() error {
	if a.UserID == 0 {
		return fault.New(fault.Forbidden, "Only a user may do this, an API key may not.")
	}
	return nil
}

// addUserToken keeps a new token, which begins with the team that the user acts for.
func addUserToken(tx *gorm.DB, who Actor, name string, until time.Time) (token models.UserToken, secret string, err error) {
	secret, prefix := newCredential(tokenMark)
	token = models.UserToken{UserID: who.UserID, Prefix: prefix, Hash: hashOf(secret), Name: name,
		Created: models.Now(), Expires: until}
	if token.TeamID, err = lastTeam(tx, who.UserID); err != nil {
		return token, "", err
	}
	if err := tx.Create(&token).Error; err != nil {
		return token, "", err
	}
	return token, secret, record(tx, who, "user_token.create", object("user_token", token.ID), prefix)
}

// UserTokens lists the actor's tokens, newest first, dead ones too.
func (m *Market) UserTokens(ctx context.Context, who Actor) ([]models.UserToken, error) {
	return models.UserTokensOf(m.read(ctx), who.UserID)
}

// RevokeUserToken ends one of the actor's tokens at once; ending it twice is no mistake.
func (m *Market) RevokeUserToken(ctx context.Context, who Actor, id int64) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		token, err := models.UserTokenByID(tx, who.UserID, id)
		if err != nil {
			return err
		}
		done := tx.Model(&models.UserToken{}).Where("id = ? AND revoked IS NULL", id).Update("revoked", models.Now())
		if done.Error != nil || done.RowsAffected == 0 {
			return done.Error
		}
		return record(tx, who, "user_token.revoke", object("user_token", id), token.Prefix)
	})
}

// ActivateMembership makes a token act for the team of one of the user's memberships.
func (m *Market) ActivateMembership(ctx context.Context, who Actor, membership int64, token string) error {
	if err := who.mustUser(); err != nil {
		return err
	}
	prefix, _ := publicPart(token, tokenMark)
	return m.write(ctx, who, func(tx *gorm.DB) error {
		wanted, err := models.OwnMembership(tx, who.UserID, membership)
		if err != nil {
			return err
		}
		done := tx.Model(&models.UserToken{}).
			Where("user_id = ? AND prefix = ? AND hash = ? AND revoked IS NULL", who.UserID, prefix, hashOf(token)).
			Update("team_id", wanted.TeamID)
		return switched(tx, who, wanted.TeamID, done)
	})
}
