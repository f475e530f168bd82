package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models/migrations"
	"github.com/pressly/goose/v3"
)

const versionTable = "schema_versions"

// Migrate brings the database to the schema that this program knows, one process
// at a time. It refuses a database that a newer program has migrated (trust O5).
func Migrate(ctx context.Context, db *DB) error { return migrate(ctx, db, migrations.Files) }

// Ready reports whether the database answers and has at least the schema that
// this program knows; a newer one is fine while versions are being exchanged.
func (db *DB) Ready(ctx context.Context) error { return db.ready(ctx, migrations.Files) }

// CheckSchema reports whether the database has exactly the schema that this
// program knows, for a start that does not migrate.
func (db *DB) CheckSchema(ctx context.Context) error {
	if err := db.Ready(ctx); err != nil {
		return err
	}
	return db.refuseNewer(ctx, migrations.Files)
}

func migrate(ctx context.Context, db *DB, files fs.FS) (err error) {
	pool, release, err := db.dialect.migrating(ctx)
	if err != nil {
		return fmt.Errorf("the database cannot be migrated: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	runner, err := goose.NewProvider(db.gooseDialect(), pool, dialectFiles{files, db.dialect.words(), db.Dialect},
		goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true), goose.WithSlog(db.log))
	if err != nil {
		return fmt.Errorf("the migrations cannot be read: %w", err)
	}
	current, known, err := runner.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("the schema of the database cannot be read: %w", err)
	}
	if current > known {
		return newer(current, known)
	}
	if _, err = runner.Up(ctx); err != nil {
		return fmt.Errorf("the database cannot be migrated: %w", err)
	}
	return nil
}

func (db *DB) gooseDialect() goose.Dialect {
	if db.Dialect == "postgres" {
		return goose.DialectPostgres
	}
	return goose.DialectSQLite3
}

func newer(current, known int64) error {
	return fmt.Errorf("the database was migrated by a newer version of the portal (its schema is %d, this program knows %d); start that version", current, known)
}

// ready compares the schema of the database with the newest of files.
func (db *DB) ready(ctx context.Context, files fs.FS) error {
	current, known, err := db.versions(ctx, files)
	if err == nil && current < known {
		return fault.New(fault.Unavailable, "The schema of the database is %d, this program needs %d: run portolan migrate.", current, known)
	}
	return err
}

func (db *DB) refuseNewer(ctx context.Context, files fs.FS) error {
	current, known, err := db.versions(ctx, files)
	if err == nil && current > known {
		return newer(current, known)
	}
	return err
}

// versions returns the number of the schema in the database, 0 for an empty one,
// and of the newest migration in files.
func (db *DB) versions(ctx context.Context, files fs.FS) (current, known int64, err error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		if n, err := goose.NumericComponent(name); err == nil {
			known = max(known, n)
		}
	}
	tx := db.Read(ctx)
	var exists bool
	if err = tx.Raw(db.dialect.tableExists(), versionTable).Scan(&exists).Error; err != nil || !exists {
		return 0, known, err
	}
	err = tx.Raw("SELECT max(version_id) FROM " + versionTable + " WHERE is_applied").Scan(&current).Error
	return current, known, err
}

// dialectFiles are migrations in which the words in double braces are replaced by
// what they mean in one dialect, and the blocks for the other one are left out.
type dialectFiles struct {
	fs.FS
	words   map[string]string
	dialect string
}

// Open returns a folder as it is and a migration in the dialect's own words.
func (d dialectFiles) Open(name string) (fs.File, error) {
	file, err := d.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return file, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text, err = d.translate(text)
	return migration{bytes.NewReader(text), info}, err
}

// Only blocks of a known dialect are blocks; all else in double braces is a word.
var (
	block = regexp.MustCompile(`(?s)\{\{#(postgres|sqlite)\}\}(.*?)\{\{/(?:postgres|sqlite)\}\}`)
	word  = regexp.MustCompile(`\{\{(.*?)\}\}`)
)

// translate replaces the words in double braces; it refuses one that it does not know.
func (d dialectFiles) translate(text []byte) (_ []byte, err error) {
	text = block.ReplaceAllFunc(text, func(found []byte) []byte {
		part := block.FindSubmatch(found)
		if string(part[1]) == d.dialect {
			return part[2]
		}
		return nil
	})
	text = word.ReplaceAllFunc(text, func(found []byte) []byte {
		meaning, ok := d.words[string(found[2:len(found)-2])]
		if !ok {
			err = fmt.Errorf("no database knows the word %s", found)
		}
		return []byte(meaning)
	})
	return text, err
}

// migration is a translated file.
type migration struct {
	*bytes.Reader
	info fs.FileInfo
}

// Stat describes the file before it was translated.
func (m migration) Stat() (fs.FileInfo, error) { return m.info, nil }

// Close has nothing to do.
func (m migration) Close() error { return nil }
