package market

import (
	"context"
	"slices"
	"time"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

const (
	keyYears  = 1 // how long keys and tokens live unless somebody says otherwise
	mostYears = 2 // and at most, unless a platform admin says otherwise (trust U5)
	usedEvery = 5 * time.Minute
)

// KeyActor says which team a key acts for and with which role (trust U5).
func (m *Market) KeyActor(ctx context.Context, key, address, requestID string) (Actor, error) {
	prefix, _ := publicPart(key, keyMark)
	kept, err := models.LiveAPIKey(m.read(ctx), prefix)
	if err == nil && !matches(key, kept.Hash) {
		err = fault.Missing()
	}
	if err != nil {
		return Actor{}, unknown(err, "The API key is not valid, or not any more.")
	}
	if err := m.touch(ctx, &models.APIKey{}, kept.ID, "last_used", kept.LastUsed, usedEvery); err != nil {
		return Actor{}, err
	}
	return Actor{
		KeyID: kept.ID, KeyName: kept.Name, TeamID: kept.TeamID, TeamName: kept.TeamName, Role: kept.Role,
		Via: "api", Address: address, RequestID: requestID,
	}, nil
}

// CreateAPIKey makes a key that acts for a team; the key itself is returned
// this once (marketplace A3).
func (m *Market) CreateAPIKey(ctx context.Context, who Actor, team int64, name string, role models.Role, expires *time.Time) (key models.APIKey, secret string, err error) {
	if err := checkName("name", name); err != nil {
		return key, "", err
	}
	if err := checkRole(role); err != nil {
		return key, "", err
	}
	until, err := expiry(who, expires)
	if err != nil {
		return key, "", err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		who, err := actingForKeys(tx, who, team)
		if err != nil {
			return err
		}
		text, prefix := newCredential(keyMark)
		secret = text
		key = models.APIKey{TeamID: team, Name: name, Prefix: prefix, Hash: hashOf(text), Role: role,
			CreatedBy: who.Name(), Created: models.Now(), Expires: until}
		if err := tx.Create(&key).Error; err != nil {
			return err
		}
		return record(tx, who, "api_key.create", object("api_key", key.ID), key.Prefix+", "+string(role))
	})
	return key, secret, err
}

// actingForKeys is the actor in a team whose keys it may see and change: an
// admin of the team, or a platform admin.
func actingForKeys(tx *gorm.DB, who Actor, team int64) (Actor, error) {
	who, err := acting(tx, who, team)
	if err != nil || who.PlatformAdmin {
		return who, err
	}
	return who, who.mustAdmin()
}

// expiry is when a new key or token ends.
func expiry(who Actor, wanted *time.Time) (time.Time, error) {
	now := models.Now()
	if wanted == nil {
		return now.AddDate(keyYears, 0, 0), nil
	}
	if !wanted.After(now) {
		return now, fault.Field("expires", "The end must lie in the future.")
	}
	if wanted.After(now.AddDate(mostYears, 0, 1)) && !who.PlatformAdmin {
		return now, fault.Field("expires", "The end may lie at most %d years ahead. Only a platform admin may choose a later one.", mostYears)
	}
	if wanted.Year() > 9999 {
		return now, fault.Field("expires", "The end lies too far ahead.")
	}
	return wanted.UTC().Truncate(time.Microsecond), nil
}

// checkName refuses names that break the rule for all names (marketplace M3).
func checkName(field, name string) error {
	if problem := value.CheckName(name); problem != "" {
		return fault.Field(field, "The name %s.", problem)
	}
	return nil
}

// checkRole refuses words that are no role (marketplace A1).
func checkRole(role models.Role) error {
	if !slices.Contains(models.Roles, role) {
		return fault.Field("role", "The role must be ADMIN, GENERAL or READ_ONLY.")
	}
	return nil
}

// APIKeys lists a team's keys, newest first, dead ones too.
func (m *Market) APIKeys(ctx context.Context, who Actor, team int64) ([]models.APIKey, error) {
	tx := m.read(ctx)
	if _, err := actingForKeys(tx, who, team); err != nil {
		return nil, err
	}
	return models.APIKeysOf(tx, team)
}

// RevokeAPIKey ends a key at once; ending it twice is no mistake.
func (m *Market) RevokeAPIKey(ctx context.Context, who Actor, team, id int64) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		who, err := actingForKeys(tx, who, team)
		if err != nil {
			return err
		}
		key, err := models.APIKeyByID(tx, team, id)
		if err != nil {
			return err
		}
		done := tx.Model(&models.APIKey{}).Where("id = ? AND revoked IS NULL", id).Update("revoked", models.Now())
		if done.Error != nil || done.RowsAffected == 0 {
			return done.Error
		}
		return record(tx, who, "api_key.revoke", object("api_key", id), key.Prefix)
	})
}
