package models

import (
	"time"

	"gorm.io/gorm"
)

// DeployedItem is one version of the JSON that an owner attaches to a service item.
type DeployedItem struct {
	ID             int64
	ServiceItemID  int64
	ConsumerTeamID int64
	ChangeID       *int64 // the change it came with, nil when it came on its own
	Version        int    // from 1, without gaps
	Data           string // compact JSON as it was written
	Hash           []byte // of its canonical form
	CreatedBy      string
	Created        time.Time
	Modified       time.Time
}

// DeployedItemsOf lists the versions of an item's deployed item, newest first.
func DeployedItemsOf(tx *gorm.DB, item int64) (versions []DeployedItem, err error) {
	return versions, tx.Where("service_item_id = ?", item).Order("version DESC").Find(&versions).Error
}

// DeployedItemByID finds one version of a deployed item.
func DeployedItemByID(tx *gorm.DB, id int64) (deployed DeployedItem, err error) {
	return deployed, found(tx.Where("id = ?", id).Take(&deployed).Error)
}

// NewestDeployed finds the newest deployed item of each of these service items, by item id.
func NewestDeployed(tx *gorm.DB, items []int64) (map[int64]DeployedItem, error) {
	var rows []DeployedItem
	err := WhereIDs(tx.Table("deployed_items d").Joins("JOIN service_items i ON i.id = d.service_item_id AND i.deployed_version = d.version"), "i.id", items).
		Select("d.*").Find(&rows).Error
	if err != nil {
		return nil, err
	}
	keyed := make(map[int64]DeployedItem, len(rows))
	for _, row := range rows {
		keyed[row.ServiceItemID] = row
	}
	return keyed, nil
}

// DeployedItemQuery narrows a list of deployed items; zero fields do not narrow.
type DeployedItemQuery struct {
	Consumer      int64 // only of items that this team declared
	Owner         int64 // only of items of this team's services
	Dependant     int64 // only of items that a change was routed to this team for
	ServiceItemID []int64
	ServiceID     []int64
	ApplicationID []int64
	ConsumerTeam  []int64
	ServiceOwner  []int64
	Page          Page
}

// DeployedItems lists all versions, newest first, and counts them.
func DeployedItems(tx *gorm.DB, q DeployedItemQuery) ([]DeployedItem, int64, error) {
	items := ServiceItemQuery{
		Owner: q.Owner, Dependant: q.Dependant, ServiceID: q.ServiceID,
		ApplicationID: q.ApplicationID, ConsumerTeam: q.ConsumerTeam, ServiceOwner: q.ServiceOwner,
	}
	list := among(tx.Model(&DeployedItem{}), "consumer_team_id", one(q.Consumer))
	list = among(list, "service_item_id", q.ServiceItemID)
	list = list.Where("service_item_id IN (?)", items.narrow(tx.Model(&ServiceItem{}).Select("id")))
	return page[DeployedItem](list, q.Page, "id DESC")
}
