package web

import (
	"slices"

	"github.com/gofiber/fiber/v2"
)

// preferences are what people may choose about the looks of the portal.
var preferences = map[string][]string{
	"theme":   {"light", "dark", "system"},
	"density": {"comfortable", "compact"},
	"keys":    {"on", "off"}, // single keys that act (portal X17)
}

const year = 365 * 24 * 60 * 60

// Preference returns what was chosen, nothing if that is not on offer.
func Preference(c *fiber.Ctx, name string) string {
	if value := cookieOf(c, name); slices.Contains(preferences[name], value) {
		return value
	}
	return ""
}

// SetPreference remembers a choice in this browser for a year; what is not on
// offer is forgotten.
func SetPreference(c *fiber.Ctx, name, value string) {
	if slices.Contains(preferences[name], value) {
		setCookie(c, name, value, year)
		return
	}
	setCookie(c, name, "", -1)
}
