package models

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

// DB is an open database: PostgreSQL for any number of processes, or a SQLite
// file for one.
type DB struct {
	Dialect string // "postgres" or "sqlite"

	dialect dialect
	reader  *gorm.DB
	writer  *gorm.DB
	log     *slog.Logger
	closers []io.Closer // closed in this order
}

// dialect is what the two databases do differently.
type dialect interface {
	gorm.Dialector
	gorm.ErrorTranslator
	insert(tx *gorm.DB, table string, columns []Column) error
	update(tx *gorm.DB, table, key string, columns []Column) (rows int64, err error)
	reserve(tx *gorm.DB, table string, n int) ([]int64, error)
	in(column string, values any) clause.Expr // a slice of numbers or texts
	now(offset time.Duration) clause.Expr
	connect(ctx context.Context) (*sql.Conn, error)               // for one writing transaction
	migrating(ctx context.Context) (*sql.DB, func() error, error) // alone, until the function is called
	words() map[string]string                                     // of migrations
	tableExists() string                                          // a query with the name as its parameter
}

// dialectOf returns the dialect that a handle of this package speaks.
func dialectOf(tx *gorm.DB) dialect { return tx.Dialector.(dialect) }

// IsPostgres reports whether tx speaks to PostgreSQL.
func IsPostgres(tx *gorm.DB) bool { return tx.Name() == "postgres" }

// Open connects to the database that dsn names, "sqlite:FILE" or
// "postgres://USER:PASSWORD@HOST/NAME", and checks that it answers.
func Open(ctx context.Context, dsn string, log *slog.Logger) (*DB, error) {
	kind, rest, _ := strings.Cut(dsn, ":")
	switch kind {
	case "sqlite":
		return openSQLite(ctx, rest, log)
	case "postgres", "postgresql":
		return openPostgres(ctx, dsn, log)
	}
	return nil, errors.New("the database must be given as sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME")
}

// Read returns a handle for queries outside of a transaction; each query sees
// what was committed when it began.
func (db *DB) Read(ctx context.Context) *gorm.DB { return db.reader.WithContext(ctx) }

// Close gives all connections back and, on SQLite, lets the next process in.
func (db *DB) Close() error {
	var errs []error
	for _, c := range db.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// handle is GORM on a database, with the errors of all its statements translated:
// it forgets those of Row, Rows and Scan.
func handle(d dialect, config *gorm.Config) (*gorm.DB, error) {
	db, err := gorm.Open(d, config)
	if err != nil {
		return nil, err
	}
	translate := func(tx *gorm.DB) { tx.Error = d.Translate(tx.Error) }
	return db, db.Callback().Row().After("gorm:row").Register("models:translate", translate)
}

// config is how every handle on the database behaves.
func config(log *slog.Logger) *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		TranslateError:         true, // by the dialects' own Translate
		NowFunc:                Now,
		Logger:                 slowLog{log},
	}
}

// slow is the duration from which a statement is worth a line in the log.
const slow = 500 * time.Millisecond

// slowLog logs slow statements without their values; errors are logged once, by
// whoever answers the request.
type slowLog struct{ log *slog.Logger }

// LogMode returns the same log: there is one level.
func (l slowLog) LogMode(logger.LogLevel) logger.Interface { return l }

// Info drops what GORM says about itself.
func (l slowLog) Info(context.Context, string, ...any) {}

// Warn drops what GORM says about itself.
func (l slowLog) Warn(context.Context, string, ...any) {}

// Error drops what GORM also returns.
func (l slowLog) Error(context.Context, string, ...any) {}

// Trace writes a line about a statement that took long.
func (l slowLog) Trace(ctx context.Context, begin time.Time, statement func() (string, int64), _ error) {
	took := time.Since(begin)
	if took < slow {
		return
	}
	sql, rows := statement()
	l.log.WarnContext(ctx, "slow statement", "took", took.Round(time.Millisecond), "rows", rows, "sql", shorten(sql))
}

// shorten cuts a statement to what a log line bears.
func shorten(sql string) string {
	const most = 500
	if len(sql) <= most {
		return sql
	}
	return strings.ToValidUTF8(sql[:most], "") + "…"
}
