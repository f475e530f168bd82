// Package layouts draws what stands around every page: the document itself,
// its header and navigation, the door, and the page of a failure.
package layouts

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/icons"
)

// TeamChoice is a team one may act for.
type TeamChoice struct {
	ID   int64
	Name string
}

// Frame is what a page needs to know of the request and of who asks.
type Frame struct {
	Title          string // of the page, without the product's name
	Path, URL      string // the path marks the place in the navigation, the URL is printed at the foot
	Nonce          string // for the editor's style element
	Theme, Density string // "light", "dark", else as the system; "compact", else comfortable
	User, Role     string
	Team           TeamChoice   // the active one; zero for somebody in no team
	Teams          []TeamChoice // all teams of the user
	PlatformAdmin  bool
	SingleKeysOff  bool
	Print          bool           // everything open, nothing to press
	Counts         map[string]int // beside the navigation, by Count's ids
	Key            string         // idempotency key of the header's forms
	Flash          components.Notice
	Now            time.Time
}

func (f Frame) theme() string {
	if f.Theme == "light" || f.Theme == "dark" {
		return f.Theme
	}
	return "system"
}

func (f Frame) density() string {
	if f.Density == "compact" {
		return f.Density
	}
	return "comfortable"
}

func (f Frame) keys() string {
	if f.SingleKeysOff {
		return "off"
	}
	return "on"
}

// place is a link of the navigation.
type place struct {
	id, word, href string
	glyph          icons.Glyph
}

// region is a titled part of the navigation.
type region struct {
	title  string
	places []place
}

// regions returns the map of the portal for who asks (portal X28).
func (f Frame) regions() []region {
	all := []region{{"", []place{{"home", "Home", "/", icons.Home}}}}
	if f.Team.ID != 0 {
		all = append(all, region{"Consume", []place{
			{"declare", "Declare", "/declare", icons.Declare},
			{"apps", "Applications", "/apps", icons.Applications},
			{"items", "Items", "/items", icons.Items},
			{"submissions", "Submissions", "/submissions", icons.Submissions},
			{"changes", "Changes", "/changes", icons.Changes},
		}}, region{"Own", []place{
			{"queue", "Queue", "/queue", icons.Queue},
			{"services", "Services", "/services", icons.Services},
		}})
	}
	return append(all, region{"Portal", f.portalPlaces()})
}

func (f Frame) portalPlaces() []place {
	places := []place{{"catalogue", "Catalogue", "/catalogue", icons.Catalogue}}
	if f.Team.ID != 0 {
		places = append(places, place{"team", "Team", fmt.Sprintf("/teams/%d", f.Team.ID), icons.Team})
	}
	if f.PlatformAdmin {
		places = append(places, place{"admin", "Admin", "/admin/users", icons.Admin})
	}
	return places
}

// here marks the place the path is in: itself or a page below it.
func (f Frame) here(p place) string {
	root := p.href
	if p.id == "admin" {
		root = "/admin"
	}
	if f.Path == root || root != "/" && strings.HasPrefix(f.Path, root+"/") {
		return "page"
	}
	return "false"
}

// Trouble is why a page cannot be shown.
type Trouble struct {
	Status    int
	Text      string // a whole sentence for people
	RequestID string
	SwitchTo  TeamChoice // a team of the user's that may see the page (portal X5)
	Next      string     // the page's path, opened after switching
	Key       string     // idempotency key of the switch
}

// title names the trouble in a few words.
func (t Trouble) title() string {
	switch {
	case t.Status == http.StatusNotFound:
		return "Nothing here"
	case t.Status == http.StatusForbidden:
		return "Not yours to do"
	case t.Status == http.StatusConflict:
		return "Somebody was faster"
	case t.Status == http.StatusTooManyRequests:
		return "Too many requests"
	case t.Status >= http.StatusInternalServerError:
		return "Our mistake"
	}
	return "This did not work"
}

// advice says what to do next.
func (t Trouble) advice() string {
	switch {
	case t.SwitchTo.ID != 0:
		return "Another of your teams may see it."
	case t.Status == http.StatusNotFound:
		return "Check the address, or begin at home."
	case t.Status == http.StatusForbidden:
		return "An admin of your team can change what you may do."
	case t.Status == http.StatusConflict:
		return "Open the page again to see how things stand now."
	case t.Status == http.StatusTooManyRequests:
		return "Wait a moment, then try again."
	case t.Status >= http.StatusInternalServerError:
		return "Try again; if it stays, give the request's number to whoever runs this portal."
	}
	return "Go back, change what you sent and try again."
}
