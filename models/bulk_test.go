package models_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

type colour string

// leaf has a column of each kind that bulk writes know.
type leaf struct {
	ID     int64
	Tree   *int64
	Name   string
	Note   *string
	Colour colour
	Green  bool
	Maybe  *bool
	Grown  time.Time
	Fallen *time.Time
	Cells  []byte
	Facts  string
	Size   int64
}

const leaves = `CREATE TABLE leafs (id {{id}}, tree bigint, name text NOT NULL, note text,
	colour text NOT NULL, green {{bool}} NOT NULL, maybe {{bool}}, grown {{time}} NOT NULL, fallen {{time}},
	cells {{bytes}}, facts {{json}} NOT NULL, size integer NOT NULL DEFAULT 0);`

// someLeaves are n rows in which each second optional value is missing.
func someLeaves(n int) []leaf {
	rows := make([]leaf, n)
	now := models.Now()
	for i := range rows {
		id := int64(i + 1)
		rows[i] = leaf{ID: id, Name: fmt.Sprintf("leaf %d, {\"é\"}", i), Colour: "red", Green: i%3 == 0,
			Grown: now.Add(time.Duration(i) * time.Microsecond), Facts: fmt.Sprintf(`{"n": %d}`, i), Size: 7}
		if i%2 == 0 {
			note, maybe, fallen := "", i%4 == 0, now.Add(time.Hour)
			rows[i].Tree, rows[i].Note, rows[i].Maybe, rows[i].Fallen = &id, &note, &maybe, &fallen
			rows[i].Cells = []byte{0, byte(i), 255}
		}
	}
	return rows
}

// each takes one value of each row.
func each[T any](rows []leaf, value func(leaf) T) []T {
	values := make([]T, len(rows))
	for i, row := range rows {
		values[i] = value(row)
	}
	return values
}

func columnsOf(rows []leaf) []models.Column {
	return []models.Column{
		{Name: "id", Type: "bigint", Values: each(rows, func(l leaf) int64 { return l.ID })},
		{Name: "tree", Type: "bigint", Values: each(rows, func(l leaf) *int64 { return l.Tree })},
		{Name: "name", Type: "text", Values: each(rows, func(l leaf) string { return l.Name })},
		{Name: "note", Type: "text", Values: each(rows, func(l leaf) *string { return l.Note })},
		{Name: "colour", Type: "text", Values: each(rows, func(l leaf) colour { return l.Colour })},
		{Name: "green", Type: "boolean", Values: each(rows, func(l leaf) bool { return l.Green })},
		{Name: "maybe", Type: "boolean", Values: each(rows, func(l leaf) *bool { return l.Maybe })},
		{Name: "grown", Type: "timestamptz", Values: each(rows, func(l leaf) time.Time { return l.Grown })},
		{Name: "fallen", Type: "timestamptz", Values: each(rows, func(l leaf) *time.Time { return l.Fallen })},
		{Name: "cells", Type: "bytea", Values: each(rows, func(l leaf) []byte { return l.Cells })},
		{Name: "facts", Type: "jsonb", Values: each(rows, func(l leaf) string { return l.Facts })},
		{Name: "size", Type: "integer", Values: each(rows, func(l leaf) int { return int(l.Size) })},
	}
}

// 12 columns of 12,345 rows are more parameters than either database takes at once.
func TestInsertColumns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, leaves)
		want := someLeaves(12_345)
		write(t, db, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(want)) })
		var got []leaf
		if err := db.Read(t.Context()).Order("id").Find(&got).Error; err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows differ:\n%.2000s", diff)
		}
	})
}

func TestUpdateColumns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, leaves)
		want := someLeaves(10_007)
		write(t, db, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(want)) })
		changed := someLeaves(10_006)[1:]
		for i := range changed {
			l := &changed[i]
			l.Tree, l.Note, l.Maybe, l.Fallen = want[i].Tree, want[i].Note, want[i].Maybe, want[i].Fallen
			l.Cells, l.Name, l.Green, l.Colour = want[i].Cells, "other", !l.Green, "blue"
		}
		copy(want[1:], changed)
		slices.Reverse(changed)
		write(t, db, func(tx *gorm.DB) error { return models.UpdateColumns(tx, "leafs", "id", columnsOf(changed)) })
		var got []leaf
		if err := db.Read(t.Context()).Order("id").Find(&got).Error; err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows differ:\n%.2000s", diff)
		}
	})
}

