package web

import (
	"crypto/rand"
	"encoding/base64"

	"github.com/gofiber/fiber/v2"
)

// policy is portal.md A4 around the nonce.
const (
	policyHead = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"
	policyTail = "'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

// permissions switches off what a page of ours never needs.
const permissions = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), " +
	"geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), " +
	"picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()"

type nonceKey struct{}

// secureHeaders puts the headers of trust B1 and B2 on the answer.
func secureHeaders(c *fiber.Ctx) error {
	harden(c)
	return c.Next()
}

// harden may come twice: failures above secureHeaders need the headers too.
func harden(c *fiber.Ctx) {
	if Nonce(c) != "" {
		return
	}
	nonce := newNonce()
	c.Locals(nonceKey{}, nonce)
	c.Set(fiber.HeaderContentSecurityPolicy, policyHead+nonce+policyTail)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set(fiber.HeaderPermissionsPolicy, permissions)
	c.Set(fiber.HeaderCacheControl, "no-store")
	if of(c).secure {
		c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}

// Nonce returns the answer's own word that lets one style element pass.
func Nonce(c *fiber.Ctx) string {
	nonce, _ := c.Locals(nonceKey{}).(string)
	return nonce
}

func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}
