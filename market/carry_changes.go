package market

import (
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
)

// number gives each change its id, before anything refers to one.
func (c *carrier) number() (err error) {
	c.changeIDs, err = models.ReserveIDs(c.tx, "change_instances", len(c.plan.Changes))
	return err
}

// writeNewItems makes a row for each item that a CREATE names for the first time.
func (c *carrier) writeNewItems() error {
	changes := c.plan.Changes
	c.itemIDs = make([]int64, len(changes))
	var fresh []int // indexes of the owner's CREATEs of new items
	for i := range changes {
		c.itemIDs[i] = changes[i].ItemID
		if changes[i].ItemID == 0 && !changes[i].Dependent() {
			fresh = append(fresh, i)
		}
	}
	rows, err := models.ReserveIDs(c.tx, "service_items", len(fresh))
	if err != nil {
		return err
	}
	byKey := make(map[engine.Key]int64, len(fresh))
	for n, i := range fresh {
		byKey[changes[i].Key] = rows[n]
	}
	for i := range changes {
		if c.itemIDs[i] == 0 {
			c.itemIDs[i] = byKey[changes[i].Key]
		}
	}
	return models.InsertItems(c.tx, c.items(fresh))
}

// items are the rows of new items; each is declared by its CREATE.
func (c *carrier) items(fresh []int) []models.ServiceItem {
	rows := make([]models.ServiceItem, len(fresh))
	for n, i := range fresh {
		change := &c.plan.Changes[i]
		rows[n] = models.ServiceItem{
			ID: c.itemIDs[i], ConsumerTeamID: c.submission.TeamID, ApplicationID: c.applications[change.Key.Application],
			ServiceID: change.Service.ID, Name: change.Key.Name, RuntimeState: runtimeOf(change), ChangeState: engine.SumUp(change.State),
			BaseChangeID: &c.changeIDs[i], DeclaredChangeID: &c.changeIDs[i], Declaration: change.New.Declaration, DeclarationHash: change.Hash[:],
			DeclarationVersion: change.New.Number, LastVersion: change.New.Number, SchemaVersion: change.New.Schema,
			Created: c.at, Modified: c.at,
		}
	}
	return rows
}

func runtimeOf(change *engine.Change) engine.RuntimeState {
	if change.State == engine.Approved {
		return engine.InService
	}
	return engine.Requested
}

// writeChanges makes the change instances of the plan, in its order.
func (c *carrier) writeChanges() error {
	c.written = c.rows()
	return models.InsertChanges(c.tx, c.written)
}

func (c *carrier) rows() []models.ChangeInstance {
	rows := make([]models.ChangeInstance, len(c.plan.Changes))
	owners := map[int64]int64{} // the owner's change of each item, for its copies
	for i := range c.plan.Changes {
		change := &c.plan.Changes[i]
		row := models.ChangeInstance{
			ID: c.changeIDs[i], ConsumerTeamID: c.submission.TeamID, OwnerID: change.Owner.ID, ServiceOwnerTeamID: change.Service.Owner.ID,
			SubmissionID: &c.submission.ID, ServiceItemID: c.itemIDs[i], ApplicationID: c.applications[change.Key.Application],
			ServiceID: change.Service.ID, ChangeType: change.Type, Kind: change.Kind, State: change.State,
			SchemaVersion: change.Service.SchemaVersion, Version: 1, Created: c.at, Modified: c.at,
		}
		if change.New != nil {
			row.NewDeclaration, row.NewVersion, row.NewHash, row.SchemaVersion = &change.New.Declaration, change.New.Number, change.Hash[:], change.New.Schema
		}
		if change.Old != nil {
			row.OldDeclaration, row.OldVersion = &change.Old.Declaration, change.Old.Number
		}
		if !change.Dependent() {
			owners[row.ServiceItemID] = row.ID
		} else if origin, there := owners[row.ServiceItemID]; there {
			row.OriginID = &origin
		}
		rows[i] = row
	}
	return rows
}

// writeHistory notes the birth of each change (marketplace C7).
func (c *carrier) writeHistory() error {
	rows := make([]models.ChangeHistory, len(c.plan.Changes))
	for i := range c.plan.Changes {
		rows[i] = c.step(c.changeIDs[i], c.plan.Changes[i].State, "")
	}
	return models.InsertHistory(c.tx, rows)
}

func (c *carrier) step(change int64, state engine.State, log string) models.ChangeHistory {
	return models.ChangeHistory{
		ChangeID: change, State: state, Log: log, Reason: "state", ChangedBy: c.who.Name(),
		ChangedByTeam: c.who.TeamName, Via: c.who.Via, At: c.at,
	}
}

// writeCauses notes which changes woke which (marketplace R4); a survivor of a
// merge keeps the causes of the change it replaces.
func (c *carrier) writeCauses() error {
	own := map[engine.Key]int64{}
	for i := range c.plan.Changes {
		if change := &c.plan.Changes[i]; !change.Dependent() && len(change.Causes) == 0 {
			own[change.Key] = c.changeIDs[i]
		}
	}
	var changes, causes []int64
	for i := range c.plan.Changes {
		for _, key := range c.plan.Changes[i].Causes {
			if cause, there := own[key]; there {
				changes, causes = append(changes, c.changeIDs[i]), append(causes, cause)
			}
		}
	}
	err := models.InsertColumns(c.tx, "change_causes", []models.Column{
		{Name: "change_id", Type: "bigint", Values: changes}, {Name: "cause_id", Type: "bigint", Values: causes},
	})
	if err != nil {
		return err
	}
	return models.InheritCauses(c.tx, c.successors())
}

// successors maps each superseded change to its survivor.
func (c *carrier) successors() map[int64]int64 {
	successors := map[int64]int64{}
	for i := range c.plan.Changes {
		if old := c.plan.Changes[i].Supersedes; old != 0 {
			successors[old] = c.changeIDs[i]
		}
	}
	return successors
}

func (c *carrier) superseded() []int64 {
	var ids []int64
	for i := range c.plan.Changes {
		if old := c.plan.Changes[i].Supersedes; old != 0 {
			ids = append(ids, old)
		}
	}
	for _, s := range c.plan.Supersessions {
		ids = append(ids, s.Change)
	}
	return ids
}
