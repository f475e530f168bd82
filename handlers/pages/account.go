package pages

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// accountRoutes are one's own account and the choice of the active team.
func (p Pages) accountRoutes() []web.Route {
	own := func(method, path string, handle fiber.Handler, before ...fiber.Handler) web.Route {
		return web.Route{Method: method, Path: path, Door: web.Person, Pov: web.None, Role: web.None, Loads: web.None, Takes: bodyOf(method), Before: before, Handle: handle}
	}
	return []web.Route{
		own("GET", "/account", p.showAccount),
		own("POST", "/account/team", p.switchTeam),
		own("POST", "/account/display", p.chooseDisplay),
		own("POST", "/account/password", p.changePassword, web.PaceSignIn),
		own("POST", "/account/sessions", p.endSessions),
		own("POST", "/account/tokens", p.createToken, web.PaceSignIn),
		own("POST", "/account/tokens/:token/revoke", p.revokeToken),
	}
}

// bodyOf is what pages send: forms, and nothing where they only ask.
func bodyOf(method string) []string {
	if method == fiber.MethodGet {
		return nil
	}
	return []string{web.FormType}
}

func (p Pages) showAccount(c *fiber.Ctx) error {
	return p.account(c, views.Account{})
}

// account draws the account page around a form that came back, if one did.
func (p Pages) account(c *fiber.Ctx, a views.Account) error {
	ctx, who, secret := c.UserContext(), web.Actor(c), sessionOf(c)
	sessions, err := p.Market.Sessions(ctx, who)
	if err != nil {
		return err
	}
	tokens, err := p.Market.UserTokens(ctx, who)
	if err != nil {
		return err
	}
	if a.Fresh, err = p.Market.Fresh(ctx, secret); err != nil {
		return err
	}
	a.User, a.Team, a.Key = who.UserName, who.TeamName, web.NewKey()
	a.Theme, a.Density = or(web.Preference(c, "theme"), "system"), or(web.Preference(c, "density"), "comfortable")
	a.SingleKey = web.Preference(c, "keys") != "off"
	a.Token.Days = or(a.Token.Days, "365")
	for _, s := range sessions {
		a.Sessions = append(a.Sessions, views.Session{ID: s.ID, Current: market.SessionIs(s, secret), Agent: browser(s.Agent), Address: s.Address, Seen: s.Seen, Created: s.Created})
	}
	for _, t := range tokens {
		a.Tokens = append(a.Tokens, views.Token{ID: t.ID, Name: t.Name, Prefix: t.Prefix, Standing: standing(t.Revoked, t.Expires), Expires: t.Expires, LastUsed: t.LastUsed})
	}
	return web.Render(c, "Your account", views.AccountPage(a))
}

// standing says why a key or token does not work any more.
func standing(revoked *time.Time, expires time.Time) string {
	switch {
	case revoked != nil:
		return "revoked"
	case !expires.After(models.Now()):
		return "expired"
	}
	return ""
}

// switchTeam makes another team the active one (portal X5). It is harmless when
// repeated, and goes on to a page of the other team or to its home.
func (p Pages) switchTeam(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	team, err := form.Number("team")
	if err != nil {
		return err
	}
	if err := p.Market.SwitchTeam(c.UserContext(), web.Actor(c), web.SessionID(c), team); err != nil {
		return err
	}
	return web.Redirect(c, web.SafeNext(form.Text("next")))
}

// chooseDisplay keeps the looks in the browser.
func (p Pages) chooseDisplay(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	web.SetPreference(c, "theme", form.Text("theme"))
	web.SetPreference(c, "density", form.Text("density"))
	keys := "off"
	if form.Has("keys") {
		keys = "on"
	}
	web.SetPreference(c, "keys", keys)
	web.Announce(c, "ok", "Your display is saved.")
	return web.Redirect(c, "/account")
}

