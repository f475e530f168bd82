// Package market holds the use cases: what people and programs do with the
// portal, who may do it, and the one transaction that each of them is.
package market

import (
	"context"
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Market is the marketplace on one database.
type Market struct {
	db      *models.DB
	log     *slog.Logger
	schemas *schemaCache
	guard   *schema.Guard
	hashing chan struct{} // a place for each password that is hashed at once (trust U1)
}

// New opens the marketplace on a migrated database.
func New(db *models.DB, log *slog.Logger) *Market {
	return &Market{db: db, log: log, schemas: newSchemaCache(), guard: schema.NewGuard(), hashing: newHashing()}
}

// Ready reports why the portal cannot serve, nil if it can.
func (m *Market) Ready(ctx context.Context) error { return m.db.Ready(ctx) }

// read runs queries outside of any transaction.
func (m *Market) read(ctx context.Context) *gorm.DB { return m.db.Read(ctx) }

// write runs one use case of an actor in one transaction (trust D2). A request
// that carries an idempotency key leaves its mark in the same transaction, so
// that its work is done once (trust C2).
func (m *Market) write(ctx context.Context, who Actor, do func(tx *gorm.DB) error) error {
	return m.db.Write(ctx, func(tx *gorm.DB) error {
		if err := do(tx); err != nil {
			return err
		}
		return mark(tx, who)
	})
}

// Actor is who acts: a user or an API key, for one team, with a role.
type Actor struct {
	UserID        int64
	UserName      string
	KeyID         int64
	KeyName       string
	TeamID        int64 // 0 for a user without a team
	TeamName      string
	Role          models.Role
	PlatformAdmin bool
	Via           string // portal, api or bulk
	Address       string
	RequestID     string
	Once          *Once // the idempotency key of the request, if it has one
}

// Known reports whether anybody is signed in at all.
func (a Actor) Known() bool { return a.UserID != 0 || a.KeyID != 0 }

// Automation reports whether a key acts, not a person (marketplace C8).
func (a Actor) Automation() bool { return a.KeyID != 0 }

// Name says who acts, as histories show it (marketplace C7).
func (a Actor) Name() string {
	if a.KeyID != 0 {
		return a.KeyName + " (Api Key)"
	}
	return a.UserName
}

// MayWrite reports whether the actor may submit and process for its team.
func (a Actor) MayWrite() bool {
	return a.TeamID != 0 && (a.Role == models.Admin || a.Role == models.General)
}

// MayAdmin reports whether the actor may change its team, its keys and its services.
func (a Actor) MayAdmin() bool { return a.TeamID != 0 && a.Role == models.Admin }

// team is the team whose things the actor sees; for who acts for none it is one
// that there is not, since 0 narrows no list (marketplace A2).
func (a Actor) team() int64 {
	if a.TeamID == 0 {
		return -1
	}
	return a.TeamID
}

// mustWrite refuses actors who may only read.
func (a Actor) mustWrite() error {
	if !a.MayWrite() {
		return fault.New(fault.Forbidden, "Your role in the team %s is %s: it may look, but not change anything. Ask an admin of the team.", a.TeamName, a.Role)
	}
	return nil
}

// mustAdmin refuses everybody but the team's admins.
func (a Actor) mustAdmin() error {
	if !a.MayAdmin() {
		return fault.New(fault.Forbidden, "Only an admin of the team %s may do this.", a.TeamName)
	}
	return nil
}

// checkText refuses what the databases cannot keep as a text, or as one that long.
func checkText(field, text string, most int) error {
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return fault.Field(field, "The text must be UTF-8 without the NUL character.")
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fault.Field(field, "At most %d characters; this text has %d.", most, n)
	}
	return nil
}
