package web

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
)

// Known is who a request acts for.
type Known = market.Actor

type actorKey struct{}

// Actor returns who the request acts for; nobody, before a door has let somebody in.
func Actor(c *fiber.Ctx) Known {
	actor, _ := c.Locals(actorKey{}).(Known)
	return actor
}

// admit asks a door about a secret and remembers who came in.
func admit(c *fiber.Ctx, door func(context.Context, string) (Known, error), secret, via string) error {
	actor, err := door(c.UserContext(), secret)
	if err != nil {
		return err
	}
	actor.Via, actor.Address, actor.RequestID = via, ClientAddress(c).String(), RequestID(c)
	c.Locals(actorKey{}, actor)
	return nil
}
