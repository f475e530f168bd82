package models

import (
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// ServiceItem is one instance of a service: (consumer team, application,
// service, name). Its base, the wish that counts, is kept beside it: the item
// is declared when BaseChangeID and DeclaredChangeID are the same (marketplace G1).
type ServiceItem struct {
	ID                 int64
	ConsumerTeamID     int64
	ApplicationID      int64
	ServiceID          int64
	Name               string
	RuntimeState       engine.RuntimeState
	ChangeState        engine.ChangeState
	BaseChangeID       *int64 // the newest standing change of the owner's lane
	DeclaredChangeID   *int64 // the newest standing change of the owner's lane that declares something
	Declaration        string // of DeclaredChangeID, else of the newest change; compact JSON as it was written
	DeclarationHash    []byte
	DeclarationVersion int
	LastVersion        int // the highest version given to a declaration of this item
	SchemaVersion      int // the version of the schema it was validated with
	DeployedVersion    int // of the newest deployed item, 0 for none
	Created            time.Time
	Modified           time.Time
}

// Declared reports whether the item's base is there: its team wants it now.
func (i ServiceItem) Declared() bool {
	return i.BaseChangeID != nil && i.DeclaredChangeID != nil && *i.BaseChangeID == *i.DeclaredChangeID
}

// Base is the change that the item's base comes from, 0 for none.
func (i ServiceItem) Base() int64 {
	if i.BaseChangeID == nil {
		return 0
	}
	return *i.BaseChangeID
}

// ServiceItemQuery narrows a list of service items; zero fields do not narrow.
type ServiceItemQuery struct {
	Consumer        int64 // only items that this team declared
	Owner           int64 // only items of this team's services
	Dependant       int64 // only items of services that send this team copies, once one was sent
	ID              []int64
	Name            []string
	RuntimeState    []engine.RuntimeState
	ChangeState     []engine.ChangeState
	ApplicationID   []int64
	ApplicationName []string
	ApplicationLike string // part of the application's name, ignoring case
	ConsumerTeam    []int64
	ServiceID       []int64
	ServiceName     []string
	ServiceOwner    []int64
	Search          string
	ModifiedFrom    *time.Time
	ModifiedUntil   *time.Time
	Live            bool // not decommissioned
	Page            Page
}

// ServiceItemByID finds an item of a team that may see it: the consumer, the
// service's owner, or a dependent team that a change of it was routed to (marketplace A2).
func ServiceItemByID(tx *gorm.DB, team, id int64) (item ServiceItem, err error) {
	return item, found(seenBy(tx, team).Where("id = ?", id).Take(&item).Error)
}

// seenBy narrows a list of items to those that a team may see.
func seenBy(list *gorm.DB, team int64) *gorm.DB {
	return list.Where(`(consumer_team_id = ?
		OR service_id IN (SELECT id FROM services WHERE owner_id = ?)
		OR EXISTS (SELECT 1 FROM change_instances c WHERE c.service_item_id = service_items.id AND c.owner_id = ?))`, team, team, team)
}

// SeenItems tells which of these items a team may see.
func SeenItems(tx *gorm.DB, team int64, items []int64) (map[int64]bool, error) {
	var list []int64
	err := WhereIDs(seenBy(tx.Model(&ServiceItem{}), team), "id", items).Pluck("id", &list).Error
	seen := make(map[int64]bool, len(list))
	for _, id := range list {
		seen[id] = true
	}
	return seen, err
}

// ServiceItems lists service items, newest first unless the page says otherwise, and counts them.
func ServiceItems(tx *gorm.DB, q ServiceItemQuery) ([]ServiceItem, int64, error) {
	return page[ServiceItem](q.narrow(tx.Model(&ServiceItem{})), q.Page, "id DESC")
}

// ServiceItemsByID finds many items at once, by their ids.
func ServiceItemsByID(tx *gorm.DB, ids []int64) (map[int64]ServiceItem, error) {
	return byID(tx, ids, func(i ServiceItem) int64 { return i.ID })
}

func (q ServiceItemQuery) narrow(list *gorm.DB) *gorm.DB {
	list = among(list, "consumer_team_id", one(q.Consumer))
	list = among(list, "id", q.ID)
	list = among(list, "name", q.Name)
	list = among(list, "runtime_state", q.RuntimeState)
	list = among(list, "change_state", q.ChangeState)
	list = among(list, "application_id", q.ApplicationID)
	list = among(list, "consumer_team_id", q.ConsumerTeam)
	list = among(list, "service_id", q.ServiceID)
	if q.Owner != 0 {
		list = list.Where("service_id IN (SELECT id FROM services WHERE owner_id = ?)", q.Owner)
	}
	if q.Dependant != 0 {
		list = list.Where("id IN (SELECT service_item_id FROM change_instances WHERE owner_id = ? AND kind = 'dependent')", q.Dependant)
	}
	if len(q.ApplicationName) > 0 {
		list = list.Where("application_id IN (SELECT id FROM applications WHERE name IN ?)", q.ApplicationName)
	}
	if q.ApplicationLike != "" {
		list = list.Where(`application_id IN (SELECT id FROM applications WHERE lower(name) LIKE ? ESCAPE '\')`, like(q.ApplicationLike))
	}
	if len(q.ServiceName) > 0 {
		list = list.Where("service_id IN (SELECT id FROM services WHERE name IN ?)", q.ServiceName)
	}
	if len(q.ServiceOwner) > 0 {
		list = list.Where("service_id IN (SELECT id FROM services WHERE owner_id IN ?)", q.ServiceOwner)
	}
	if q.Search != "" {
		list = list.Where(`lower(name) LIKE ? ESCAPE '\'`, like(q.Search))
	}
	if q.Live {
		list = list.Where("runtime_state <> ?", engine.Decommissioned)
	}
	if q.ModifiedFrom != nil {
		list = list.Where("modified >= ?", *q.ModifiedFrom)
	}
	if q.ModifiedUntil != nil {
		list = list.Where("modified <= ?", *q.ModifiedUntil)
	}
	return list
}

// Refresh makes the base, the declaration and the change state of these items
// what their changes say now; it is called after every move that can alter them.
// A constant number of statements, whatever the number of items.
func Refresh(tx *gorm.DB, items []int64) error {
	if len(items) == 0 {
		return nil
	}
	list := func() *gorm.DB { return WhereIDs(tx.Model(&ServiceItem{}), "id", items) }
	if err := list().UpdateColumns(refreshedBase).Error; err != nil {
		return err
	}
	return list().Where(outOfDate).UpdateColumns(refreshedDeclaration).Error
}

// lane finds the newest standing change of an item's own lane that meets one further condition.
func lane(column, condition string) string {
	return `(SELECT ` + column + ` FROM change_instances c WHERE c.service_item_id = service_items.id
		AND c.owner_id = c.service_owner_team_id AND NOT c.lapsed AND c.closed_reason <> 'superseded' ` + condition + ` ORDER BY c.id DESC LIMIT 1)`
}

// refreshedBase are the columns that follow from all changes of an item.
var refreshedBase = map[string]any{
	"base_change_id":     gorm.Expr(lane("c.id", "")),
	"declared_change_id": gorm.Expr(lane("c.id", "AND c.change_type <> 'DELETE'")),
	"change_state": gorm.Expr(`(SELECT CASE
		WHEN count(CASE WHEN c.state = 'ERRORED' THEN 1 END) > 0 THEN 'CHANGES_ERRORED'
		WHEN count(CASE WHEN c.state = 'REJECTED' THEN 1 END) > 0 THEN 'CHANGES_REJECTED'
		WHEN count(CASE WHEN c.state = 'PENDING' THEN 1 END) > 0 THEN 'CHANGES_PENDING'
		WHEN count(CASE WHEN c.state = 'APPROVED' THEN 1 END) > 0 THEN 'CHANGES_APPROVED'
		ELSE 'ALL_CHANGES_COMPLETED' END FROM change_instances c WHERE c.service_item_id = service_items.id)`),
}

// outOfDate finds items that hold another declaration than the one that counts;
// versions tell declarations of an item apart (marketplace G5). The last one
// stands when nothing is declared.
const outOfDate = `EXISTS (SELECT 1 FROM change_instances c WHERE c.id = service_items.declared_change_id
	AND (c.new_version <> service_items.declaration_version OR c.schema_version <> service_items.schema_version))`

// refreshedDeclaration are the columns that follow from the change that declares an item.
var refreshedDeclaration = map[string]any{
	"declaration":         gorm.Expr("(SELECT c.new_declaration FROM change_instances c WHERE c.id = declared_change_id)"),
	"declaration_hash":    gorm.Expr("(SELECT c.new_hash FROM change_instances c WHERE c.id = declared_change_id)"),
	"declaration_version": gorm.Expr("(SELECT c.new_version FROM change_instances c WHERE c.id = declared_change_id)"),
	"schema_version":      gorm.Expr("(SELECT c.schema_version FROM change_instances c WHERE c.id = declared_change_id)"),
}

// OwnedItem finds an item of one of a team's own services.
func OwnedItem(tx *gorm.DB, owner, id int64) (item ServiceItem, err error) {
	return item, found(tx.Where("id = ? AND service_id IN (SELECT id FROM services WHERE owner_id = ?)", id, owner).Take(&item).Error)
}
