package models_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Two processes that start at once on PostgreSQL, and two calls on SQLite, run
// each migration once.
func TestO5_MigrateTwiceAtOnce(t *testing.T) {
	t.Parallel()
	for kind, dsn := range dbtest.DSNs(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			here := dbtest.Connect(t, dsn)
			there := here
			if kind == "postgres" {
				there = dbtest.Connect(t, dsn)
			}
			files := extra("{{#postgres}} SELECT pg_sleep(0.2); {{/postgres}} CREATE TABLE once (id {{id}}); INSERT INTO once DEFAULT VALUES;")
			var end sync.WaitGroup
			for _, db := range []*models.DB{here, there, here, there} {
				end.Go(func() {
					if err := models.MigrateFiles(t.Context(), db, files); err != nil {
						t.Error(err)
					}
				})
			}
			end.Wait()
			if n := count(t, here, "once"); n != 1 {
				t.Errorf("the migration ran %d times", n)
			}
		})
	}
}

func TestO5_NewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		if err := models.Migrate(t.Context(), db); err != nil {
			t.Errorf("a second migration: %v", err)
		}
		if err := db.CheckSchema(t.Context()); err != nil {
			t.Errorf("the schema that it knows: %v", err)
		}
		create(t, db, pots)
		const sentence = "newer version of the portal (its schema is 99999"
		if err := models.Migrate(t.Context(), db); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("Migrate() error = %v", err)
		}
		if err := db.CheckSchema(t.Context()); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("CheckSchema() error = %v", err)
		}
		if err := db.Ready(t.Context()); err != nil {
			t.Errorf("a running program is no longer ready beside a newer one: %v", err)
		}
	})
}

func TestO3_OlderSchemaIsNotReady(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		if err := db.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		err := models.ReadyFor(t.Context(), db, extra(pots))
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "portolan migrate") {
			t.Errorf("a program that knows more: %v", err)
		}
	})
	empty := dbtest.Connect(t, "sqlite:"+t.TempDir()+"/empty.db")
	if err := empty.Ready(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("an empty database: %v", err)
	}
}

func TestMigrate_Words(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, `CREATE TABLE words (id {{id}}, a {{time}}, b {{bytes}}, c {{json}}, d {{bool}});
{{#postgres}}
INSERT INTO words (c) VALUES ('{"database": "postgres"}');
{{/postgres}}
{{#sqlite}}
INSERT INTO words (c) VALUES ('{"database": "sqlite"}');
{{/sqlite}}`)
		var got []string
		if err := db.Read(t.Context()).Raw("SELECT c FROM words").Scan(&got).Error; err != nil || len(got) != 1 || !strings.Contains(got[0], db.Dialect) {
			t.Errorf("words are %q, %v", got, err)
		}
		for name, sql := range map[string]string{
			"an unknown word":   "CREATE TABLE more (id {{identity}});",
			"an unknown block":  "{{#mysql}} CREATE TABLE more (id bigint); {{/mysql}}",
			"an open block":     "{{#sqlite}} CREATE TABLE more (id bigint);",
			"a wrong statement": "CREATE TABLE more (id bigint); CREATE TABLE more (id bigint);",
		} {
			files := extra(sql)
			files["100000_newer.sql"] = files["99999_extra.sql"]
			if err := models.MigrateFiles(t.Context(), db, files); err == nil {
				t.Errorf("%s is taken", name)
			}
			if db.Read(t.Context()).Exec("SELECT * FROM more").Error == nil {
				t.Errorf("%s leaves a table behind", name)
			}
		}
	})
}
