package models_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

func TestOpen_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ dsn, want string }{
		"no such database":    {"mysql://localhost/x", "sqlite:FILE or postgres://"},
		"no such folder":      {"sqlite:" + filepath.Join(t.TempDir(), "missing", "x.db"), "cannot be locked"},
		"not an address":      {"postgres://localhost:port/x", "cannot be read"},
		"nobody listens":      {"postgres://nobody:verysecret@127.0.0.1:1/x", "cannot be reached"},
		"not a database file": {"sqlite:" + textFile(t), "cannot be opened"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := models.Open(t.Context(), tc.dsn, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("Open() error = %v, want something with %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "verysecret") {
				t.Errorf("the password is in %q", err)
			}
		})
	}
}

// textFile is a file that is no database.
func textFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestD8_OneProcessOpensAFile(t *testing.T) {
	t.Parallel()
	dsn, log := dbtest.URL(t), slog.New(slog.DiscardHandler)
	first, err := models.Open(t.Context(), dsn, log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := models.Open(t.Context(), dsn, log); err == nil || !strings.Contains(err.Error(), "one portal at a time") {
		t.Errorf("second Open() error = %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	dbtest.Connect(t, dsn)
}

func TestD8_SQLiteSettings(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t)
	want := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000"}
	write(t, db, func(tx *gorm.DB) error {
		for pragma, want := range want {
			var got string
			if err := tx.Raw("PRAGMA " + pragma).Scan(&got).Error; err != nil || got != want {
				t.Errorf("%s = %q, %v, want %q", pragma, got, err, want)
			}
		}
		return nil
	})
	if err := db.Read(t.Context()).Exec("CREATE TABLE t (id bigint)").Error; err == nil {
		t.Error("a reader writes")
	}
}

func TestD5_PostgresBounds(t *testing.T) {
	t.Parallel()
	db := dbtest.Connect(t, dbtest.DSNs(t)["postgres"])
	want := map[string]string{"statement_timeout": "30s", "idle_in_transaction_session_timeout": "15s", "lock_timeout": "10s", "TimeZone": "UTC"}
	for setting, want := range want {
		var got string
		if err := db.Read(t.Context()).Raw("SHOW " + setting).Scan(&got).Error; err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", setting, got, err, want)
		}
	}
}

func TestOpen_AnyFileName(t *testing.T) {
	t.Parallel()
	db := dbtest.Connect(t, "sqlite:"+filepath.Join(t.TempDir(), "a b?c#d%20é.db"))
	write(t, db, run("CREATE TABLE t (id bigint)"))
	if n := count(t, db, "t"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

type moment struct {
	ID   int64
	At   time.Time
	Then *time.Time
}

// Values are read as they were written, in UTC, and compare as times do.
func TestTimes(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 3, 1, 12, 0, 5, 0, time.UTC)
	ordered := []time.Time{
		time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC),
		base,
		base.Add(time.Microsecond),
		base.Add(100 * time.Millisecond),
		base.Add(120 * time.Millisecond),
		base.Add(time.Hour).In(time.FixedZone("east", 5*3600)),
		models.Now(),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	}
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, "CREATE TABLE moments (id {{id}}, at {{time}} NOT NULL, \"then\" {{time}});")
		write(t, db, func(tx *gorm.DB) error {
			for i := range ordered {
				at := ordered[len(ordered)-1-i]
				if err := tx.Create(&moment{At: at, Then: &at}).Error; err != nil {
					return err
				}
			}
			return tx.Create(&moment{At: base.Add(-time.Hour)}).Error
		})
		var got []moment
		if err := db.Read(t.Context()).Where("\"then\" IS NOT NULL").Order("at").Find(&got).Error; err != nil {
			t.Fatal(err)
		}
		for i, m := range got {
			if !m.At.Equal(ordered[i]) || !m.Then.Equal(ordered[i]) || m.At.Location() != time.UTC {
				t.Errorf("%d: got %v and %v, want %v", i, m.At, m.Then, ordered[i])
			}
		}
		for i, at := range ordered {
			var less, equal int64
			db.Read(t.Context()).Model(&moment{}).Where("\"then\" < ?", at).Count(&less)
			db.Read(t.Context()).Model(&moment{}).Where("at = ? AND \"then\" BETWEEN ? AND ?", at, at, at).Count(&equal)
			if less != int64(i) || equal != 1 {
				t.Errorf("%v: %d are less and %d equal, want %d and 1", at, less, equal, i)
			}
		}
	})
}

