package models_test

import (
	"testing"
	"testing/fstest"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// extra is a migration that only a test knows, newer than all others.
func extra(sql string) fstest.MapFS {
	return fstest.MapFS{"99999_extra.sql": {Data: []byte("-- +goose Up\n" + sql)}}
}

// create adds tables of a test's own to its database.
func create(t testing.TB, db *models.DB, sql string) {
	t.Helper()
	if err := models.MigrateFiles(t.Context(), db, extra(sql)); err != nil {
		t.Fatal(err)
	}
}

// write runs fn in a transaction that must succeed.
func write(t testing.TB, db *models.DB, fn func(tx *gorm.DB) error) {
	t.Helper()
	if err := db.Write(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// run is a transaction of one statement.
func run(sql string, args ...any) func(tx *gorm.DB) error {
	return func(tx *gorm.DB) error { return tx.Exec(sql, args...).Error }
}

// count returns the number of rows of a table.
func count(t testing.TB, db *models.DB, table string) (n int64) {
	t.Helper()
	if err := db.Read(t.Context()).Table(table).Count(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}
