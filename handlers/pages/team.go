package pages

import (
	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// teamRoutes are the teams one belongs to, and what their admins look after (portal B9).
func (p Pages) teamRoutes() []web.Route {
	team := func(method, path, role string, handle fiber.Handler, before ...fiber.Handler) web.Route {
		return web.Route{Method: method, Path: path, Door: web.Person, Pov: web.None, Role: role, Loads: "market.Team", Takes: bodyOf(method), Before: before, Handle: handle}
	}
	return []web.Route{
		{Method: "GET", Path: "/teams", Door: web.Person, Pov: web.None, Role: web.None, Loads: web.None, Handle: p.listTeams},
		team("GET", "/teams/:id", "READ_ONLY", p.showTeam),
		team("GET", "/teams/:id/members", "READ_ONLY", p.showMembers),
		team("POST", "/teams/:id/members", "ADMIN", p.addMember, web.PaceSignIn),
		team("POST", "/teams/:id/members/:member", "ADMIN", p.changeMember, web.PaceSignIn),
		team("POST", "/teams/:id/members/:member/remove", "ADMIN", p.removeMember, web.PaceSignIn),
		team("GET", "/teams/:id/keys", "ADMIN", p.showKeys),
		team("POST", "/teams/:id/keys", "ADMIN", p.createKey, web.PaceSignIn),
		team("POST", "/teams/:id/keys/:key/revoke", "ADMIN", p.revokeKey, web.PaceSignIn),
		team("GET", "/teams/:id/settings", "READ_ONLY", p.showTeamSettings),
		team("POST", "/teams/:id/settings", "ADMIN", p.changeTeamSettings),
		team("GET", "/teams/:id/metadata", "READ_ONLY", p.showMetadata),
		team("POST", "/teams/:id/metadata", "ADMIN", p.changeMetadata),
	}
}

func (p Pages) listTeams(c *fiber.Ctx) error {
	who := web.Actor(c)
	memberships, err := p.Market.Memberships(c.UserContext(), who)
	if err != nil {
		return err
	}
	page := views.Teams{Key: web.NewKey(), PlatformAdmin: who.PlatformAdmin}
	for _, m := range memberships {
		page.Rows = append(page.Rows, views.TeamRow{ID: m.TeamID, Name: m.TeamName, Role: string(m.Role), Active: m.TeamID == who.TeamID})
	}
	return web.Render(c, "Teams", views.TeamsPage(page))
}

// activeTeam reads the team of the path, which has to be the active one (portal X5).
func activeTeam(c *fiber.Ctx) (int64, error) {
	id, err := number(c, "id")
	if err == nil && id != web.Actor(c).TeamID {
		err = fault.Missing()
	}
	return id, err
}

// team is what every page of the active team knows.
func (p Pages) team(c *fiber.Ctx, tab string) (views.Team, error) {
	who := web.Actor(c)
	id, err := activeTeam(c)
	if err != nil {
		return views.Team{}, err
	}
	fresh, err := p.Market.Fresh(c.UserContext(), sessionOf(c))
	return views.Team{ID: id, Name: who.TeamName, Tab: tab, Key: web.NewKey(), Admin: who.MayAdmin(), Fresh: fresh}, err
}

func (p Pages) showTeam(c *fiber.Ctx) error {
	id, err := activeTeam(c)
	if err != nil {
		return err
	}
	return web.Redirect(c, views.Team{ID: id}.Path("members"))
}

func (p Pages) showMembers(c *fiber.Ctx) error { return p.members(c, views.Members{}) }

// members draws the members around a form that came back, if one did.
func (p Pages) members(c *fiber.Ctx, page views.Members) (err error) {
	if page.Team, err = p.team(c, "members"); err != nil {
		return err
	}
	members, err := p.Market.Members(c.UserContext(), web.Actor(c))
	if err != nil {
		return err
	}
	admins := 0
	for _, m := range members {
		if m.Role == models.Admin && !m.Disabled {
			admins++
		}
	}
	for _, m := range members {
		page.Rows = append(page.Rows, views.Member{ID: m.ID, Name: m.UserName, Role: string(m.Role), Disabled: m.Disabled, LastSignIn: m.LastSignIn,
			Last: admins == 1 && m.Role == models.Admin && !m.Disabled})
	}
	page.Add.Role = or(page.Add.Role, string(models.General))
	return web.Render(c, "Members", views.MembersPage(page))
}

func (p Pages) addMember(c *fiber.Ctx) error {
	var asked views.MemberForm
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		asked = views.MemberForm{Name: form.Text("user"), Role: form.Text("role")}
		id, err := activeTeam(c)
		if err != nil {
			return "", "", err
		}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		_, err = p.Market.AddMember(c.UserContext(), who, market.Person{Name: asked.Name}, models.Role(asked.Role))
		return views.Team{ID: id}.Path("members"), asked.Name + " is a member now.", err
	})
	if f := refused(err); f != nil {
		asked.Problems = problems(f)
		return p.members(c.Status(statusOf(f)), views.Members{Add: asked})
	}
	return err
}

func (p Pages) changeMember(c *fiber.Ctx) error {
	return p.alterMember(c, func(who market.Actor, member int64, form web.FormValues) (string, error) {
		changed, err := p.Market.ChangeMember(c.UserContext(), who, member, models.Role(form.Text("role")))
		return "The role of " + changed.UserName + " is changed.", err
	})
}

func (p Pages) removeMember(c *fiber.Ctx) error {
	return p.alterMember(c, func(who market.Actor, member int64, _ web.FormValues) (string, error) {
		return "The member is removed.", p.Market.RemoveMember(c.UserContext(), who, member)
	})
}

// alterMember changes one row of the members. That the last admin has to stay
// is a conflict, shown above the rows as they are now (TEA-c).
func (p Pages) alterMember(c *fiber.Ctx, alter func(who market.Actor, member int64, form web.FormValues) (said string, err error)) error {
	err := p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		id, err := activeTeam(c)
		if err != nil {
			return "", "", err
		}
		member, err := number(c, "member")
		if err != nil {
			return "", "", err
		}
		if err := p.confirm(c, who, form); err != nil {
			return "", "", err
		}
		said, err = alter(who, member, form)
		return views.Team{ID: id}.Path("members"), said, err
	})
	f := fault.Of(err)
	switch {
	case refused(err) != nil && fault.Is(err, fault.Invalid):
		c.Status(fiber.StatusUnprocessableEntity)
	case fault.Is(err, fault.Conflict) && f.Code == "last_admin":
		c.Status(fiber.StatusConflict)
	default:
		return err
	}
	return p.members(c, views.Members{Problems: problems(f)})
}
