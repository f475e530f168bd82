package market

import (
	"context"
	"fmt"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Take gives a change to the acting user, so that nobody else works on it
// meanwhile (marketplace C12). What another has taken stays theirs, unless over
// says that the taking over is meant.
func (m *Market) Take(ctx context.Context, who Actor, id int64, over bool) (models.ChangeInstance, error) {
	if who.UserID == 0 {
		return models.ChangeInstance{}, fault.New(fault.Forbidden, "Changes are taken by people; an API key cannot take one.")
	}
	return m.assign(ctx, who, id, &who.UserID, over)
}

// Release gives a change back to the team.
func (m *Market) Release(ctx context.Context, who Actor, id int64) (models.ChangeInstance, error) {
	return m.assign(ctx, who, id, nil, true)
}

func (m *Market) assign(ctx context.Context, who Actor, id int64, user *int64, over bool) (models.ChangeInstance, error) {
	change, err := models.OwnedChange(m.read(ctx), who.TeamID, id)
	if err != nil {
		return change, err
	}
	if err := who.mustWrite(); err != nil {
		return change, err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		if change, err = lockChange(tx, change); err != nil {
			return err
		}
		if same(change.AssigneeID, user) {
			return nil
		}
		if err := mayAssign(tx, change, over); err != nil {
			return err
		}
		won, err := models.Assign(tx, change, user)
		if err != nil {
			return err
		}
		if !won {
			return &fault.Error{Kind: fault.Conflict, Code: "lost_race", Text: "Somebody else took this change at the same moment."}
		}
		change.AssigneeID = user
		return record(tx, who, "change_instance.assign", object("change_instance", change.ID), assignment(user))
	})
	return change, err
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func mayAssign(tx *gorm.DB, change models.ChangeInstance, over bool) error {
	if !change.State.Open() || change.State == engine.Rejected {
		return fault.Field("state", "Nothing is left to do here: this change is %s.", change.State)
	}
	if change.AssigneeID == nil || over {
		return nil
	}
	users, err := models.UsersByID(tx, []int64{*change.AssigneeID})
	if err != nil {
		return err
	}
	return &fault.Error{Kind: fault.Conflict, Code: "taken", Text: fmt.Sprintf("%s has taken this change.", users[*change.AssigneeID].Name)}
}

func assignment(user *int64) string {
	if user == nil {
		return "released"
	}
	return fmt.Sprintf("taken by user %d", *user)
}
