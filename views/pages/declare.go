package pages

import (
	"fmt"
	"net/url"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
)

// Declare is the declaration editor with its preview.
type Declare struct {
	Team        string
	Application string // the scope; "" for the whole team
	Text        string
	YAML        bool
	Partial     bool
	Comment     string
	CommentBad  string
	Key         string
	Acts        bool
	Services    []forms.Option
	Banners     []Banner
	Moved       []MovedItem // what has moved since a preview that is stale
	Comments    bool        // converting would lose the comments of the text
	Problems    []value.Problem
	Total       int // of all problems
	Preview     *Preview
	Status      PreviewStatus
	Confirm     Confirmation
	Submit      SubmitState
}

// MovedItem is something that is not as it was when a preview was made.
type MovedItem struct{ Name, Why string }

// PreviewStatus says above the preview how far it can be trusted.
type PreviewStatus struct {
	Of       time.Time // when the preview that is shown was made, zero for none
	Problems int       // of the text as it is now
	Sentence string
}

// Preview is what submitting the text would do.
type Preview struct {
	Token     string
	Summary   components.Summary
	Withdrawn int
	Partial   bool
	Rows      []PlanRow
	More      int // rows that are not shown
	Notes     []PlanNote
	Unchanged int
	Empty     bool
}

// PlanRow is one change that would come of it.
type PlanRow struct {
	ID                   string
	Type                 engine.ChangeType
	Application, Service string
	Item, Owner          string
	Fields               string
	First                string // the state it starts in
	Cause                components.Cause
	Reasons              []string
	Diff                 components.Diff
}

// PlanNote is something worth saying that is no change.
type PlanNote struct {
	Text string
	Link components.Link
}

// Confirmation asks for what is deleted to be typed.
type Confirmation struct {
	Set    string // names the set of deletions
	Fields []ConfirmField
}

// ConfirmField is one name or number to be typed.
type ConfirmField struct {
	For, Label, Expect string
	Typed, Problem     string
}

// Matched reports whether everything was typed exactly.
func (c Confirmation) Matched() bool {
	for _, f := range c.Fields {
		if f.Typed != f.Expect {
			return false
		}
	}
	return true
}

// SubmitState is the button that submits, and why it does not.
type SubmitState struct {
	Label    string
	Reason   string // "" when it submits
	Confirms bool   // only the confirmations are missing
}

func (d Declare) title() string {
	if d.Application == "" {
		return "Declare"
	}
	return "Declare " + d.Application
}

func (d Declare) lead() string {
	if d.Application == "" {
		return "Everything " + d.Team + " wants, in one document. What is left out is deleted; the preview says so before anything happens."
	}
	return "What " + d.Team + " wants of this application. Other applications are not touched; what is left out here is deleted, and the preview says so first."
}

func (d Declare) trail() []components.Link {
	if d.Application == "" {
		return nil
	}
	return []components.Link{{Text: "Applications", Href: "/apps"}}
}

func (d Declare) format() string {
	if d.YAML {
		return "yaml"
	}
	return "json"
}

// download is the address of what is declared now, as a file.
func (d Declare) download(format string) string {
	query := url.Values{"format": {format}}
	if d.Application != "" {
		query.Set("application", d.Application)
	}
	return "/declare/download?" + query.Encode()
}

func (d Declare) upload() string {
	query := url.Values{"format": {d.format()}}
	if d.Application != "" {
		query.Set("application", d.Application)
	}
	return "/declare/upload?" + query.Encode()
}

// LiveLimit is the size of a text above which its preview is made by hand only.
const LiveLimit = 1 << 20

func (d Declare) liveTrigger() string {
	if len(d.Text) > LiveLimit {
		return "preview"
	}
	return "input changed delay:500ms, preview, load"
}

// counts says what the chips do, and what they leave out.
func (p *Preview) extra() string {
	text := ""
	if p.Withdrawn > 0 {
		text = counted(p.Withdrawn, "change withdrawn", "changes withdrawn")
	}
	if p.Partial {
		if text != "" {
			text += " · "
		}
		text += "partial: nothing is deleted"
	}
	return text
}

func (p *Preview) unchanged() string {
	return counted(p.Unchanged, "item stays as it is", "items stay as they are")
}

func (p *Preview) more() string {
	return fmt.Sprintf("%d", len(p.Rows)+min(p.More, 400))
}

func (s PreviewStatus) problems() string {
	return "fix " + counted(s.Problems, "problem", "problems")
}

func (c Confirmation) words() string {
	if len(c.Fields) == 1 && c.Fields[0].For == "count" {
		return "This deletes " + c.Fields[0].Expect + " items. Type the number to confirm."
	}
	return "Type each name to confirm what is deleted."
}

// spoken says a preview aloud.
func (d Declare) spoken() string {
	if d.Total > 0 {
		return counted(d.Total, "problem", "problems") + " in the declaration"
	}
	if d.Preview == nil {
		return ""
	}
	return "Preview: " + d.Preview.Summary.Words()
}
