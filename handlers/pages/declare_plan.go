package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
)

// planView draws a plan; only the first rows are made, since each holds a diff.
func planView(plan *engine.Plan, token string, d draft) *views.Preview {
	s := plan.Summary()
	view := &views.Preview{
		Token: token, Withdrawn: s.Withdrawn, Partial: d.partial, Unchanged: plan.Unchanged, Empty: plan.Empty(),
		Summary: components.Summary{Create: s.Add, Modify: s.Change, Delete: s.Destroy, Referenced: s.Referenced, Dependent: s.Dependent},
		Notes:   planNotes(plan),
	}
	shown := min(d.rows, len(plan.Changes))
	view.More = len(plan.Changes) - shown
	rows := map[engine.Key]string{} // of the changes that may have woken others
	for i := range shown {
		if c := &plan.Changes[i]; !c.Dependent() {
			rows[c.Key] = planID(c.Key, c.Owner.ID)
		}
	}
	for i := range shown {
		view.Rows = append(view.Rows, planRow(&plan.Changes[i], rows))
	}
	return view
}

func planRow(c *engine.Change, rows map[engine.Key]string) views.PlanRow {
	diff := compared(c.Key.Service+" "+c.Key.Name, declarationOf(c.Old), declarationOf(c.New), c.Service.Schema)
	return views.PlanRow{
		ID: planID(c.Key, c.Owner.ID), Type: c.Type, Application: c.Key.Application, Service: c.Key.Service, Item: c.Key.Name,
		Owner: c.Owner.Name, Fields: planFields(c, diff), First: firstState(c.State), Cause: planCause(c, rows), Reasons: planReasons(c), Diff: diff,
	}
}

func declarationOf(v *engine.Version) *string {
	if v == nil {
		return nil
	}
	return &v.Declaration
}

// planFields says how much of an item a change alters.
func planFields(c *engine.Change, diff components.Diff) string {
	if c.Type != engine.Modify {
		return ""
	}
	if len(diff.Rows) == 0 {
		return "no field of its own"
	}
	return touches(diff)
}

func firstState(state engine.State) string {
	if state == engine.Approved {
		return "approved at once"
	}
	return "starts Pending"
}

// planID names a row the same in each preview, so that it stays open.
func planID(key engine.Key, owner int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d", key.Application, key.Service, key.Name, owner))
	return "plan-" + hex.EncodeToString(sum[:6])
}

// planCause says why a change would come, with a link to what wakes it.
func planCause(c *engine.Change, rows map[engine.Key]string) components.Cause {
	cause := components.Cause{Kind: c.Kind}
	switch {
	case c.Dependent():
		cause.Of = c.Owner.Name
	case len(c.Causes) > 0:
		cause.Of = c.Causes[0].Name
		if id := rows[c.Causes[0]]; id != "" {
			cause.Href = "#" + id
		}
		if n := len(c.Causes); n > 1 {
			cause.Of += " " + plus(n-1)
		}
	}
	return cause
}

// planReasons say why a change would come that does not follow from its own
// lines (portal DEC5).
func planReasons(c *engine.Change) (reasons []string) {
	switch c.Reason {
	case engine.NotDeclared:
		reasons = append(reasons, "not in the declaration")
	case engine.ApplicationGone:
		reasons = append(reasons, "its application is not in the declaration")
	}
	if c.Rejection != nil {
		reasons = append(reasons, rejectedBefore(c.Rejection.At, c.Rejection.By, c.Rejection.Log))
	}
	if c.Withdraws != 0 {
		reasons = append(reasons, fmt.Sprintf("withdraws pending deletion #%d", c.Withdraws))
	}
	if c.Supersedes != 0 {
		reasons = append(reasons, fmt.Sprintf("replaces #%d, which nobody has fetched yet", c.Supersedes))
	}
	return reasons
}

// planNotes say what happens beside the changes.
func planNotes(plan *engine.Plan) (notes []views.PlanNote) {
	link := func(id int64) components.Link {
		return components.Link{Text: fmt.Sprintf("#%d", id), Href: changePath(id)}
	}
	for _, w := range plan.Withdrawals {
		notes = append(notes, views.PlanNote{Text: fmt.Sprintf("The pending deletion of %s at %s is withdrawn:", w.Key.Name, w.Owner.Name), Link: link(w.Change)})
	}
	for _, s := range plan.Supersessions {
		notes = append(notes, views.PlanNote{Text: fmt.Sprintf("An open change of %s at %s is closed, since nothing is left to do:", s.Key.Name, s.Owner.Name), Link: link(s.Change)})
	}
	for _, n := range plan.Notes {
		notes = append(notes, views.PlanNote{Text: fmt.Sprintf("%s is still errored. Request it again?", n.Key.Name), Link: link(n.Change)})
	}
	if plan.Metadata != nil {
		notes = append(notes, views.PlanNote{Text: "The team's metadata changes."})
	}
	for _, name := range slices.Sorted(maps.Keys(plan.Applications)) {
		notes = append(notes, views.PlanNote{Text: "The metadata of " + name + " changes."})
	}
	return notes
}
