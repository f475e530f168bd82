// Package migrations holds the numbered SQL that makes and changes the database,
// one text for PostgreSQL and SQLite.
package migrations

import "embed"

// Files are the migrations in the order of their numbers.
//
//go:embed *.sql
var Files embed.FS
