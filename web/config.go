package web

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/a-h/templ"

	"github.com/portolan/portolan/market"
)

// The limits that the portal publishes (trust H12).
const (
	BodyLimit       = 16 << 20 // bytes of a request by somebody we know
	StrangerLimit   = 64 << 10 // bytes of a request by nobody we know
	TeamRequests    = 64       // requests of one team at the same time
	ProcessRequests = 512      // requests in one process at the same time
	StreamsPerUser  = 4        // live streams of one user at the same time
)

// Doorkeeper says who a secret stands for; it fails with fault.Unknown when
// that is nobody.
type Doorkeeper func(ctx context.Context, secret, address, requestID string) (market.Actor, error)

// Doors are asked about what a request shows.
type Doors struct {
	Key     Doorkeeper // Authorization: Api-Key
	Token   Doorkeeper // Authorization: Token
	Session Doorkeeper // the session cookie
}

// Config is all that the kit has to be told by the portal around it.
type Config struct {
	BaseURL        string         // where people reach the portal, such as https://portal.example
	TrustedProxies []netip.Prefix // peers whose X-Forwarded-For is believed
	Log            *slog.Logger   // NewLogger; nil discards
	Doors          Doors
	Limits         Limits

	// Layout makes the whole page around a content.
	Layout func(ctx context.Context, frame Frame, content templ.Component) templ.Component
	// Failure makes the content that tells people what went wrong.
	Failure func(ctx context.Context, trouble Trouble) templ.Component
	// Announce makes the out-of-band part of a fragment: #live and #flash.
	Announce func(flash Flash) templ.Component
	// Static finds an embedded file by its exact name.
	Static func(name string) (File, bool)
	// IsProgram says whether programs ask for this path, so that failures are
	// JSON; nil means all below /v1.
	IsProgram func(path string) bool

	SignIn string // where people without a session are sent, /sign-in by default
}

// Frame is what a layout knows about the request it renders.
type Frame struct {
	Title     string // without the product's name
	Path      string // marks the place in the navigation
	URL       string // path and query, as the client sent them
	Actor     market.Actor
	Nonce     string // of the one style element that the policy lets in
	Theme     string // light, dark, system or nothing
	Density   string // comfortable, compact or nothing
	Keys      string // on, off or nothing: whether single keys act
	RequestID string
	Flash     Flash // shown once
	Print     bool
}

// Trouble is what a failure says to people.
type Trouble struct {
	Status    int
	Text      string
	Fields    map[string][]string
	RequestID string        // given when the failure is ours
	Retry     time.Duration // when to come back, 0 if there is no telling
	Path      string
	Actor     market.Actor
}

// File is one embedded file, ready to be sent.
type File struct {
	Type      string // media type
	Body      []byte
	Gzip      []byte // the same, compressed; nil when that does not pay
	ETag      string // quoted
	Immutable bool   // its name changes with its content
}

// Rate is how often something may happen: on average and at once.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits bound how often and how much at once; zero values mean the published ones.
type Limits struct {
	Off             bool // no rate limits at all, for tests
	Request         Rate // per key, user or address
	Submit          Rate // submissions and previews
	SignIn          Rate // per address
	TeamRequests    int
	ProcessRequests int
}

func (l Limits) filled() Limits {
	l.Request = l.Request.or(Rate{50, 200})
	l.Submit = l.Submit.or(Rate{5, 20})
	l.SignIn = l.SignIn.or(Rate{1, 20})
	if l.TeamRequests == 0 {
		l.TeamRequests = TeamRequests
	}
	if l.ProcessRequests == 0 {
		l.ProcessRequests = ProcessRequests
	}
	return l
}

func (r Rate) or(other Rate) Rate {
	if r == (Rate{}) {
		return other
	}
	return r
}

// filled completes a configuration with what goes without saying.
func (cfg Config) filled() Config {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Layout == nil {
		cfg.Layout = plainLayout
	}
	if cfg.Failure == nil {
		cfg.Failure = plainFailure
	}
	if cfg.Announce == nil {
		cfg.Announce = plainAnnounce
	}
	if cfg.IsProgram == nil {
		cfg.IsProgram = isVersioned
	}
	if cfg.SignIn == "" {
		cfg.SignIn = "/sign-in"
	}
	cfg.Limits = cfg.Limits.filled()
	return cfg
}
