package web

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

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
func Announce(c *fiber.Ctx, tone, text string) {
	c.Locals(flashKey{}, Flash{tone, text})
	if !IsFragment(c) {
		value := tone + " " + text
		setCookie(c, "flash", base64.RawURLEncoding.EncodeToString([]byte(value[:min(len(value), 1000)])), 60)
	}
}

// takeFlash returns the sentence that the last answer left, once.
func takeFlash(c *fiber.Ctx) Flash {
	if flash, ok := c.Locals(flashKey{}).(Flash); ok {
		setCookie(c, "flash", "", -1)
		return flash
	}
	cookie := cookieOf(c, "flash")
	if cookie == "" {
		return Flash{}
	}
	setCookie(c, "flash", "", -1)
	value, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || !utf8.Valid(value) {
		return Flash{}
	}
	tone, text, _ := strings.Cut(string(value), " ")
	return Flash{tone, text}
}
