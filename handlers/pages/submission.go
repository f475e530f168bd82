package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// submissionRoutes are what a team has declared so far.
func (p Pages) submissionRoutes() []web.Route {
	at := func(path, role, loads string, handle fiber.Handler) web.Route {
		return web.Route{Method: "GET", Path: path, Door: web.Person, Pov: "consumer", Role: role, Loads: loads, Handle: handle}
	}
	return []web.Route{
		at("/submissions", "READ_ONLY", "market.SubmissionStretch", p.listSubmissions),
		at("/submissions/:id", "READ_ONLY", "market.Submission", p.showSubmission),
		at("/submissions/:id/text", "GENERAL", "market.Submission", p.downloadSubmission),
	}
}

// submissionFilters are what the list may be narrowed by (portal SUB1).
var submissionFilters = []string{"user", "application", "progress", "older_than", "younger_than"}

func (p Pages) listSubmissions(c *fiber.Ctx) error {
	l, err := listed(c, submissionFilters...)
	if err != nil {
		return err
	}
	ctx, who := c.UserContext(), web.Actor(c)
	q := models.SubmissionList{By: l.values.Get("user"), Search: l.values.Get("q"), Until: l.ago("older_than"), From: l.ago("younger_than")}
	if ids := l.ids("application"); len(ids) == 1 {
		q.Application = ids[0]
	}
	if progress := oneOf(&l, "progress", []string{"open", "done", "failed"}); len(progress) == 1 {
		q.Progress = progress[0]
	}
	cursor := l.cursor(true)
	stretch, err := p.Market.SubmissionStretch(ctx, who, q, cursor)
	if err != nil {
		return err
	}
	progress, err := p.Market.Progress(ctx, stretch.Rows)
	if err != nil {
		return err
	}
	page := views.Submissions{Team: who.TeamName, Acts: who.MayWrite(), Paging: l.paging("submissions", cursor, stretch.Prev, stretch.Next, stretch.Count)}
	for _, s := range stretch.Rows {
		page.Rows = append(page.Rows, submissionRow(s, progress[s.ID]))
	}
	page.AgeHref, page.Age = l.sorting(cursor.Newest)
	if page.Filters, err = p.submissionBar(c, l); err != nil {
		return err
	}
	page.Narrow = len(page.Filters.Active) > 0
	if web.IsFragment(c) {
		return web.Render(c, "Submissions", views.SubmissionListPart(page))
	}
	return web.Render(c, "Submissions", views.SubmissionsPage(page))
}

func (p Pages) submissionBar(c *fiber.Ctx, l listing) (components.Filters, error) {
	submitters, applications, err := p.Market.SubmissionChoices(c.UserContext(), web.Actor(c))
	if err != nil {
		return components.Filters{}, err
	}
	var people []forms.Option
	for _, name := range submitters {
		people = append(people, forms.Option{Value: name, Label: name})
	}
	progress := []forms.Option{{Value: "open", Label: "In progress"}, {Value: "done", Label: "All completed"}, {Value: "failed", Label: "With failures"}}
	return l.filters(
		l.choice("user", "By", "Anybody", people),
		l.choice("application", "Application", "All applications", applicationOptions(applications)),
		l.choice("progress", "Progress", "Any", progress),
		l.choice("younger_than", "Within", "Any time", ageOptions()),
		l.words("Comment or commit"),
	), nil
}

func submissionRow(s models.Submission, progress map[string]int) views.SubmissionRow {
	row := views.SubmissionRow{
		ID: s.ID, By: s.SubmittedBy, Via: through(s.Via), At: s.Created, Scope: scopeOf(s), Comment: s.Comment, Commit: s.CommitID, Summary: summaryOf(s),
		Done: progress[string(engine.Completed)], Failed: progress[string(engine.Rejected)] + progress[string(engine.Errored)],
	}
	for _, n := range progress {
		row.Total += n
	}
	return row
}

func summaryOf(s models.Submission) components.Summary {
	return components.Summary{Create: s.Creates, Modify: s.Modifies, Delete: s.Deletes, Referenced: s.Referenced, Dependent: s.Dependent}
}

func scopeOf(s models.Submission) string {
	var names []string
	if s.Applications == "" || json.Unmarshal([]byte(s.Applications), &names) != nil {
		return ""
	}
	return strings.Join(names, ", ")
}

// showable is the size of a text that is shown in full.
const showable = 256 << 10

