package market

import (
	"context"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// MaxDeployed bounds a deployed item, in bytes (marketplace I1).
const MaxDeployed = 1 << 20

// readDeployed reads a deployed item strictly; nil stays nil.
func readDeployed(text []byte) (*value.Value, error) {
	if text == nil {
		return nil, nil
	}
	if len(text) > MaxDeployed {
		return nil, fault.New(fault.TooLarge, "A deployed item may have at most %d bytes; this one has %d.", MaxDeployed, len(text))
	}
	v, problems := value.ParseJSON(text)
	if len(problems) > 0 {
		return nil, refuseText("deployed_item", problems)
	}
	if v.Kind != value.Object {
		return nil, fault.Field("deployed_item", "A deployed item must be a JSON object.")
	}
	return &v, nil
}

// refuseText makes the answer to a text that is no strict JSON, with its place.
func refuseText(field string, problems []value.Problem) error {
	refusal := fault.Field(field, "Line %d, column %d: %s", problems[0].Line, problems[0].Column, problems[0].Message)
	refusal.Detail = map[string]any{field: refusal.Fields[field], "problems": problems}
	return refusal
}

// attach makes a deployed item the next version of its service item, unless it
// equals the newest (marketplace I1). It reports whether it did.
func attach(tx *gorm.DB, who Actor, item, consumer int64, change *int64, data *value.Value) (models.DeployedItem, bool, error) {
	hash := value.Hash(data, nil)
	newest, err := models.NewestDeployed(tx, []int64{item})
	if err != nil {
		return models.DeployedItem{}, false, err
	}
	last, there := newest[item]
	if there && string(last.Hash) == string(hash[:]) {
		return last, false, nil
	}
	at := models.Now()
	next := models.DeployedItem{
		ServiceItemID: item, ConsumerTeamID: consumer, ChangeID: change, Version: last.Version + 1,
		Data: string(value.AppendJSON(nil, data)), Hash: hash[:], CreatedBy: who.Name(), Created: at, Modified: at,
	}
	if err := tx.Create(&next).Error; err != nil {
		return next, false, err
	}
	set := map[string]any{"deployed_version": next.Version, "modified": at}
	if err := tx.Model(&models.ServiceItem{}).Where("id = ?", item).Updates(set).Error; err != nil {
		return next, false, err
	}
	if err := announce(tx, "deployed_item.created", next.ID, consumer); err != nil {
		return next, false, err
	}
	return next, true, record(tx, who, "deployed_item.create", object("deployed_item", next.ID), object("service_item", item))
}

// Deploy attaches a deployed item to a service item of one of the actor's
// services on its own; item or change names it. It reports whether a new
// version came of it.
func (m *Market) Deploy(ctx context.Context, who Actor, item, change int64, data []byte) (models.DeployedItem, bool, error) {
	var deployed models.DeployedItem
	var changeID *int64
	if change != 0 {
		owned, err := models.OwnedChange(m.read(ctx), who.TeamID, change)
		if err != nil {
			return deployed, false, err
		}
		item, changeID = owned.ServiceItemID, &owned.ID
	}
	target, err := models.OwnedItem(m.read(ctx), who.TeamID, item)
	if err != nil {
		return deployed, false, err
	}
	if err := who.mustWrite(); err != nil {
		return deployed, false, err
	}
	v, err := readDeployed(data)
	if err != nil {
		return deployed, false, err
	}
	made := false
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		if err := models.LockServiceItems(tx, []int64{target.ID}); err != nil {
			return err
		}
		deployed, made, err = attach(tx, who, target.ID, target.ConsumerTeamID, changeID, v)
		return err
	})
	return deployed, made, err
}

// DeployedItems lists the versions that the actor's team sees from one side.
func (m *Market) DeployedItems(ctx context.Context, who Actor, pov Pov, q models.DeployedItemQuery) ([]models.DeployedItem, int64, error) {
	switch pov {
	case AsConsumer:
		q.Consumer = who.team()
	case AsDependant:
		q.Dependant = who.team()
	default:
		q.Owner = who.team()
	}
	return models.DeployedItems(m.read(ctx), q)
}

// DeployedItem reads one version that the actor's team may see.
func (m *Market) DeployedItem(ctx context.Context, who Actor, id int64) (models.DeployedItem, error) {
	tx := m.read(ctx)
	deployed, err := models.DeployedItemByID(tx, id)
	if err != nil {
		return deployed, err
	}
	_, err = models.ServiceItemByID(tx, who.TeamID, deployed.ServiceItemID)
	return deployed, err
}
