package pages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

// ChangeList is a list of change instances: the owner's queue, or what the
// consumer's team has asked for.
type ChangeList struct {
	Path       string // "/queue" or "/changes"
	Title      string
	Lead       string
	Owner      bool // the team processes these
	Acts       bool // who looks may act
	Views      []components.Tab
	Filters    components.Filters
	Rows       []ChangeRow
	Paging     components.Paging
	AgeHref    string
	Age        components.Direction
	From       string // the query of this list, for the way back
	Key        string
	Empty      EmptyText
	Results    []BulkLine
	Log        string // the reason that was typed for a bulk action
	LogProblem string
	All        *AllMatching
}

// EmptyText says why a list has nothing to show, and what to do next.
type EmptyText struct {
	Title, Text string
	Next        components.Link
}

// AllMatching is the selection of everything that the filters leave, on all pages.
type AllMatching struct {
	Count, Deletes int64
	Off            string // the address of the list without the selection
}

// BulkLine says what became of one change of a bulk action.
type BulkLine struct {
	ID   int64
	Item string
	OK   bool
	Text string
}

// ChangeRow is one change of a list; it suffices to decide on.
type ChangeRow struct {
	ID, Version, ItemID          int64
	Type                         engine.ChangeType
	State                        engine.State
	Kind                         engine.ChangeKind
	Item, Service                string
	Application, Consumer, Owner string
	Fields                       string // the first two that change
	Cause                        components.Cause
	Created                      time.Time
	Lateness                     components.Lateness
	Assignee                     string
	Mine                         bool   // the acting user has taken it
	Rejected                     string // who refused the one before, and why
	Log                          string
	Notice                       string // what happened to it just now
	Moves                        []Move
	Selected                     bool
	Owning, Acts                 bool // the team processes it, and the user may act
	From                         string
	Key                          string
}

// Move is a step that a button takes.
type Move struct {
	State   engine.State
	Label   string
	Letter  string // its key
	Ask     bool   // needs a reason or a second look first
	Blocked string // why it cannot be taken here
}

// short is the label where there is little room.
func (m Move) short() string {
	if m.State == engine.Errored {
		return "Errored"
	}
	return m.Label
}

// selectable reports whether a bulk action can move the row.
func (r ChangeRow) selectable() bool { return r.Acts && r.Owning && len(r.Moves) > 0 }

// path leads to the change's page, and back to the list from there.
func (r ChangeRow) path() string { return r.at("") }

func (r ChangeRow) at(below string) string {
	path := fmt.Sprintf("/changes/%d%s", r.ID, below)
	if r.From != "" {
		path += "?from=" + url.QueryEscape(r.From)
	}
	return path
}

// ask leads to the question that comes before a step.
func (r ChangeRow) ask(m Move) string {
	return fmt.Sprintf("/changes/%d/move?state=%s&from=%s", r.ID, m.State, url.QueryEscape(r.From))
}

func (r ChangeRow) dom() string { return fmt.Sprintf("change-%d", r.ID) }

// one names the row and its step, for browsers without script.
func (r ChangeRow) one(m Move) string { return fmt.Sprintf("%d:%d:%s", r.ID, r.Version, m.State) }

// target names the row and the version that was seen.
func (r ChangeRow) target() string { return fmt.Sprintf("%d:%d", r.ID, r.Version) }

// values are what a button of the row sends along.
func (r ChangeRow) values(state string) string {
	text, _ := json.Marshal(map[string]string{
		"state": state, "version": strconv.FormatInt(r.Version, 10), "view": "row", "from": r.From, "idempotency_key": r.Key, "log": "",
	})
	return string(text)
}

func (l ChangeList) columns() string {
	if l.Acts && l.Owner {
		return "9"
	}
	return "8"
}

func (l ChangeList) hints() []components.KeyHint {
	hints := []components.KeyHint{{Keys: "j k", Does: "move"}, {Keys: "Enter", Does: "open"}, {Keys: "space", Does: "diff"}}
	if !l.Acts {
		return append(hints, components.KeyHint{Keys: "a r c e", Does: "do nothing: your role may only look"})
	}
	if l.Owner {
		hints = append(hints, []components.KeyHint{{Keys: "x", Does: "select"}, {Keys: "a", Does: "approve"}, {Keys: "r", Does: "reject"}, {Keys: "c", Does: "complete"}, {Keys: "e", Does: "mark errored"}, {Keys: "t", Does: "take or release"}}...)
	}
	return append(hints, components.KeyHint{Keys: "?", Does: "all keys"})
}

// failed counts the changes of a bulk action that stayed as they were.
func (l ChangeList) failed() (n int) {
	for _, line := range l.Results {
		if !line.OK {
			n++
		}
	}
	return n
}

// resultTitle sums a bulk action up.
func (l ChangeList) resultTitle() string {
	done := len(l.Results) - l.failed()
	if l.failed() == 0 {
		return fmt.Sprintf("%s done", counted(done, "change", "changes"))
	}
	return fmt.Sprintf("%d done, %d stayed as they were. Each change stands for itself.", done, l.failed())
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (l ChangeList) resultTone() components.Tone {
	if l.failed() > 0 {
		return components.Warn
	}
	return components.OK
}

// bulkMoves are the steps that the bar below the list offers.
var bulkMoves = []Move{
	{State: engine.Approved, Label: "Approve"},
	{State: engine.Rejected, Label: "Reject"},
	{State: engine.Completed, Label: "Complete"},
	{State: engine.Errored, Label: "Mark errored"},
}
