package models

import (
	"time"

	"gorm.io/gorm"
)

// APIKey acts for a team with a role; only its hash is kept (trust U5).
type APIKey struct {
	ID        int64
	TeamID    int64
	Name      string
	Prefix    string // the public part, readable
	Hash      []byte // SHA-256 of the whole key
	Role      Role
	CreatedBy string
	Created   time.Time
	Expires   time.Time
	LastUsed  *time.Time
	Revoked   *time.Time
}

// TableName keeps GORM from reading "API" letter by letter.
func (APIKey) TableName() string { return "api_keys" }

// UserToken acts for a user over the API; only its hash is kept.
type UserToken struct {
	ID       int64
	UserID   int64
	TeamID   *int64 // the active team
	Prefix   string
	Hash     []byte
	Name     string
	Created  time.Time
	Expires  time.Time
	LastUsed *time.Time
	Revoked  *time.Time
}

// Session is one signed-in browser; the cookie holds the secret, the row its hash (trust U6).
type Session struct {
	ID      int64
	Hash    []byte
	UserID  int64
	TeamID  *int64 // the active team
	Address string
	Agent   string
	Created time.Time
	Seen    time.Time
	Expires time.Time
	Revoked *time.Time
}

// SignInFailure is one wrong password, kept to slow down guessing (trust U4).
type SignInFailure struct {
	ID      int64
	Account string
	Address string
	At      time.Time
}

// KeyHolder is a key with the name of the team that it acts for.
type KeyHolder struct {
	APIKey
	TeamName string
}

// Holder is the user whom a session or a token acts for, as it is right now.
type Holder struct {
	UserName      string
	PlatformAdmin bool
	Role          *Role // in the active team; nil if the user does not belong to it
	TeamName      *string
}

// SessionHolder is a session with its user.
type SessionHolder struct {
	Session
	Holder
}

// TokenHolder is a user token with its user.
type TokenHolder struct {
	UserToken
	Holder
}

// LiveAPIKey finds a key by its public part, unless it is expired or revoked.
func LiveAPIKey(tx *gorm.DB, prefix string) (key KeyHolder, err error) {
	return key, found(tx.Table("api_keys c").Joins("JOIN teams t ON t.id = c.team_id").
		Select("c.*, t.name AS team_name").
		Where("c.prefix = ? AND c.revoked IS NULL AND c.expires > ?", prefix, DatabaseNow(tx, 0)).Take(&key).Error)
}

// LiveUserToken finds a token by its public part, unless it is expired or
// revoked or its user disabled.
func LiveUserToken(tx *gorm.DB, prefix string) (token TokenHolder, err error) {
	return token, found(held(tx, "user_tokens").Where("c.prefix = ?", prefix).Take(&token).Error)
}

// LiveSession finds a session by the hash of its secret, unless it is expired,
// revoked or idle for too long, or its user disabled.
func LiveSession(tx *gorm.DB, hash []byte, idle time.Duration) (session SessionHolder, err error) {
	return session, found(held(tx, "sessions").
		Where("c.hash = ? AND c.seen > ?", hash, DatabaseNow(tx, -idle)).Take(&session).Error)
}

// held reads credentials of users that may be used now, called c, with what
// their users are.
func held(tx *gorm.DB, table string) *gorm.DB {
	return tx.Table(table+" c").Joins("JOIN users u ON u.id = c.user_id").
		Joins("LEFT JOIN memberships m ON m.user_id = c.user_id AND m.team_id = c.team_id").
		Joins("LEFT JOIN teams t ON t.id = m.team_id").
		Select("c.*, u.name AS user_name, u.platform_admin, m.role, t.name AS team_name").
		Where("c.revoked IS NULL AND c.expires > ? AND NOT u.disabled", DatabaseNow(tx, 0))
}

// APIKeysOf lists a team's keys, newest first.
func APIKeysOf(tx *gorm.DB, team int64) (keys []APIKey, err error) {
	return keys, tx.Where("team_id = ?", team).Order("id DESC").Find(&keys).Error
}

// APIKeyByID finds a key of a team, dead or alive.
func APIKeyByID(tx *gorm.DB, team, id int64) (key APIKey, err error) {
	return key, found(tx.Where("id = ? AND team_id = ?", id, team).Take(&key).Error)
}

// UserTokensOf lists a user's tokens, newest first.
func UserTokensOf(tx *gorm.DB, user int64) (tokens []UserToken, err error) {
	return tokens, tx.Where("user_id = ?", user).Order("id DESC").Find(&tokens).Error
}

// UserTokenByID finds a token of a user, dead or alive.
func UserTokenByID(tx *gorm.DB, user, id int64) (token UserToken, err error) {
	return token, found(tx.Where("id = ? AND user_id = ?", id, user).Take(&token).Error)
}

// SessionsOf lists a user's sessions that are not over, newest first.
func SessionsOf(tx *gorm.DB, user int64, idle time.Duration) (sessions []Session, err error) {
	return sessions, tx.Where("user_id = ? AND revoked IS NULL AND expires > ? AND seen > ?",
		user, DatabaseNow(tx, 0), DatabaseNow(tx, -idle)).Order("id DESC").Find(&sessions).Error
}

// NewestSessionOf finds the session that a user opened last, dead or alive.
func NewestSessionOf(tx *gorm.DB, user int64) (session Session, err error) {
	return session, found(tx.Where("user_id = ?", user).Order("id DESC").Take(&session).Error)
}

// SignedInFrom reports whether a user opened a session at an address since a moment.
func SignedInFrom(tx *gorm.DB, user int64, address string, since time.Time) (bool, error) {
	var ids []int64
	err := tx.Model(&Session{}).Where("user_id = ? AND address = ? AND created >= ?", user, address, since).Limit(1).Pluck("id", &ids).Error
	return len(ids) > 0, err
}

// SignInFailuresOf tells when the passwords of an account were wrong since a
// moment, newest first; an address narrows to those who tried from there.
func SignInFailuresOf(tx *gorm.DB, account, address string, since time.Time, limit int) (at []time.Time, err error) {
	list := tx.Model(&SignInFailure{}).Where("account = ? AND at >= ?", account, since)
	if address != "" {
		list = list.Where("address = ?", address)
	}
	return at, list.Order("id DESC").Limit(limit).Pluck("at", &at).Error
}

// SignInFailuresFrom is the same for all the accounts that were tried from an address.
func SignInFailuresFrom(tx *gorm.DB, address string, since time.Time, limit int) (at []time.Time, err error) {
	return at, tx.Model(&SignInFailure{}).Where("address = ? AND at >= ?", address, since).
		Order("id DESC").Limit(limit).Pluck("at", &at).Error
}
