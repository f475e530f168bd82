package pages

import (
	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

func (p Pages) showKeys(c *fiber.Ctx) error { return p.keys(c, views.Keys{}, 0, views.Problems{}) }

// keys draws the keys of the active team; revoking tells which of them a form
// came back for.
func (p Pages) keys(c *fiber.Ctx, page views.Keys, revoking int64, why views.Problems) (err error) {
	if page.Team, err = p.team(c, "keys"); err != nil {
		return err
	}
	keys, err := p.Market.APIKeys(c.UserContext(), web.Actor(c), page.ID)
	if err != nil {
		return err
	}
	for _, k := range keys {
		row := views.APIKey{ID: k.ID, Name: k.Name, Prefix: k.Prefix, Role: string(k.Role), By: k.CreatedBy, Standing: standing(k.Revoked, k.Expires), Expires: k.Expires, LastUsed: k.LastUsed}
		if k.ID == revoking {
			row.Revoke = why
		}
		page.Rows = append(page.Rows, row)
	}
	page.New.Role, page.New.Days = or(page.New.Role, string(models.General)), or(page.New.Days, "365")
	return web.Render(c, "API keys", views.KeysPage(page))
}

// createKey shows the key in this one answer (TEA-a); the form that comes again
// leads to the list, without it.
func (p Pages) createKey(c *fiber.Ctx) error {
	who, form, answer, err := p.begin(c)
	if err != nil {
		return err
	}
	if answer != nil {
		return web.Redirect(c, answer.Location)
	}
	asked := views.KeyForm{Name: form.Text("name"), Role: form.Text("role"), Days: form.Text("days")}
	key, secret, err := p.newKey(c, who, form)
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.keys(c.Status(fiber.StatusUnprocessableEntity), views.Keys{New: asked}, 0, views.Problems{})
	}
	if err != nil {
		return err
	}
	if err := p.keep(c.UserContext(), who, views.Team{ID: key.TeamID}.Path("keys")); err != nil {
		return err
	}
	shown := views.Secret{Name: key.Name, Text: secret, Curl: curl(c, "Api-Key", secret, "/v1/account/teams/")}
	return p.keys(c, views.Keys{Secret: shown}, 0, views.Problems{})
}

func (p Pages) newKey(c *fiber.Ctx, who market.Actor, form web.FormValues) (key models.APIKey, secret string, err error) {
	team, err := activeTeam(c)
	if err != nil {
		return key, "", err
	}
	expires, err := lifetime(form)
	if err != nil {
		return key, "", err
	}
	if err := p.confirm(c, who, form); err != nil {
		return key, "", err
	}
	return p.Market.CreateAPIKey(c.UserContext(), who, team, form.Text("name"), models.Role(form.Text("role")), &expires)
}

// revokeKey ends a key for whoever types its name (TEA2).
func (p Pages) revokeKey(c *fiber.Ctx) error {
	id, err := number(c, "key")
	if err != nil {
		return err
	}
	err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		team, err := activeTeam(c)
		if err != nil {
			return "", "", err
		}
		if err := p.nameTyped(c, who, id, form.Text("name")); err != nil {
			return "", "", err
		}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		said = "The key is revoked: it stopped working just now."
		return views.Team{ID: team}.Path("keys"), said, p.Market.RevokeAPIKey(c.UserContext(), who, team, id)
	})
	if f := refused(err); f != nil {
		return p.keys(c.Status(fiber.StatusUnprocessableEntity), views.Keys{}, id, problems(f))
	}
	return err
}

func (p Pages) nameTyped(c *fiber.Ctx, who market.Actor, id int64, typed string) error {
	keys, err := p.Market.APIKeys(c.UserContext(), who, who.TeamID)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.ID == id && k.Name != typed {
			return fault.Field("name", "Type the name of the key exactly: %s.", k.Name)
		}
	}
	return nil
}
