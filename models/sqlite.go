package models

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/portolan/portolan/fault"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	modernc "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

const (
	sqliteReaders    = 8
	sqliteWait       = 10 * time.Second
	sqliteChunk      = 1_000 // rows in one bulk statement
	sqliteParameters = 32_766
)

// sqliteDialect is what SQLite does in its own way.
type sqliteDialect struct {
	*sqlite.Dialector
	writer  *sql.DB
	readers *sql.DB
	wait    time.Duration // for the one writer
}

func openSQLite(ctx context.Context, path string, log *slog.Logger) (_ *DB, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := lowering(); err != nil {
		return nil, err
	}
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	if onNetwork(path) {
		log.WarnContext(ctx, "the database lies on a network file system, where SQLite may lose data", "file", path)
	}
	writer, readers := sqliteConnections(path)
	closers := []io.Closer{readers, writer, lock}
	db := &DB{Dialect: "sqlite", log: log, closers: closers}
	if err := db.prepareSQLite(ctx, writer, readers); err != nil {
		return nil, errors.Join(fmt.Errorf("the database %s cannot be opened: %w", path, err), db.Close())
	}
	return db, nil
}

// prepareSQLite gives db its two handles; the writer comes first because it
// makes the file.
func (db *DB) prepareSQLite(ctx context.Context, writer, readers *sql.DB) (err error) {
	for _, pool := range []*sql.DB{writer, readers} {
		if err := pool.PingContext(ctx); err != nil {
			return err
		}
	}
	d := sqliteDialect{&sqlite.Dialector{Conn: writer}, writer, readers, sqliteWait}
	if db.writer, err = handle(d, config(db.log)); err != nil {
		return err
	}
	reading := config(db.log)
	reading.PrepareStmt, reading.PrepareStmtMaxSize = true, 500
	db.dialect = d
	db.reader, err = handle(sqliteDialect{&sqlite.Dialector{Conn: readers}, writer, readers, sqliteWait}, reading)
	return err
}

// sqliteConnections are one connection that writes and some that cannot (trust D8).
func sqliteConnections(path string) (writer, readers *sql.DB) {
	settings := url.Values{
		"_txlock":              {"immediate"},
		"_dqs":                 {"0"},
		"_time_integer_format": {"unix_micro"},
		"_inttotime":           {"1"},
		"_pragma":              {"busy_timeout(10000)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)", "journal_size_limit(67108864)"},
	}
	writer = sqlitePool(path, settings, 1)
	settings.Set("_txlock", "deferred")
	settings["_pragma"] = []string{"busy_timeout(10000)", "query_only(1)"}
	return writer, sqlitePool(path, settings, sqliteReaders)
}

func sqlitePool(path string, settings url.Values, size int) *sql.DB {
	address := url.URL{Scheme: "file", Path: path, RawQuery: settings.Encode()}
	pool, _ := sql.Open("sqlite", address.String()) // fails only for a driver nobody knows
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}

// lockFile makes the file for its owner only and keeps every other process away
// from it until the lock is closed (trust D8).
func lockFile(path string) (*os.File, error) {
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the database %s cannot be locked: %w", path, err)
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		lock.Close()
		return nil, fmt.Errorf("another process uses the database %s; a SQLite database serves one portal at a time", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the database %s cannot be opened: %w", path, err), lock.Close())
	}
	return lock, file.Close()
}

// lowering gives SQLite, whose own lower knows ASCII only, the letters of all
// languages, so that searches find the same on both databases.
var lowering = sync.OnceValue(func() error {
	return modernc.RegisterDeterministicScalarFunction("lower", 1, func(_ *modernc.FunctionContext, args []driver.Value) (driver.Value, error) {
		if text, ok := args[0].(string); ok {
			return strings.ToLower(text), nil
		}
		return args[0], nil
	})
})

// networks are the numbers by which Linux knows NFS, SMB, CIFS, SMB2, 9P and FUSE.
var networks = []uint32{0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546}

func onNetwork(path string) bool {
	var system syscall.Statfs_t
	return syscall.Statfs(path, &system) == nil && slices.Contains(networks, uint32(system.Type))
}

// connect waits for the one writer, as long as PostgreSQL waits for a lock.
func (d sqliteDialect) connect(ctx context.Context) (*sql.Conn, error) {
	waiting, stop := context.WithTimeoutCause(ctx, d.wait, errWriter)
	defer stop()
	conn, err := d.writer.Conn(waiting)
	if err != nil && context.Cause(waiting) == errWriter {
		return nil, expected(teamBusy(), err)
	}
	return conn, err
}

var errWriter = errors.New("another transaction holds the writer")

// migrating hands out the writer: there is one connection, so nobody else writes.
func (d sqliteDialect) migrating(context.Context) (*sql.DB, func() error, error) {
	return d.writer, func() error { return nil }, nil
}

// words are what the placeholders of a migration stand for. A time is the number
// of microseconds since 1970, which the driver reads and writes as time.Time.
func (d sqliteDialect) words() map[string]string {
	return map[string]string{
		"id":    "integer PRIMARY KEY AUTOINCREMENT",
		"time":  "timestamp",
		"bytes": "blob",
		"json":  "text",
		"bool":  "boolean",
	}
}

func (d sqliteDialect) tableExists() string {
	return "SELECT count(*) > 0 FROM sqlite_schema WHERE name = ?"
}

// Explain leaves the values of a statement out: it is only asked for the log.
func (d sqliteDialect) Explain(sql string, _ ...any) string { return sql }

