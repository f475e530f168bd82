package models_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

const pots = "CREATE TABLE pots (id bigint PRIMARY KEY, n bigint NOT NULL);"

func TestWrite_RollsBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, pots)
		wrong := errors.New("wrong")
		add := run("INSERT INTO pots VALUES (1, 1)")
		err := db.Write(t.Context(), func(tx *gorm.DB) error { return errors.Join(add(tx), wrong) })
		if !errors.Is(err, wrong) {
			t.Errorf("Write() error = %v", err)
		}
		func() {
			defer func() {
				if recover() != "panic" {
					t.Error("the panic is gone")
				}
			}()
			_ = db.Write(t.Context(), func(tx *gorm.DB) error { _ = add(tx); panic("panic") })
		}()
		leaving, leave := context.WithCancel(t.Context())
		err = db.Write(leaving, func(tx *gorm.DB) error { defer leave(); return add(tx) })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Write() error after the caller left = %v", err)
		}
		if n := count(t, db, "pots"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		write(t, db, add)
		if n := count(t, db, "pots"); n != 1 {
			t.Errorf("%d rows after a good transaction", n)
		}
	})
}

func TestD1_OtherErrorsAreNotRetried(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, pots)
		for name, sql := range map[string]string{
			"broken constraint": "INSERT INTO pots VALUES (1, 1), (1, 2)",
			"no such table":     "INSERT INTO pans VALUES (1)",
		} {
			calls := 0
			err := db.Write(t.Context(), func(tx *gorm.DB) error { calls++; return tx.Exec(sql).Error })
			if err == nil || calls != 1 {
				t.Errorf("%s: %d calls, error %v", name, calls, err)
			}
		}
	})
}

