package pages

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
)

// Change is the page of one change instance.
type Change struct {
	ChangeRow
	Since      time.Time // of its state
	Place      string    // "3 of 12 in the queue", "" where it is in no list
	Newer      string    // addresses of the changes beside it, "" at an end
	Older      string
	Down, Up   string // the next and the previous one of the list, for j and k
	List       components.Link
	Facts      []components.Fact
	Diff       components.Diff
	Related    []RelatedGroup
	Timeline   []components.Entry
	Form       MoveForm
	Impossible []Impossible // steps that cannot be taken, and why
	Banners    []Banner
	Consuming  bool
	Retry      string // the words of the button that asks again, "" if it cannot be
	RetryNote  string
	Withdraw   *WithdrawForm
	Focus      bool   // the heading takes the focus: something was just done here
	Editor     string // the address of the application's editor, for its consumer
}

// Banner is a sentence above a page that says what has become of its object.
type Banner struct {
	Tone  components.Tone
	Title string
	Text  string
}

// Impossible is a step that cannot be taken here, and why.
type Impossible struct{ Label, Why string }

// RelatedGroup lists changes that have one thing in common with the shown one.
type RelatedGroup struct {
	Title string
	Rows  []RelatedChange
}

// RelatedChange is a change near the shown one.
type RelatedChange struct {
	ID    int64
	Type  engine.ChangeType
	State engine.State
	Name  string // of its item
	Team  string // that processes it
	At    time.Time
}

// MoveForm is the one form of a change's page: log, deployed item and the steps.
type MoveForm struct {
	Log        string
	LogProblem string
	Deployable bool // the team owns the service, so it may attach a deployed item
	Deployed   string
	Version    int // of the deployed item that is shown, 0 for none
	Problem    string
	Problems   []value.Problem
	Difference *components.Diff
}

// WithdrawForm takes a change back.
type WithdrawForm struct{ Reason, Problem string }

// Question asks for what a step needs before it is taken from a row.
type Question struct {
	ChangeRow
	Move    Move
	Form    MoveForm
	Recent  []string // reasons that were given lately
	Deletes bool
}

func (c Change) title() string { return fmt.Sprintf("%s / %s", c.Service, c.Item) }

// post is where the form of the page goes.
func (c Change) post(below string) string { return fmt.Sprintf("/changes/%d%s", c.ID, below) }

// hasForm reports whether the owner can still write something here.
func (c Change) hasForm() bool { return c.Owning && c.Acts }

func (c Change) logHint() string {
	switch c.State {
	case engine.Pending:
		return "The consumer reads this. Needed to reject."
	case engine.Approved:
		return "The consumer reads this. Needed to mark the change errored."
	}
	return "The consumer reads this."
}

// moveClass makes the first step the one that stands out.
func moveClass(i int, m Move) string {
	switch {
	case m.State == engine.Rejected || m.State == engine.Errored:
		return "btn btn-danger"
	case i == 0:
		return "btn btn-primary"
	}
	return "btn"
}

// deployedLabel names the field of the deployed item.
func (f MoveForm) deployedLabel() string {
	if f.Version == 0 {
		return "Deployed item"
	}
	return fmt.Sprintf("Deployed item, version %d so far", f.Version)
}

func (q Question) title() string {
	switch {
	case q.Deletes && q.Move.State == engine.Approved:
		return "Approve the deletion of " + q.Item + "?"
	case q.Move.State == engine.Errored:
		return "Mark the change of " + q.Item + " errored"
	}
	return q.Move.Label + " the change of " + q.Item
}

// deploys reports whether the step may bring a deployed item along.
func (q Question) deploys() bool { return q.Form.Deployable && q.Move.State == engine.Completed }

// explains reports whether the step needs a reason.
func (q Question) explains() bool {
	return q.Move.State == engine.Rejected || q.Move.State == engine.Errored
}

func (q Question) danger() bool { return q.explains() || q.Deletes }

func (q Question) version() string { return strconv.FormatInt(q.Version, 10) }

// assignee is what the button beside the name of who has taken a change does.
func (c Change) assignee() (label, action string) {
	if c.Mine {
		return "Release", "release"
	}
	if c.Assignee != "" {
		return "Take over", "over"
	}
	return "Take", "take"
}

// back carries the list along that a change was reached from.
func back(path, from string) string {
	if from == "" {
		return path
	}
	return path + "?from=" + url.QueryEscape(from)
}

func (c Change) hints() []components.KeyHint {
	hints := []components.KeyHint{{Keys: "j k", Does: "next and previous of the list"}}
	if !c.hasForm() {
		return hints
	}
	return append([]components.KeyHint{{Keys: "a", Does: "approve"}, {Keys: "r", Does: "reject"}, {Keys: "c", Does: "complete"}, {Keys: "e", Does: "mark errored"}, {Keys: "t", Does: "take or release"}}, hints...)
}
