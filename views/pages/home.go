package pages

import (
	"strconv"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

// Home says what waits for somebody (portal HOM1).
type Home struct {
	User, Team string
	MayWrite   bool
	Admin      bool
	Pending    []Waiting
	Own        []Figure // of what the team processes
	Consumed   []Figure // of what the team declared
	Failures   []FailedChange
	Steps      []Step // of a team that is new
	Orphans    []TeamRow
	Platform   bool
}

// Waiting is what waits for a decision on one service.
type Waiting struct {
	Service string
	N       int64
	Since   time.Time
	Late    components.Lateness
	Href    string
}

// Figure is a number with its meaning and the list that it counts.
type Figure struct {
	N         int64
	One, Many string // what it counts, for one and for several
	Href      string
	Tone      components.Tone
}

func (f Figure) words() string {
	if f.N == 1 {
		return f.One
	}
	return f.Many
}

func (f Figure) number() string { return strconv.FormatInt(f.N, 10) }

// Step is one thing that a new team may do first.
type Step struct {
	Title, Text string
	Next        components.Link
	Done        bool
}

// Quiet reports whether nothing waits.
func (h Home) Quiet() bool { return len(h.Pending) == 0 && len(h.Own) == 0 && len(h.Consumed) == 0 }

// FailedChange is a change of one's own that was rejected or went wrong.
type FailedChange struct {
	ID            int64
	Type          engine.ChangeType
	State         engine.State
	Item, Service string
	Log           string
	At            time.Time
}
