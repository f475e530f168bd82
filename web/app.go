// Package web is the kit that both mouths of the portal speak HTTP with: it
// guards the door, renders, fails and keeps sessions, and knows no route.
package web

import (
	"net/netip"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
)

// App is a Fiber app behind the portal's front door.
type App struct {
	*fiber.App
	cfg     Config
	origin  string // scheme and host of the base URL
	secure  bool   // whether the base URL is https
	cookies cookies
	pace    paces
	slots   slots
	trusted []netip.Prefix
	closing chan struct{}
	routes  []Route

	readTimeout, writeTimeout time.Duration
}

// NewApp makes an app with the settings of trust H2 and the outer middleware
// in the order of trust H7; the guards of single routes follow in Mount.
func NewApp(cfg Config) *App {
	cfg = cfg.filled()
	origin, secure := originOf(cfg.BaseURL)
	a := &App{
		cfg:          cfg,
		origin:       origin,
		secure:       secure,
		cookies:      newCookies(secure),
		pace:         newPaces(cfg.Limits),
		slots:        newSlots(cfg.Limits),
		trusted:      cfg.TrustedProxies,
		closing:      make(chan struct{}),
		readTimeout:  15 * time.Second,
		writeTimeout: 60 * time.Second,
	}
	a.App = fiber.New(fiber.Config{
		CaseSensitive:                true,
		StrictRouting:                true,
		Immutable:                    true,
		ReadTimeout:                  a.readTimeout,
		WriteTimeout:                 a.writeTimeout,
		IdleTimeout:                  60 * time.Second,
		ReadBufferSize:               16384,
		BodyLimit:                    BodyLimit,
		DisableStartupMessage:        true,
		ServerHeader:                 "",
		EnablePrintRoutes:            false,
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 Fail,
	})
	a.App.Use(a.rescue, identify, a.journal, refuse, plainEncoding, secureHeaders, a.limitRate)
	return a
}

// originOf splits the base URL into what a browser sends as Origin.
func originOf(base string) (origin string, secure bool) {
	u, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	return u.Scheme + "://" + u.Host, u.Scheme == "https"
}

type appKey struct{}

// of returns the app that a request came to.
func of(c *fiber.Ctx) *App { return c.Locals(appKey{}).(*App) }

// URL makes an absolute address on the configured base URL, never on the
// request's Host (trust H11).
func URL(c *fiber.Ctx, path string) string { return of(c).origin + path }
