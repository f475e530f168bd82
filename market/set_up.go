package market

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// setUpCode is the setting that keeps the hash of the code.
const setUpCode = "set_up_code"

// NeedsSetUp reports whether there is no user yet, so that the portal can only
// be set up (portal DOOR1).
func (m *Market) NeedsSetUp(ctx context.Context) (bool, error) {
	found, err := models.AnyUser(m.read(ctx))
	return !found && err == nil, err
}

// NewSetUpCode makes the code that proves who may set the portal up: whoever
// sees what the command prints. It replaces the one before.
func (m *Market) NewSetUpCode(ctx context.Context) (string, error) {
	text := rand.Text()
	code := strings.Join([]string{text[:7], text[7:13], text[13:19], text[19:]}, "-")
	err := m.db.Write(ctx, func(tx *gorm.DB) error {
		if err := mustNeedSetUp(tx); err != nil {
			return err
		}
		kept := models.Setting{Name: setUpCode, Value: codeHash(code)}
		replace := clause.OnConflict{Columns: []clause.Column{{Name: "name"}}, DoUpdates: clause.AssignmentColumns([]string{"value"})}
		if err := tx.Clauses(replace).Create(&kept).Error; err != nil {
			return err
		}
		return record(tx, Console(), "portal.new_set_up_code", "portal", "")
	})
	if err != nil {
		return "", err
	}
	return code, nil
}

// mustNeedSetUp is Missing once there is a user: then there is nothing to set up.
func mustNeedSetUp(tx *gorm.DB) error {
	found, err := models.AnyUser(tx)
	if err == nil && found {
		return fault.Missing()
	}
	return err
}

// codeHash forgives how a code was typed, which has 130 random bits.
func codeHash(code string) string {
	typed := strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(strings.TrimSpace(code)))
	return hex.EncodeToString(hashOf(typed))
}

// SetUp makes the first user, who is a platform admin, and the first team, and
// signs the user in. It works once, for whoever knows the code.
func (m *Market) SetUp(ctx context.Context, who Actor, code, userName, password, teamName, agent string) (secret string, err error) {
	if err := m.checkSetUp(ctx, code, userName, password, teamName); err != nil {
		return "", err
	}
	hash, err := m.hashPassword(ctx, password)
	if err != nil {
		return "", err
	}
	err = m.db.Write(ctx, func(tx *gorm.DB) (err error) {
		if err := useSetUpCode(tx, code); err != nil {
			return err
		}
		user, err := addUser(tx, who, userName, hash, true)
		if err != nil {
			return err
		}
		who := as(who, user)
		team, err := addTeam(tx, who, teamName, &user.ID)
		if err != nil {
			return err
		}
		secret, err = openSession(tx, who, &team.ID, agent)
		return err
	})
	return secret, err
}

// checkSetUp refuses what is wrong before anything costs time, the code first.
func (m *Market) checkSetUp(ctx context.Context, code, userName, password, teamName string) error {
	var kept []models.Setting
	if err := m.read(ctx).Where("name = ? AND value = ?", setUpCode, codeHash(code)).Find(&kept).Error; err != nil {
		return err
	}
	if err := mustNeedSetUp(m.read(ctx)); err != nil { // second: whoever uses the code up leaves a user
		return err
	}
	if len(kept) == 0 {
		return wrongCode()
	}
	if err := checkName("name", userName); err != nil {
		return err
	}
	if err := checkNewPassword(password, userName); err != nil {
		return err
	}
	return checkName("team", teamName)
}

func wrongCode() error {
	return fault.Field("code", "This is not the set-up code. The portal printed it when it started; the newest one counts.")
}

// useSetUpCode takes the code away, which only one of several can do.
func useSetUpCode(tx *gorm.DB, code string) error {
	used := tx.Where("name = ? AND value = ?", setUpCode, codeHash(code)).Delete(&models.Setting{})
	if used.Error != nil {
		return used.Error
	}
	if err := mustNeedSetUp(tx); err != nil {
		return err
	}
	if used.RowsAffected == 0 {
		return wrongCode()
	}
	return nil
}
