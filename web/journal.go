package web

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// journal writes one line per request, after whatever went wrong below has
// become an answer. It says who and where, never what was sent.
func (a *App) journal(c *fiber.Ctx) error {
	start := time.Now()
	ended := false
	defer func() {
		status := c.Response().StatusCode()
		if !ended { // a panic passes by; rescue answers it
			status = fiber.StatusInternalServerError
		}
		a.record(c, status, time.Since(start))
	}()
	err := c.Next()
	if err != nil {
		err = Fail(c, err)
	}
	ended = true
	return err
}

func (a *App) record(c *fiber.Ctx, status int, took time.Duration) {
	actor := Actor(c)
	a.cfg.Log.Info("request",
		"method", methodOf(c),
		"route", routeOf(c),
		"status", status,
		"ms", float64(took.Microseconds())/1000,
		"bytes", sizeOf(c),
		"request_id", RequestID(c),
		"address", ClientAddress(c).String(),
		"agent", c.Get(fiber.HeaderUserAgent),
		"user", actor.UserID, "key", actor.KeyID, "team", actor.TeamID,
	)
}

// routeOf names the route by its pattern. What matched no route is named by
// its first segment only: the rest may be a mistyped secret.
func routeOf(c *fiber.Ctx) string {
	if route := c.Route(); route != nil && route.Path != "/" && route.Path != "" {
		return route.Path
	}
	path, _ := target(c.Context())
	if path == "" || path == "/" {
		return path
	}
	first, rest, deeper := strings.Cut(path[1:], "/")
	if deeper && rest != "" {
		first += "/…"
	}
	return "/" + first
}

// sizeOf counts the bytes of the answer; a stream is not counted, for that
// would be to read it.
func sizeOf(c *fiber.Ctx) int {
	if c.Response().IsBodyStream() {
		return max(c.Response().Header.ContentLength(), 0)
	}
	return len(c.Response().Body())
}
