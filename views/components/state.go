// Package components draws the portal's recurring pieces: states, changes,
// differences, lists, notices. A component holds no query and no rule; it is
// given plain values and draws them.
package components

import (
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/icons"
)

// Tone says how good the news is.
type Tone string

// The tones of badges, banners and toasts.
const (
	Info Tone = "info"
	OK   Tone = "ok"
	Warn Tone = "warn"
	Bad  Tone = "bad"
	Wait Tone = "wait" // badges only
	Idle Tone = "idle" // badges only
)

// look is how a state is shown: never by colour alone (portal X8, X23).
type look struct {
	word  string
	class string
	glyph icons.Glyph
}

var stateLooks = map[engine.State]look{
	engine.Pending:   {"Pending", "badge-wait", icons.Pending},
	engine.Approved:  {"Approved", "badge-accent", icons.Approved},
	engine.Rejected:  {"Rejected", "badge-bad", icons.Rejected},
	engine.Errored:   {"Errored", "badge-bad", icons.Errored},
	engine.Completed: {"Completed", "badge-ok", icons.Completed},
	engine.Closed:    {"Closed", "badge-idle", icons.Closed},
}

var runtimeLooks = map[engine.RuntimeState]look{
	engine.Requested:      {"Requested", "badge-wait", icons.Requested},
	engine.InService:      {"In service", "badge-ok", icons.InService},
	engine.Decommissioned: {"Decommissioned", "badge-idle", icons.Decommissioned},
}

var changeStateLooks = map[engine.ChangeState]look{
	engine.ChangesErrored:   {"Changes errored", "badge-bad", icons.Errored},
	engine.ChangesRejected:  {"Changes rejected", "badge-bad", icons.Rejected},
	engine.ChangesPending:   {"Changes pending", "badge-wait", icons.Pending},
	engine.ChangesApproved:  {"Changes approved", "badge-accent", icons.Approved},
	engine.ChangesCompleted: {"All changes completed", "badge-ok", icons.Completed},
}

var serviceStateLooks = map[engine.ServiceState]look{
	engine.ServiceInService:      {"In service", "badge-ok", icons.InService},
	engine.ServiceNoNew:          {"Not taking new items", "badge-warn", icons.Warning},
	engine.ServiceNoModify:       {"Only deletions taken", "badge-warn", icons.Warning},
	engine.ServiceDecommissioned: {"Decommissioned", "badge-idle", icons.Decommissioned},
}

var toneLooks = map[Tone]look{
	Info: {class: "badge-accent", glyph: icons.Info},
	OK:   {class: "badge-ok", glyph: icons.Check},
	Warn: {class: "badge-warn", glyph: icons.Warning},
	Bad:  {class: "badge-bad", glyph: icons.Errored},
	Wait: {class: "badge-wait", glyph: icons.Clock},
	Idle: {class: "badge-idle", glyph: icons.Closed},
}

// sign is how a change type is shown: a character that copies and prints, and a word.
type sign struct{ glyph, word, class, spoken string }

var typeSigns = map[engine.ChangeType]sign{
	engine.Create: {"+", "Create", "type-create", "to create"},
	engine.Modify: {"~", "Modify", "type-modify", "to modify"},
	engine.Delete: {"−", "Delete", "type-delete", "to delete"},
}

// StateWord names a change's state for people.
func StateWord(state engine.State) string { return stateLooks[state].word }

// TypeWord names what a change does, for people.
func TypeWord(kind engine.ChangeType) string { return typeSigns[kind].word }

// RuntimeWord names an item's runtime state for people.
func RuntimeWord(state engine.RuntimeState) string { return runtimeLooks[state].word }

// ChangeStateWord names a sum of changes for people.
func ChangeStateWord(state engine.ChangeState) string { return changeStateLooks[state].word }

// ServiceStateWord names what a service accepts, for people.
func ServiceStateWord(state engine.ServiceState) string { return serviceStateLooks[state].word }
