package schema

import (
	"runtime"
	"time"

	"github.com/portolan/portolan/engine/value"
)

// Guard validates items in workers that can be abandoned (trust S5). There are
// at most as many as processors, and an abandoned one counts until it ends.
type Guard struct {
	slots chan struct{}
	limit time.Duration // per item
}

// NewGuard makes the one guard of a process.
func NewGuard() *Guard {
	return &Guard{slots: make(chan struct{}, runtime.GOMAXPROCS(0)), limit: time.Second}
}

// Job is one item with the schema it must meet.
type Job struct {
	Schema *Schema
	Item   *value.Value
}

// validate is what a worker does; a violation of Costly takes its place when
// it does not come back in time.
func (j Job) validate() []Violation { return j.Schema.Validate(j.Item) }

// Validate answers each job with its violations. An item that takes longer
// than a second is answered with Costly and the others go on.
func (g *Guard) Validate(jobs []Job) [][]Violation {
	return g.run(jobs, Job.validate)
}

func (g *Guard) run(jobs []Job, do func(Job) []Violation) [][]Violation {
	out := make([][]Violation, 0, len(jobs))
	timer := time.NewTimer(g.limit)
	defer timer.Stop()
	for len(out) < len(jobs) {
		rest := jobs[len(out):]
		if !g.enter(timer) {
			return refuseAll(out, rest)
		}
		w := worker{answers: make(chan []Violation, answersAhead), left: make(chan struct{})}
		go w.work(rest, do, g.slots)
		out = g.collect(out, len(jobs), w, timer)
		close(w.left)
		if len(out) < len(jobs) {
			out = append(out, costly(jobs[len(out)].Item))
		}
	}
	return out
}

// enter takes a slot for a worker, unless all are held for too long.
func (g *Guard) enter(timer *time.Timer) bool {
	timer.Reset(g.limit)
	select {
	case g.slots <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

// collect takes a worker's answers until all are there or one is late.
func (g *Guard) collect(out [][]Violation, all int, w worker, timer *time.Timer) [][]Violation {
	for len(out) < all {
		timer.Reset(g.limit)
		select {
		case found := <-w.answers:
			out = append(out, found)
		case <-timer.C:
			if len(w.answers) == 0 {
				return out
			}
		}
	}
	return out
}

func refuseAll(out [][]Violation, rest []Job) [][]Violation {
	for _, job := range rest {
		out = append(out, []Violation{{
			At: job.Item.At, Message: "too many expensive items are being validated; try again later", Keyword: Costly,
		}})
	}
	return out
}

// answersAhead is how far a worker may be ahead of who waits for it.
const answersAhead = 256

// worker validates one batch in the order given.
type worker struct {
	answers chan []Violation
	left    chan struct{} // closed when nobody waits any more
}

func (w worker) work(jobs []Job, do func(Job) []Violation, slots chan struct{}) {
	defer func() { <-slots }()
	for _, job := range jobs {
		select {
		case <-w.left:
			return
		case w.answers <- do(job):
		}
	}
}