// changePassword is never repeated by its key: the old password is wrong then.
func (p Pages) changePassword(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	secret, err := p.Market.ChangePassword(c.UserContext(), web.Actor(c), form.Text("old"), form.Text("password"), web.SessionID(c))
	if fault.Is(err, fault.Unknown) {
		err = fault.Field("old", "This is not your password.")
	}
	if f := refused(err); f != nil {
		return p.account(c.Status(fiber.StatusUnprocessableEntity), views.Account{Password: problems(f)})
	}
	if err != nil {
		return err
	}
	web.Announce(c, "ok", "Your password is changed. All other sessions have ended.")
	return p.enter(c, secret, "/account")
}

// endSessions ends one session, or all but this one.
func (p Pages) endSessions(c *fiber.Ctx) error {
	return p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		if !form.Has("session") {
			return "/account", "All other sessions have ended.", p.Market.EndOtherSessions(c.UserContext(), who, web.SessionID(c))
		}
		id, err := form.Number("session")
		if err != nil {
			return "", "", err
		}
		return "/account", "The session has ended.", p.Market.EndSession(c.UserContext(), who, id)
	})
}

// createToken shows the token in this one answer; the form that comes again
// leads to the list, without it.
func (p Pages) createToken(c *fiber.Ctx) error {
	who, form, answer, err := p.begin(c)
	if err != nil {
		return err
	}
	if answer != nil {
		return web.Redirect(c, answer.Location)
	}
	asked := views.TokenForm{Name: form.Text("name"), Days: form.Text("days")}
	token, secret, err := p.newToken(c, who, form)
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.account(c.Status(fiber.StatusUnprocessableEntity), views.Account{Token: asked})
	}
	if err != nil {
		return err
	}
	if err := p.keep(c.UserContext(), who, "/account"); err != nil {
		return err
	}
	return p.account(c, views.Account{Secret: views.Secret{Name: token.Name, Text: secret, Curl: curl(c, "Token", secret, "/v1/account/teams/")}})
}

func (p Pages) newToken(c *fiber.Ctx, who market.Actor, form web.FormValues) (token models.UserToken, secret string, err error) {
	expires, err := lifetime(form)
	if err != nil {
		return token, "", err
	}
	if err := p.confirm(c, who, form); err != nil {
		return token, "", err
	}
	return p.Market.CreateUserToken(c.UserContext(), who, form.Text("name"), &expires)
}

// lifetime reads for how many days a key or token shall work.
func lifetime(form web.FormValues) (time.Time, error) {
	days, err := strconv.Atoi(form.Text("days"))
	if err != nil || days < 1 || days > 730 {
		return time.Time{}, fault.Field("days", "Choose how long it shall work, two years at most.")
	}
	return models.Now().AddDate(0, 0, days), nil
}

// curl is a line that tries a credential.
func curl(c *fiber.Ctx, scheme, secret, path string) string {
	return "curl -H 'Authorization: " + scheme + " " + secret + "' " + web.URL(c, path)
}

func (p Pages) revokeToken(c *fiber.Ctx) error {
	return p.once(c, func(who market.Actor, _ web.FormValues) (place, said string, err error) {
		id, err := number(c, "token")
		if err != nil {
			return "", "", err
		}
		return "/account", "The token is revoked: it stopped working just now.", p.Market.RevokeUserToken(c.UserContext(), who, id)
	})
}

type renewedKey struct{}

// confirm asks for fresh authentication (trust U8): who signed in long ago gives
// the password once more, and goes on in a renewed session.
func (p Pages) confirm(c *fiber.Ctx, who market.Actor, form web.FormValues) error {
	fresh, err := p.Market.Fresh(c.UserContext(), sessionOf(c))
	if err != nil || fresh {
		return err
	}
	given := form.Text("confirm")
	if given == "" {
		return fault.Field("confirm", "Enter your password to go on.")
	}
	who.Once = nil // the mark belongs to what is done next
	secret, err := p.Market.Confirm(c.UserContext(), who, sessionOf(c), given)
	if fault.Is(err, fault.Unknown) {
		return fault.Field("confirm", "This is not your password.")
	}
	if err != nil {
		return err
	}
	c.Locals(renewedKey{}, secret)
	return web.SetSession(c, secret)
}

// sessionOf is the secret of the session, the renewed one once confirm has run.
func sessionOf(c *fiber.Ctx) string {
	if secret, ok := c.Locals(renewedKey{}).(string); ok {
		return secret
	}
	return web.SessionID(c)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
