package web

import (
	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
)

type actorKey struct{}

// Actor returns who the request acts for. A stranger has an address and a
// request id, and is not known.
func Actor(c *fiber.Ctx) market.Actor {
	actor, _ := c.Locals(actorKey{}).(market.Actor)
	return actor
}

// admit asks a door about a secret and remembers who came in.
func admit(c *fiber.Ctx, door Doorkeeper, secret string) error {
	actor, err := door(c.UserContext(), secret, ClientAddress(c).String(), RequestID(c))
	if err != nil {
		return err
	}
	c.Locals(actorKey{}, actor)
	return nil
}

// admitStranger remembers where a request of nobody came from.
func admitStranger(c *fiber.Ctx) {
	c.Locals(actorKey{}, market.Actor{Via: "portal", Address: ClientAddress(c).String(), RequestID: RequestID(c)})
}
