package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// deadline is how long a request may keep the database busy: a little less
// than the time in which the answer has to be written.
const deadline = 55 * time.Second

type requestIDKey struct{}

// identify gives each request an id, the client's own if it has a fit one,
// and a context that ends.
func identify(c *fiber.Ctx) error {
	id := c.Get(fiber.HeaderXRequestID)
	if len(id) > 128 || !visible(id) {
		id = newID()
	}
	c.Locals(requestIDKey{}, id)
	c.Set(fiber.HeaderXRequestID, id)

	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	c.SetUserContext(ctx)
	return c.Next()
}

// RequestID returns the id that the answer carries in X-Request-Id.
func RequestID(c *fiber.Ctx) string {
	id, _ := c.Locals(requestIDKey{}).(string)
	return id
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// visible reports whether s consists of visible ASCII and is not empty.
func visible(s string) bool {
	invisible := func(r rune) bool { return r <= ' ' || r > '~' }
	return s != "" && !strings.ContainsFunc(s, invisible)
}
