package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/web"
)

// readDeclaration writes what the team declares now, ready to be submitted
// again (lifecycle T8).
func (a API) readDeclaration(c *fiber.Ctx) error {
	query, err := web.Query(c, declarationQuery...)
	if err != nil {
		return err
	}
	format, err := query.AnyOf("format", "json", "yaml")
	if err != nil {
		return err
	}
	document, version, err := a.Market.Declaration(c.UserContext(), actor(c), query.Any("application"))
	if err != nil {
		return err
	}
	tag(c, version)
	if len(format) > 0 && format[0] == "yaml" {
		return send(c, fiber.StatusOK, web.YAML, value.YAML(&document))
	}
	return send(c, fiber.StatusOK, web.JSON, value.Indent(&document))
}
