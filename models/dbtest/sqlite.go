package dbtest

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/portolan/portolan/models"
)

// migratedFile is a SQLite database with the newest schema and no rows.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "portolan-sqlite-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := migrated("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// migrated brings the database at an address to the newest schema.
func migrated(dsn string) error {
	ctx := context.Background()
	db, err := models.Open(ctx, dsn, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if err := models.Migrate(ctx, db); err != nil {
		db.Close()
		return err
	}
	return db.Close()
}

func freshSQLite(t testing.TB) string {
	t.Helper()
	file, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}
