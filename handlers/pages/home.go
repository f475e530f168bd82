package pages

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// homeRoutes is the page that everybody begins with (portal B8).
func (p Pages) homeRoutes() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/", Door: web.Person, Pov: "both", Role: web.None, Loads: web.None, Handle: p.home},
	}
}

func (p Pages) home(c *fiber.Ctx) error {
	who := web.Actor(c)
	home, err := p.Market.Home(c.UserContext(), who)
	if err != nil {
		return err
	}
	page := views.Home{User: who.UserName, Team: who.TeamName, MayWrite: who.MayWrite(), Admin: who.MayAdmin(), Platform: who.PlatformAdmin}
	for _, w := range home.Pending {
		page.Pending = append(page.Pending, views.Waiting{Service: w.Service.Name, N: w.N, Since: w.Since, Late: lateness(w.Since), Href: "/queue?state=PENDING&service=" + url.QueryEscape(w.Service.Name)})
	}
	page.Own = some(
		views.Figure{N: home.Approved, One: "approved change to complete", Many: "approved changes to complete", Href: "/queue?state=APPROVED", Tone: components.Info},
		views.Figure{N: home.Errored, One: "errored change", Many: "errored changes", Href: "/queue?state=ERRORED", Tone: components.Bad},
	)
	page.Consumed = some(
		views.Figure{N: home.Submissions, One: "submission in progress", Many: "submissions in progress", Href: "/submissions?progress=open", Tone: components.Info},
		views.Figure{N: home.Rejected, One: "rejected change", Many: "rejected changes", Href: "/changes?state=REJECTED", Tone: components.Bad},
		views.Figure{N: home.Failed, One: "errored change", Many: "errored changes", Href: "/changes?state=ERRORED", Tone: components.Bad},
	)
	if page.Failures, err = p.failures(c, who, home.Rejected+home.Failed); err != nil {
		return err
	}
	for _, team := range home.Orphans {
		page.Orphans = append(page.Orphans, views.TeamRow{ID: team.ID, Name: team.Name})
	}
	page.Steps = firstSteps(who, home)
	return web.Render(c, "Home", views.HomePage(page))
}

// failuresShown is how many changes the page tells the reasons of.
const failuresShown = 5

// failures are the newest of the team's changes that were rejected or went wrong.
func (p Pages) failures(c *fiber.Ctx, who market.Actor, n int64) (list []views.FailedChange, err error) {
	if n == 0 {
		return nil, nil
	}
	changes, _, err := p.Market.Changes(c.UserContext(), who, market.AsConsumer, models.ChangeQuery{
		State: []engine.State{engine.Rejected, engine.Errored}, Page: models.Page{Limit: failuresShown}})
	if err != nil {
		return nil, err
	}
	related, err := p.Market.OfChanges(c.UserContext(), changes)
	for _, change := range changes {
		list = append(list, views.FailedChange{ID: change.ID, Type: change.ChangeType, State: change.State, At: change.Modified,
			Item: related.Items[change.ServiceItemID].Name, Service: related.Services[change.ServiceID].Name, Log: change.Log})
	}
	return list, err
}

// some keeps the figures that are not zero.
func some(figures ...views.Figure) (kept []views.Figure) {
	for _, f := range figures {
		if f.N > 0 {
			kept = append(kept, f)
		}
	}
	return kept
}

// firstSteps are for a team that neither declared nor published anything yet.
func firstSteps(who market.Actor, home market.Home) []views.Step {
	if who.TeamID == 0 || home.Declared || home.Services > 0 {
		return nil
	}
	publish := components.Link{}
	if who.MayAdmin() {
		publish = components.Link{Text: "Publish a service", Href: "/services/new"}
	}
	declare := components.Link{}
	if who.MayWrite() {
		declare = components.Link{Text: "Declare", Href: "/declare"}
	}
	return []views.Step{
		{Title: "See what there is", Text: "The catalogue lists every service that your team may order, with its fields and an example.", Next: components.Link{Text: "Open the catalogue", Href: "/catalogue"}},
		{Title: "Declare what you need", Text: "Write down your applications and their items. Before anything happens you see every change that follows from it.", Next: declare},
		{Title: "Offer something yourselves", Text: "Publish a schema, and other teams order from you. Their changes come to your queue.", Next: publish},
	}
}
