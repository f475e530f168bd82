// Package dbtest gives tests real databases that are thrown away: each test gets
// its own, migrated, on PostgreSQL and on SQLite.
package dbtest

import (
	"log/slog"
	"os"
	"testing"

	"github.com/portolan/portolan/models"
)

// Main runs the tests of a package and then stops the PostgreSQL that they started.
func Main(m *testing.M) {
	code := m.Run()
	shared.stop()
	os.Exit(code)
}

// Each runs body twice in parallel, on a fresh PostgreSQL database and on a fresh
// SQLite database.
func Each(t *testing.T, body func(t *testing.T, db *models.DB)) {
	t.Helper()
	for name, fresh := range map[string]func(testing.TB) string{"postgres": freshPostgres, "sqlite": freshSQLite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body(t, Connect(t, fresh(t)))
		})
	}
}

// Open returns a fresh SQLite database.
func Open(t testing.TB) *models.DB {
	t.Helper()
	return Connect(t, freshSQLite(t))
}

// URL returns the address of a fresh SQLite database, for tests of the whole program.
func URL(t testing.TB) string {
	t.Helper()
	return freshSQLite(t)
}

// DSNs returns the addresses of fresh databases by their kind, postgres and sqlite.
func DSNs(t testing.TB) map[string]string {
	t.Helper()
	return map[string]string{"postgres": freshPostgres(t), "sqlite": freshSQLite(t)}
}

// Connect opens the database at an address until the test ends.
func Connect(t testing.TB, dsn string) *models.DB {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	db, err := models.Open(t.Context(), dsn, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
