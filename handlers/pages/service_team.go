package pages

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// showServiceTeams shows the teams beside a service: the allowed ones, or its
// dependents (portal SVC4).
func (p Pages) showServiceTeams(tab string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		service, own, err := p.service(c, tab)
		if err != nil {
			return err
		}
		return p.serviceTeams(c, service, views.ServiceTeams{Own: own})
	}
}

// namesOffered is how many teams a list of names to choose from holds.
const namesOffered = 500

func (p Pages) serviceTeams(c *fiber.Ctx, s models.Service, page views.ServiceTeams) error {
	ctx, who := c.UserContext(), web.Actor(c)
	related, err := p.Market.OfServices(ctx, []models.Service{s})
	if err != nil {
		return err
	}
	figures, err := p.Market.OwnFigures(ctx, who, []models.Service{s})
	if err != nil {
		return err
	}
	teams, _, err := p.Market.AllTeams(ctx, who, "", models.Page{Limit: namesOffered})
	if err != nil {
		return err
	}
	here := teamsBeside(related, page.Tab, s.ID)
	for _, id := range here {
		page.Rows = append(page.Rows, views.TeamRow{ID: id, Name: related.Teams[id].Name})
	}
	for _, team := range teams {
		if team.ID != s.OwnerID && !slices.Contains(here, team.ID) {
			page.Candidates = append(page.Candidates, team.Name)
		}
	}
	page.Private, page.Open = s.Private, figures[s.ID].Open
	return web.Render(c, s.Name, views.ServiceTeamsPage(page))
}

// teamsBeside lists the teams that a tab is about.
func teamsBeside(related market.Related, tab string, service int64) []int64 {
	if tab == "dependents" {
		return related.Dependants[service]
	}
	return related.Allowed[service]
}

// changeServiceTeams adds a team by name, or removes one.
func (p Pages) changeServiceTeams(tab string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		service, own, err := p.service(c, tab)
		if err != nil {
			return err
		}
		page := views.ServiceTeams{Own: own}
		err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
			page.Typed = form.Text("team")
			list, said, err := p.alteredTeams(c, who, service, tab, form)
			if err != nil {
				return "", "", err
			}
			version, err := form.Number("version")
			if err != nil {
				return "", "", err
			}
			patch := market.ServicePatch{Version: version, DependantTeams: &list}
			if tab == "teams" {
				patch = market.ServicePatch{Version: version, AllowedTeams: &list, Private: &service.Private}
			}
			_, err = p.Market.ChangeService(c.UserContext(), who, service.ID, patch)
			return own.Path(tab), said, err
		})
		if f := sentBack(err); f != nil {
			page.Problems = problems(f)
			return p.serviceTeams(c.Status(statusOf(f)), service, page)
		}
		return err
	}
}

// alteredTeams is the list of teams as the form wants it.
func (p Pages) alteredTeams(c *fiber.Ctx, who market.Actor, s models.Service, tab string, form web.FormValues) (list []int64, said string, err error) {
	related, err := p.Market.OfServices(c.UserContext(), []models.Service{s})
	if err != nil {
		return nil, "", err
	}
	list = slices.Clone(teamsBeside(related, tab, s.ID))
	if form.Has("remove") {
		id, err := form.Number("remove")
		return slices.DeleteFunc(list, func(other int64) bool { return other == id }), "The team is removed.", err
	}
	name := form.Text("team")
	if name == "" {
		return nil, "", fault.Field("team", "Type the name of a team.")
	}
	found, _, err := p.Market.AllTeams(c.UserContext(), who, name, models.Page{Limit: 1})
	if err != nil {
		return nil, "", err
	}
	if len(found) == 0 {
		return nil, "", fault.Field("team", "There is no team called %s.", name)
	}
	if found[0].ID == s.OwnerID {
		return nil, "", fault.Field("team", "Your own team owns the service and needs no place here.")
	}
	return append(list, found[0].ID), name + " is added.", nil
}
