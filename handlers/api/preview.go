package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/web"
)

func (a API) createPreview(c *fiber.Ctx) error {
	p, err := proposal(c)
	if err != nil {
		return err
	}
	stored, plan, err := a.Market.Preview(c.UserContext(), actor(c), p)
	if err != nil {
		return err
	}
	c.Location(a.base() + "/v1/orcabase/consumer/previews/" + stored.ID + "/")
	if wantsText(c) {
		return send(c, fiber.StatusCreated, fiber.MIMETextPlainCharsetUTF8, []byte(plan.Text()))
	}
	return send(c, fiber.StatusCreated, web.JSON, []byte(stored.Plan))
}

func (a API) readPreview(c *fiber.Ctx) error {
	stored, err := a.Market.StoredPreview(c.UserContext(), actor(c), c.Params("id"))
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, web.JSON, []byte(stored.Plan))
}
