package models

import (
	"time"

	"gorm.io/gorm"
)

// Audit is one entry of the append-only log of everything that was written (trust L1).
type Audit struct {
	ID        int64
	At        time.Time
	Actor     string
	TeamID    *int64
	Action    string
	Object    string
	Summary   string
	Address   string
	RequestID string
	Via       string
}

// TableName keeps the log in the singular.
func (Audit) TableName() string { return "audit" }

// Event is news that leaves the house once its transaction holds.
type Event struct {
	ID        int64
	Event     string
	SubjectID int64
	TeamID    int64 // whom it is for
	Created   time.Time
}

// TableName names the table after its purpose.
func (Event) TableName() string { return "outbox" }

// IdempotencyKey keeps the first answer to a request that may be repeated (trust C1).
type IdempotencyKey struct {
	ID          int64
	Actor       string
	Key         string
	Fingerprint []byte // SHA-256 of method, path, query and body
	Status      int
	Location    string // of a redirect
	Body        []byte
	Created     time.Time
}

// Setting is one remembered value of the whole portal, such as the hash of the set-up code.
type Setting struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

// IdempotencyKeyOf finds the answer that an actor's request with this key got.
func IdempotencyKeyOf(tx *gorm.DB, actor, key string) (kept IdempotencyKey, err error) {
	return kept, found(tx.Where("actor = ? AND key = ?", actor, key).Take(&kept).Error)
}
