package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
)

// Catalogue is what one may order (portal CAT1).
type Catalogue struct {
	Filters components.Filters
	Cards   []Offer
	Paging  components.Paging
	Search  string   // what was searched for
	Near    []string // names like it, where nothing was found
	Admin   bool     // may publish
}

// searched reports whether the list is narrowed at all.
func (c Catalogue) searched() bool { return len(c.Filters.Active) > 0 }

// Offer is a service as the catalogue shows it.
type Offer struct {
	ID                       int64
	Name, Description, Owner string
	State                    engine.ServiceState
	Approval, Private        bool
	Lead                     string // "" while nothing was completed
	Own                      int64  // items of one's own team
	Tags                     []string
}

func (o Offer) path() string { return fmt.Sprintf("/catalogue/%d", o.ID) }

func (o Offer) tabs(current string) []components.Tab {
	var tabs []components.Tab
	for _, tab := range [][2]string{{"overview", "Overview"}, {"reference", "Reference"}, {"example", "Example"}, {"versions", "Versions"}, {"api", "API"}} {
		tabs = append(tabs, components.Tab{Label: tab[1], Href: o.path() + "?tab=" + tab[0], Current: tab[0] == current})
	}
	return tabs
}

// approval says in words how changes of a service begin.
func (o Offer) approval() string {
	if o.Approval {
		return "Approval by the owner"
	}
	return "Approved at once"
}

// Overview is the first page of a service.
type Overview struct {
	Offer
	Readme  string
	Version int
	Mine    bool // one's own team owns it
}

func (o Overview) facts() []components.Fact {
	facts := []components.Fact{
		{Term: "Owner", Value: components.Name(o.Owner)},
		{Term: "State", Value: components.ServiceStateBadge(o.State)},
		{Term: "New changes", Value: components.Text(o.approval())},
		{Term: "Schema", Value: components.Text(fmt.Sprintf("version %d", o.Version))},
		{Term: "Your items", Value: ownItems(o.Offer)},
	}
	if o.Lead != "" {
		facts = append(facts, components.Fact{Term: "Lead time", Value: components.Text("about " + o.Lead + " (median of the last completed changes)")})
	}
	if o.Private {
		facts = append(facts, components.Fact{Term: "Seen by", Value: components.Text("allowed teams only")})
	}
	return facts
}

// Reference lists the properties of a service's items.
type Reference struct {
	Offer
	Rows []Property
}

// Property is one of them.
type Property struct {
	Path, Type, Constraints, Default, Example, Description string
	Required                                               bool
	References                                             string // a service
	ReferencesHref                                         string
	Since                                                  int
}

func (p Property) anchor() string {
	return "field-" + strings.NewReplacer("[]", "-", ".", "-", " ", "-", "*", "any").Replace(p.Path)
}

// Example is a declaration of one item that would be accepted.
type Example struct {
	Offer
	YAML         bool
	Text         string
	MayDeclare   bool
	Applications []forms.Option
}

// SchemaVersions are the schemas of a service over time.
type SchemaVersions struct {
	Offer
	Rows []Version
}

// Version is one of them.
type Version struct {
	Number  int
	By      string
	At      time.Time
	First   bool
	Changes []SchemaChange // against the one before
}

// SchemaChange is one difference between two versions.
type SchemaChange struct {
	Path, What string
	Breaking   bool
}

// Calls are the requests that a program may make about a service.
type Calls struct {
	Offer
	Codes []components.Code
}
