package web

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// SafeNext returns a place on this portal to go on to, the home page unless
// next is clearly one (trust B8).
func SafeNext(next string) string {
	if !strings.HasPrefix(next, "/") || len(next) > 2048 || !visible(next) || strings.Contains(next, `\`) {
		return "/"
	}
	path, _, _ := strings.Cut(next, "?")
	if !canonical(path) {
		return "/"
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "/"
	}
	return next
}

// Redirect sends a browser on to a place on this portal: 303, or by HX-Redirect
// when htmx asks. The place comes from constants and ids (trust B7); anything
// that is not a place of ours becomes the home page.
func Redirect(c *fiber.Ctx, place string) error {
	place = SafeNext(place)
	leaveFlash(c)
	if IsFragment(c) {
		c.Set("HX-Redirect", place)
		return c.SendStatus(fiber.StatusNoContent)
	}
	return c.Redirect(place, fiber.StatusSeeOther)
}
