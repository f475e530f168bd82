package pages

import (
	"fmt"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
)

// life tells the stations of an item's life: what brought it to each, and what
// is asked for but not there yet (portal ITM2).
func life(d *market.ItemDetails) []views.LifeStep {
	requested := views.LifeStep{State: engine.Requested, At: d.Item.Created}
	inService := views.LifeStep{State: engine.InService}
	gone := views.LifeStep{State: engine.Decommissioned}
	for i := len(d.Changes) - 1; i >= 0; i-- { // oldest first
		c := &d.Changes[i]
		if c.IsDependant() && c.ConsumerTeamID == d.Item.ConsumerTeamID && hasOwnLane(d) {
			continue
		}
		switch c.ChangeType {
		case engine.Create:
			if requested.Change == 0 {
				requested.Change = c.ID
			}
			reach(&inService, d, c, "waits for approval")
		case engine.Delete:
			reach(&gone, d, c, "deletion asked for")
		}
	}
	if d.Item.RuntimeState == engine.Requested {
		inService.At = time.Time{}
	}
	if d.Item.RuntimeState != engine.Decommissioned {
		gone.At = time.Time{}
	}
	return []views.LifeStep{requested, inService, gone}
}

func hasOwnLane(d *market.ItemDetails) bool {
	for _, c := range d.Changes {
		if !c.IsDependant() {
			return true
		}
	}
	return false
}

// reach notes that a change was approved, or that it still waits.
func reach(step *views.LifeStep, d *market.ItemDetails, c *models.ChangeInstance, waits string) {
	for _, move := range d.Moves[c.ID] {
		if move.State == engine.Approved {
			step.At, step.Change, step.Open = move.At, c.ID, false
			return
		}
	}
	if c.State == engine.Pending && step.At.IsZero() {
		step.Change, step.Label, step.Open = c.ID, waits, true
	}
}

// otherLives links the other items that ever had the name; consumer and owner
// see them by the same right as this one.
func otherLives(side string, d *market.ItemDetails) (links []components.Link) {
	if side == "dependent" {
		return nil
	}
	for _, other := range d.Lives {
		if other.ID != d.Item.ID {
			links = append(links, components.Link{Text: fmt.Sprintf("from %s, %s", on(other.Created), components.RuntimeWord(other.RuntimeState)), Href: itemPath(other.ID)})
		}
	}
	return links
}

func itemFacts(who market.Actor, d *market.ItemDetails) []components.Fact {
	item, service := d.Item, d.Services[d.Item.ServiceID]
	application := components.Name(d.Applications[item.ApplicationID].Name)
	if item.ConsumerTeamID == who.TeamID {
		application = views.NameLink(d.Applications[item.ApplicationID].Name, fmt.Sprintf("/apps/%d", item.ApplicationID))
	}
	facts := []components.Fact{
		{Term: "Service", Value: views.NameLink(service.Name, fmt.Sprintf("/catalogue/%d", service.ID))},
		{Term: "Application", Value: application},
		{Term: "Consumer", Value: components.Name(d.Teams[item.ConsumerTeamID].Name)},
		{Term: "Owner", Value: components.Name(d.Teams[service.OwnerID].Name)},
		{Term: "Changes", Value: components.ChangeStateBadge(item.ChangeState)},
	}
	schema := fmt.Sprintf("v%d of v%d", item.SchemaVersion, service.SchemaVersion)
	return append(facts, components.Fact{Term: "Schema", Value: components.Text(schema)})
}

// itemBanners say what the runtime state alone does not.
func itemBanners(d *market.ItemDetails) (banners []views.Banner) {
	switch d.Item.RuntimeState {
	case engine.Decommissioned:
		banners = append(banners, views.Banner{Tone: components.Info, Title: "This item is decommissioned", Text: "Its full history stays here. Declared again, the name gets a new item."})
	case engine.Requested:
		if d.Item.ChangeState == engine.ChangesRejected || !d.Item.Declared() {
			banners = append(banners, views.Banner{Tone: components.Warn, Title: "Requested, never approved", Text: "Nothing of it is in service. Declaring it again asks once more."})
		}
	}
	return banners
}
