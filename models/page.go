package models

import (
	"slices"
	"time"

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

// Lives lists the items that have ever had a name and that a team may see, oldest first.
func Lives(tx *gorm.DB, team int64, item ServiceItem) (lives []ServiceItem, err error) {
	return lives, seenBy(tx, team).Where("consumer_team_id = ? AND application_id = ? AND service_id = ? AND name = ?",
		item.ConsumerTeamID, item.ApplicationID, item.ServiceID, item.Name).Order("id").Find(&lives).Error
}

// SubmissionList narrows a list of submissions of a team as pages do.
type SubmissionList struct {
	Team        int64
	By          string
	Application int64
	Progress    string // open, done or failed
	From, Until *time.Time
	Search      string // part of the comment or commit id, ignoring case
}

// progresses are the conditions of a submission's progress.
var progresses = map[string]string{
	"open":   "EXISTS (SELECT 1 FROM change_instances c WHERE c.submission_id = submissions.id AND c.state IN ('PENDING', 'APPROVED'))",
	"done":   "NOT EXISTS (SELECT 1 FROM change_instances c WHERE c.submission_id = submissions.id AND c.state <> 'COMPLETED')",
	"failed": "EXISTS (SELECT 1 FROM change_instances c WHERE c.submission_id = submissions.id AND c.state IN ('REJECTED', 'ERRORED'))",
}

// SubmissionStretch reads one part of a list of submissions.
func SubmissionStretch(tx *gorm.DB, q SubmissionList, c Cursor) (Stretch[Submission], error) {
	list := among(tx.Model(&Submission{}).Where("team_id = ?", q.Team), "submitted_by", some(q.By))
	if q.Application != 0 {
		list = list.Where("id IN (SELECT submission_id FROM change_instances WHERE application_id = ? AND consumer_team_id = ?)", q.Application, q.Team)
	}
	if condition, known := progresses[q.Progress]; known {
		list = list.Where(condition)
	}
	if q.From != nil {
		list = list.Where("created >= ?", *q.From)
	}
	if q.Until != nil {
		list = list.Where("created < ?", *q.Until)
	}
	if q.Search != "" {
		list = list.Where(`(lower(comment) LIKE ? ESCAPE '\' OR lower(commit_id) LIKE ? ESCAPE '\')`, like(q.Search), like(q.Search))
	}
	return stretch(list, c, func(row *Submission) int64 { return row.ID })
}

// some is a list of a text, empty for none.
func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// Submitters lists who has submitted for a team.
func Submitters(tx *gorm.DB, team int64) (names []string, err error) {
	return names, tx.Model(&Submission{}).Where("team_id = ?", team).Distinct("submitted_by").Order("submitted_by").Limit(recent).Pluck("submitted_by", &names).Error
}

// ChangesOf lists the changes that a submission generated, in the order of its plan.
func ChangesOf(tx *gorm.DB, submission int64) (changes []ChangeInstance, err error) {
	return changes, tx.Where("submission_id = ?", submission).Order("id").Find(&changes).Error
}

// Copies lists the changes of one lane's change and its copies, the owner's first.
func Copies(tx *gorm.DB, origin int64) (changes []ChangeInstance, err error) {
	return changes, tx.Where("id = ? OR origin_id = ?", origin, origin).Order("id").Find(&changes).Error
}

// RetriesOf finds the changes that try these again, by the change tried again.
func RetriesOf(tx *gorm.DB, changes []int64) (map[int64]int64, error) {
	var rows []ChangeInstance
	err := WhereIDs(tx.Select("id, retry_of"), "retry_of", changes).Find(&rows).Error
	again := make(map[int64]int64, len(rows))
	for _, row := range rows {
		again[*row.RetryOf] = row.ID
	}
	return again, err
}

// EarlierRejections finds, for each of these changes, the refusal of the change
// of its type before it in its lane (portal QUE1).
func EarlierRejections(tx *gorm.DB, changes []int64) (map[int64]RejectedChange, error) {
	var rows []struct {
		RejectedChange
		Near int64
	}
	list := tx.Table("change_instances c").
		Joins(`JOIN change_instances p ON p.lapsed AND p.closed_reason IN ('', 'rejected') AND p.id = (SELECT b.id FROM change_instances b
			WHERE b.service_item_id = c.service_item_id AND b.owner_id = c.owner_id AND b.change_type = c.change_type AND b.id < c.id ORDER BY b.id DESC LIMIT 1)`).
		Joins("JOIN change_history h ON h.change_id = p.id AND h.state = 'REJECTED' AND h.reason = 'state'")
	err := WhereIDs(list, "c.id", changes).
		Select("c.id AS near, p.id AS change_id, p.service_item_id, h.changed_by, h.log, h.at").Find(&rows).Error
	earlier := make(map[int64]RejectedChange, len(rows))
	for _, row := range rows {
		earlier[row.Near] = row.RejectedChange
	}
	return earlier, err
}

// RecentReasons lists the logs with which a team last refused changes or
// reported failures, newest first; the same words may come again.
func RecentReasons(tx *gorm.DB, owner int64, state engine.State) (logs []string, err error) {
	return logs, tx.Table("change_history h").Joins("JOIN change_instances c ON c.id = h.change_id").
		Where("c.owner_id = ? AND h.state = ? AND h.reason = 'state' AND h.log <> '' AND h.changed_by <> 'SYSTEM'", owner, state).
		Order("h.id DESC").Limit(30).Pluck("h.log", &logs).Error
}

// Assign gives a change to a user, or to nobody, if it is still with whom it
// was; it reports whether it did (marketplace C12).
func Assign(tx *gorm.DB, change ChangeInstance, user *int64) (bool, error) {
	list := tx.Model(&ChangeInstance{}).Where("id = ?", change.ID)
	if change.AssigneeID == nil {
		list = list.Where("assignee_id IS NULL")
	} else {
		list = list.Where("assignee_id = ?", *change.AssigneeID)
	}
	done := list.Update("assignee_id", user)
	return done.RowsAffected == 1, done.Error
}

// HistoriesOf lists the moves of these changes, oldest first, by change.
func HistoriesOf(tx *gorm.DB, changes []int64) (map[int64][]ChangeHistory, error) {
	var rows []ChangeHistory
	err := WhereIDs(tx.Where("reason = 'state'"), "change_id", changes).Order("id").Find(&rows).Error
	keyed := map[int64][]ChangeHistory{}
	for _, row := range rows {
		keyed[row.ChangeID] = append(keyed[row.ChangeID], row)
	}
	return keyed, err
}

// ServiceCount counts an application's live items of one service.
type ServiceCount struct {
	ApplicationID, ServiceID int64
	N                        int
}

// CountByService counts a team's live items by application and service.
func CountByService(tx *gorm.DB, team int64) (counts []ServiceCount, err error) {
	return counts, tx.Model(&ServiceItem{}).Where("consumer_team_id = ? AND runtime_state <> ?", team, engine.Decommissioned).
		Select("application_id, service_id, count(*) AS n").Group("application_id, service_id").Order("application_id, service_id").Scan(&counts).Error
}

// LastSubmissions finds the newest submission that changed each of a team's
// applications, by application.
func LastSubmissions(tx *gorm.DB, team int64) (map[int64]int64, error) {
	var rows []struct{ ApplicationID, SubmissionID int64 }
	err := tx.Model(&ChangeInstance{}).Where("consumer_team_id = ? AND submission_id IS NOT NULL", team).
		Select("application_id, max(submission_id) AS submission_id").Group("application_id").Scan(&rows).Error
	last := make(map[int64]int64, len(rows))
	for _, row := range rows {
		last[row.ApplicationID] = row.SubmissionID
	}
	return last, err
}