// Leases and expiry are judged by the database's clock.
func TestD11_DatabaseNow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, "CREATE TABLE moments (id {{id}}, at {{time}} NOT NULL, \"then\" {{time}});")
		write(t, db, func(tx *gorm.DB) error {
			if err := tx.Create(&moment{At: models.Now()}).Error; err != nil {
				return err
			}
			return tx.Model(&moment{}).Where("id = 1").UpdateColumn("then", models.DatabaseNow(tx, time.Hour)).Error
		})
		tx := db.Read(t.Context())
		for offset, want := range map[time.Duration]int64{0: 1, 30 * time.Minute: 1, 90 * time.Minute: 0} {
			var n int64
			if err := tx.Model(&moment{}).Where("\"then\" > ?", models.DatabaseNow(tx, offset)).Count(&n).Error; err != nil || n != want {
				t.Errorf("%v from now: %d rows, %v, want %d", offset, n, err, want)
			}
		}
		var m moment
		if err := tx.Take(&m).Error; err != nil || m.Then.Sub(m.At).Round(time.Minute) != time.Hour {
			t.Errorf("the database's clock is %v off, %v", m.Then.Sub(m.At)-time.Hour, err)
		}
	})
}

func TestIsUnique(t *testing.T) {
	t.Parallel()
	const tables = `
		CREATE TABLE plants (id {{id}}, name text UNIQUE, family text, pot bigint, label text, UNIQUE (family, pot));
		CREATE UNIQUE INDEX plants_one_giant ON plants (family) WHERE pot > 100;
		CREATE UNIQUE INDEX plants_lower ON plants (lower(label));`
	tests := map[string]struct{ sql, want string }{
		"one column":     {"INSERT INTO plants (name) VALUES ('Fern')", "plants_name_key"},
		"two columns":    {"INSERT INTO plants (family, pot) VALUES ('f', 1)", "plants_family_pot_key"},
		"named, partial": {"INSERT INTO plants (family, pot) VALUES ('f', 102)", "plants_one_giant"},
		"expression":     {"INSERT INTO plants (label) VALUES ('tag')", "plants_lower"},
		"primary key":    {"INSERT INTO plants (id) VALUES (1)", "plants_pkey"},
	}
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, tables)
		write(t, db, run("INSERT INTO plants (name, family, pot, label) VALUES ('Fern', 'f', 1, 'Tag'), ('Oak', 'f', 101, NULL)"))
		for name, tc := range tests {
			err := db.Write(t.Context(), run(tc.sql))
			all := []string{"plants_name_key", "plants_family_pot_key", "plants_one_giant", "plants_lower", "plants_pkey"}
			all = slices.DeleteFunc(all, func(constraint string) bool { return !models.IsUnique(err, constraint) })
			if !slices.Equal(all, []string{tc.want}) {
				t.Errorf("%s: %v, taken for %v, want %s", name, err, all, tc.want)
			}
		}
		if err := db.Write(t.Context(), run("INSERT INTO plants (id, name) VALUES (NULL, NULL, 3)")); models.IsUnique(err, "plants_name_key") {
			t.Errorf("%v is taken for a broken constraint", err)
		}
	})
}

func TestLockRow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, "CREATE TABLE plants (id {{id}});")
		write(t, db, run("INSERT INTO plants (id) VALUES (7)"))
		write(t, db, func(tx *gorm.DB) error { return models.LockRow(tx, "plants", 7) })
		err := db.Write(t.Context(), func(tx *gorm.DB) error { return models.LockRow(tx, "plants", 8) })
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("a row that is not there: %v", err)
		}
	})
}

func TestL5_SlowStatementsAreLoggedWithoutValues(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	db, err := models.Open(t.Context(), dbtest.DSNs(t)["postgres"], slog.New(slog.NewTextHandler(&out, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var rows []string
	statement := db.Read(t.Context()).Raw("SELECT ?::text FROM pg_sleep(0.6)", "verysecret")
	if err := statement.Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "pg_sleep") || strings.Contains(out.String(), "verysecret") {
		t.Errorf("the log is %q", out.String())
	}
}
