package models

import (
	"context"
	"io/fs"
	"time"
)

// MigrateFiles migrates with other files than the program's own.
func MigrateFiles(ctx context.Context, db *DB, files fs.FS) error { return migrate(ctx, db, files) }

// ReadyFor is Ready of a program with other migrations.
func ReadyFor(ctx context.Context, db *DB, files fs.FS) error { return db.ready(ctx, files) }

// WaitAtMost sets how long Write waits for a connection.
func WaitAtMost(db *DB, wait time.Duration) {
	switch d := db.dialect.(type) {
	case postgresDialect:
		d.wait = wait
		db.dialect = d
	case sqliteDialect:
		d.wait = wait
		db.dialect = d
	}
}
