package pages

import (
	"fmt"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// changeRows draws changes as rows of a list; from is the list's query.
func changeRows(who market.Actor, shown market.ShownChanges, owning bool, from string) []views.ChangeRow {
	rows := make([]views.ChangeRow, len(shown.Changes))
	for i := range shown.Changes {
		rows[i] = changeRow(who, shown, &shown.Changes[i], owning, from)
	}
	return rows
}

func changeRow(who market.Actor, shown market.ShownChanges, c *models.ChangeInstance, owning bool, from string) views.ChangeRow {
	service := shown.Services[c.ServiceID]
	row := views.ChangeRow{
		ID: c.ID, Version: c.Version, ItemID: c.ServiceItemID, Type: c.ChangeType, State: c.State, Kind: c.Kind,
		Item: shown.Items[c.ServiceItemID].Name, Service: service.Name, Application: shown.Applications[c.ApplicationID].Name,
		Consumer: shown.Teams[c.ConsumerTeamID].Name, Owner: shown.Teams[c.OwnerID].Name,
		Fields: fieldsOf(shown, c), Cause: causeOf(who, shown, c), Created: c.Created, Lateness: latenessOf(c), Log: c.Log,
		Owning: owning, Acts: who.MayWrite(), From: from, Key: web.NewKey(),
	}
	if c.AssigneeID != nil {
		row.Assignee, row.Mine = shown.Users[*c.AssigneeID].Name, *c.AssigneeID == who.UserID
	}
	if r, refused := shown.Rejected[c.ID]; refused {
		row.Rejected = rejectedBefore(r.At, r.ChangedBy, r.Log)
	}
	if owning && who.MayWrite() {
		row.Moves = movesOf(c, service)
	}
	return row
}

// diffOf compares what a change declares with what was declared before.
func diffOf(shown market.ShownChanges, c *models.ChangeInstance) components.Diff {
	label := shown.Services[c.ServiceID].Name + " " + shown.Items[c.ServiceItemID].Name
	return compared(label, c.OldDeclaration, c.NewDeclaration, shown.Compiled[c.ServiceID])
}

func fieldsOf(shown market.ShownChanges, c *models.ChangeInstance) string {
	if fields := touches(diffOf(shown, c)); fields != "" {
		return fields
	}
	return "no field differs"
}

func latenessOf(c *models.ChangeInstance) components.Lateness {
	if c.State != engine.Pending {
		return components.OnTime
	}
	return lateness(c.Created)
}

// causeOf says why a change exists, with a link where its cause is in sight.
func causeOf(who market.Actor, shown market.ShownChanges, c *models.ChangeInstance) components.Cause {
	cause := components.Cause{Kind: c.Kind}
	switch {
	case c.RetryOf != nil:
		cause.RetryOf, cause.Href = *c.RetryOf, changePath(*c.RetryOf)
	case c.Kind == engine.Dependent:
		cause.Of = shown.Teams[c.OwnerID].Name
		if c.OriginID != nil && c.ConsumerTeamID == who.TeamID {
			cause.Href = changePath(*c.OriginID)
		}
	case c.Kind == engine.Referenced:
		causes := shown.Causes[c.ID]
		if len(causes) == 0 {
			cause.Of = "an item it names"
			break
		}
		cause.Of = causeName(shown, causes)
		if market.Sees(who, causes[0]) {
			cause.Href = changePath(causes[0].ID)
		}
	}
	return cause
}

// causeName names the item that woke a change, and how many more did.
func causeName(shown market.ShownChanges, causes []models.ChangeInstance) string {
	name := shown.CauseNames[causes[0].ServiceItemID]
	if len(causes) > 1 {
		return fmt.Sprintf("%s %s", name, plus(len(causes)-1))
	}
	return name
}

func changePath(id int64) string { return fmt.Sprintf("/changes/%d", id) }
func itemPath(id int64) string   { return fmt.Sprintf("/items/%d", id) }

// automationOnly is why people may not take a step (marketplace C8).
const automationOnly = "automation only: this service wants an API key to do it"

// movesOf lists the steps that a change may take next, as buttons.
func movesOf(c *models.ChangeInstance, service models.Service) []views.Move {
	byHand := func(allowed bool, moves ...views.Move) []views.Move {
		for i := range moves {
			if !allowed {
				moves[i].Blocked = automationOnly
			}
		}
		return moves
	}
	switch c.State {
	case engine.Pending:
		return byHand(service.AllowManualApproval,
			views.Move{State: engine.Approved, Label: "Approve", Letter: "a", Ask: c.ChangeType == engine.Delete},
			views.Move{State: engine.Rejected, Label: "Reject", Letter: "r", Ask: true})
	case engine.Approved:
		return byHand(service.AllowManualCompletion,
			views.Move{State: engine.Completed, Label: "Complete", Letter: "c", Ask: true},
			views.Move{State: engine.Errored, Label: "Mark errored", Letter: "e", Ask: true})
	case engine.Rejected, engine.Errored:
		return []views.Move{{State: engine.Closed, Label: "Close"}}
	}
	return nil
}
