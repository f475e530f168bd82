package pages

import (
	"time"

	"github.com/portolan/portolan/views/forms"
)

// Account is one's own account (portal DOOR4).
type Account struct {
	User      string
	Team      string // the active one, "" without a team
	Key       string
	Fresh     bool // the password was given a moment ago
	Theme     string
	Density   string
	SingleKey bool
	Sessions  []Session
	Tokens    []Token
	Secret    Secret // a token that was just made
	Password  Problems
	Token     TokenForm
}

// Session is one browser that one is signed in with.
type Session struct {
	ID             int64
	Current        bool
	Agent, Address string
	Seen, Created  time.Time
}

// Token acts for its user over the API.
type Token struct {
	ID                     int64
	Name, Prefix, Standing string // Standing is "" for one that works
	Expires                time.Time
	LastUsed               *time.Time
}

// TokenForm asks for a new token.
type TokenForm struct {
	Name, Days string
	Problems   Problems
}

// Secret is shown once, when it was made.
type Secret struct {
	Name, Text string
	Curl       string // a line that uses it
}

var lifetimes = []forms.Option{{Value: "30", Label: "30 days"}, {Value: "90", Label: "90 days"}, {Value: "365", Label: "1 year"}, {Value: "730", Label: "2 years"}}

// chosen marks the option with a value, the first one if there is none.
func chosen(options []forms.Option, value string) []forms.Option {
	marked := make([]forms.Option, len(options))
	for i, option := range options {
		option.Selected = option.Value == value
		marked[i] = option
	}
	return marked
}
