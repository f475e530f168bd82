package pages

import (
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// itemRoutes are the service items, seen from each side.
func (p Pages) itemRoutes() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/items", Door: web.Person, Pov: "both", Role: "READ_ONLY", Loads: "market.ItemStretch", Handle: p.listItems},
		{Method: "GET", Path: "/items/:id", Door: web.Person, Pov: "both", Role: "READ_ONLY", Loads: "market.ServiceItem", Handle: p.showItem},
	}
}

// itemFilters are what a list of items may be narrowed by (portal ITM1).
var itemFilters = []string{"as", "service", "application", "runtime_state", "change_state", "consumer"}

// sides are the points of view of a list of items, as its address names them.
var sides = map[string]struct {
	pov   market.Pov
	label string
	lead  string
}{
	"consumer":  {market.AsConsumer, "Consumer", "What %s has declared."},
	"owner":     {market.AsServiceOwner, "Owner", "What other teams have ordered from the services of %s."},
	"dependent": {market.AsDependant, "Dependent", "What %s has been sent copies of changes for."},
}

func (p Pages) listItems(c *fiber.Ctx) error {
	l, err := listed(c, itemFilters...)
	if err != nil {
		return err
	}
	ctx, who := c.UserContext(), web.Actor(c)
	side := "consumer"
	if as := oneOf(&l, "as", []string{"consumer", "owner", "dependent"}); len(as) == 1 {
		side = as[0]
	}
	q, pov := itemQuery(&l), sides[side].pov
	cursor := l.cursor(false)
	stretch, err := p.Market.ItemStretch(ctx, who, pov, q, cursor)
	if err != nil {
		return err
	}
	related, err := p.Market.OfItems(ctx, stretch.Rows)
	if err != nil {
		return err
	}
	page := views.Items{Title: fmt.Sprintf(sides[side].lead, who.TeamName), Side: side, Paging: l.paging("items", cursor, stretch.Prev, stretch.Next, stretch.Count)}
	for _, item := range stretch.Rows {
		page.Rows = append(page.Rows, itemRow(inSight(who, related, item), item))
	}
	choices, err := p.Market.ItemChoices(ctx, who, pov)
	if err != nil {
		return err
	}
	page.Filters, page.Sides = itemBar(l, q, side, choices), itemSides(side)
	page.Empty = emptyItems(page.Filters, side)
	if web.IsFragment(c) {
		return web.Render(c, "Items", views.ItemListPart(page))
	}
	return web.Render(c, "Items", views.ItemsPage(page))
}

// itemQuery reads what the list is narrowed by; without a word on the runtime
// state, decommissioned items are left out.
func itemQuery(l *listing) models.ServiceItemQuery {
	q := models.ServiceItemQuery{
		ServiceID: l.ids("service"), ApplicationID: l.ids("application"), ConsumerTeam: l.ids("consumer"), Search: l.values.Get("q"),
		ChangeState: oneOf(l, "change_state", engine.ChangeStates),
	}
	if l.values.Get("runtime_state") == "any" {
		return q
	}
	q.RuntimeState = oneOf(l, "runtime_state", engine.RuntimeStates)
	q.Live = len(q.RuntimeState) == 0
	return q
}

func itemBar(l listing, q models.ServiceItemQuery, side string, choices market.Choices) components.Filters {
	fields := []components.Filter{l.choice("service", "Service", "All services", serviceOptions(choices))}
	if side != "consumer" {
		fields = append(fields, l.choice("consumer", "Consumer", "All consumers", consumerOptions(choices)))
	}
	fields = append(fields,
		l.choice("application", "Application", "All applications", applicationOptions(choices.Applications)),
		l.boxes("runtime_state", "Runtime state", l.any("runtime_state"), runtimeOptions()),
		l.boxes("change_state", "Changes", l.any("change_state"), changeStateOptions()),
		l.words("Search items"),
	)
	f := l.filters(fields...)
	if side != "consumer" {
		f.Keep["as"] = side
		f.Clear += "?as=" + side
	}
	return f
}

func itemSides(side string) (tabs []components.Tab) {
	for _, name := range []string{"consumer", "owner", "dependent"} {
		tabs = append(tabs, components.Tab{Label: sides[name].label, Href: "/items?as=" + name, Current: name == side})
	}
	return tabs
}

func emptyItems(f components.Filters, side string) views.EmptyText {
	switch {
	case len(f.Active) > 0:
		return views.EmptyText{Title: "No item matches", Text: "Nothing is left by these filters.", Next: components.Link{Text: "Clear all filters", Href: f.Clear}}
	case side == "owner":
		return views.EmptyText{Title: "Nobody has ordered anything yet", Text: "Items of your services appear here once a team declares them.", Next: components.Link{Text: "Your services", Href: "/services"}}
	case side == "dependent":
		return views.EmptyText{Title: "No copies yet", Text: "Items appear here once a service that names your team as dependent gets changes.", Next: components.Link{Text: "Services you depend on", Href: "/services?tab=dependent"}}
	}
	return views.EmptyText{Title: "Nothing is declared yet", Text: "An item appears once your team declares it.", Next: components.Link{Text: "Declare", Href: "/declare"}}
}

// inSight leaves only the lanes of an item that the actor's team may see.
func inSight(who market.Actor, related market.Related, item models.ServiceItem) market.Related {
	var lanes []models.ChangeInstance
	for _, lane := range related.Lanes[item.ID] {
		if market.Sees(who, lane) {
			lanes = append(lanes, lane)
		}
	}
	related.Lanes = map[int64][]models.ChangeInstance{item.ID: lanes}
	return related
}

func itemRow(related market.Related, item models.ServiceItem) views.ItemRow {
	service := related.Services[item.ServiceID]
	row := views.ItemRow{
		ID: item.ID, Name: item.Name, Service: service.Name, Application: related.Applications[item.ApplicationID].Name,
		Consumer: related.Teams[item.ConsumerTeamID].Name, Owner: related.Teams[service.OwnerID].Name,
		Runtime: item.RuntimeState, Changes: item.ChangeState, Declared: item.DeclarationVersion, Deployed: item.DeployedVersion,
		BelowMinimum: item.SchemaVersion < service.MinimumSchemaVersion && item.RuntimeState != engine.Decommissioned,
	}
	behind := related.Lanes[item.ID]
	row.InSync, behind = market.InSync(behind)
	row.Behind = whyBehind(related, behind)
	return row
}

// whyBehind names the changes that keep an item from being in sync.
func whyBehind(related market.Related, behind []models.ChangeInstance) string {
	if len(behind) == 0 {
		return "no change of it stands"
	}
	var reasons []string
	for _, c := range behind {
		reasons = append(reasons, fmt.Sprintf("#%d %s", c.ID, strings.ToLower(components.StateWord(c.State))))
	}
	if len(reasons) > 2 {
		reasons = append(reasons[:2:2], plus(len(reasons)-2))
	}
	return strings.Join(reasons, ", ")
}
