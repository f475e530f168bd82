package models

import (
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// LiveItem is a service item that is not decommissioned, with the names of its
// application and service.
type LiveItem struct {
	ServiceItem
	Application string
	Service     string
}

// LiveItems lists all live items of a consumer team, oldest first.
func LiveItems(tx *gorm.DB, team int64) (items []LiveItem, err error) {
	return items, tx.Table("service_items i").
		Joins("JOIN applications a ON a.id = i.application_id").Joins("JOIN services s ON s.id = i.service_id").
		Where("i.consumer_team_id = ? AND i.runtime_state <> 'DECOMMISSIONED'", team).
		Select(`i.id, i.service_id, i.application_id, i.name, i.runtime_state, i.base_change_id, i.declared_change_id, i.declaration,
			i.declaration_hash, i.declaration_version, i.last_version, i.schema_version, a.name AS application, s.name AS service`).
		Order("i.id").Scan(&items).Error
}

// OpenChange is a change that still waits for somebody, with its owner's name;
// its declarations are read only where unfetched changes are merged.
type OpenChange struct {
	ID                 int64
	ServiceItemID      int64
	OwnerID            int64
	ServiceOwnerTeamID int64
	Owner              string
	ChangeType         engine.ChangeType
	Kind               engine.ChangeKind
	State              engine.State
	Version            int64
	NewDeclaration     *string
	NewVersion         int
	OldDeclaration     *string
	OldVersion         int
}

// OpenChanges lists the open changes of a consumer team's items, oldest first.
func OpenChanges(tx *gorm.DB, team int64, withDeclarations []int64) (changes []OpenChange, err error) {
	columns := "c.id, c.service_item_id, c.owner_id, c.service_owner_team_id, t.name AS owner, c.change_type, c.kind, c.state, c.version"
	list := tx.Table("change_instances c").Joins("JOIN teams t ON t.id = c.owner_id").
		Where("c.consumer_team_id = ? AND c.state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED')", team)
	if len(withDeclarations) > 0 {
		only := "CASE WHEN c.service_id IN ? THEN c."
		list = list.Select(columns+", c.new_version, c.old_version, "+only+"new_declaration END AS new_declaration, "+only+"old_declaration END AS old_declaration",
			withDeclarations, withDeclarations)
	} else {
		list = list.Select(columns)
	}
	return changes, list.Order("c.id").Scan(&changes).Error
}

// ChangeCopy is a dependent team's copy of a change, with the team's name.
type ChangeCopy struct {
	ID       int64
	OriginID *int64
	OwnerID  int64
	Owner    string
	State    engine.State
	Lapsed   bool
}

// CopiesOf lists the copies that dependent teams have of these changes.
func CopiesOf(tx *gorm.DB, changes []int64) (copies []ChangeCopy, err error) {
	if len(changes) == 0 {
		return nil, nil
	}
	return copies, WhereIDs(tx.Table("change_instances c").Joins("JOIN teams t ON t.id = c.owner_id"), "c.origin_id", changes).
		Select("c.id, c.origin_id, c.owner_id, t.name AS owner, c.state, c.lapsed").Order("c.id").Scan(&copies).Error
}

// RejectedChange says who refused the newest change of an item, and why.
type RejectedChange struct {
	ChangeID      int64
	ServiceItemID int64
	ChangedBy     string
	Log           string
	At            time.Time
}

// NewestRejections finds the live items of a consumer team whose newest
// own-lane change was rejected by its owner.
func NewestRejections(tx *gorm.DB, team int64) (rejected []RejectedChange, err error) {
	return rejected, tx.Table("change_instances c").
		Joins("JOIN service_items i ON i.id = c.service_item_id AND i.runtime_state <> 'DECOMMISSIONED'").
		Joins("JOIN change_history h ON h.change_id = c.id AND h.state = 'REJECTED' AND h.reason = 'state'").
		Where("c.consumer_team_id = ? AND c.lapsed AND c.closed_reason IN ('', 'rejected') AND c.owner_id = c.service_owner_team_id", team).
		Where(`NOT EXISTS (SELECT 1 FROM change_instances n WHERE n.service_item_id = c.service_item_id AND n.id > c.id AND n.owner_id = n.service_owner_team_id)`).
		Select("c.id AS change_id, c.service_item_id, h.changed_by, h.log, h.at").Order("c.id").Scan(&rejected).Error
}
