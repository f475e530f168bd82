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

// APIKeyByPrefix finds a key by its public part, dead or alive.
func APIKeyByPrefix(tx *gorm.DB, prefix string) (key APIKey, err error) {
	return key, found(tx.Where("prefix = ?", prefix).Take(&key).Error)
}

// APIKeysOf lists a team's keys, newest first.
func APIKeysOf(tx *gorm.DB, team int64) (keys []APIKey, err error) {
	return keys, tx.Where("team_id = ?", team).Order("id DESC").Find(&keys).Error
}

// UserTokenByPrefix finds a token by its public part, dead or alive.
func UserTokenByPrefix(tx *gorm.DB, prefix string) (token UserToken, err error) {
	return token, found(tx.Where("prefix = ?", prefix).Take(&token).Error)
}

// SessionByHash finds a session by the hash of its secret, dead or alive.
func SessionByHash(tx *gorm.DB, hash []byte) (session Session, err error) {
	return session, found(tx.Where("hash = ?", hash).Take(&session).Error)
}

// CountSignInFailures tells how often a password was wrong since a moment, for
// one account and for one address, and when it last was for the account.
func CountSignInFailures(tx *gorm.DB, account, address string, since time.Time) (byAccount, byAddress int64, last time.Time, err error) {
	var failures []SignInFailure
	err = tx.Where("account = ? AND at >= ?", account, since).Order("at DESC").Limit(200).Find(&failures).Error
	if err != nil {
		return 0, 0, last, err
	}
	if len(failures) > 0 {
		last = failures[0].At
	}
	err = tx.Model(&SignInFailure{}).Where("address = ? AND at >= ?", address, since).Count(&byAddress).Error
	return int64(len(failures)), byAddress, last, err
}
