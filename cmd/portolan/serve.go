package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/portolan/portolan/handlers/api"
	"github.com/portolan/portolan/handlers/pages"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/static"
	"github.com/portolan/portolan/web"
)

type serveCommand struct {
	Grace     time.Duration `help:"How long to go on serving after SIGTERM, so that proxies notice." default:"2s"`
	NoMigrate bool          `help:"Refuse to start on an older schema instead of migrating it."`
}

// Run serves until the context ends.
func (s *serveCommand) Run(c *console) error {
	db, err := s.open(c)
	if err != nil {
		return err
	}
	defer db.Close()
	m := market.New(db, c.log)
	if err := announceSetUp(c, m); err != nil {
		return err
	}
	return c.serve(m, s.Grace, nil)
}

func (s *serveCommand) open(c *console) (*models.DB, error) {
	if !s.NoMigrate {
		return c.open(c.Database)
	}
	db, err := models.Open(c, c.Database, c.log)
	if err != nil {
		return nil, err
	}
	return db, db.CheckSchema(c)
}

// announceSetUp prints the one-time code that guards first-run set-up (portal DOOR1).
func announceSetUp(c *console, m *market.Market) error {
	needed, err := m.NeedsSetUp(c)
	if err != nil || !needed {
		return err
	}
	code, err := m.NewSetUpCode(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.err, "Nobody has an account yet. Open the portal and set it up with this code: %s\n", code)
	return nil
}

// serve answers on the configured address until the context ends; ready is
// called with the base URL once it does.
func (c *console) serve(m *market.Market, grace time.Duration, ready func(base string)) error {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", c.Listen, err)
	}
	base := c.baseURL(listener.Addr())
	if c.exposed(base) {
		if !c.InsecureHTTP {
			return fmt.Errorf("%s is plain HTTP that others can reach, so passwords would travel openly. Put TLS in front and set --base-url https://…, or allow it with --insecure-http", base)
		}
		c.log.Warn("serving plain HTTP on an address that others can reach", "base_url", base)
	}
	app, err := c.wire(m, base)
	if err != nil {
		return err
	}
	c.log.Info("serving", "address", base, "version", version())
	if ready != nil {
		ready(base)
	}
	web.Go(c.log, "sweep", func() { c.sweep(m) })
	return app.Serve(c, listener, grace)
}

// sweep drops what has lost its use, now and every hour until the context ends.
func (c *console) sweep(m *market.Market) {
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	for {
		if err := m.Sweep(c); err != nil && c.Err() == nil {
			c.log.Error("cannot sweep", "error", err)
		}
		select {
		case <-c.Done():
			return
		case <-hourly.C:
		}
	}
}

// wire puts the pages and the API on one application.
func (c *console) wire(m *market.Market, base string) (*web.App, error) {
	p := pages.Pages{Market: m}
	a := api.API{Market: m, BaseURL: base, Styles: static.Path("app.css")}
	app := web.NewApp(web.Config{
		BaseURL: base, TrustedProxies: c.TrustedProxies, Log: c.log,
		Doors:  web.Doors{Key: m.KeyActor, Token: m.TokenActor, Session: m.SessionActor},
		Limits: web.Limits{Off: c.RateLimits == "off"},
		Layout: p.Layout, Failure: p.Failure, Announce: p.Announce,
		Static: staticFile, SignIn: "/sign-in",
		IsProgram: func(path string) bool {
			return strings.HasPrefix(path, "/v1/") || path == "/v1" || path == "/api-token-auth" || path == "/healthz" || path == "/readyz"
		},
	})
	app.Use(p.SetUpFirst)
	if err := app.Mount(append(p.Routes(), a.Routes()...)...); err != nil {
		return nil, err
	}
	return app, app.Mount(probes(app, m)...)
}

// probes are the routes that tell a supervisor how the process is (trust O3).
func probes(app *web.App, m *market.Market) []web.Route {
	open := web.Route{Method: "GET", Door: web.Anyone, Pov: web.None, Role: web.None, Loads: web.None}
	healthz, readyz, files := open, open, open
	healthz.Path, healthz.Handle = "/healthz", web.Healthy
	readyz.Path, readyz.Handle = "/readyz", app.Ready(m.Ready)
	files.Path, files.Handle = "/static/*", web.Static
	return []web.Route{healthz, readyz, files}
}

func staticFile(name string) (web.File, bool) {
	body, gzipped, kind, ok := static.File("/static/" + name)
	return web.File{Type: kind, Body: body, Gzip: gzipped, ETag: strconv.Quote(name), Immutable: true}, ok
}
