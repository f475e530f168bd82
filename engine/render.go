package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/portolan/portolan/engine/value"
)

// PlanView is a plan as data for programs (lifecycle N7); keys are always present.
type PlanView struct {
	FormatVersion  string           `json:"format_version"`
	PreviewID      *string          `json:"preview_id"`
	Team           string           `json:"team"`
	BaseVersion    int64            `json:"base_version"`
	ExpiresAt      *time.Time       `json:"expires_at"`
	Complete       bool             `json:"complete"`
	HasChanges     bool             `json:"has_changes"`
	SchemaVersions map[string]int   `json:"schema_versions"`
	Summary        Summary          `json:"summary"`
	Changes        []ChangeView     `json:"changes"`
	Withdrawn      []WithdrawnView  `json:"withdrawn"`
	Superseded     []SupersededView `json:"superseded"`
	Drift          []string         `json:"drift"`
	Warnings       []string         `json:"warnings"`
}

// Summary counts what a plan does; add, change and destroy count the owner's
// lane with a cause of its own (lifecycle N2).
type Summary struct {
	Import     int    `json:"import"`
	Add        int    `json:"add"`
	Change     int    `json:"change"`
	Destroy    int    `json:"destroy"`
	Release    int    `json:"release"`
	Referenced int    `json:"referenced"`
	Dependent  int    `json:"dependent"`
	Withdrawn  int    `json:"withdrawn"`
	Text       string `json:"text"`
}

// ChangeView is one change of a plan as data; before and after are whole objects.
type ChangeView struct {
	Application  string          `json:"application"`
	Service      string          `json:"service"`
	Name         string          `json:"name"`
	PreviousName *string         `json:"previous_name"`
	ServiceItem  *int64          `json:"service_item"`
	Owner        string          `json:"owner"`
	IsDependant  bool            `json:"is_dependant"`
	Kind         ChangeKind      `json:"kind"`
	Actions      []string        `json:"actions"`
	ActionReason *Reason         `json:"action_reason"`
	Causes       []CauseView     `json:"causes"`
	State        State           `json:"state"`
	Before       json.RawMessage `json:"before"`
	After        json.RawMessage `json:"after"`
	Unknown      struct{}        `json:"after_unknown"` // owners set no values yet
	BeforeSecret struct{}        `json:"before_sensitive"`
	AfterSecret  struct{}        `json:"after_sensitive"`
	ReplacePaths []string        `json:"replace_paths"`
	Kept         []string        `json:"kept"`
	Ignored      []string        `json:"ignored"`
	Importing    *string         `json:"importing"`
	Rejected     *RejectedView   `json:"rejected_before"`
	BaseChange   *int64          `json:"base_change"`
	OpenChange   *int64          `json:"open_change"`
	Superseding  *int64          `json:"superseding"`
}

// CauseView names an item whose MODIFY woke another.
type CauseView struct {
	Application string `json:"application"`
	Service     string `json:"service"`
	Name        string `json:"name"`
}

