package web

import (
	"mime"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// The media types that the portal reads.
const (
	JSON      = "application/json"
	YAML      = "application/yaml"
	Markdown  = "text/markdown"
	FormType  = "application/x-www-form-urlencoded"
	Multipart = "multipart/form-data"
)

// plainEncoding refuses compressed bodies: half a megabyte of gzip can be half
// a gigabyte of nothing (trust H5).
func plainEncoding(c *fiber.Ctx) error {
	for _, value := range c.Request().Header.PeekAll(fiber.HeaderContentEncoding) {
		if v := strings.TrimSpace(string(value)); v != "" && !strings.EqualFold(v, "identity") {
			return fault.New(fault.Unsupported, "Compressed requests are not read. Send the body as it is, without Content-Encoding.")
		}
	}
	if c.Request().Header.ContentLength() > BodyLimit {
		return tooLarge(BodyLimit)
	}
	return c.Next()
}

// Takes lets only these media types pass (trust H8). A missing one counts as
// JSON; requests that read or have no body need none.
func Takes(types ...string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isReading(c) {
			return c.Next()
		}
		if err := takes(c, types); err != nil {
			return err
		}
		return c.Next()
	}
}

func takes(c *fiber.Ctx, types []string) error {
	header := c.Get(fiber.HeaderContentType)
	if isEmpty(c) || header == "" && slices.Contains(types, JSON) {
		return nil
	}
	if kind := mediaType(header); kind != "" && slices.Contains(types, kind) {
		return nil
	}
	if len(types) == 0 {
		return fault.New(fault.Unsupported, "This request takes no body.")
	}
	return fault.New(fault.Unsupported, "This request is read as %s only.", strings.Join(types, " or "))
}

// mediaType returns the bare media type, nothing if it is broken or names a
// character set other than UTF-8.
func mediaType(header string) string {
	kind, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		return ""
	}
	if set, ok := parameters["charset"]; ok && !strings.EqualFold(set, "utf-8") {
		return ""
	}
	return kind
}

// isEmpty reports whether the request announces no body.
func isEmpty(c *fiber.Ctx) bool {
	length := c.Request().Header.ContentLength()
	return length == 0 || length == -2 // neither a length nor chunks
}
