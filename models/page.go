package models

import (
	"slices"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// Cursor leads through a list that is ordered by id, in constant time wherever
// in it one stands (portal X11).
type Cursor struct {
	Size   int
	Newest bool  // newest first, else oldest first
	After  int64 // the stretch that follows this row
	Before int64 // the stretch that leads up to this row
}

// Stretch is one part of a list.
type Stretch[T any] struct {
	Rows       []T
	Prev, Next int64 // rows to go on from in either direction, 0 at an end
	Count      int64 // of the whole list; CountLimit+1 stands for more than CountLimit
}

// stretch reads one part of a list and counts all of it, as far as people care.
func stretch[T any](list *gorm.DB, c Cursor, id func(*T) int64) (s Stretch[T], err error) {
	list = list.Session(&gorm.Session{})
	if s.Count, err = countSome(list); err != nil {
		return s, err
	}
	back := c.Before != 0
	part := list.Limit(c.Size + 1).Order(direction(c.Newest != back))
	if edge := c.After + c.Before; edge != 0 {
		part = part.Where(beyond(c.Newest != back), edge)
	}
	if err = part.Find(&s.Rows).Error; err != nil {
		return s, err
	}
	more := len(s.Rows) > c.Size
	if more {
		s.Rows = s.Rows[:c.Size]
	}
	if back {
		slices.Reverse(s.Rows)
	}
	if n := len(s.Rows); n > 0 {
		if back && more || !back && c.After != 0 {
			s.Prev = id(&s.Rows[0])
		}
		if !back && more || back {
			s.Next = id(&s.Rows[n-1])
		}
	}
	return s, nil
}

// countSome counts a list up to CountLimit, and one more if there are more.
func countSome(list *gorm.DB) (n int64, err error) {
	some := list.Session(&gorm.Session{}).Select("id").Limit(CountLimit + 1)
	return n, list.Session(&gorm.Session{NewDB: true}).Table("(?) AS counted", some).Count(&n).Error
}

func direction(descending bool) string {
	if descending {
		return "id DESC"
	}
	return "id"
}

func beyond(descending bool) string {
	if descending {
		return "id < ?"
	}
	return "id > ?"
}

// ChangeList narrows a list of change instances as pages do.
type ChangeList struct {
	ChangeQuery
	Retries bool // those that try another one again as well
}

// onlyOpen says in the words of the partial indexes that a list holds open
// changes only: no database sees that in parameters.
const onlyOpen = "state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED')"

func (q ChangeList) list(tx *gorm.DB) *gorm.DB {
	list := tx.Model(&ChangeInstance{})
	if len(q.State) > 0 && !slices.ContainsFunc(q.State, func(s engine.State) bool { return !s.Open() }) {
		list = list.Where(onlyOpen)
	}
	if q.Retries {
		kinds := q.Kind
		q.Kind = nil
		if len(kinds) == 0 {
			kinds = []engine.ChangeKind{""}
		}
		list = list.Where("(retry_of IS NOT NULL OR kind IN ?)", kinds)
	}
	return q.narrow(list)
}

// ChangeStretch reads one part of a list of change instances.
func ChangeStretch(tx *gorm.DB, q ChangeList, c Cursor) (Stretch[ChangeInstance], error) {
	return stretch(q.list(tx), c, func(row *ChangeInstance) int64 { return row.ID })
}

// CountDeletes tells how many changes of a list delete their items.
func CountDeletes(tx *gorm.DB, q ChangeList) (n int64, err error) {
	return n, q.list(tx).Where("change_type = ?", engine.Delete).Count(&n).Error
}

// Place says where a row stands in its list.
type Place struct {
	Number, Count int64
	Prev, Next    int64 // the rows beside it, 0 at an end
}

// ChangePlace finds where a change stands in a list; its number is 0 if the
// list does not hold it, or only far behind.
func ChangePlace(tx *gorm.DB, q ChangeList, newest bool, id int64) (p Place, err error) {
	list := q.list(tx).Session(&gorm.Session{})
	var here int64
	if err = list.Where("id = ?", id).Count(&here).Error; err != nil {
		return p, err
	}
	ahead, err := countSome(list.Where(beyond(!newest), id))
	if err != nil {
		return p, err
	}
	if p.Count, err = countSome(list); err != nil {
		return p, err
	}
	if here == 1 && ahead < CountLimit {
		p.Number = ahead + 1
	}
	if p.Prev, err = nearest(list, !newest, id); err != nil {
		return p, err
	}
	p.Next, err = nearest(list, newest, id)
	return p, err
}

func nearest(list *gorm.DB, descending bool, id int64) (int64, error) {
	var found []int64
	err := list.Where(beyond(descending), id).Order(direction(descending)).Limit(1).Pluck("id", &found).Error
	if len(found) == 0 {
		return 0, err
	}
	return found[0], err
}

// Facet is a combination that occurs in a list: what it may be narrowed by.
type Facet struct{ ServiceID, ApplicationID, ConsumerTeamID int64 }

// recent is how many of the newest rows of a list its facets are taken from, so
// that they cost the same however long the list is.
const recent = 2_000

// ChangeFacets lists what a team's changes of one side may be narrowed by.
func ChangeFacets(tx *gorm.DB, side Side, team int64) ([]Facet, error) {
	return facets(tx, tx.Model(&ChangeInstance{}).Where(string(side)+" = ?", team))
}

// ItemFacets lists what these items may be narrowed by.
func ItemFacets(tx *gorm.DB, q ServiceItemQuery) ([]Facet, error) {
	return facets(tx, q.narrow(tx.Model(&ServiceItem{})))
}

func facets(tx, list *gorm.DB) (found []Facet, err error) {
	newest := list.Select("service_id, application_id, consumer_team_id").Order("id DESC").Limit(recent)
	return found, tx.Table("(?) AS newest", newest).Distinct("service_id", "application_id", "consumer_team_id").Scan(&found).Error
}

// ItemStretch reads one part of a list of service items.
func ItemStretch(tx *gorm.DB, q ServiceItemQuery, c Cursor) (Stretch[ServiceItem], error) {
	return stretch(q.narrow(tx.Model(&ServiceItem{})), c, func(row *ServiceItem) int64 { return row.ID })
}
