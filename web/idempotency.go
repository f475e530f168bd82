package web

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// KeyHeader is the header by which programs make a write safe to repeat.
const KeyHeader = "Idempotency-Key"

// IdempotencyKey returns the key of a write, nothing if it has none
// (trust C1).
func IdempotencyKey(c *fiber.Ctx) (string, error) {
	keys := c.Request().Header.PeekAll(KeyHeader)
	if len(keys) == 0 {
		return "", nil
	}
	if len(keys) > 1 {
		return "", fault.Field(KeyHeader, "Send one key.")
	}
	return CheckKey(KeyHeader, string(keys[0]))
}

// CheckKey lets pass a key of at most 255 visible ASCII characters; name is
// the header or form field it came in.
func CheckKey(name, key string) (string, error) {
	if len(key) > 255 || !visible(key) {
		return "", fault.Field(name, "A key has 1 to 255 visible ASCII characters.")
	}
	return key, nil
}

// NewKey makes the key that a form carries, so that a double click is one
// submission (trust C3).
func NewKey() string { return newID() }

// Fingerprint tells two requests with the same key apart: SHA-256 of method,
// path, query and body.
func Fingerprint(c *fiber.Ctx) (string, error) {
	body, err := Body(c)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, part := range []string{c.Method(), c.Path(), RawQuery(c)} {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	hash.Write(body)
	return hex.EncodeToString(hash.Sum(nil)), nil
}
