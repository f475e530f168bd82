package models

import (
	"maps"
	"slices"
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// column gathers one field of many rows.
func column[R, V any](rows []R, field func(*R) V) []V {
	values := make([]V, len(rows))
	for i := range rows {
		values[i] = field(&rows[i])
	}
	return values
}

// InsertChanges makes many change instances at once; their ids are reserved before.
func InsertChanges(tx *gorm.DB, rows []ChangeInstance) error {
	type C = ChangeInstance
	return InsertColumns(tx, "change_instances", []Column{
		{"id", "bigint", column(rows, func(c *C) int64 { return c.ID })},
		{"consumer_team_id", "bigint", column(rows, func(c *C) int64 { return c.ConsumerTeamID })},
		{"owner_id", "bigint", column(rows, func(c *C) int64 { return c.OwnerID })},
		{"service_owner_team_id", "bigint", column(rows, func(c *C) int64 { return c.ServiceOwnerTeamID })},
		{"submission_id", "bigint", column(rows, func(c *C) *int64 { return c.SubmissionID })},
		{"service_item_id", "bigint", column(rows, func(c *C) int64 { return c.ServiceItemID })},
		{"application_id", "bigint", column(rows, func(c *C) int64 { return c.ApplicationID })},
		{"service_id", "bigint", column(rows, func(c *C) int64 { return c.ServiceID })},
		{"change_type", "text", column(rows, func(c *C) string { return string(c.ChangeType) })},
		{"kind", "text", column(rows, func(c *C) string { return string(c.Kind) })},
		{"state", "text", column(rows, func(c *C) string { return string(c.State) })},
		{"log", "text", column(rows, func(c *C) string { return c.Log })},
		{"new_declaration", "text", column(rows, func(c *C) *string { return c.NewDeclaration })},
		{"new_hash", "bytea", column(rows, func(c *C) []byte { return c.NewHash })},
		{"new_version", "bigint", column(rows, func(c *C) int64 { return int64(c.NewVersion) })},
		{"old_declaration", "text", column(rows, func(c *C) *string { return c.OldDeclaration })},
		{"old_version", "bigint", column(rows, func(c *C) int64 { return int64(c.OldVersion) })},
		{"schema_version", "bigint", column(rows, func(c *C) int64 { return int64(c.SchemaVersion) })},
		{"origin_id", "bigint", column(rows, func(c *C) *int64 { return c.OriginID })},
		{"retry_of", "bigint", column(rows, func(c *C) *int64 { return c.RetryOf })},
		{"closed_reason", "text", column(rows, func(c *C) string { return string(c.ClosedReason) })},
		{"lapsed", "boolean", column(rows, func(c *C) bool { return c.Lapsed })},
		{"version", "bigint", column(rows, func(c *C) int64 { return c.Version })},
		{"created", "timestamptz", column(rows, func(c *C) time.Time { return c.Created })},
		{"modified", "timestamptz", column(rows, func(c *C) time.Time { return c.Modified })},
	})
}

// InsertItems makes many service items at once; their ids are reserved before.
func InsertItems(tx *gorm.DB, rows []ServiceItem) error {
	type I = ServiceItem
	return InsertColumns(tx, "service_items", []Column{
		{"id", "bigint", column(rows, func(i *I) int64 { return i.ID })},
		{"consumer_team_id", "bigint", column(rows, func(i *I) int64 { return i.ConsumerTeamID })},
		{"application_id", "bigint", column(rows, func(i *I) int64 { return i.ApplicationID })},
		{"service_id", "bigint", column(rows, func(i *I) int64 { return i.ServiceID })},
		{"name", "text", column(rows, func(i *I) string { return i.Name })},
		{"runtime_state", "text", column(rows, func(i *I) string { return string(i.RuntimeState) })},
		{"change_state", "text", column(rows, func(i *I) string { return string(i.ChangeState) })},
		{"base_change_id", "bigint", column(rows, func(i *I) *int64 { return i.BaseChangeID })},
		{"declared_change_id", "bigint", column(rows, func(i *I) *int64 { return i.DeclaredChangeID })},
		{"declaration", "text", column(rows, func(i *I) string { return i.Declaration })},
		{"declaration_hash", "bytea", column(rows, func(i *I) []byte { return i.DeclarationHash })},
		{"declaration_version", "bigint", column(rows, func(i *I) int64 { return int64(i.DeclarationVersion) })},
		{"last_version", "bigint", column(rows, func(i *I) int64 { return int64(i.LastVersion) })},
		{"schema_version", "bigint", column(rows, func(i *I) int64 { return int64(i.SchemaVersion) })},
		{"deployed_version", "bigint", column(rows, func(i *I) int64 { return int64(i.DeployedVersion) })},
		{"created", "timestamptz", column(rows, func(i *I) time.Time { return i.Created })},
		{"modified", "timestamptz", column(rows, func(i *I) time.Time { return i.Modified })},
	})
}

// InsertHistory adds many steps to the histories of changes at once.
func InsertHistory(tx *gorm.DB, rows []ChangeHistory) error {
	type H = ChangeHistory
	return InsertColumns(tx, "change_history", []Column{
		{"change_id", "bigint", column(rows, func(h *H) int64 { return h.ChangeID })},
		{"state", "text", column(rows, func(h *H) string { return string(h.State) })},
		{"log", "text", column(rows, func(h *H) string { return h.Log })},
		{"reason", "text", column(rows, func(h *H) string { return h.Reason })},
		{"changed_by", "text", column(rows, func(h *H) string { return h.ChangedBy })},
		{"changed_by_team", "text", column(rows, func(h *H) string { return h.ChangedByTeam })},
		{"via", "text", column(rows, func(h *H) string { return h.Via })},
		{"at", "timestamptz", column(rows, func(h *H) time.Time { return h.At })},
	})
}

// InheritCauses gives each survivor of a merge the causes of the change it
// replaces, and says on the replaced change what replaced it (delivery S2, S5).
func InheritCauses(tx *gorm.DB, successors map[int64]int64) error {
	if len(successors) == 0 {
		return nil
	}
	replaced := slices.Sorted(maps.Keys(successors))
	survivors := make([]int64, len(replaced))
	for i, old := range replaced {
		survivors[i] = successors[old]
	}
	err := UpdateColumns(tx, "change_instances", "id", []Column{{"id", "bigint", replaced}, {"superseded_by", "bigint", survivors}})
	if err != nil {
		return err
	}
	inherited := WhereIDs(tx.Table("change_instances o").Joins("JOIN change_causes l ON l.change_id = o.id"), "o.id", replaced).
		Where("NOT EXISTS (SELECT 1 FROM change_causes n WHERE n.change_id = o.superseded_by AND n.cause_id = l.cause_id)").
		Select("DISTINCT o.superseded_by, l.cause_id")
	return tx.Exec("INSERT INTO change_causes (change_id, cause_id) SELECT * FROM (?) AS inherited", inherited).Error
}

// CloseChanges closes changes that all stand in one state, PENDING or APPROVED
// by nobody's hand, with a log for each, and tells how many it were.
func CloseChanges(tx *gorm.DB, changes []int64, logs []string, from engine.State, reason ClosedReason) (int64, error) {
	set := map[string]any{
		"state": engine.Closed, "closed_reason": reason, "lapsed": from == engine.Pending, "version": gorm.Expr("version + 2"), "modified": Now(),
	}
	alike := len(slices.Compact(slices.Clone(logs))) == 1
	if alike {
		set["log"] = logs[0]
	}
	done := WhereIDs(tx.Model(&ChangeInstance{}), "id", changes).Where("state = ? AND (state = 'PENDING' OR version = 1)", from).Updates(set)
	if alike || done.Error != nil || done.RowsAffected != int64(len(changes)) {
		return done.RowsAffected, done.Error
	}
	return done.RowsAffected, UpdateColumns(tx, "change_instances", "id", []Column{{"id", "bigint", changes}, {"log", "text", logs}})
}

// LockServiceItems holds these items until the transaction ends, in the order of their ids.
func LockServiceItems(tx *gorm.DB, items []int64) error {
	_, err := HoldServiceItems(tx, items)
	return err
}

// HoldServiceItems locks these items and tells how they stand: their runtime
// states and bases.
func HoldServiceItems(tx *gorm.DB, items []int64) (held []ServiceItem, err error) {
	if len(items) == 0 {
		return nil, nil
	}
	list := WhereIDs(tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id, runtime_state, base_change_id"), "id", items)
	return held, list.Order("id").Find(&held).Error
}

// RaiseVersions notes the highest declaration version given to each of these items.
func RaiseVersions(tx *gorm.DB, items []int64, versions []int) error {
	if len(items) == 0 {
		return nil
	}
	now := Now()
	return UpdateColumns(tx, "service_items", "id", []Column{
		{"id", "bigint", items}, {"last_version", "bigint", column(versions, func(v *int) int64 { return int64(*v) })},
		{"modified", "timestamptz", column(items, func(*int64) time.Time { return now })},
	})
}

// MoveItems takes items to a runtime state; what was decommissioned stays so (marketplace C4).
func MoveItems(tx *gorm.DB, items []int64, state engine.RuntimeState) error {
	return WhereIDs(tx.Model(&ServiceItem{}), "id", items).Where("runtime_state <> ?", engine.Decommissioned).
		Updates(map[string]any{"runtime_state": state, "modified": Now()}).Error
}
