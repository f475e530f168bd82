package pages

import (
	"fmt"
	"net/url"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

// Applications is the list of a team's applications.
type Applications struct {
	Team   string
	Acts   bool
	Rows   []ApplicationRow
	Hidden int  // decommissioned ones that are left out
	All    bool // decommissioned ones are in the list too
}

// ApplicationRow is one application of the list.
type ApplicationRow struct {
	ID      int64
	Name    string
	Runtime engine.RuntimeState
	Changes engine.ChangeState
	Items   string // by service
	LastID  int64  // the newest submission, 0 for none
	LastBy  string
	LastAt  time.Time
}

func (r ApplicationRow) path() string { return fmt.Sprintf("/apps/%d", r.ID) }

func (r ApplicationRow) declare() string {
	return "/declare?" + url.Values{"application": {r.Name}}.Encode()
}

// Application is the page of one application.
type Application struct {
	ApplicationRow
	Acts     bool
	Groups   []ItemGroup
	Open     []ChangeRow
	Metadata string // as JSON, "" for none
	Text     string // what is declared now
}

// ItemGroup is the items of one service in an application.
type ItemGroup struct {
	Service string
	Owner   string
	Rows    []ItemRow
}

func (a Application) download(format string) string {
	return "/declare/download?" + url.Values{"application": {a.Name}, "format": {format}}.Encode()
}

func (a Application) facts() []components.Fact {
	facts := []components.Fact{
		{Term: "Runtime state", Value: components.RuntimeBadge(a.Runtime)},
		{Term: "Changes", Value: components.ChangeStateBadge(a.Changes)},
		{Term: "Items", Value: components.Text(or(a.Items, "none"))},
	}
	if a.LastID != 0 {
		facts = append(facts, components.Fact{Term: "Last submission", Value: NameLink(fmt.Sprintf("#%d by %s", a.LastID, a.LastBy), fmt.Sprintf("/submissions/%d", a.LastID))})
	}
	return facts
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