func (p Pages) showSubmission(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	ctx, who := c.UserContext(), web.Actor(c)
	s, text, err := p.Market.Submission(ctx, who, id)
	if err != nil {
		return err
	}
	progress, err := p.Market.Progress(ctx, []models.Submission{s})
	if err != nil {
		return err
	}
	page := views.Submission{SubmissionRow: submissionRow(s, progress[id]), Format: "JSON", Size: len(text), Large: len(text) > showable, Hidden: !who.MayWrite(), Facts: submissionFacts(s)}
	if s.Yaml {
		page.Format = "YAML"
	}
	if !page.Large && !page.Hidden {
		page.Text = string(text)
	}
	if err := p.fillSubmitted(c, id, &page); err != nil {
		return err
	}
	return web.Render(c, fmt.Sprintf("Submission #%d", id), views.SubmissionPage(page))
}

// fillSubmitted draws the changes of a submission, failures first.
func (p Pages) fillSubmitted(c *fiber.Ctx, id int64, page *views.Submission) error {
	who := web.Actor(c)
	changes, err := p.Market.ChangesOfSubmission(c.UserContext(), who, id)
	if err != nil {
		return err
	}
	kind, cause := engine.ChangeType(c.Query("type")), engine.ChangeKind(c.Query("cause"))
	if kind != "" {
		page.Shown = strings.ToLower(components.TypeWord(kind))
	} else if cause != "" {
		page.Shown = string(cause)
	}
	changes = slices.DeleteFunc(changes, func(change models.ChangeInstance) bool { return !wantedHere(&change, kind, cause) })
	slices.SortStableFunc(changes, func(a, b models.ChangeInstance) int { return cmp.Compare(calm(&a), calm(&b)) })
	if page.More = len(changes) - drawnAtOnce; page.More > 0 {
		changes = changes[:drawnAtOnce]
	}
	shown, err := p.Market.ShowChanges(c.UserContext(), changes)
	if err != nil {
		return err
	}
	for i := range changes {
		page.Changes = append(page.Changes, submittedChange(who, shown, &changes[i]))
	}
	return nil
}

// drawnAtOnce is how many changes of a submission are drawn with their diffs.
const drawnAtOnce = 200

// calm is 0 for what asks for attention, and so comes first.
func calm(c *models.ChangeInstance) int {
	if c.State == engine.Rejected || c.State == engine.Errored {
		return 0
	}
	return 1
}

// wantedHere applies what a chip of the summary counts.
func wantedHere(c *models.ChangeInstance, kind engine.ChangeType, cause engine.ChangeKind) bool {
	if kind != "" {
		return c.ChangeType == kind && c.Kind == engine.Basic
	}
	return cause == "" || c.Kind == cause
}

func submittedChange(who market.Actor, shown market.ShownChanges, c *models.ChangeInstance) views.SubmittedChange {
	return views.SubmittedChange{
		ID: c.ID, Type: c.ChangeType, State: c.State, Kind: c.Kind, Owner: shown.Teams[c.OwnerID].Name, Cause: causeOf(who, shown, c), Log: c.Log,
		Title: shown.Applications[c.ApplicationID].Name + " / " + shown.Services[c.ServiceID].Name + " / " + shown.Items[c.ServiceItemID].Name, Diff: diffOf(shown, c),
	}
}

func submissionFacts(s models.Submission) []components.Fact {
	facts := []components.Fact{
		{Term: "Submitted by", Value: components.Name(s.SubmittedBy)},
		{Term: "When", Value: components.Time(s.Created)},
		{Term: "Through", Value: components.Text(or(strings.TrimPrefix(strings.TrimPrefix(through(s.Via), "in "), "over "), "the system"))},
		{Term: "Scope", Value: components.Name(or(scopeOf(s), "the whole team"))},
		{Term: "Rule", Value: components.Text(rule(s))},
		{Term: "Version", Value: components.Text(fmt.Sprintf("%d of the declaration", s.DeclarationVersion))},
	}
	if s.ConfirmedDeletes > 0 {
		facts = append(facts, components.Fact{Term: "Deletions", Value: components.Text(counted(s.ConfirmedDeletes, "deletion", "deletions") + ", confirmed by " + s.SubmittedBy)})
	}
	if s.CommitID != "" {
		facts = append(facts, components.Fact{Term: "Commit", Value: components.Name(s.CommitID)})
	}
	if s.Comment != "" {
		facts = append(facts, components.Fact{Term: "Comment", Value: components.PeopleText(s.Comment)})
	}
	return facts
}

func rule(s models.Submission) string {
	if s.Partial {
		return "only add and change"
	}
	return "the whole end state"
}

// downloadSubmission sends the text byte for byte (portal SUB2).
func (p Pages) downloadSubmission(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	s, text, err := p.Market.Submission(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return err
	}
	if s.Yaml {
		return attachment(c, fmt.Sprintf("submission-%d.yaml", id), web.YAML, text)
	}
	return attachment(c, fmt.Sprintf("submission-%d.json", id), web.JSON, text)
}
