package pages

import (
	"fmt"
	"net/url"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

// Items is a list of service items, seen from one side.
type Items struct {
	Title   string
	Side    string // consumer, owner or dependent
	Sides   []components.Tab
	Filters components.Filters
	Rows    []ItemRow
	Paging  components.Paging
	Empty   EmptyText
}

// ItemRow is one service item of a list.
type ItemRow struct {
	ID                 int64
	Name, Service      string
	Application        string
	Consumer, Owner    string
	Runtime            engine.RuntimeState
	Changes            engine.ChangeState
	InSync             bool
	Declared, Deployed int // versions, 0 for none
	Behind             string
	BelowMinimum       bool // of the service's schema versions
}

func (r ItemRow) path() string { return fmt.Sprintf("/items/%d", r.ID) }

func (r ItemRow) versions() string {
	text := fmt.Sprintf("v%d", r.Declared)
	if r.Declared == 0 {
		text = "none"
	}
	if r.Deployed == 0 {
		return text + " · not deployed"
	}
	return fmt.Sprintf("%s · deployed v%d", text, r.Deployed)
}

// Item is the page of one service item.
type Item struct {
	ItemRow
	Tab       string
	Side      string // what the active team is to it: consumer, owner or dependent
	Acts      bool
	Banners   []Banner
	Life      []LifeStep
	Others    []components.Link // other lives under the name
	Facts     []components.Fact
	Versions  ItemVersions
	Changes   []ItemChange
	DependsOn []RelatedItem
	UsedBy    []RelatedItem
	Counts    map[string]int // beside the tabs
}

// LifeStep is one station of an item's life.
type LifeStep struct {
	Label  string
	At     time.Time // zero for what has not happened
	Change int64     // that did it, 0 for none
	State  engine.RuntimeState
	Open   bool // asked for, not yet there
}

// ItemVersions are the versions of a declaration or deployed item, two of them compared.
type ItemVersions struct {
	Rows     []VersionRow
	From, To int // the compared ones, 0 for none
	Diff     *components.Diff
	Text     string // of the newest
}

// VersionRow is one version.
type VersionRow struct {
	Number   int
	At       time.Time
	By       string
	Change   int64 // that brought it, 0 for none
	Standing string
	Lapsed   bool // the wish was refused
	Log      string
}

// ItemChange is one change of the item.
type ItemChange struct {
	ID    int64
	Type  engine.ChangeType
	State engine.State
	Team  string
	Cause components.Cause
	At    time.Time
	Log   string
	Lane  string // "own lane" or the dependent team's
}

// RelatedItem is an item that the shown one refers to, or that refers to it.
type RelatedItem struct {
	Service, Name string
	Field         string
	Href          string // "" for what is out of sight
}

var itemTabs = [][2]string{{"declaration", "Declaration"}, {"deployed", "Deployed item"}, {"changes", "Changes"}, {"relations", "Relations"}}

func (i Item) tabs() []components.Tab {
	tabs := make([]components.Tab, len(itemTabs))
	for n, tab := range itemTabs {
		tabs[n] = components.Tab{Label: tab[1], Href: i.path() + "?tab=" + tab[0], Current: i.Tab == tab[0], Count: i.Counts[tab[0]]}
	}
	return tabs
}

func (i Item) trail() []components.Link {
	return []components.Link{{Text: "Items", Href: "/items?as=" + i.Side}}
}

// compare is the address of a comparison.
func (i Item) compare(from, to int) string {
	return fmt.Sprintf("%s?tab=%s&from=%d&to=%d", i.path(), i.Tab, from, to)
}

func (i Item) editor() string {
	return "/declare?" + url.Values{"application": {i.Application}}.Encode()
}

// ahead reports whether the station has not been reached, nor asked for.
func (s LifeStep) ahead() bool { return !s.Open && s.At.IsZero() }

func (s LifeStep) reached() bool { return !s.Open && !s.At.IsZero() }
