package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// catalogueRoutes are what one may order (portal B5).
func (p Pages) catalogueRoutes() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/catalogue", Door: web.Person, Pov: "consumer", Role: web.None, Loads: web.None, Handle: p.catalogue},
		{Method: "GET", Path: "/catalogue/:id", Door: web.Person, Pov: "consumer", Role: web.None, Loads: "market.Service", Handle: p.offer},
	}
}

func (p Pages) catalogue(c *fiber.Ctx) error {
	ctx, who := c.UserContext(), web.Actor(c)
	list, err := listed(c, "tag", "owner")
	if err != nil {
		return err
	}
	all, owners, err := p.Market.Facets(ctx, who)
	if err != nil {
		return err
	}
	query := models.ServiceQuery{Search: list.values.Get("q"), Tag: list.values.Get("tag")}
	if ids := list.ids("owner"); len(ids) > 0 {
		query.OwnerID = ids[0]
	}
	part := offsetOf(&list)
	query.Page = part.page()
	services, total, err := p.Market.Services(ctx, who, market.AsConsumer, query)
	if err != nil {
		return err
	}
	figures, err := p.Market.Catalogue(ctx, who, services)
	if err != nil {
		return err
	}
	page := views.Catalogue{Admin: who.MayAdmin(), Search: query.Search, Paging: part.paging(list, "services", total),
		Filters: list.filters(list.words("Search"), list.choice("tag", "Tag", "Any tag", tagOptions(all)), list.choice("owner", "Owner", "Any owner", ownerOptions(owners)))}
	for _, s := range services {
		page.Cards = append(page.Cards, offerOf(s, owners[s.OwnerID].Name, figures[s.ID]))
	}
	if len(services) == 0 && query.Search != "" {
		page.Near = market.Near(query.Search, namesOf(all))
	}
	if web.IsFragment(c) {
		return web.Render(c, "Catalogue", views.CatalogueList(page))
	}
	return web.Render(c, "Catalogue", views.CataloguePage(page))
}

func namesOf(services []models.Service) (names []string) {
	for _, s := range services {
		names = append(names, s.Name)
	}
	return names
}

func tagOptions(services []models.Service) (options []forms.Option) {
	var tags []string
	for _, s := range services {
		tags = append(tags, tagsOf(s)...)
	}
	slices.Sort(tags)
	for _, tag := range slices.Compact(tags) {
		options = append(options, forms.Option{Value: tag, Label: tag})
	}
	return options
}

func ownerOptions(owners map[int64]models.Team) (options []forms.Option) {
	for id, team := range owners {
		options = append(options, forms.Option{Value: strconv.FormatInt(id, 10), Label: team.Name})
	}
	slices.SortFunc(options, func(a, b forms.Option) int { return cmp.Compare(a.Label, b.Label) })
	return options
}

// tagsOf reads the tags of a service, which are kept as JSON.
func tagsOf(s models.Service) (tags []string) {
	_ = json.Unmarshal([]byte(s.Tags), &tags)
	return tags
}

func offerOf(s models.Service, owner string, f market.ServiceFigures) views.Offer {
	return views.Offer{ID: s.ID, Name: s.Name, Description: s.Description, Owner: owner, State: s.State, Approval: s.ApprovalRequired,
		Private: s.Private, Lead: took(f.Lead), Own: f.Items, Tags: tagsOf(s)}
}

// offer shows one service of the catalogue, tab by tab.
func (p Pages) offer(c *fiber.Ctx) error {
	ctx, who := c.UserContext(), web.Actor(c)
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	service, err := p.Market.Service(ctx, who, id)
	if err != nil {
		return err
	}
	figures, err := p.Market.Catalogue(ctx, who, []models.Service{service})
	if err != nil {
		return err
	}
	related, err := p.Market.OfServices(ctx, []models.Service{service})
	if err != nil {
		return err
	}
	shown := offerOf(service, related.Teams[service.OwnerID].Name, figures[id])
	switch c.Query("tab") {
	case "reference":
		return p.reference(c, shown)
	case "example":
		return p.example(c, service, shown)
	case "versions":
		return p.versions(c, shown)
	case "api":
		return web.Render(c, service.Name, views.CallsPage(calls(c, shown, who.TeamName)))
	}
	page := views.Overview{Offer: shown, Readme: service.Readme, Version: service.SchemaVersion, Mine: service.OwnerID == who.TeamID}
	return web.Render(c, service.Name, views.OverviewPage(page))
}

func (p Pages) reference(c *fiber.Ctx, shown views.Offer) error {
	ctx, who := c.UserContext(), web.Actor(c)
	compiled, err := p.Market.Schema(ctx, who, shown.ID)
	if err != nil {
		return err
	}
	versions, err := p.Market.SchemaVersions(ctx, who, shown.ID)
	if err != nil {
		return err
	}
	since, err := p.Market.Since(versions)
	if err != nil {
		return err
	}
	page := views.Reference{Offer: shown}
	for _, r := range compiled.Rows() {
		row := views.Property{Path: r.Path, Type: r.Type, Required: r.Required, Constraints: r.Constraints, Default: r.Default, Example: r.Example,
			Description: r.Description, References: r.References, Since: since[r.Path]}
		if r.References != "" {
			row.ReferencesHref = "/catalogue?q=" + url.QueryEscape(r.References)
		}
		page.Rows = append(page.Rows, row)
	}
	return web.Render(c, shown.Name, views.ReferencePage(page))
}

func (p Pages) versions(c *fiber.Ctx, shown views.Offer) error {
	rows, err := p.versionRows(c, shown.ID, allVersions)
	if err != nil {
		return err
	}
	return web.Render(c, shown.Name, views.VersionsPage(views.SchemaVersions{Offer: shown, Rows: rows}))
}

// allVersions is more than any service has.
const allVersions = 1 << 30

// versionRows lists the newest versions of a service with what each changed.
func (p Pages) versionRows(c *fiber.Ctx, service int64, most int) (rows []views.Version, err error) {
	versions, err := p.Market.SchemaVersions(c.UserContext(), web.Actor(c), service)
	if err != nil {
		return nil, err
	}
	changes, err := p.Market.VersionChanges(versions[:min(len(versions)-1, most)+1])
	for _, v := range versions[:min(len(versions), most)] {
		rows = append(rows, views.Version{Number: v.Version, By: v.PublishedBy, At: v.Created, First: v.Version == 1, Changes: schemaChanges(changes[v.Version])})
	}
	return rows, err
}

// calls are what programs may ask about a service.
func calls(c *fiber.Ctx, shown views.Offer, team string) views.Calls {
	curl := func(method, path, more string) string {
		return "curl -X " + method + " -H \"Authorization: Api-Key $KEY\" '" + web.URL(c, path) + "'" + more
	}
	file := " \\\n  -H 'Content-Type: application/json' --data-binary @declaration.json"
	name := url.QueryEscape(shown.Name)
	return views.Calls{Offer: shown, Codes: []components.Code{
		{ID: "call-service", Label: "Read the service", Text: curl("GET", fmt.Sprintf("/v1/orcabase/consumer/services/%d/", shown.ID), "")},
		{ID: "call-validate", Label: "See what a declaration would change", Text: curl("POST", "/v1/orcabase/consumer/submissions/validate/", file)},
		{ID: "call-submit", Label: "Submit the declaration of " + team, Text: curl("POST", "/v1/orcabase/consumer/submissions/submit/", file)},
		{ID: "call-changes", Label: "Follow the changes", Text: curl("GET", "/v1/orcabase/consumer/change_instances/?service_name="+name, "")},
	}}
}
