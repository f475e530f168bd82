package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/web"
)

// answer writes a shape as JSON.
func answer(c *fiber.Ctx, status int, shape any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(shape); err != nil {
		return err
	}
	return send(c, status, web.JSON, bytes.TrimSuffix(body.Bytes(), []byte("\n")))
}

// send writes a body of a media type.
func send(c *fiber.Ctx, status int, kind string, body []byte) error {
	c.Set(fiber.HeaderContentType, kind)
	return c.Status(status).Send(body)
}

// noContent answers that something is gone.
func noContent(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) }

// tag names the version of an object in ETag (trust C4).
func tag(c *fiber.Ctx, version int64) { c.Set(fiber.HeaderETag, fmt.Sprintf(`"%d"`, version)) }

// unchanged refuses a write with an If-Match that names an older version.
func unchanged(c *fiber.Ctx, version int64) error {
	wanted := strings.TrimSpace(c.Get(fiber.HeaderIfMatch))
	if wanted == "" || wanted == "*" || wanted == fmt.Sprintf(`"%d"`, version) {
		return nil
	}
	return fault.New(fault.Outdated, "This has version %d by now, not %s. Read it again.", version, wanted)
}

// url is the absolute address of one thing.
func (a API) url(pov, kind string, id int64) string {
	return fmt.Sprintf("%s/v1/orcabase/%s/%s/%d/", a.base(), pov, kind, id)
}

// base is the configured address without a slash at its end.
func (a API) base() string { return strings.TrimSuffix(a.BaseURL, "/") }

// wantsText reports whether a client would rather read a plan than parse it (lifecycle N6).
func wantsText(c *fiber.Ctx) bool {
	first, _, _ := strings.Cut(c.Get(fiber.HeaderAccept), ",")
	kind, _, _ := strings.Cut(first, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/plain")
}
