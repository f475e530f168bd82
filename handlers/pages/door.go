package pages

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// doorRoutes are the ways in and out: first run, sign-in, sign-out (portal B0).
func (p Pages) doorRoutes() []web.Route {
	form, slow := []string{web.FormType}, []fiber.Handler{web.PaceSignIn}
	return []web.Route{
		{Method: "GET", Path: "/setup", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None, Handle: p.showSetUp},
		{Method: "POST", Path: "/setup", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None, Takes: form, Before: slow, Handle: p.setUp},
		{Method: "GET", Path: "/sign-in", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None, Handle: p.showSignIn},
		{Method: "POST", Path: "/sign-in", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None, Takes: form, Before: slow, Handle: p.signIn},
		{Method: "POST", Path: "/sign-out", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None, Takes: form, Handle: p.signOut},
	}
}

// SetUpFirst stands before all routes and leads every page of a portal without
// users to its set-up (DOOR-a). Who shows a session is let through without a
// look: if it stands for nobody, the door sends its browser away without it.
func (p Pages) SetUpFirst(c *fiber.Ctx) error {
	if web.SessionID(c) != "" || beforeSetUp(c.Path()) {
		return c.Next()
	}
	needed, err := p.Market.NeedsSetUp(c.UserContext())
	if err != nil {
		return err
	}
	if needed {
		return web.Redirect(c, "/setup")
	}
	return c.Next()
}

// beforeSetUp names what answers without any user: the set-up itself, what it
// is drawn with, and what programs ask for.
func beforeSetUp(path string) bool {
	if strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, "/v1/") {
		return true
	}
	return slices.Contains([]string{"/setup", "/v1", "/api-token-auth", "/healthz", "/readyz", "/metrics"}, path)
}

func (p Pages) showSetUp(c *fiber.Ctx) error {
	needed, err := p.Market.NeedsSetUp(c.UserContext())
	if err != nil {
		return err
	}
	if !needed {
		return fault.Missing()
	}
	return web.Render(c, "Set up", views.SetUpPage(views.SetUp{Key: web.NewKey()}))
}

// setUp makes the first user and the first team. The form may not be repeated,
// and need not: it works once.
func (p Pages) setUp(c *fiber.Ctx) error {
	sent, err := web.Form(c)
	if err != nil {
		return err
	}
	form := views.SetUp{Key: web.NewKey(), Code: sent.Text("code"), Name: sent.Text("name"), Team: sent.Text("team")}
	secret, err := p.Market.SetUp(c.UserContext(), web.Actor(c), form.Code, form.Name, sent.Text("password"), form.Team, c.Get(fiber.HeaderUserAgent))
	if f := refused(err); f != nil {
		form.Problems = problems(f)
		return web.Render(c.Status(fiber.StatusUnprocessableEntity), "Set up", views.SetUpPage(form))
	}
	if err != nil {
		return err
	}
	web.Announce(c, "ok", "The portal is set up. Welcome.")
	return p.enter(c, secret, "/")
}

// enter gives the browser its session and goes on.
func (p Pages) enter(c *fiber.Ctx, secret, place string) error {
	if err := web.SetSession(c, secret); err != nil {
		return err
	}
	return web.Redirect(c, place)
}

// signInKey stands in the sign-in form, which is never repeated by its key: a
// key of its own would make two pages differ that have to be equal (DOOR-c).
const signInKey = "sign-in"

func (p Pages) showSignIn(c *fiber.Ctx) error {
	next := web.SafeNext(c.Query("next"))
	if web.Actor(c).Known() {
		return web.Redirect(c, next)
	}
	return web.Render(c, "Sign in", views.SignInPage(views.SignIn{Key: signInKey, Next: next}))
}

// signIn opens a session. Whatever is wrong, the answer is the same bytes, and
// so holds nothing of what was typed (DOOR2, DOOR-c).
func (p Pages) signIn(c *fiber.Ctx) error {
	sent, err := web.Form(c)
	if err != nil {
		return err
	}
	next := web.SafeNext(sent.Text("next"))
	secret, err := p.Market.SignIn(c.UserContext(), web.Actor(c), sent.Text("name"), sent.Text("password"), c.Get(fiber.HeaderUserAgent))
	if f := fault.Of(err); fault.Is(err, fault.Unknown) {
		form := views.SignIn{Key: signInKey, Next: next, Problem: f.Text}
		return web.Render(c.Status(fiber.StatusUnprocessableEntity), "Sign in", views.SignInPage(form))
	}
	if err != nil {
		return err
	}
	return p.enter(c, secret, next)
}

// signOut ends the session; who has none is signed out already.
func (p Pages) signOut(c *fiber.Ctx) error {
	if who := web.Actor(c); who.Known() {
		if err := p.Market.SignOut(c.UserContext(), who, web.SessionID(c)); err != nil {
			return err
		}
	}
	if err := web.DropSession(c); err != nil {
		return err
	}
	web.Announce(c, "ok", "You are signed out.")
	return web.Redirect(c, "/sign-in")
}
