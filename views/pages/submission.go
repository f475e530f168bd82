package pages

import (
	"fmt"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

// Submissions is the list of what a team has declared.
type Submissions struct {
	Team    string
	Filters components.Filters
	Rows    []SubmissionRow
	Paging  components.Paging
	AgeHref string
	Age     components.Direction
	Acts    bool
	Narrow  bool // filters are set
}

// SubmissionRow is one submission of the list.
type SubmissionRow struct {
	ID          int64
	By, Via     string
	At          time.Time
	Scope       string // the applications it declares, "" for the whole team
	Summary     components.Summary
	Done, Total int
	Failed      int
	Comment     string
	Commit      string
}

func (r SubmissionRow) path() string { return fmt.Sprintf("/submissions/%d", r.ID) }

// progress says how far a submission has come.
func (r SubmissionRow) progress() string {
	switch {
	case r.Total == 0:
		return "nothing to wait for"
	case r.Done == r.Total:
		return fmt.Sprintf("all %d completed", r.Total)
	case r.Failed > 0:
		return fmt.Sprintf("%d of %d done, %d rejected or errored", r.Done, r.Total, r.Failed)
	}
	return fmt.Sprintf("%d of %d done", r.Done, r.Total)
}

func (r SubmissionRow) scope() string {
	if r.Scope == "" {
		return "the whole team"
	}
	return r.Scope
}

// Submission is the page of one submission.
type Submission struct {
	SubmissionRow
	Facts   []components.Fact
	Changes []SubmittedChange
	More    int    // changes that are not drawn here
	Shown   string // what the list of changes is narrowed to, "" for all
	Text    string
	Format  string
	Size    int
	Large   bool // the text is too long to be shown here
	Hidden  bool // the text is not shown to this role
}

// SubmittedChange is one change that a submission asked for, with its diff.
type SubmittedChange struct {
	ID    int64
	Type  engine.ChangeType
	State engine.State
	Kind  engine.ChangeKind
	Title string
	Owner string
	Cause components.Cause
	Log   string
	Diff  components.Diff
}

// unlinked is a cause inside of something that is pressed as a whole.
func unlinked(c components.Cause) components.Cause {
	c.Href = ""
	return c
}

func (c SubmittedChange) dom() string { return fmt.Sprintf("change-%d", c.ID) }

// failing reports whether a change asks for the consumer's attention.
func (c SubmittedChange) failing() bool {
	return c.State == engine.Rejected || c.State == engine.Errored
}

func (s Submission) raw() string { return s.path() + "/text" }