// both runs two transactions that meet once, in their first tries, and returns
// how often they ran in all.
func both(t *testing.T, db *models.DB, first func(tx *gorm.DB, me int, meet func()) error) int {
	t.Helper()
	var calls atomic.Int64
	var meeting, end sync.WaitGroup
	meeting.Add(2)
	for me := range 2 {
		end.Go(func() {
			var once sync.Once
			err := db.Write(t.Context(), func(tx *gorm.DB) error {
				calls.Add(1)
				return first(tx, me, func() { once.Do(func() { meeting.Done(); meeting.Wait() }) })
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	end.Wait()
	return int(calls.Load())
}

func postgres(t *testing.T) *models.DB {
	t.Helper()
	db := dbtest.Connect(t, dbtest.DSNs(t)["postgres"])
	create(t, db, pots)
	write(t, db, run("INSERT INTO pots VALUES (0, 0), (1, 0)"))
	return db
}

func TestD1_SerialisationFailureIsRetried(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	calls := both(t, db, func(tx *gorm.DB, me int, meet func()) error {
		var sum int64
		err := errors.Join(
			tx.Exec("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").Error,
			tx.Raw("SELECT sum(n) FROM pots").Scan(&sum).Error)
		meet()
		if err != nil {
			return err
		}
		return tx.Exec("UPDATE pots SET n = ? WHERE id = ?", sum+1, me).Error
	})
	var ns []int64
	db.Read(t.Context()).Raw("SELECT n FROM pots ORDER BY n").Scan(&ns)
	if calls < 3 || len(ns) != 2 || ns[0] != 1 || ns[1] != 2 {
		t.Errorf("%d calls, pots %v: one transaction did not see the other", calls, ns)
	}
}

func TestD1_DeadlockIsRetried(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	calls := both(t, db, func(tx *gorm.DB, me int, meet func()) error {
		if err := tx.Exec("SET LOCAL deadlock_timeout = '20ms'").Error; err != nil {
			return err
		}
		if err := tx.Exec("UPDATE pots SET n = n + 1 WHERE id = ?", me).Error; err != nil {
			return err
		}
		meet()
		return tx.Exec("UPDATE pots SET n = n + 1 WHERE id = ?", 1-me).Error
	})
	var sum int64
	db.Read(t.Context()).Raw("SELECT sum(n) FROM pots").Scan(&sum)
	if calls < 3 || sum != 4 {
		t.Errorf("%d calls, sum %d", calls, sum)
	}
}

// hook is a log that calls a function for each line.
type hook struct {
	slog.Handler
	line func(n int64)
	n    *atomic.Int64
}

// Handle counts a line.
func (h hook) Handle(context.Context, slog.Record) error { h.line(h.n.Add(1)); return nil }

// Enabled takes all levels.
func (h hook) Enabled(context.Context, slog.Level) bool { return true }

// busyFile is a SQLite database that somebody else is writing to until release.
func busyFile(t *testing.T, line func(n int64, release func())) *models.DB {
	t.Helper()
	dsn := dbtest.URL(t)
	outside, err := sql.Open("sqlite", "file:"+dsn[len("sqlite:"):]+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { outside.Close() })
	var other *sql.Tx
	log := hook{Handler: slog.DiscardHandler, n: new(atomic.Int64), line: func(n int64) { line(n, func() { other.Rollback() }) }}
	db, err := models.Open(t.Context(), dsn, slog.New(log))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	create(t, db, pots)
	write(t, db, run("PRAGMA busy_timeout = 1"))
	if other, err = outside.Begin(); err != nil {
		t.Fatal(err)
	}
	log.n.Store(0)
	return db
}

func TestD1_BusyFileIsRetried(t *testing.T) {
	t.Parallel()
	db := busyFile(t, func(n int64, release func()) {
		if n == 2 {
			release()
		}
	})
	write(t, db, run("INSERT INTO pots VALUES (1, 1)"))
	if n := count(t, db, "pots"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

func TestD1_FiveTriesAtMost(t *testing.T) {
	t.Parallel()
	var lines atomic.Int64
	db := busyFile(t, func(n int64, _ func()) { lines.Store(n) })
	err := db.Write(t.Context(), run("INSERT INTO pots VALUES (1, 1)"))
	if e := fault.Of(err); e == nil || e.Kind != fault.Unavailable || e.Retry != time.Second || !models.IsBusy(err) {
		t.Errorf("Write() error = %v", err)
	}
	if lines.Load() != 4 {
		t.Errorf("%d retries, want 4", lines.Load())
	}
}

func TestD3_LockWaitIsTeamBusy(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, pots)
		write(t, db, run("INSERT INTO pots VALUES (1, 1)"))
		models.WaitAtMost(db, 3*time.Second)
		write(t, db, func(tx *gorm.DB) error {
			if err := models.LockRow(tx, "pots", 1); err != nil {
				return err
			}
			err := db.Write(t.Context(), func(tx *gorm.DB) error {
				if err := tx.Exec("SET LOCAL lock_timeout = '50ms'").Error; err != nil {
					return err
				}
				return models.LockRow(tx, "pots", 1)
			})
			if e := fault.Of(err); e == nil || e.Kind != fault.Conflict || e.Code != "team_busy" || e.Retry == 0 {
				t.Errorf("second Write() error = %v", err)
			}
			return nil
		})
	})
}

func TestD5_FullPoolIsUnavailable(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	models.WaitAtMost(db, 5*time.Second)
	var hold func(n int) error
	hold = func(n int) error {
		return db.Write(t.Context(), func(*gorm.DB) error {
			if n == 1 {
				return nil
			}
			return hold(n - 1)
		})
	}
	if err := hold(20); err != nil {
		t.Errorf("20 connections: %v", err)
	}
	if err := hold(21); !fault.Is(err, fault.Unavailable) {
		t.Errorf("21 connections: %v", err)
	}
}

func TestD5_DeadlineIsUnavailable(t *testing.T) {
	t.Parallel()
	endless := map[string]string{
		"postgres": "SELECT pg_sleep(60)",
		"sqlite":   "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
	}
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		var rows []any
		err := db.Write(ctx, func(tx *gorm.DB) error { return tx.Raw(endless[db.Dialect]).Scan(&rows).Error })
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("Write() error = %v", err)
		}
		if err := db.Write(t.Context(), run("CREATE TABLE after (id bigint)")); err != nil {
			t.Errorf("the next transaction: %v", err)
		}
	})
}
