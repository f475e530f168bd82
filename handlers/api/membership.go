package api

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// Membership says that a user belongs to a team, and what for.
type Membership struct {
	ID       int64       `json:"id"`
	User     Named       `json:"user"`
	Team     Named       `json:"team"`
	Role     models.Role `json:"role" enum:"ADMIN,GENERAL,READ_ONLY"`
	IsActive bool        `json:"is_active" doc:"Whether it is the team that the asker acts for."`
	Created  Moment      `json:"created"`
	Modified Moment      `json:"modified"`
}

// NewMembership is the body that makes a user a member of the active team.
type NewMembership struct {
	User any         `json:"user" doc:"The user's id or name."`
	Role models.Role `json:"role" enum:"ADMIN,GENERAL,READ_ONLY"`
}

// NewRole is the body that changes a member's role.
type NewRole struct {
	Role models.Role `json:"role" enum:"ADMIN,GENERAL,READ_ONLY"`
}

func membershipOf(active int64) func(models.Member) Membership {
	return func(m models.Member) Membership {
		return Membership{
			ID: m.ID, User: Named{m.UserID, m.UserName}, Team: Named{m.TeamID, m.TeamName}, Role: m.Role,
			IsActive: m.TeamID == active, Created: Moment(m.Created), Modified: Moment(m.Modified),
		}
	}
}

func (a API) listMembers(c *fiber.Ctx) error {
	l, err := list(c, nil)
	if err != nil {
		return err
	}
	who := actor(c)
	members, err := a.Market.Members(c.UserContext(), who)
	if err != nil {
		return err
	}
	return answerCut(a, c, l, each(members, membershipOf(who.TeamID)))
}

func (a API) listMemberships(c *fiber.Ctx) error {
	l, err := list(c, nil)
	if err != nil {
		return err
	}
	who := actor(c)
	members, err := a.Market.Memberships(c.UserContext(), who)
	if err != nil {
		return err
	}
	return answerCut(a, c, l, each(members, membershipOf(who.TeamID)))
}

func (a API) addMember(c *fiber.Ctx) error {
	b, err := readBody(c)
	if err != nil {
		return err
	}
	who, person := actor(c), b.person("user")
	role := models.Role(textOr(b.text("role")))
	if err := b.doneAll(); err != nil {
		return err
	}
	member, err := a.Market.AddMember(c.UserContext(), who, person, role)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusCreated, membershipOf(who.TeamID)(member))
}

// person takes a user by id or by name.
func (b *body) person(name string) market.Person {
	if v, there := b.object.Get(name); there && v.Kind == value.Number {
		if number := b.number(name); number != nil {
			return market.Person{ID: *number}
		}
		return market.Person{}
	}
	return market.Person{Name: textOr(b.text(name))}
}

func (a API) changeMember(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	role := models.Role(textOr(b.text("role")))
	if err := b.doneAll(); err != nil {
		return err
	}
	who := actor(c)
	member, err := a.Market.ChangeMember(c.UserContext(), who, number, role)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, membershipOf(who.TeamID)(member))
}

func (a API) removeMember(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	if err := a.Market.RemoveMember(c.UserContext(), actor(c), number); err != nil {
		return err
	}
	return noContent(c)
}

// activateMembership makes the token that the request shows act for another team.
func (a API) activateMembership(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	_, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if err := a.Market.ActivateMembership(c.UserContext(), actor(c), number, token); err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, Message{"The team of this membership is active now."})
}
