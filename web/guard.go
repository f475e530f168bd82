package web

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// program lets in who shows a key or a token; cookies are not looked at
// (trust B4).
func program(c *fiber.Ctx) error {
	scheme, secret, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	doors := of(c).cfg.Doors
	var err error
	switch {
	case secret == "" || !visible(secret):
		err = fault.New(fault.Unknown, "Authentication credentials were not provided.")
	case strings.EqualFold(scheme, "Api-Key"):
		err = admit(c, doors.Key, secret)
	case strings.EqualFold(scheme, "Token"):
		err = admit(c, doors.Token, secret)
	default:
		err = fault.New(fault.Unknown, "Authenticate by Api-Key or Token.")
	}
	return welcome(c, err)
}

// person lets in who has a session, and sends everybody else to sign in.
func person(c *fiber.Ctx) error {
	err := session(c)
	if fault.Is(err, fault.Unknown) && isReading(c) && !IsFragment(c) {
		turnAway(c)
		return toSignIn(c)
	}
	return welcome(c, err)
}

// anyone lets everybody in, and knows those who have a session.
func anyone(c *fiber.Ctx) error {
	admitStranger(c)
	if SessionID(c) == "" {
		return c.Next()
	}
	if err := session(c); err != nil && !fault.Is(err, fault.Unknown) {
		return err
	}
	return c.Next()
}

// stranger lets every program in as nobody. Cookies are not looked at, so no
// other site can act with them (trust B4).
func stranger(c *fiber.Ctx) error {
	admitStranger(c)
	return c.Next()
}

// session finds out who the session cookie stands for.
func session(c *fiber.Ctx) error {
	id := SessionID(c)
	if id == "" {
		return fault.New(fault.Unknown, "Signed out: sign in again.")
	}
	return admit(c, of(c).cfg.Doors.Session, id)
}

// welcome ends the authentication: who failed is marked, who came in pays.
func welcome(c *fiber.Ctx, err error) error {
	if fault.Is(err, fault.Unknown) {
		turnAway(c)
	}
	if err != nil {
		return err
	}
	if err := paceActor(c); err != nil {
		return err
	}
	return c.Next()
}

type refusedKey struct{}

func turnAway(c *fiber.Ctx)     { c.Locals(refusedKey{}, true) }
func refused(c *fiber.Ctx) bool { return c.Locals(refusedKey{}) != nil }

// toSignIn sends people to the door, and back to where they were going.
func toSignIn(c *fiber.Ctx) error {
	to := of(c).cfg.SignIn
	if next := SafeNext(string(c.Request().Header.RequestURI())); next != "/" {
		to += "?next=" + url.QueryEscape(next)
	}
	return Redirect(c, to)
}

func isReading(c *fiber.Ctx) bool {
	switch c.Method() {
	case fiber.MethodGet, fiber.MethodHead, fiber.MethodOptions:
		return true
	}
	return false
}
