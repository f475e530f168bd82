package market

import (
	"context"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Console is whoever runs the command on the portal's own machine: a platform
// admin without a team.
func Console() Actor { return Actor{UserName: "Console", PlatformAdmin: true, Via: "system"} }

// mustPlatformAdmin refuses everybody but platform admins (marketplace A1).
func (a Actor) mustPlatformAdmin() error {
	if !a.PlatformAdmin {
		return fault.New(fault.Forbidden, "Only a platform admin may do this.")
	}
	return nil
}

// CreateUser makes a user with a password.
func (m *Market) CreateUser(ctx context.Context, who Actor, name, password string, admin bool) (user models.User, err error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return user, err
	}
	if err := checkName("name", name); err != nil {
		return user, err
	}
	hash, err := m.newHash(ctx, name, password)
	if err != nil {
		return user, err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) (err error) {
		user, err = addUser(tx, who, name, hash, admin)
		return err
	})
	return user, err
}

// newHash hashes a password that a user may have.
func (m *Market) newHash(ctx context.Context, user, password string) (string, error) {
	if err := checkNewPassword(password, user); err != nil {
		return "", err
	}
	return m.hashPassword(ctx, password)
}

func addUser(tx *gorm.DB, who Actor, name, hash string, admin bool) (models.User, error) {
	now := models.Now()
	user := models.User{Name: name, PasswordHash: hash, PlatformAdmin: admin, Created: now, Modified: now}
	if err := tx.Create(&user).Error; err != nil {
		if models.IsUnique(err, "users_name_key") {
			err = taken("name", "There is already a user of this name.")
		}
		return user, err
	}
	summary := name
	if admin {
		summary += ", platform admin"
	}
	return user, record(tx, who, "user.create", object("user", user.ID), summary)
}

// taken is a conflict about one field of the input.
func taken(field, text string) error {
	return &fault.Error{Kind: fault.Conflict, Code: "taken", Text: text, Fields: map[string][]string{field: {text}}}
}

// ChangePassword gives the actor another password, ends all sessions, and goes
// on in one with a new secret (trust U6).
func (m *Market) ChangePassword(ctx context.Context, who Actor, old, password, secret string) (renewed string, err error) {
	if err := who.mustUser(); err != nil {
		return "", err
	}
	if err := checkNewPassword(password, who.UserName); err != nil {
		return "", err
	}
	hash, err := m.hashPassword(ctx, password)
	if err != nil {
		return "", err
	}
	err = m.prove(ctx, who, who.UserName, old, func(tx *gorm.DB, user models.User) (err error) {
		if renewed, err = renewSession(tx, as(who, user), secret); err != nil {
			return err
		}
		if _, err := endSessions(tx.Where("user_id = ? AND hash <> ?", user.ID, hashOf(renewed))); err != nil {
			return err
		}
		return keepPassword(tx, who, user.ID, hash)
	})
	return renewed, err
}

func keepPassword(tx *gorm.DB, who Actor, user int64, hash string) error {
	err := tx.Model(&models.User{}).Where("id = ?", user).
		Updates(map[string]any{"password_hash": hash, "modified": models.Now()}).Error
	if err != nil {
		return err
	}
	return record(tx, who, "user.change_password", object("user", user), "")
}

// SetPassword gives a user who forgot the password another one, and ends all sessions.
func (m *Market) SetPassword(ctx context.Context, who Actor, id int64, password string) error {
	if err := who.mustPlatformAdmin(); err != nil {
		return err
	}
	user, err := models.UserByID(m.read(ctx), id)
	if err != nil {
		return err
	}
	hash, err := m.newHash(ctx, user.Name, password)
	if err != nil {
		return err
	}
	return m.write(ctx, who, func(tx *gorm.DB) error {
		if _, err := models.LockUser(tx, id); err != nil {
			return err
		}
		if _, err := endSessions(tx.Where("user_id = ?", id)); err != nil {
			return err
		}
		return keepPassword(tx, who, id, hash)
	})
}

// DisableUser keeps a user out: sessions end, tokens are refused. It may be the
// last admin of a team, since whoever must be kept out must be kept out now; a
// platform admin then makes a key of the team, with which others become admins.
func (m *Market) DisableUser(ctx context.Context, who Actor, id int64) error {
	return m.changeUser(ctx, who, id, "user.disable", "disabled", true)
}

// EnableUser lets a disabled user sign in again.
func (m *Market) EnableUser(ctx context.Context, who Actor, id int64) error {
	return m.changeUser(ctx, who, id, "user.enable", "disabled", false)
}

// SetPlatformAdmin says whether a user is a platform admin.
func (m *Market) SetPlatformAdmin(ctx context.Context, who Actor, id int64, admin bool) error {
	action := "user.make_platform_admin"
	if !admin {
		action = "user.unmake_platform_admin"
	}
	return m.changeUser(ctx, who, id, action, "platform_admin", admin)
}

// changeUser changes what a user may do, and ends the user's sessions; the last
// platform admin stays one (trust Z6).
func (m *Market) changeUser(ctx context.Context, who Actor, id int64, action, column string, set bool) error {
	if err := who.mustPlatformAdmin(); err != nil {
		return err
	}
	return m.write(ctx, who, func(tx *gorm.DB) error {
		if _, err := models.LockPlatformAdmins(tx); err != nil {
			return err
		}
		user, err := models.LockUser(tx, id)
		if err != nil {
			return err
		}
		changed := tx.Model(&models.User{}).Where("id = ?", id).Updates(map[string]any{column: set, "modified": models.Now()})
		if changed.Error != nil {
			return changed.Error
		}
		if err := mustKeepPlatformAdmin(tx); err != nil {
			return err
		}
		if _, err := endSessions(tx.Where("user_id = ?", id)); err != nil {
			return err
		}
		return record(tx, who, action, object("user", id), user.Name)
	})
}

func mustKeepPlatformAdmin(tx *gorm.DB) error {
	admins, err := models.LockPlatformAdmins(tx)
	if err == nil && len(admins) == 0 {
		return &fault.Error{Kind: fault.Conflict, Code: "last_admin",
			Text: "This is the last platform admin. Make somebody else one first."}
	}
	return err
}

// Users lists all users by name.
func (m *Market) Users(ctx context.Context, who Actor, page models.Page) ([]models.User, int64, error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return nil, 0, err
	}
	return models.Users(m.read(ctx), page)
}

// User finds a user.
func (m *Market) User(ctx context.Context, who Actor, id int64) (models.User, error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return models.User{}, err
	}
	return models.UserByID(m.read(ctx), id)
}
