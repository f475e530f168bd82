package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// config is everything that can be set, by a flag or by its twin in the environment.
type config struct {
	Database       string         `help:"Where everything is kept: sqlite:FILE or postgres://…" env:"PORTOLAN_DATABASE" default:"sqlite:portolan.db"`
	Listen         string         `help:"Address to listen on." env:"PORTOLAN_LISTEN" default:"127.0.0.1:8080"`
	BaseURL        string         `name:"base-url" help:"Address people and programs use, for links. Default: http:// and the listen address." env:"PORTOLAN_BASE_URL"`
	Secret         string         `help:"Key that signs what leaves the house; at least 32 characters. Default: made at the first start and kept in the database." env:"PORTOLAN_SECRET"`
	RateLimits     string         `help:"on, or off for tests." enum:"on,off" env:"PORTOLAN_RATE_LIMITS" default:"on"`
	TrustedProxies []netip.Prefix `help:"Networks whose X-Forwarded-For is believed." env:"PORTOLAN_TRUSTED_PROXIES"`
	Log            string         `help:"Form of the log: json, text, or auto (text on a terminal)." enum:"auto,json,text" env:"PORTOLAN_LOG" default:"auto"`
	InsecureHTTP   bool           `name:"insecure-http" help:"Allow sign-in over plain HTTP on an address others can reach." env:"PORTOLAN_INSECURE_HTTP"`

	Serve   serveCommand   `cmd:"" help:"Serve the portal; an empty database leads to first-run set-up in the browser."`
	Demo    demoCommand    `cmd:"" help:"Serve a new embedded database with example teams, services and people."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to the schema of this version."`
	User    userCommand    `cmd:"" help:"Manage users."`
	Token   tokenCommand   `cmd:"" help:"Manage API tokens of users."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// Validate checks the configuration as a whole (trust O9).
func (c *config) Validate() error {
	if !strings.HasPrefix(c.Database, "sqlite:") && !strings.HasPrefix(c.Database, "postgres://") && !strings.HasPrefix(c.Database, "postgresql://") {
		return fmt.Errorf("--database must begin with sqlite: or postgres://, not %q", c.Database)
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return fmt.Errorf("--listen must be host:port, such as 127.0.0.1:8080, not %q", c.Listen)
	}
	if c.Secret != "" && len(c.Secret) < 32 {
		return fmt.Errorf("--secret must have at least 32 characters")
	}
	if c.BaseURL != "" {
		u, err := url.Parse(c.BaseURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return fmt.Errorf("--base-url must be like https://portal.example.org, without a path, not %q", c.BaseURL)
		}
	}
	return nil
}

// baseURL is the address of the portal as its users write it, without a slash at the end.
func (c *config) baseURL(listener net.Addr) string {
	if c.BaseURL != "" {
		return strings.TrimRight(c.BaseURL, "/")
	}
	return "http://" + listener.String()
}

// exposed reports whether others can reach a plain address (trust H14).
func (c *config) exposed(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme == "https" {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host != "localhost" && (ip == nil || !ip.IsLoopback())
}
