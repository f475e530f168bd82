package models

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// Column is one column of many rows for a bulk write.
type Column struct {
	Name   string
	Type   string // PostgreSQL's type of one value: bigint, text, boolean, timestamptz, bytea, jsonb
	Values any    // a slice with one value for each row; pointers may be nil for NULL
}

// InsertColumns adds many rows to a table in as few statements as the database
// allows: one for 10,000 rows on PostgreSQL, one for 1,000 on SQLite.
func InsertColumns(tx *gorm.DB, table string, columns []Column) error {
	if n, err := length(columns); err != nil || n == 0 {
		return err
	}
	return dialectOf(tx).insert(tx, table, columns)
}

// UpdateColumns sets columns of many rows, found by the values of the column key,
// in as few statements as InsertColumns. It fails unless each row is there.
func UpdateColumns(tx *gorm.DB, table, key string, columns []Column) error {
	want, err := length(columns)
	if err != nil || want == 0 {
		return err
	}
	if len(without(columns, key)) != len(columns)-1 {
		return fmt.Errorf("update of %s: %s is not one of the columns", table, key)
	}
	got, err := dialectOf(tx).update(tx, table, key, columns)
	if err == nil && got != int64(want) {
		return fmt.Errorf("update of %s: %d rows changed instead of %d", table, got, want)
	}
	return err
}

// ReserveIDs takes n ids that no other row of the table will get, in ascending order.
func ReserveIDs(tx *gorm.DB, table string, n int) ([]int64, error) {
	if n == 0 {
		return nil, nil
	}
	return dialectOf(tx).reserve(tx, table, n)
}

// WhereIDs narrows a list to the rows whose column has one of these ids; they are
// one parameter, however many they are. No ids find no rows.
func WhereIDs(query *gorm.DB, column string, ids []int64) *gorm.DB {
	return query.Where(dialectOf(query).in(column, append([]int64{}, ids...)))
}

// WhereNames is the same for texts.
func WhereNames(query *gorm.DB, column string, names []string) *gorm.DB {
	return query.Where(dialectOf(query).in(column, append([]string{}, names...)))
}

// length returns the number of rows that all columns agree on.
func length(columns []Column) (int, error) {
	for _, c := range columns {
		if n := reflect.ValueOf(c.Values).Len(); n != rows(columns) {
			return 0, fmt.Errorf("column %s has %d values instead of %d", c.Name, n, rows(columns))
		}
	}
	return rows(columns), nil
}

func rows(columns []Column) int {
	if len(columns) == 0 {
		return 0
	}
	return reflect.ValueOf(columns[0].Values).Len()
}

// without returns the columns except one.
func without(columns []Column, name string) []Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c Column) bool { return c.Name == name })
}

// chunks calls do for each range of at most size rows until one fails.
func chunks(rows, size int, do func(from, to int) error) error {
	for from := 0; from < rows; from += size {
		if err := do(from, min(from+size, rows)); err != nil {
			return err
		}
	}
	return nil
}

// parts are the same rows of each column, a slice for each.
func parts(columns []Column, from, to int) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, c := range columns {
			if !yield(reflect.ValueOf(c.Values).Slice(from, to).Interface()) {
				return
			}
		}
	}
}

// values are the values of rows, row by row.
func values(columns []Column, from, to int) []any {
	flat := make([]any, len(columns)*(to-from))
	for i, c := range columns {
		all := reflect.ValueOf(c.Values)
		for row := from; row < to; row++ {
			flat[(row-from)*len(columns)+i] = all.Index(row).Interface()
		}
	}
	return flat
}

// list writes something about each column, with commas between.
func list(columns []Column, write func(i int, c Column) string) string {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = write(i, c)
	}
	return strings.Join(texts, ", ")
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// exec runs a statement past GORM, which would take slices apart, and tells the
// log about it as GORM does.
func exec(tx *gorm.DB, statement string, args []any) (rows int64, err error) {
	ctx, begin := tx.Statement.Context, time.Now()
	result, err := tx.Statement.ConnPool.ExecContext(ctx, statement, args...)
	if err == nil {
		rows, err = result.RowsAffected()
	}
	err = dialectOf(tx).Translate(err)
	tx.Logger.Trace(ctx, begin, func() (string, int64) { return statement, rows }, err)
	return rows, err
}