func TestBulk_RefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	ids := func(n ...int64) models.Column { return models.Column{Name: "id", Type: "bigint", Values: n} }
	sizes := func(n ...int) models.Column { return models.Column{Name: "size", Type: "integer", Values: n} }
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, leaves)
		write(t, db, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(someLeaves(3))) })
		for name, fn := range map[string]func(tx *gorm.DB) error{
			"a row is not there": func(tx *gorm.DB) error {
				return models.UpdateColumns(tx, "leafs", "id", []models.Column{ids(1, 4), sizes(1, 4)})
			},
			"columns of two lengths": func(tx *gorm.DB) error {
				return models.InsertColumns(tx, "leafs", []models.Column{ids(5, 6), sizes(5)})
			},
			"no key": func(tx *gorm.DB) error {
				return models.UpdateColumns(tx, "leafs", "id", []models.Column{sizes(5)})
			},
			"no such column": func(tx *gorm.DB) error {
				return models.InsertColumns(tx, "leafs", []models.Column{{Name: "x", Type: "text", Values: []string{"x"}}})
			},
		} {
			if err := db.Write(t.Context(), fn); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		write(t, db, func(tx *gorm.DB) error {
			if err := models.InsertColumns(tx, "leafs", columnsOf(nil)); err != nil {
				return err
			}
			return models.UpdateColumns(tx, "leafs", "id", columnsOf(nil))
		})
	})
}

// Nobody gets an id twice, whichever way rows are added.
func TestReserveIDs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, leaves)
		var end sync.WaitGroup
		for range 8 {
			end.Go(func() {
				for range 3 {
					err := db.Write(t.Context(), func(tx *gorm.DB) error {
						ids, err := models.ReserveIDs(tx, "leafs", 50)
						if err != nil {
							return err
						}
						if len(ids) != 50 || !slices.IsSorted(ids) {
							t.Errorf("ids %v", ids)
						}
						rows := someLeaves(50)
						for i := range rows {
							rows[i].ID = ids[i]
						}
						if err := models.InsertColumns(tx, "leafs", columnsOf(rows)); err != nil {
							return err
						}
						return tx.Create(&leaf{Name: "own id", Grown: models.Now(), Facts: "{}"}).Error
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		end.Wait()
		if n := count(t, db, "leafs"); n != 8*3*51 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestWhereIDs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		create(t, db, leaves)
		rows := someLeaves(10)
		write(t, db, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(rows)) })
		many := make([]int64, 40_000)
		for i := range many {
			many[i] = int64(i + 4)
		}
		for want, ids := range map[int][]int64{7: many, 2: {1, 3, 99}, 0: nil} {
			var got []leaf
			query := models.WhereIDs(db.Read(t.Context()).Table("leafs l").Where("l.size = ?", 7), "l.id", ids)
			if err := query.Where("l.name <> ?", "").Find(&got).Error; err != nil || len(got) != want {
				t.Errorf("%d of %d ids: %d rows, %v", want, len(ids), len(got), err)
			}
		}
		if !bytes.Equal(rows[0].Cells, []byte{0, 0, 255}) {
			t.Error("bulk writes change their input")
		}
	})
}

func BenchmarkInsertColumns(b *testing.B) {
	rows := someLeaves(10_000)
	bench(b, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(rows)) })
}

func BenchmarkUpdateColumns(b *testing.B) {
	rows := someLeaves(10_000)
	bench(b, func(tx *gorm.DB) error { return models.UpdateColumns(tx, "leafs", "id", columnsOf(rows)) })
}

func BenchmarkReserveIDs(b *testing.B) {
	bench(b, func(tx *gorm.DB) error { _, err := models.ReserveIDs(tx, "leafs", 10_000); return err })
}

// bench measures fn on 10,000 rows of 12 columns in a transaction that is rolled back.
func bench(b *testing.B, fn func(tx *gorm.DB) error) {
	for name, dsn := range dbtest.DSNs(b) {
		b.Run(name, func(b *testing.B) {
			db := dbtest.Connect(b, dsn)
			create(b, db, leaves)
			if b.Name() != "BenchmarkInsertColumns/"+name {
				write(b, db, func(tx *gorm.DB) error { return models.InsertColumns(tx, "leafs", columnsOf(someLeaves(10_000))) })
			}
			for b.Loop() {
				var failed error
				_ = db.Write(b.Context(), func(tx *gorm.DB) error { failed = fn(tx); return gorm.ErrInvalidTransaction })
				if failed != nil {
					b.Fatal(failed)
				}
			}
		})
	}
}
