package pages

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// adminRoutes are for platform admins: who may sign in, and which teams there
// are (portal B10). For everybody else they do not exist (ADM-d).
func (p Pages) adminRoutes() []web.Route {
	admin := func(method, path string, handle fiber.Handler, before ...fiber.Handler) web.Route {
		return web.Route{Method: method, Path: path, Door: web.Person, Pov: web.None, Role: web.None, Loads: "market.User", Takes: bodyOf(method), Before: append([]fiber.Handler{platformOnly}, before...), Handle: handle}
	}
	return []web.Route{
		admin("GET", "/admin/users", p.showUsers),
		admin("POST", "/admin/users", p.createUser, web.PaceSignIn),
		admin("POST", "/admin/users/:user/:action", p.changeUser, web.PaceSignIn),
		admin("GET", "/admin/teams", p.showAdminTeams),
		admin("POST", "/admin/teams", p.createTeam, web.PaceSignIn),
	}
}

// platformOnly hides a page from everybody but platform admins.
func platformOnly(c *fiber.Ctx) error {
	if !web.Actor(c).PlatformAdmin {
		return fault.Missing()
	}
	return c.Next()
}

func (p Pages) showUsers(c *fiber.Ctx) error { return p.users(c, views.Users{}) }

// users draws all users around a form that came back, if one did.
func (p Pages) users(c *fiber.Ctx, page views.Users) error {
	ctx, who := c.UserContext(), web.Actor(c)
	list, err := listed(c)
	if err != nil {
		return err
	}
	part := offsetOf(&list)
	users, total, err := p.Market.Users(ctx, who, part.page())
	if err != nil {
		return err
	}
	teams, err := p.Market.UserTeams(ctx, who, users)
	if err != nil {
		return err
	}
	if page.Fresh, err = p.Market.Fresh(ctx, sessionOf(c)); err != nil {
		return err
	}
	for _, u := range users {
		row := views.User{ID: u.ID, Name: u.Name, Platform: u.PlatformAdmin, Disabled: u.Disabled, Self: u.ID == who.UserID, LastSignIn: u.LastSignIn}
		for _, m := range teams[u.ID] {
			row.Teams = append(row.Teams, m.TeamName)
		}
		page.Rows = append(page.Rows, row)
	}
	page.Key, page.Paging = web.NewKey(), part.paging(list, "users", total)
	return web.Render(c, "Users", views.UsersPage(page))
}

func (p Pages) createUser(c *fiber.Ctx) error {
	var asked views.UserForm
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		asked = views.UserForm{Name: form.Text("name"), Platform: form.Has("platform")}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		_, err = p.Market.CreateUser(c.UserContext(), who, asked.Name, form.Text("password"), asked.Platform)
		return "/admin/users", "The user " + asked.Name + " is made.", err
	})
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.users(c.Status(statusOf(f)), views.Users{New: asked})
	}
	return err
}

// statusOf is the status of a form that comes back: 409 where a name is taken,
// else 422 (portal X4).
func statusOf(f *fault.Error) int {
	if f.Kind == fault.Conflict {
		return fiber.StatusConflict
	}
	return fiber.StatusUnprocessableEntity
}

// changeUser keeps a user out or lets one in, hands out the platform or takes
// it away, or sets a password.
func (p Pages) changeUser(c *fiber.Ctx) error {
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		id, err := number(c, "user")
		if err != nil {
			return "", "", err
		}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		said, err = p.doToUser(c, who, id, form.Text("password"))
		return "/admin/users", said, err
	})
	f := fault.Of(err)
	if refused(err) == nil && !(f != nil && f.Code == "last_admin") {
		return err
	}
	return p.users(c.Status(statusOf(f)), views.Users{Problems: problems(f)})
}

func (p Pages) doToUser(c *fiber.Ctx, who market.Actor, id int64, password string) (said string, err error) {
	ctx := c.UserContext()
	switch c.Params("action") {
	case "password":
		return "The password is set. All sessions of this user have ended.", p.Market.SetPassword(ctx, who, id, password)
	case "disable":
		return "The user is disabled: sessions and tokens have ended.", p.Market.DisableUser(ctx, who, id)
	case "enable":
		return "The user may sign in again.", p.Market.EnableUser(ctx, who, id)
	case "make":
		return "The user is a platform admin now.", p.Market.SetPlatformAdmin(ctx, who, id, true)
	case "unmake":
		return "The user is no platform admin any more.", p.Market.SetPlatformAdmin(ctx, who, id, false)
	}
	return "", fault.Missing()
}

func (p Pages) showAdminTeams(c *fiber.Ctx) error { return p.adminTeams(c, views.AdminTeams{}) }

// adminTeams draws all teams around a form that came back, if one did.
func (p Pages) adminTeams(c *fiber.Ctx, page views.AdminTeams) error {
	ctx, who := c.UserContext(), web.Actor(c)
	list, err := listed(c)
	if err != nil {
		return err
	}
	part := offsetOf(&list)
	teams, total, err := p.Market.AllTeams(ctx, who, "", part.page())
	if err != nil {
		return err
	}
	members, orphan, err := p.Market.TeamSizes(ctx, who, teams)
	if err != nil {
		return err
	}
	if page.Fresh, err = p.Market.Fresh(ctx, sessionOf(c)); err != nil {
		return err
	}
	for _, t := range teams {
		page.Rows = append(page.Rows, views.AdminTeam{ID: t.ID, Name: t.Name, Members: members[t.ID], Orphan: orphan[t.ID], Created: t.Created})
	}
	page.Key, page.Paging = web.NewKey(), part.paging(list, "teams", total)
	return web.Render(c, "Teams", views.AdminTeamsPage(page))
}

func (p Pages) createTeam(c *fiber.Ctx) error {
	var asked views.AdminTeamForm
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		asked = views.AdminTeamForm{Name: form.Text("name"), Owner: form.Text("owner")}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		owner, err := p.Market.UserNamed(c.UserContext(), who, "owner", asked.Owner)
		if err != nil {
			return "", "", err
		}
		_, err = p.Market.CreateTeam(c.UserContext(), who, asked.Name, owner)
		return "/admin/teams", fmt.Sprintf("The team %s is made.", asked.Name), err
	})
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.adminTeams(c.Status(statusOf(f)), views.AdminTeams{New: asked})
	}
	return err
}
