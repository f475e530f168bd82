package pages

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// serviceRoutes are what a team offers to others (portal B6).
func (p Pages) serviceRoutes() []web.Route {
	service := func(method, path, role string, handle fiber.Handler) web.Route {
		return web.Route{Method: method, Path: path, Door: web.Person, Pov: "serviceowner", Role: role, Loads: "market.Services", Takes: bodyOf(method), Handle: handle}
	}
	return []web.Route{
		service("GET", "/services", "READ_ONLY", p.listServices),
		service("GET", "/services/new", "ADMIN", p.newService),
		service("POST", "/services/new", "ADMIN", p.publishNew),
		service("GET", "/services/:id", "READ_ONLY", p.toOverview),
		service("GET", "/services/:id/overview", "READ_ONLY", p.serviceOverview),
		service("GET", "/services/:id/schema", "READ_ONLY", p.showSchema),
		service("POST", "/services/:id/schema", "ADMIN", p.publishNext),
		service("GET", "/services/:id/settings", "READ_ONLY", p.showServiceSettings),
		service("POST", "/services/:id/settings", "ADMIN", p.changeServiceSettings),
		service("GET", "/services/:id/teams", "READ_ONLY", p.showServiceTeams("teams")),
		service("POST", "/services/:id/teams", "ADMIN", p.changeServiceTeams("teams")),
		service("GET", "/services/:id/dependents", "READ_ONLY", p.showServiceTeams("dependents")),
		service("POST", "/services/:id/dependents", "ADMIN", p.changeServiceTeams("dependents")),
		service("GET", "/services/:id/docs", "READ_ONLY", p.showDocs),
		service("POST", "/services/:id/docs", "ADMIN", p.changeDocs),
	}
}

// ownService reads a service that the actor's team owns.
func (p Pages) ownService(ctx context.Context, who market.Actor, id int64) (models.Service, error) {
	services, _, err := p.Market.Services(ctx, who, market.AsServiceOwner, models.ServiceQuery{ID: id})
	if err == nil && len(services) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return models.Service{}, err
	}
	return services[0], nil
}

// service reads the service of the path, and what each of its tabs knows.
func (p Pages) service(c *fiber.Ctx, tab string) (models.Service, views.Own, error) {
	who := web.Actor(c)
	id, err := number(c, "id")
	if err != nil {
		return models.Service{}, views.Own{}, err
	}
	s, err := p.ownService(c.UserContext(), who, id)
	return s, views.Own{ID: s.ID, Name: s.Name, Tab: tab, Key: web.NewKey(), Version: s.Version, Admin: who.MayAdmin()}, err
}

func (p Pages) toOverview(c *fiber.Ctx) error {
	_, own, err := p.service(c, "overview")
	if err != nil {
		return err
	}
	return web.Redirect(c, own.Path("overview"))
}

// listServices lists what the team owns or, in the second tab, what it gets
// copies of changes of.
func (p Pages) listServices(c *fiber.Ctx) error {
	ctx, who := c.UserContext(), web.Actor(c)
	list, err := listed(c, "tab", "state")
	if err != nil {
		return err
	}
	page := views.Services{Admin: who.MayAdmin(), Dependent: list.values.Get("tab") == "dependent"}
	query := models.ServiceQuery{Search: list.values.Get("q"), State: oneOf(&list, "state", engine.ServiceStates)}
	part := offsetOf(&list)
	query.Page = part.page()
	services, total, err := p.sideServices(ctx, who, query, page.Dependent)
	if err != nil {
		return err
	}
	figures, err := p.Market.OwnFigures(ctx, who, services)
	if err != nil {
		return err
	}
	related, err := p.Market.OfServices(ctx, services)
	if err != nil {
		return err
	}
	for _, s := range services {
		page.Rows = append(page.Rows, serviceRow(s, related.Teams[s.OwnerID].Name, figures[s.ID]))
	}
	page.Filters = list.filters(list.words("Search"), list.choice("state", "State", "Any state", serviceStateOptions()))
	if page.Dependent {
		page.Filters.Keep["tab"] = "dependent"
	}
	page.Paging = part.paging(list, "services", total)
	if web.IsFragment(c) {
		return web.Render(c, "Services", views.ServiceList(page))
	}
	return web.Render(c, "Services", views.ServicesPage(page))
}

func (p Pages) sideServices(ctx context.Context, who market.Actor, q models.ServiceQuery, dependent bool) ([]models.Service, int64, error) {
	if !dependent {
		return p.Market.Services(ctx, who, market.AsServiceOwner, q)
	}
	return p.Market.DependantServices(ctx, who, q)
}

func serviceStateOptions() (options []forms.Option) {
	for _, state := range engine.ServiceStates {
		options = append(options, forms.Option{Value: string(state), Label: components.ServiceStateWord(state)})
	}
	return options
}

func serviceRow(s models.Service, owner string, f market.ServiceFigures) views.ServiceRow {
	return views.ServiceRow{ID: s.ID, Name: s.Name, Owner: owner, State: s.State, Private: s.Private, Items: f.Items, Open: f.Open, Oldest: f.Oldest, Late: lateness(f.Oldest), Version: s.SchemaVersion}
}

func (p Pages) serviceOverview(c *fiber.Ctx) error {
	ctx, who := c.UserContext(), web.Actor(c)
	service, own, err := p.service(c, "overview")
	if err != nil {
		return err
	}
	figures, err := p.Market.OwnFigures(ctx, who, []models.Service{service})
	if err != nil {
		return err
	}
	related, err := p.Market.OfServices(ctx, []models.Service{service})
	if err != nil {
		return err
	}
	versions, err := p.versionRows(c, service.ID, 1)
	if err != nil {
		return err
	}
	page := views.ServiceOverview{Own: own, Row: serviceRow(service, who.TeamName, figures[service.ID]), Description: service.Description,
		Approval: service.ApprovalRequired, Tags: tagsOf(service), Allowed: len(related.Allowed[service.ID])}
	if len(versions) > 0 {
		page.Published = versions[0]
	}
	for _, id := range related.Dependants[service.ID] {
		page.Dependents = append(page.Dependents, related.Teams[id].Name)
	}
	return web.Render(c, service.Name, views.ServiceOverviewPage(page))
}
