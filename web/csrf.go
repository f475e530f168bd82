package web

import (
	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// sameOrigin refuses writes that another site caused (trust B3): the browser
// says where a request comes from, and a page cannot make it lie.
func sameOrigin(c *fiber.Ctx) error {
	if isReading(c) || comesFromUs(c) {
		return c.Next()
	}
	return fault.New(fault.Forbidden, "This request came from another site. Open the portal and try again there.")
}

func comesFromUs(c *fiber.Ctx) bool {
	if sites := c.Request().Header.PeekAll("Sec-Fetch-Site"); len(sites) > 0 {
		site := string(sites[0])
		return len(sites) == 1 && (site == "same-origin" || site == "none")
	}
	origins := c.Request().Header.PeekAll(fiber.HeaderOrigin)
	return len(origins) == 1 && string(origins[0]) == of(c).origin
}
