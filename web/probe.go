package web

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Healthy answers /healthz: the process lives, whatever the database does
// (trust O3).
func Healthy(c *fiber.Ctx) error { return c.JSON(fiber.Map{"status": "ok"}) }

// Ready answers /readyz by asking check, which has one second, until the app
// begins to stop.
func (a *App) Ready(check func(context.Context) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), time.Second)
		defer cancel()
		if a.isClosing() || check(ctx) != nil {
			c.Set(fiber.HeaderRetryAfter, "1")
			return c.Status(fiber.StatusServiceUnavailable).JSON(fiber.Map{"status": "not ready"})
		}
		return c.JSON(fiber.Map{"status": "ok"})
	}
}

func (a *App) isClosing() bool {
	select {
	case <-a.closing:
		return true
	default:
		return false
	}
}
