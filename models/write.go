package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/portolan/portolan/fault"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

const (
	tries      = 5
	shortPause = 10 * time.Millisecond
	longPause  = 200 * time.Millisecond
	endWait    = 10 * time.Second // for the answer to commit and rollback
	comeBack   = time.Second      // what clients are told to wait
)

// Write runs fn in one transaction and commits it if fn returns nil. When the
// database asks for it (serialisation failure, deadlock, busy file), the whole of
// fn runs again, up to 5 times: it must have no effect outside of tx (trust D1).
// A panic rolls back. A commit whose answer was lost is Unavailable with the code
// "outcome_unknown" (trust D6).
func (db *DB) Write(ctx context.Context, fn func(tx *gorm.DB) error) error {
	for try := 1; ; try++ {
		err := db.attempt(ctx, fn)
		if !IsBusy(err) {
			return err
		}
		if try == tries || !pause(ctx, try) {
			return expected(unavailable("The database is busy with other work. Try again in a moment."), err)
		}
		db.log.InfoContext(ctx, "transaction runs again", "try", try+1, "reason", err)
	}
}

// attempt runs fn once in a transaction of its own.
func (db *DB) attempt(ctx context.Context, fn func(tx *gorm.DB) error) error {
	conn, err := db.dialect.connect(ctx)
	if err != nil {
		return db.dialect.Translate(err)
	}
	defer conn.Close()

	// The transaction outlives ctx so that only commit, not a caller who leaves
	// at the same moment, decides how it ends.
	held, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	began, err := begin(ctx, conn, held)
	if err != nil {
		return db.dialect.Translate(err)
	}
	defer soon(began.Rollback, release)

	tx := db.writer.Session(&gorm.Session{NewDB: true, Context: ctx})
	tx.Statement.ConnPool = began
	if err := fn(tx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return db.dialect.Translate(ctx.Err())
	}
	return db.commit(began, release)
}

// begin starts a transaction that lives as long as held, unless ctx ends first.
func begin(ctx context.Context, conn *sql.Conn, held context.Context) (*sql.Tx, error) {
	starting, release := context.WithCancel(held)
	stop := context.AfterFunc(ctx, release)
	tx, err := conn.BeginTx(starting, nil)
	if stop() {
		return tx, err
	}
	if err == nil {
		_ = tx.Rollback()
	}
	return nil, ctx.Err()
}

// commit ends a transaction well, or says that nobody knows.
func (db *DB) commit(tx *sql.Tx, giveUp func()) error {
	err := soon(tx.Commit, giveUp)
	if IsLost(err) || errors.Is(err, context.Canceled) {
		unknown := unavailable("The connection to the database was lost while the change was being saved. Look whether it is there before you repeat it.")
		unknown.Code = "outcome_unknown"
		return expected(unknown, err)
	}
	return db.dialect.Translate(err)
}

// soon ends a transaction, or gives up on a connection that has gone silent.
func soon(end func() error, giveUp func()) error {
	timer := time.AfterFunc(endWait, giveUp)
	defer timer.Stop()
	return end()
}

// pause waits between two tries, longer each time, and reports whether ctx lets
// another one begin.
func pause(ctx context.Context, try int) bool {
	longest := min(longPause, shortPause<<(2*try-1))
	timer := time.NewTimer(shortPause + rand.N(longest-shortPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// IsBusy reports whether the database asks to run the transaction again.
func IsBusy(err error) bool { return postgresBusy(err) || sqliteBusy(err) }

// IsLost reports whether the connection to the database is gone.
func IsLost(err error) bool { return postgresLost(err) }

// IsUnique reports whether err says that a unique index or constraint of this
// name does not hold. Constraints without a name are called as PostgreSQL calls
// them: table_column_key and table_pkey.
func IsUnique(err error, constraint string) bool {
	return postgresUnique(err, constraint) || sqliteUnique(err, constraint)
}

// LockRow keeps other writers away from a row until the transaction ends; it is
// Missing if there is no such row. On SQLite the transaction holds the whole file.
func LockRow(tx *gorm.DB, table string, id int64) error {
	var found []int64
	err := tx.Table(table).Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", id).Pluck("id", &found).Error
	if err == nil && len(found) == 0 {
		return fault.Missing()
	}
	return err
}

// expected makes a failure that people can expect out of one that they see the
// text of, and keeps the cause for the log.
func expected(f *fault.Error, cause error) error { return fmt.Errorf("%w (%w)", f, cause) }

func unavailable(text string) *fault.Error {
	return &fault.Error{Kind: fault.Unavailable, Text: text, Retry: comeBack}
}

// away is the failure of a database that does not answer (trust D6).
func away() *fault.Error {
	return unavailable("The database cannot be reached right now. Try again in a moment.")
}

// teamBusy is the failure of a lock that others hold for too long (trust D3).
func teamBusy() *fault.Error {
	return &fault.Error{Kind: fault.Conflict, Code: "team_busy", Retry: comeBack,
		Text: "Somebody else is changing the same team right now. Try again in a moment."}
}
