package models

import (
	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// CountItemsRouted counts the items that a team has to do with as the owner of
// their services, or because changes of them were routed to it, by application
// and states.
func CountItemsRouted(tx *gorm.DB, owner int64) (counts []ItemCount, err error) {
	return counts, tx.Model(&ServiceItem{}).
		Where(`(service_id IN (SELECT id FROM services WHERE owner_id = ?)
			OR id IN (SELECT service_item_id FROM change_instances WHERE owner_id = ?))`, owner, owner).
		Select("application_id, runtime_state, change_state, count(*) AS n").Group("application_id, runtime_state, change_state").Scan(&counts).Error
}

// CompletedVersions finds, for each of these items, the version of the
// declaration that its owner completed last (lifecycle Y1); items that were
// deleted or never completed are left out.
func CompletedVersions(tx *gorm.DB, items []int64) (map[int64]int, error) {
	var rows []ChangeInstance
	newest := WhereIDs(tx.Model(&ChangeInstance{}).Select("max(id)").
		Where("state = ? AND owner_id = service_owner_team_id", engine.Completed), "service_item_id", items).Group("service_item_id")
	if err := tx.Where("id IN (?) AND change_type <> ?", newest, engine.Delete).Find(&rows).Error; err != nil {
		return nil, err
	}
	versions := make(map[int64]int, len(rows))
	for _, row := range rows {
		versions[row.ServiceItemID] = row.NewVersion
	}
	return versions, nil
}
