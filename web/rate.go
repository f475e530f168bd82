package web

import (
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/time/rate"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
)

// paces are the rate limits of trust H13.
type paces struct {
	off                     bool
	request, submit, signIn *buckets
}

func newPaces(l Limits) paces {
	return paces{l.Off, newBuckets(l.Request), newBuckets(l.Submit), newBuckets(l.SignIn)}
}

// remembered is how many buckets one generation holds.
const remembered = 20_000

// buckets are token buckets by name. They live in two generations: when the
// younger one is full it becomes the older one, and whoever is not seen
// during one generation is forgotten, so memory is bounded.
type buckets struct {
	rate       Rate
	mu         sync.Mutex
	young, old map[string]*rate.Limiter
}

func newBuckets(r Rate) *buckets {
	return &buckets{rate: r, young: map[string]*rate.Limiter{}}
}

func (b *buckets) of(name string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bucket, ok := b.young[name]; ok {
		return bucket
	}
	bucket, ok := b.old[name]
	if !ok {
		bucket = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.Burst)
	}
	if len(b.young) >= remembered {
		b.young, b.old = map[string]*rate.Limiter{}, b.young
	}
	b.young[name] = bucket
	return bucket
}

// take takes one token from a name's bucket, or says when there will be one.
func (b *buckets) take(name string) error {
	reservation := b.of(name).Reserve()
	if wait := reservation.Delay(); wait > 0 {
		reservation.Cancel()
		return tooOften(wait)
	}
	return nil
}

// peek says whether there is a token, and takes none.
func (b *buckets) peek(name string) error {
	missing := 1 - b.of(name).Tokens()
	if missing <= 0 {
		return nil
	}
	return tooOften(time.Duration(missing / b.rate.PerSecond * float64(time.Second)))
}

func tooOften(wait time.Duration) error {
	e := fault.New(fault.TooMany, "Too many requests. Try again a little later.")
	e.Retry = wait
	return e
}

// limitRate slows down strangers by address before anything else is done for
// them. Who shows a secret pays from the own bucket once known, and from that
// of the address when the secret is wrong.
func (a *App) limitRate(c *fiber.Ctx) error {
	if a.pace.off {
		return c.Next()
	}
	name := neighbourhood(ClientAddress(c))
	if !a.showsSecret(c) {
		if err := a.pace.request.take(name); err != nil {
			return err
		}
		return c.Next()
	}
	if err := a.pace.request.peek(name); err != nil {
		return err
	}
	err := c.Next()
	if refused(c) {
		a.pace.request.of(name).Allow()
	}
	return err
}

func (a *App) showsSecret(c *fiber.Ctx) bool {
	return c.Get(fiber.HeaderAuthorization) != "" || c.Cookies(a.cookies.name) != ""
}

// paceActor takes a token of whoever came in, from all their requests.
func paceActor(c *fiber.Ctx) error { return of(c).paceBy(c, of(c).pace.request) }

// PaceSubmit is for routes that submit or preview; it follows the door.
func PaceSubmit(c *fiber.Ctx) error {
	if err := of(c).paceBy(c, of(c).pace.submit); err != nil {
		return err
	}
	return c.Next()
}

// PaceSignIn is for routes where secrets are tried.
func PaceSignIn(c *fiber.Ctx) error {
	a := of(c)
	if !a.pace.off {
		if err := a.pace.signIn.take(neighbourhood(ClientAddress(c))); err != nil {
			return err
		}
	}
	return c.Next()
}

func (a *App) paceBy(c *fiber.Ctx, b *buckets) error {
	if actor := Actor(c); actor.Known() && !a.pace.off {
		return b.take(nameOf(actor))
	}
	return nil
}

// nameOf tells actors apart: a key is one, and so is a user.
func nameOf(actor market.Actor) string {
	if actor.KeyID != 0 {
		return "key " + strconv.FormatInt(actor.KeyID, 10)
	}
	return "user " + strconv.FormatInt(actor.UserID, 10)
}
