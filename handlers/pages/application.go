package pages

import (
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// applicationRoutes are the applications of the active team.
func (p Pages) applicationRoutes() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/apps", Door: web.Person, Pov: "consumer", Role: "READ_ONLY", Loads: "market.Applications", Handle: p.listApplications},
		{Method: "GET", Path: "/apps/:id", Door: web.Person, Pov: "consumer", Role: "READ_ONLY", Loads: "market.Application", Handle: p.showApplication},
	}
}

func (p Pages) listApplications(c *fiber.Ctx) error {
	who := web.Actor(c)
	shown, err := p.Market.ShowApplications(c.UserContext(), who)
	if err != nil {
		return err
	}
	page := views.Applications{Team: who.TeamName, Acts: who.MayWrite(), All: c.Query("all") == "1"}
	for _, application := range shown.Applications {
		row := applicationRow(shown, application)
		if row.Runtime == engine.Decommissioned && !page.All {
			page.Hidden++
			continue
		}
		page.Rows = append(page.Rows, row)
	}
	return web.Render(c, "Applications", views.ApplicationsPage(page))
}

func applicationRow(shown market.ShownApplications, application models.Application) views.ApplicationRow {
	state, there := shown.States[application.ID]
	if !there {
		state = market.ApplicationState{RuntimeState: engine.Decommissioned, ChangeState: engine.ChangesCompleted}
	}
	row := views.ApplicationRow{ID: application.ID, Name: application.Name, Runtime: state.RuntimeState, Changes: state.ChangeState}
	var items []string
	for _, count := range shown.Items[application.ID] {
		items = append(items, fmt.Sprintf("%s %d", shown.Services[count.ServiceID].Name, count.N))
	}
	row.Items = strings.Join(items, ", ")
	if last, there := shown.Last[application.ID]; there {
		row.LastID, row.LastBy, row.LastAt = last.ID, last.SubmittedBy, last.Created
	}
	return row
}

func (p Pages) showApplication(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	ctx, who := c.UserContext(), web.Actor(c)
	d, err := p.Market.ApplicationDetails(ctx, who, id)
	if err != nil {
		return err
	}
	document, _, err := p.Market.Declaration(ctx, who, []string{d.Application.Name})
	if err != nil {
		return err
	}
	if document, err = p.Market.HideSecrets(ctx, document); err != nil {
		return err
	}
	page := views.Application{Acts: who.MayWrite(), Text: string(value.Indent(&document)), Open: changeRows(who, d.Open, false, "")}
	page.ID, page.Name, page.Runtime, page.Changes = d.Application.ID, d.Application.Name, d.State.RuntimeState, d.State.ChangeState
	page.Items = counted(d.State.Items, "live item", "live items")
	if d.Application.Metadata != "{}" {
		page.Metadata = string(value.Indent(parsed(&d.Application.Metadata)))
	}
	page.Groups = itemGroups(d)
	return web.Render(c, d.Application.Name, views.ApplicationPage(page))
}

// itemGroups groups the items of an application by service.
func itemGroups(d market.ApplicationDetails) (groups []views.ItemGroup) {
	for _, item := range d.Items {
		row := itemRow(d.ItemsAround, item)
		if n := len(groups); n == 0 || groups[n-1].Service != row.Service {
			groups = append(groups, views.ItemGroup{Service: row.Service, Owner: row.Owner})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, row)
	}
	return groups
}