// Translate makes expected failures of the errors that only say "later", and
// gives broken unique indexes their names.
func (d sqliteDialect) Translate(err error) error {
	switch code := sqliteCode(err); {
	case err == nil || fault.Of(err) != nil || errors.Is(err, context.Canceled):
		return err
	case code == codes.SQLITE_CONSTRAINT_UNIQUE, code == codes.SQLITE_CONSTRAINT_PRIMARYKEY, code == codes.SQLITE_CONSTRAINT_ROWID:
		return d.named(err)
	case errors.Is(err, context.DeadlineExceeded):
		return expected(unavailable("The database took too long to answer. Try again in a moment."), err)
	}
	return err
}

// sqliteCode returns the extended result code of an error of SQLite, 0 for others.
func sqliteCode(err error) int {
	var failed *modernc.Error
	if errors.As(err, &failed) {
		return failed.Code()
	}
	return 0
}

func sqliteBusy(err error) bool { return sqliteCode(err)&0xff == codes.SQLITE_BUSY }

// notUnique is an error of SQLite, which names columns only, with the names of
// the indexes over these columns.
type notUnique struct {
	error
	indexes []string
}

// Unwrap returns what SQLite said.
func (e notUnique) Unwrap() error { return e.error }

func sqliteUnique(err error, constraint string) bool {
	var e notUnique
	return errors.As(err, &e) && slices.Contains(e.indexes, constraint)
}

// named looks up which unique indexes an error is about: SQLite says
// "UNIQUE constraint failed: table.column, table.other (2067)".
func (d sqliteDialect) named(err error) error {
	_, about, _ := strings.Cut(err.Error(), "constraint failed: ")
	if _, after, twice := strings.Cut(about, "constraint failed: "); twice {
		about = after
	}
	about, _, _ = strings.Cut(about, " (")
	if index, ok := strings.CutPrefix(about, "index '"); ok {
		return notUnique{err, []string{strings.TrimSuffix(index, "'")}}
	}
	table, _, _ := strings.Cut(about, ".")
	columns := strings.ReplaceAll(about, table+".", "")
	names := []string{table + "_" + strings.ReplaceAll(columns, ", ", "_") + "_key", table + "_pkey"}
	if sqliteCode(err) == codes.SQLITE_CONSTRAINT_UNIQUE {
		names = append(names[:1], d.indexes(table, columns)...)
	}
	return notUnique{err, names}
}

// indexes returns the names of a table's unique indexes over these columns.
func (d sqliteDialect) indexes(table, columns string) (names []string) {
	found, err := d.readers.Query(`SELECT l.name FROM pragma_index_list(?) l WHERE l."unique" AND
		(SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(l.name) ORDER BY seqno)) = ?`, table, columns)
	if err != nil {
		return nil
	}
	defer found.Close()
	for found.Next() {
		var name string
		if found.Scan(&name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// insert sends many rows in one prepared statement.
func (d sqliteDialect) insert(tx *gorm.DB, table string, columns []Column) error {
	head := fmt.Sprintf("INSERT INTO %s (%s) VALUES ", quote(table), list(columns, func(_ int, c Column) string { return quote(c.Name) }))
	return chunks(rows(columns), sqliteRows(columns), func(from, to int) error {
		_, err := exec(tx, head+tuples(to-from, len(columns)), values(columns, from, to))
		return err
	})
}

func (d sqliteDialect) update(tx *gorm.DB, table, key string, columns []Column) (rowsChanged int64, err error) {
	place := map[string]string{}
	for i, c := range columns {
		place[c.Name] = fmt.Sprintf("v.column%d", i+1)
	}
	head := fmt.Sprintf("UPDATE %s AS t SET %s FROM (VALUES ", quote(table),
		list(without(columns, key), func(_ int, c Column) string { return quote(c.Name) + " = " + place[c.Name] }))
	tail := fmt.Sprintf(") AS v WHERE t.%s = %s", quote(key), place[key])
	err = chunks(rows(columns), sqliteRows(columns), func(from, to int) error {
		n, err := exec(tx, head+tuples(to-from, len(columns))+tail, values(columns, from, to))
		rowsChanged += n
		return err
	})
	return rowsChanged, err
}

// sqliteRows is how many rows one statement takes.
func sqliteRows(columns []Column) int { return min(sqliteChunk, sqliteParameters/len(columns)) }

// tuples are the parameters of rows: (?,?),(?,?).
func tuples(rows, columns int) string {
	tuple := "(" + strings.Repeat("?,", columns-1) + "?)"
	return strings.Repeat(tuple+",", rows-1) + tuple
}

// reserve moves the counter of the table forward; the transaction already holds
// the write lock.
func (d sqliteDialect) reserve(tx *gorm.DB, table string, n int) ([]int64, error) {
	var last []int64
	if err := tx.Raw("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq", n, table).Scan(&last).Error; err != nil {
		return nil, err
	}
	if len(last) == 0 {
		last = []int64{int64(n)}
		if err := tx.Exec("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, n).Error; err != nil {
			return nil, err
		}
	}
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = last[0] - int64(n) + int64(i) + 1
	}
	return ids, nil
}

func (d sqliteDialect) in(column string, values any) clause.Expr {
	text, _ := json.Marshal(values) // numbers and texts always encode
	return clause.Expr{SQL: "? IN (SELECT value FROM json_each(?))", Vars: []any{clause.Column{Name: column}, string(text)}}
}

func (d sqliteDialect) now(offset time.Duration) clause.Expr {
	return clause.Expr{SQL: "CAST(round(unixepoch('now', 'subsec') * 1000) AS integer) * 1000 + ?", Vars: []any{offset.Microseconds()}}
}
