package web

import (
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
)

// slots count what is under way, by name, and refuse what is too much
// (trust H12).
type slots struct {
	team, process, stream *counter
}

func newSlots(l Limits) slots {
	return slots{newCounter(l.TeamRequests), newCounter(l.ProcessRequests), newCounter(StreamsPerUser)}
}

type counter struct {
	limit int
	mu    sync.Mutex
	count map[string]int
}

func newCounter(limit int) *counter { return &counter{limit: limit, count: map[string]int{}} }

// enter takes a slot and returns how to give it back; false if all are taken.
func (n *counter) enter(name string) (leave func(), ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.count[name] >= n.limit {
		return nil, false
	}
	n.count[name]++
	return func() { n.leave(name) }, true
}

func (n *counter) leave(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.count[name]--; n.count[name] == 0 {
		delete(n.count, name)
	}
}

// occupy lets a request in: a slot of its team while the body arrives, so
// that slow bodies cost only their own team, then one of the process.
func occupy(c *fiber.Ctx) error {
	a := of(c)
	if actor := Actor(c); actor.Known() {
		leave, ok := a.slots.team.enter(teamOf(actor))
		if !ok {
			return busy(fault.TooMany, "Your team has too many requests under way. Try again in a moment.")
		}
		defer leave()
	}
	if _, err := Body(c); err != nil {
		return err
	}
	leave, ok := a.slots.process.enter("")
	if !ok {
		return busy(fault.Unavailable, "The portal is busy. Try again in a moment.")
	}
	defer leave()
	return c.Next()
}

func busy(kind fault.Kind, text string) error {
	return &fault.Error{Kind: kind, Text: text, Retry: time.Second}
}

// teamOf names the team; people without one are on their own.
func teamOf(actor market.Actor) string {
	if actor.TeamID == 0 {
		return nameOf(actor)
	}
	return strconv.FormatInt(actor.TeamID, 10)
}
