package web

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// Static answers a route with a wildcard by the embedded file of exactly that
// name (trust H10).
func Static(c *fiber.Ctx) error {
	find := of(c).cfg.Static
	if find == nil {
		return fault.Missing()
	}
	file, ok := find(c.Params("*"))
	if !ok {
		return fault.Missing()
	}
	c.Set(fiber.HeaderCacheControl, "no-cache")
	if file.Immutable {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderETag, file.ETag)
	if file.ETag != "" && matches(c.Get(fiber.HeaderIfNoneMatch), file.ETag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set(fiber.HeaderContentType, file.Type)
	if file.Gzip != nil && takesGzip(c.Get(fiber.HeaderAcceptEncoding)) {
		c.Set(fiber.HeaderContentEncoding, "gzip")
		return c.Send(file.Gzip)
	}
	return c.Send(file.Body)
}

// matches reports whether a list of tags names this one.
func matches(header, tag string) bool {
	for each := range strings.SplitSeq(header, ",") {
		if each = strings.TrimSpace(each); each == "*" || strings.TrimPrefix(each, "W/") == tag {
			return true
		}
	}
	return false
}

func takesGzip(header string) bool {
	for each := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(each, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