// RejectedView says who refused this wish before, when and why (marketplace G6).
type RejectedView struct {
	Change int64     `json:"change"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Log    string    `json:"log"`
}

// WithdrawnView is a change that SYSTEM takes back.
type WithdrawnView struct {
	Change      int64  `json:"change"`
	Application string `json:"application"`
	Service     string `json:"service"`
	Name        string `json:"name"`
	Owner       string `json:"owner"`
}

// SupersededView is a change that leaves nothing to do.
type SupersededView = WithdrawnView

// actions are NetOrca-free words for what a change does to its item.
var actions = map[ChangeType][]string{Create: {"create"}, Modify: {"update"}, Delete: {"delete"}}

// View renders a plan as data; the same plan gives the same bytes (lifecycle T3).
func (p *Plan) View(team string, baseVersion int64) PlanView {
	view := PlanView{
		FormatVersion: "1.0", Team: team, BaseVersion: baseVersion, Complete: true, HasChanges: !p.Empty(),
		SchemaVersions: p.Schemas, Summary: p.Summary(),
		Changes: make([]ChangeView, len(p.Changes)), Withdrawn: []WithdrawnView{}, Superseded: []SupersededView{},
		Drift: []string{}, Warnings: []string{},
	}
	for i := range p.Changes {
		view.Changes[i] = p.Changes[i].View()
	}
	for _, w := range p.Withdrawals {
		view.Withdrawn = append(view.Withdrawn, WithdrawnView{w.Change, w.Key.Application, w.Key.Service, w.Key.Name, w.Owner.Name})
	}
	for _, s := range p.Supersessions {
		view.Superseded = append(view.Superseded, SupersededView{s.Change, s.Key.Application, s.Key.Service, s.Key.Name, s.Owner.Name})
	}
	for _, note := range p.Notes {
		view.Warnings = append(view.Warnings, fmt.Sprintf("%s: still errored in change #%d. Request it again if it is wanted.", note.Key, note.Change))
	}
	return view
}

// View renders one change as data.
func (c *Change) View() ChangeView {
	view := ChangeView{
		Application: c.Key.Application, Service: c.Key.Service, Name: c.Key.Name,
		ServiceItem: some(c.ItemID), Owner: c.Owner.Name, IsDependant: c.Dependent(), Kind: c.Kind,
		ReplacePaths: []string{}, Kept: []string{}, Ignored: []string{},
		Actions: actions[c.Type], Causes: []CauseView{}, State: c.State, Before: raw(c.Old), After: raw(c.New),
		BaseChange: some(c.BaseChange), OpenChange: some(c.OpenChange), Superseding: some(c.Supersedes),
	}
	if reason := c.Reason; reason != "" {
		if reason == ApplicationGone {
			reason = NotDeclared // programs need not tell the two apart
		}
		view.ActionReason = &reason
	}
	for _, key := range c.Causes {
		view.Causes = append(view.Causes, CauseView(key))
	}
	if c.Rejection != nil {
		view.Rejected = &RejectedView{c.Rejection.Change, c.Rejection.At, c.Rejection.By, c.Rejection.Log}
	}
	return view
}

func some(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

func raw(v *Version) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return json.RawMessage(v.Declaration)
}

// Summary counts what the plan does and says it in one line (lifecycle N2).
func (p *Plan) Summary() Summary {
	s := Summary{Withdrawn: len(p.Withdrawals)}
	for i := range p.Changes {
		s.count(&p.Changes[i])
	}
	for i := range p.Changes {
		if p.Changes[i].Supersedes != 0 {
			s.Withdrawn++
		}
	}
	s.Withdrawn += len(p.Supersessions)
	s.Text = s.line()
	if p.Empty() {
		s.Text = "No changes."
	}
	return s
}

func (s *Summary) count(c *Change) {
	switch {
	case c.Dependent():
		s.Dependent++
	case c.Kind == Referenced:
		s.Referenced++
	case c.Type == Create:
		s.Add++
	case c.Type == Modify:
		s.Change++
	default:
		s.Destroy++
	}
}

func (s *Summary) line() string {
	line := fmt.Sprintf("Plan: %d to add, %d to change, %d to destroy", s.Add, s.Change, s.Destroy)
	for _, part := range []struct {
		n    int
		word string
	}{{s.Referenced, "referenced"}, {s.Dependent, "dependent"}, {s.Withdrawn, "withdrawn"}} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	return line + "."
}

// Differences lists what a change alters in its item, leaf by leaf, and how
// many members stay as they are.
func Differences(before, after *string, ordering *value.Ordering) (rows []value.Difference, unchanged int) {
	var a, b *value.Value
	if before != nil {
		a = parse(*before)
	}
	if after != nil {
		b = parse(*after)
	}
	return value.Diff(a, b, ordering), value.Unchanged(a, b, ordering)
}

// Text renders a plan for a terminal (lifecycle N6).
func (p *Plan) Text() string {
	var text strings.Builder
	for i := range p.Changes {
		p.Changes[i].text(&text)
	}
	text.WriteString(p.Summary().Text + "\n")
	return text.String()
}

var verbs = map[ChangeType]string{Create: "create", Modify: "change", Delete: "destroy"}

func (c *Change) text(out *strings.Builder) {
	fmt.Fprintf(out, "%s: %s%s\n", c.Key, verbs[c.Type], c.because())
	if c.Kind != Basic {
		return
	}
	rows, unchanged := Differences(declaration(c.Old), declaration(c.New), c.Service.Schema.Ordering())
	for _, row := range rows {
		fmt.Fprintf(out, "  %s\n", line(row))
	}
	if unchanged > 0 && c.Type == Modify {
		fmt.Fprintf(out, "    # %d unchanged hidden\n", unchanged)
	}
}

func declaration(v *Version) *string {
	if v == nil {
		return nil
	}
	return &v.Declaration
}

func line(d value.Difference) string {
	path := strings.ReplaceAll(strings.TrimPrefix(d.Pointer, "/"), "/", ".")
	switch d.Op {
	case "add":
		return fmt.Sprintf("+ %s: %s", path, value.AppendJSON(nil, d.After))
	case "remove":
		return fmt.Sprintf("- %s: %s -> removed", path, value.AppendJSON(nil, d.Before))
	}
	return fmt.Sprintf("~ %s: %s -> %s", path, value.AppendJSON(nil, d.Before), value.AppendJSON(nil, d.After))
}

// because says why a change exists that does not follow from its own lines (lifecycle N4).
func (c *Change) because() string {
	var reasons []string
	switch c.Reason {
	case NotDeclared:
		reasons = append(reasons, "because it is not in the declaration")
	case ApplicationGone:
		reasons = append(reasons, "the application is not in the declaration")
	case BecauseOf:
		reasons = append(reasons, "because "+names(c.Causes)+" changes")
	case ForDependent:
		reasons = append(reasons, "for dependent team "+c.Owner.Name)
	}
	if c.Rejection != nil {
		reasons = append(reasons, "rejected before: "+oneLine(c.Rejection.Log))
	}
	if c.Supersedes != 0 {
		reasons = append(reasons, fmt.Sprintf("replaces #%d, not yet fetched", c.Supersedes))
	}
	if c.Withdraws != 0 {
		reasons = append(reasons, fmt.Sprintf("withdraws the deletion #%d", c.Withdraws))
	}
	if len(reasons) == 0 {
		return ""
	}
	return " (" + strings.Join(reasons, "; ") + ")"
}

// oneLine writes a text that people typed so that it cannot look like lines of a plan.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func names(keys []Key) string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = key.Name
	}
	return strings.Join(list, ", ")
}
