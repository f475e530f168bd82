package pages

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

func (p Pages) showTeamSettings(c *fiber.Ctx) error {
	id, err := activeTeam(c)
	if err != nil {
		return err
	}
	team, err := p.Market.Team(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return err
	}
	return p.teamSettings(c, views.TeamSettings{Email: team.Email, Guard: string(team.DeletionGuard)})
}

func (p Pages) teamSettings(c *fiber.Ctx, page views.TeamSettings) (err error) {
	if page.Team, err = p.team(c, "settings"); err != nil {
		return err
	}
	return web.Render(c, "Team settings", views.TeamSettingsPage(page))
}

func (p Pages) changeTeamSettings(c *fiber.Ctx) error {
	var asked views.TeamSettings
	err := p.changeTeam(c, "settings", func(form web.FormValues) market.TeamPatch {
		email, guard := form.Text("email"), models.DeletionGuard(form.Text("deletion_guard"))
		asked = views.TeamSettings{Email: email, Guard: string(guard)}
		return market.TeamPatch{Email: &email, DeletionGuard: &guard}
	})
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.teamSettings(c.Status(fiber.StatusUnprocessableEntity), asked)
	}
	return err
}

// changeTeam changes what a form of one of the tabs asks for.
func (p Pages) changeTeam(c *fiber.Ctx, tab string, patch func(form web.FormValues) market.TeamPatch) error {
	return p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		wanted := patch(form)
		id, err := activeTeam(c)
		if err != nil {
			return "", "", err
		}
		_, err = p.Market.ChangeTeam(c.UserContext(), who, id, wanted)
		return views.Team{ID: id}.Path(tab), "The " + tab + " are saved.", err
	})
}

func (p Pages) showMetadata(c *fiber.Ctx) error {
	id, err := activeTeam(c)
	if err != nil {
		return err
	}
	team, err := p.Market.Team(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(team.Metadata), "", "  "); err != nil {
		return err
	}
	return p.metadata(c, views.TeamMetadata{Text: text.String()})
}

func (p Pages) metadata(c *fiber.Ctx, page views.TeamMetadata) (err error) {
	if page.Team, err = p.team(c, "metadata"); err != nil {
		return err
	}
	return web.Render(c, "Team metadata", views.TeamMetadataPage(page))
}

func (p Pages) changeMetadata(c *fiber.Ctx) error {
	var asked views.TeamMetadata
	err := p.changeTeam(c, "metadata", func(form web.FormValues) market.TeamPatch {
		asked.Text = form.Text("metadata")
		return market.TeamPatch{Metadata: &asked.Text}
	})
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.metadata(c.Status(fiber.StatusUnprocessableEntity), asked)
	}
	return err
}
