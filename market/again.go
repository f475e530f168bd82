package market

import (
	"context"
	"fmt"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Retry asks again for what ERRORED: the owner retries, the consumer requests
// again. The old change is closed if it is open, and a new one of the same type
// and declarations points to it (marketplace G7).
func (m *Market) Retry(ctx context.Context, who Actor, pov Pov, id int64) (models.ChangeInstance, error) {
	seen, err := m.Change(ctx, who, pov, id)
	if err != nil {
		return seen, err
	}
	if err := who.mustWrite(); err != nil {
		return seen, err
	}
	var again models.ChangeInstance
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		old, err := lockChange(tx, seen)
		if err != nil {
			return err
		}
		if err := mayRetry(tx, old); err != nil {
			return err
		}
		if old.State == engine.Errored {
			if err := stepChange(tx, who, &old, Move{State: engine.Closed}); err != nil {
				return err
			}
		}
		if again, err = repeat(tx, who, old); err != nil {
			return err
		}
		return models.Refresh(tx, []int64{old.ServiceItemID})
	})
	return again, err
}

func mayRetry(tx *gorm.DB, old models.ChangeInstance) error {
	if old.State != engine.Errored && old.ClosedReason != models.ClosedErrored {
		return fault.Field("state", "Only a change that ERRORED can be asked for again; this one is %s.", old.State)
	}
	items, err := models.ServiceItemsByID(tx, []int64{old.ServiceItemID})
	if err != nil {
		return err
	}
	if old.ChangeType != engine.Delete && items[old.ServiceItemID].RuntimeState == engine.Decommissioned {
		return &fault.Error{Kind: fault.Conflict, Code: "decommissioned", Text: "The item is decommissioned by now: there is nothing left to ask for."}
	}
	newer, err := models.NewerInLane(tx, old)
	if err != nil {
		return err
	}
	if newer != 0 {
		return &fault.Error{Kind: fault.Conflict, Code: "newer_change", Text: fmt.Sprintf("The newer change #%d of this item stands in the way: only the newest can be asked for again.", newer)}
	}
	return nil
}

// repeat makes a new change like an old one, born as its service is set now (marketplace C3).
func repeat(tx *gorm.DB, who Actor, old models.ChangeInstance) (models.ChangeInstance, error) {
	service, err := models.ServiceByID(tx, old.ServiceID)
	if err != nil {
		return old, err
	}
	at := models.Now()
	again := old
	again.ID, again.RetryOf, again.SubmissionID = 0, &old.ID, nil
	again.State, again.Log, again.ClosedReason, again.Lapsed, again.AssigneeID = engine.Pending, "", "", false, nil
	again.Version, again.Created, again.Modified = 1, at, at
	if !service.ApprovalRequired {
		again.State = engine.Approved
	}
	if err := tx.Create(&again).Error; err != nil {
		return again, err
	}
	if err := affect(tx, &again); err != nil {
		return again, err
	}
	return again, remember(tx, who, &again, "state", nil)
}

// Withdraw takes a consumer's own PENDING change back; the wish lapses (marketplace C11).
func (m *Market) Withdraw(ctx context.Context, who Actor, id int64, reason string) (models.ChangeInstance, error) {
	seen, err := m.Change(ctx, who, AsConsumer, id)
	if err != nil {
		return seen, err
	}
	if err := who.mustWrite(); err != nil {
		return seen, err
	}
	if err := checkText("reason", reason, MaxLog); err != nil {
		return seen, err
	}
	var change models.ChangeInstance
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		if change, err = lockChange(tx, seen); err != nil {
			return err
		}
		if change.State != engine.Pending {
			return fault.Field("state", "Only a PENDING change can be withdrawn; this one is %s.", change.State)
		}
		if err := withdraw(tx, change, withdrawal(who, reason)); err != nil {
			return err
		}
		if change, err = models.OwnedChange(tx, change.OwnerID, change.ID); err != nil {
			return err
		}
		if err := record(tx, who, "change_instance.withdraw", object("change_instance", change.ID), reason); err != nil {
			return err
		}
		return models.Refresh(tx, []int64{change.ServiceItemID})
	})
	return change, err
}

func withdrawal(who Actor, reason string) string {
	if reason == "" {
		return "withdrawn by " + who.Name()
	}
	return fmt.Sprintf("withdrawn by %s: %s", who.Name(), reason)
}

// withdraw closes a PENDING change by SYSTEM. With the owner's change go the
// copies that no dependent team has begun with, as in marketplace G8.
func withdraw(tx *gorm.DB, change models.ChangeInstance, log string) error {
	list, owners := []closing{{change.ID, log}}, []int64{change.OwnerID}
	if !change.IsDependant() {
		copies, err := models.CopiesOf(tx, []int64{change.ID})
		if err != nil {
			return err
		}
		for _, c := range copies {
			if c.State == engine.Pending {
				list, owners = append(list, closing{c.ID, log}), append(owners, c.OwnerID)
			}
		}
	}
	for i, one := range list {
		if err := announce(tx, "change_instance.closed", one.change, change.ConsumerTeamID, owners[i]); err != nil {
			return err
		}
	}
	c := &carrier{tx: tx, at: models.Now()}
	return c.close(list, engine.Pending, models.ClosedWithdrawn)
}
