package web

import (
	"encoding/base64"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Flash is one sentence about what was just done.
type Flash struct {
	Tone string // info, ok, warn or bad
	Text string
}

type flashKey struct{}

// Announce says a sentence with this answer: a fragment carries it
// out-of-band, a redirect leaves it for the page it leads to.
func Announce(c *fiber.Ctx, tone, text string) { c.Locals(flashKey{}, Flash{tone, text}) }

// announced returns the sentence of this answer.
func announced(c *fiber.Ctx) (Flash, bool) {
	flash, ok := c.Locals(flashKey{}).(Flash)
	return flash, ok
}

// leaveFlash puts the sentence into a cookie for the next page.
func leaveFlash(c *fiber.Ctx) {
	if flash, ok := announced(c); ok {
		value := flash.Tone + " " + flash.Text
		setCookie(c, "flash", base64.RawURLEncoding.EncodeToString([]byte(value[:min(len(value), 1000)])), 60)
	}
}

// takeFlash returns the sentence of this answer, or the one that the last
// answer left, and that once.
func takeFlash(c *fiber.Ctx) Flash {
	if flash, ok := announced(c); ok {
		return flash
	}
	cookie := cookieOf(c, "flash")
	if cookie == "" {
		return Flash{}
	}
	setCookie(c, "flash", "", -1)
	value, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		return Flash{}
	}
	tone, text, _ := strings.Cut(strings.ToValidUTF8(string(value), "…"), " ")
	return Flash{tone, text}
}
