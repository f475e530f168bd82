package models

import (
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

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
