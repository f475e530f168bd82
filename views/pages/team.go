package pages

import (
	"fmt"
	"time"

	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
)

// Teams lists the teams one belongs to.
type Teams struct {
	Key           string
	Rows          []TeamRow
	PlatformAdmin bool
}

// TeamRow is one of them.
type TeamRow struct {
	ID         int64
	Name, Role string
	Active     bool
}

// Team is what every page of a team knows.
type Team struct {
	ID    int64
	Name  string
	Tab   string
	Key   string
	Admin bool // who looks is an admin of the team
	Fresh bool // the password was given a moment ago
}

// Path is the address of one of the team's tabs.
func (t Team) Path(tab string) string { return fmt.Sprintf("/teams/%d/%s", t.ID, tab) }

func (t Team) tabs() []components.Tab {
	var tabs []components.Tab
	for _, tab := range [][2]string{{"members", "Members"}, {"keys", "API keys"}, {"settings", "Settings"}, {"metadata", "Metadata"}} {
		if tab[0] == "keys" && !t.Admin {
			continue
		}
		tabs = append(tabs, components.Tab{Label: tab[1], Href: t.Path(tab[0]), Current: tab[0] == t.Tab})
	}
	return tabs
}

// Members are who belongs to a team.
type Members struct {
	Team
	Rows     []Member
	Add      MemberForm
	Problems Problems // of a change of a row
}

// Member is one person of a team.
type Member struct {
	ID         int64
	Name, Role string
	Disabled   bool // may not sign in
	Last       bool // the only admin who can sign in
	LastSignIn *time.Time
}

// MemberForm asks for a new member.
type MemberForm struct {
	Name, Role string
	Problems   Problems
}

// roles says what each role may do.
var roles = []forms.Option{
	{Value: "ADMIN", Label: "Admin", Hint: "Members, keys, settings, services, and everything below."},
	{Value: "GENERAL", Label: "General", Hint: "Declares, and processes changes."},
	{Value: "READ_ONLY", Label: "Read only", Hint: "Looks, and changes nothing."},
}

func roleWord(role string) string {
	for _, option := range roles {
		if option.Value == role {
			return option.Label
		}
	}
	return role
}

// Keys are the API keys of a team.
type Keys struct {
	Team
	Rows   []APIKey
	New    KeyForm
	Secret Secret
}

// APIKey acts for a team.
type APIKey struct {
	ID                               int64
	Name, Prefix, Role, By, Standing string // Standing is "" for one that works
	Expires                          time.Time
	LastUsed                         *time.Time
	Revoke                           Problems // why a wish to revoke it came back
}

// KeyForm asks for a new key.
type KeyForm struct {
	Name, Role, Days string
	Problems         Problems
}

// TeamSettings are what an admin may change about a team.
type TeamSettings struct {
	Team
	Email    string
	Guard    string
	Problems Problems
}

var guards = []forms.Option{
	{Value: "off", Label: "Off", Hint: "A declaration that leaves items out deletes them without a further question. This is the default."},
	{Value: "application", Label: "Whole applications", Hint: "Deleting all items of an application over the API needs the exact number in confirm_deletes."},
	{Value: "any", Label: "Every deletion", Hint: "Deleting anything over the API needs the exact number in confirm_deletes."},
}

// TeamMetadata is what a team says about itself.
type TeamMetadata struct {
	Team
	Text     string
	Problems Problems
}
