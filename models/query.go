package models

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/portolan/portolan/fault"
	"gorm.io/gorm"
)

// Page says which part of a list is wanted and in what order.
type Page struct {
	Limit  int
	Offset int
	Before int64  // only rows with a smaller id: constant-time paging for lists that are newest first
	After  int64  // only rows with a greater id: the same for lists that are oldest first
	Order  string // SQL from an allow-list, never from a request; empty = the list's own order
}

// CountLimit is the count above which a list says "more than" (portal X11).
const CountLimit = 10_000

// found turns GORM's "record not found" into the one answer for what is not there.
func found(err error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return fault.Missing()
	}
	return err
}

// page counts a list and reads one part of it.
func page[T any](list *gorm.DB, p Page, order string) (rows []T, count int64, err error) {
	list = list.Session(&gorm.Session{})
	if err = list.Count(&count).Error; err != nil {
		return nil, 0, err
	}
	if p.Order != "" {
		order = p.Order
	}
	if p.Limit > 0 {
		list = list.Limit(p.Limit)
	}
	if p.Offset > 0 {
		list = list.Offset(p.Offset)
	}
	if p.Before > 0 {
		list = list.Where("id < ?", p.Before)
	}
	return rows, count, list.Order(order).Find(&rows).Error
}

// byID reads the rows with these ids in one statement and keys them by id.
func byID[T any](tx *gorm.DB, ids []int64, id func(T) int64) (map[int64]T, error) {
	if len(ids) == 0 {
		return map[int64]T{}, nil
	}
	var rows []T
	if err := WhereIDs(tx, "id", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	keyed := make(map[int64]T, len(rows))
	for _, row := range rows {
		keyed[id(row)] = row
	}
	return keyed, nil
}

// among narrows a list to rows whose column has one of these values; no values do not narrow.
func among[T any](list *gorm.DB, column string, values []T) *gorm.DB {
	switch len(values) {
	case 0:
		return list
	case 1:
		return list.Where(column+" = ?", values[0])
	}
	return list.Where(column+" IN ?", values)
}

// one is a list of an id, empty for none.
func one(id int64) []int64 {
	if id == 0 {
		return nil
	}
	return []int64{id}
}

// like is the pattern that finds text anywhere in a lower-case column.
func like(text string) string { return "%" + escapeLike(strings.ToLower(text)) + "%" }

// escapeLike makes the wildcards of LIKE ordinary characters.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// quoteJSON writes a string as JSON does.
func quoteJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
