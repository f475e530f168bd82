package models

import (
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// ChangeInstance is one piece of work for one team on one service item.
type ChangeInstance struct {
	ID                 int64
	ConsumerTeamID     int64
	OwnerID            int64 // the team that processes it: the service's owner, or a dependent team
	ServiceOwnerTeamID int64
	SubmissionID       *int64 // nil for a retry
	ServiceItemID      int64
	ApplicationID      int64
	ServiceID          int64
	ChangeType         engine.ChangeType
	Kind               engine.ChangeKind
	State              engine.State
	Log                string
	NewDeclaration     *string // compact JSON as it was written; nil for DELETE
	NewHash            []byte  // of the new declaration's canonical form
	NewVersion         int
	OldDeclaration     *string // nil for CREATE
	OldVersion         int
	SchemaVersion      int
	OriginID           *int64 // the owner's change that this is a dependent team's copy of
	RetryOf            *int64
	SupersededBy       *int64
	ClosedReason       ClosedReason
	Lapsed             bool   // REJECTED, or CLOSED after REJECTED: the wish no longer counts (marketplace G1)
	AssigneeID         *int64 // the user who took it
	Version            int64  // grows with each move and each log, for optimistic locking
	Created            time.Time
	Modified           time.Time
}

// ClosedReason says what ended a change before it was done.
type ClosedReason string

// The reasons.
const (
	ClosedRejected   ClosedReason = "rejected"
	ClosedErrored    ClosedReason = "errored"
	ClosedWithdrawn  ClosedReason = "withdrawn"
	ClosedSuperseded ClosedReason = "superseded"
)

// IsDependant reports whether the change is a dependent team's copy.
func (c ChangeInstance) IsDependant() bool { return c.OwnerID != c.ServiceOwnerTeamID }

// ChangeCause says that one change was generated because of another (marketplace R4).
type ChangeCause struct{ ChangeID, CauseID int64 }

// ChangeHistory is one step in the life of a change instance; it is never edited (marketplace C7).
type ChangeHistory struct {
	ID            int64
	ChangeID      int64
	State         engine.State
	Log           string
	Reason        string // "state" or "log"
	ChangedBy     string
	ChangedByTeam string
	Via           string // portal, api, bulk or system
	At            time.Time
}

// TableName keeps the history in the singular.
func (ChangeHistory) TableName() string { return "change_history" }

// ChangeQuery narrows a list of change instances; zero fields do not narrow.
type ChangeQuery struct {
	Consumer      int64 // only changes of this team's items
	Owner         int64 // only changes that this team processes
	ID            []int64
	State         []engine.State
	Type          []engine.ChangeType
	Kind          []engine.ChangeKind
	NotReferenced bool
	ServiceID     []int64
	ServiceName   []string
	ServiceOwner  []int64
	ApplicationID []int64
	ConsumerTeam  []int64
	SubmissionID  []int64
	ServiceItemID []int64
	CommitID      string
	Assignee      []int64
	Unassigned    bool
	ModifiedFrom  *time.Time
	ModifiedUntil *time.Time
	CreatedBefore *time.Time
	CreatedAfter  *time.Time
	Search        string // part of the item's name, ignoring case
	Page          Page
}

// ChangeByID finds a change instance of a team that may see it: the consumer, or the team that processes it.
func ChangeByID(tx *gorm.DB, team, id int64) (change ChangeInstance, err error) {
	return change, found(tx.Where("id = ? AND (consumer_team_id = ? OR owner_id = ?)", id, team, team).Take(&change).Error)
}

// OwnedChange finds a change instance that a team processes.
func OwnedChange(tx *gorm.DB, owner, id int64) (change ChangeInstance, err error) {
	return change, found(tx.Where("id = ? AND owner_id = ?", id, owner).Take(&change).Error)
}

// Changes lists change instances, newest first unless the page says otherwise, and counts them.
func Changes(tx *gorm.DB, q ChangeQuery) ([]ChangeInstance, int64, error) {
	return page[ChangeInstance](q.narrow(tx.Model(&ChangeInstance{})), q.Page, "id DESC")
}

func (q ChangeQuery) narrow(list *gorm.DB) *gorm.DB {
	list = among(list, "owner_id", one(q.Owner))
	list = among(list, "consumer_team_id", one(q.Consumer))
	list = among(list, "id", q.ID)
	list = among(list, "state", q.State)
	list = among(list, "change_type", q.Type)
	list = among(list, "kind", q.Kind)
	list = among(list, "service_id", q.ServiceID)
	list = among(list, "service_owner_team_id", q.ServiceOwner)
	list = among(list, "application_id", q.ApplicationID)
	list = among(list, "consumer_team_id", q.ConsumerTeam)
	list = among(list, "submission_id", q.SubmissionID)
	list = among(list, "service_item_id", q.ServiceItemID)
	list = among(list, "assignee_id", q.Assignee)
	if q.NotReferenced {
		list = list.Where("kind <> ?", engine.Referenced)
	}
	if q.Unassigned {
		list = list.Where("assignee_id IS NULL")
	}
	if len(q.ServiceName) > 0 {
		list = list.Where("service_id IN (SELECT id FROM services WHERE name IN ?)", q.ServiceName)
	}
	if q.CommitID != "" {
		list = list.Where("submission_id IN (SELECT id FROM submissions WHERE commit_id = ?)", q.CommitID)
	}
	if q.Search != "" {
		list = list.Where(`service_item_id IN (SELECT id FROM service_items WHERE lower(name) LIKE ? ESCAPE '\')`, like(q.Search))
	}
	return q.between(list)
}

func (q ChangeQuery) between(list *gorm.DB) *gorm.DB {
	for _, bound := range []struct {
		sql string
		at  *time.Time
	}{{"modified >= ?", q.ModifiedFrom}, {"modified <= ?", q.ModifiedUntil}, {"created < ?", q.CreatedBefore}, {"created >= ?", q.CreatedAfter}} {
		if bound.at != nil {
			list = list.Where(bound.sql, *bound.at)
		}
	}
	return list
}

// MoveChange takes a change from one state to another if nobody was faster; it
// reports whether it did (trust D4). The time is now, unless the set names one.
func MoveChange(tx *gorm.DB, id int64, from engine.State, set map[string]any) (bool, error) {
	set["version"] = gorm.Expr("version + 1")
	if _, given := set["modified"]; !given {
		set["modified"] = Now()
	}
	done := tx.Model(&ChangeInstance{}).Where("id = ? AND state = ?", id, from).Updates(set)
	return done.RowsAffected == 1, done.Error
}

// HistoryOf lists a change's history, newest first.
func HistoryOf(tx *gorm.DB, change int64) (history []ChangeHistory, err error) {
	return history, tx.Where("change_id = ?", change).Order("id DESC").Find(&history).Error
}

// LastMoves finds the newest move of each of these changes, by change id.
func LastMoves(tx *gorm.DB, changes []int64) (map[int64]ChangeHistory, error) {
	var rows []ChangeHistory
	newest := WhereIDs(tx.Model(&ChangeHistory{}).Select("max(id)").Where("reason = 'state'"), "change_id", changes).Group("change_id")
	if err := tx.Where("id IN (?)", newest).Find(&rows).Error; err != nil {
		return nil, err
	}
	keyed := make(map[int64]ChangeHistory, len(rows))
	for _, row := range rows {
		keyed[row.ChangeID] = row
	}
	return keyed, nil
}

// Causes finds the changes that woke each of these changes, by change id.
func Causes(tx *gorm.DB, changes []int64) (map[int64][]ChangeInstance, error) {
	return linked(tx, "cause_id", "change_id", changes)
}

// Woken finds the changes that each of these changes woke, by change id.
func Woken(tx *gorm.DB, changes []int64) (map[int64][]ChangeInstance, error) {
	return linked(tx, "change_id", "cause_id", changes)
}

func linked(tx *gorm.DB, far, near string, changes []int64) (map[int64][]ChangeInstance, error) {
	var rows []struct {
		ChangeInstance
		Near int64
	}
	err := WhereIDs(tx.Table("change_causes l").Joins("JOIN change_instances c ON c.id = l."+far), "l."+near, changes).
		Select("c.*, l." + near + " AS near").Order("c.id").Find(&rows).Error
	if err != nil {
		return nil, err
	}
	keyed := map[int64][]ChangeInstance{}
	for _, row := range rows {
		keyed[row.Near] = append(keyed[row.Near], row.ChangeInstance)
	}
	return keyed, nil
}

// NewerInLane finds a change of the same item and owner that came after this
// one, 0 if there is none.
func NewerInLane(tx *gorm.DB, change ChangeInstance) (id int64, err error) {
	var ids []int64
	err = tx.Model(&ChangeInstance{}).Where("service_item_id = ? AND owner_id = ? AND id > ?", change.ServiceItemID, change.OwnerID, change.ID).
		Order("id DESC").Limit(1).Pluck("id", &ids).Error
	if len(ids) > 0 {
		id = ids[0]
	}
	return id, err
}

// Lanes finds, for each of these items, the newest change of each lane that
// still counts: lapsed, superseded and withdrawn ones are left out (lifecycle Y1).
func Lanes(tx *gorm.DB, items []int64) (map[int64][]ChangeInstance, error) {
	keyed := map[int64][]ChangeInstance{}
	if len(items) == 0 {
		return keyed, nil
	}
	newest := WhereIDs(tx.Model(&ChangeInstance{}).Select("max(id)").Where("NOT lapsed AND closed_reason <> ?", ClosedSuperseded), "service_item_id", items).
		Group("service_item_id, owner_id")
	var rows []ChangeInstance
	err := tx.Where("id IN (?)", newest).Order("id").Find(&rows).Error
	for _, row := range rows {
		keyed[row.ServiceItemID] = append(keyed[row.ServiceItemID], row)
	}
	return keyed, err
}
