package pages

import (
	"fmt"
	"slices"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
)

// Services are what a team owns, or gets copies of changes of (portal SVC1).
type Services struct {
	Dependent bool // the second list
	Admin     bool
	Rows      []ServiceRow
	Filters   components.Filters
	Paging    components.Paging
}

func (s Services) tabs() []components.Tab {
	return []components.Tab{
		{Label: "Owned", Href: "/services", Current: !s.Dependent},
		{Label: "We are dependent of", Href: "/services?tab=dependent", Current: s.Dependent},
	}
}

// ServiceRow is one of them.
type ServiceRow struct {
	ID          int64
	Name, Owner string
	State       engine.ServiceState
	Private     bool
	Items, Open int64
	Oldest      time.Time // of the open changes
	Late        components.Lateness
	Version     int
}

// Own is what every page about an owned service knows.
type Own struct {
	ID      int64
	Name    string
	Tab     string
	Key     string
	Version int64 // of the settings
	Admin   bool
}

// Path is the address of one of the service's tabs.
func (o Own) Path(tab string) string { return fmt.Sprintf("/services/%d/%s", o.ID, tab) }

func (o Own) tabs() []components.Tab {
	var tabs []components.Tab
	for _, tab := range [][2]string{{"overview", "Overview"}, {"schema", "Schema"}, {"settings", "Settings"}, {"teams", "Allowed teams"}, {"dependents", "Dependent teams"}, {"docs", "Docs"}} {
		tabs = append(tabs, components.Tab{Label: tab[1], Href: o.Path(tab[0]), Current: tab[0] == o.Tab})
	}
	return tabs
}

// ServiceOverview sums up an owned service.
type ServiceOverview struct {
	Own
	Row         ServiceRow
	Description string
	Approval    bool
	Tags        []string
	Allowed     int
	Dependents  []string
	Published   Version // the newest
}

// ServiceSchema is the schema of a service being looked at, checked or published.
type ServiceSchema struct {
	Own
	Text     string
	New      bool // no service yet
	Checked  bool // the text was validated
	Found    []value.Problem
	Total    int
	Warnings []value.Problem
	Changes  []SchemaChange // against the newest version
	Title    string         // of the text
	Before   int            // the newest version
	Problems Problems
}

// Breaking reports whether items that are valid may not be any more.
func (s ServiceSchema) Breaking() bool {
	return slices.ContainsFunc(s.Changes, func(c SchemaChange) bool { return c.Breaking })
}

func (s ServiceSchema) action() string {
	if s.New {
		return "/services/new"
	}
	return s.Path("schema")
}

// Setting is one setting of a service that is on or off.
type Setting struct {
	Name, Label, Effect, Default string
	On                           bool
	Open                         string // what happens to open changes
	Now                          string // what somebody else made it meanwhile
	By                           string // who changed it last
	At                           time.Time
}

// ServiceSettings are the settings of a service (portal SVC3).
type ServiceSettings struct {
	Own
	State    string
	StateOf  Setting // who changed the state last, and what it is meanwhile
	Switches []Setting
	Minimum  string
	Newest   int
	MinOf    Setting
	Problems Problems
}

var serviceStates = []forms.Option{
	{Value: string(engine.ServiceInService), Label: "In service", Hint: "Everything is taken. This is the default."},
	{Value: string(engine.ServiceNoNew), Label: "No new items", Hint: "Items that are there can be modified and deleted. Open changes go on."},
	{Value: string(engine.ServiceNoModify), Label: "Deletions only", Hint: "Nothing new and no modifications by consumers. Open changes go on."},
	{Value: string(engine.ServiceDecommissioned), Label: "Decommissioned", Hint: "Takes nothing; possible once no item is live."},
}

// ServiceTeams are the teams beside a service: who may order it while it is
// private, or who gets a copy of each change (portal SVC4).
type ServiceTeams struct {
	Own
	Private    bool
	Open       int64 // changes that are open now
	Rows       []TeamRow
	Candidates []string // names to choose from
	Typed      string
	Problems   Problems
}

func (s ServiceTeams) dependents() bool { return s.Tab == "dependents" }

// ServiceDocs is what a service says about itself.
type ServiceDocs struct {
	Own
	Readme, Description, Tags string
	Preview                   bool
	Problems                  Problems
}
