package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/web"
)

type (
	onceKey struct{} // the market.Once of a request
	keptKey struct{} // what is kept in an answer's stead
)

// actor is who asks, with the idempotency key of the request.
func actor(c *fiber.Ctx) market.Actor {
	who := web.Actor(c)
	who.Once, _ = c.Locals(onceKey{}).(*market.Once)
	return who
}

// once lets a request with an Idempotency-Key do its work once: whoever sends
// it again gets the first answer (trust C1).
func (a API) once(handle fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		key, err := web.IdempotencyKey(c)
		if err != nil || key == "" {
			return orHandle(c, err, handle)
		}
		print, err := web.Fingerprint(c)
		if err != nil {
			return err
		}
		c.Locals(onceKey{}, &market.Once{Key: key, Fingerprint: []byte(print)})
		first, err := a.Market.Replay(c.UserContext(), actor(c))
		if err != nil {
			return err
		}
		if first != nil {
			return replay(c, first)
		}
		if err := handle(c); err != nil {
			return err
		}
		return a.keep(c)
	}
}

func orHandle(c *fiber.Ctx, err error, handle fiber.Handler) error {
	if err != nil {
		return err
	}
	return handle(c)
}

// keep remembers the answer that was just written.
func (a API) keep(c *fiber.Ctx) error {
	status, body := c.Response().StatusCode(), c.Response().Body()
	if status >= fiber.StatusMultipleChoices {
		return nil
	}
	if kept, other := c.Locals(keptKey{}).([]byte); other {
		body = kept
	}
	location := string(c.Response().Header.Peek(fiber.HeaderLocation))
	return a.Market.Keep(c.UserContext(), actor(c), market.Answer{Status: status, Location: location, Body: body})
}

// keepInstead makes this shape be kept in the answer's stead, because that is
// large or holds a secret.
func keepInstead(c *fiber.Ctx, shape any) error {
	body, err := json.Marshal(shape)
	c.Locals(keptKey{}, body)
	return err
}

// tooLargeToKeep stands for a first answer that was not kept because of its size.
var tooLargeToKeep = []byte(`{"detail":"This was done before; the first answer was too large to be kept."}`)

func replay(c *fiber.Ctx, first *market.Answer) error {
	c.Set("Idempotent-Replayed", "true")
	if first.Location != "" {
		c.Set(fiber.HeaderLocation, first.Location)
	}
	if first.Status == fiber.StatusNoContent {
		return noContent(c)
	}
	if len(first.Body) == 0 {
		first.Body = tooLargeToKeep
	}
	return send(c, first.Status, kindOf(first.Body), first.Body)
}

// kindOf tells a kept JSON document from a kept text.
func kindOf(body []byte) string {
	if body[0] == '{' {
		return web.JSON
	}
	return fiber.MIMETextPlainCharsetUTF8
}
