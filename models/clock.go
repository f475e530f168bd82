package models

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Now is the one clock of the portal: UTC, in whole microseconds, which is what
// both databases keep.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// DatabaseNow is the database's own clock plus an offset, for conditions on
// leases, expiry and the end of sessions (trust D11).
func DatabaseNow(tx *gorm.DB, offset time.Duration) clause.Expr {
	return dialectOf(tx).now(offset)
}
