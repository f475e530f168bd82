package api

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/web"
)

// Submission is one accepted declaration.
type Submission struct {
	ID                 int64          `json:"id"`
	URL                string         `json:"url" format:"uri"`
	Team               Named          `json:"team"`
	CommitID           string         `json:"commit_id"`
	Comment            string         `json:"comment"`
	SubmittedBy        string         `json:"submitted_by"`
	Via                string         `json:"via"`
	Partial            bool           `json:"partial" doc:"Whether it only named what it changed (PATCH)."`
	Applications       []string       `json:"applications" doc:"The applications it declared; empty for the whole team."`
	DeclarationVersion int64          `json:"declaration_version" doc:"Of the team, after this submission."`
	Summary            Counts         `json:"summary"`
	States             map[string]int `json:"states" doc:"How many of its changes stand in which state."`
	Created            Moment         `json:"created"`
}

// Counts says what kinds of change instances a submission generated.
type Counts struct {
	Add        int `json:"add"`
	Change     int `json:"change"`
	Destroy    int `json:"destroy"`
	Referenced int `json:"referenced"`
	Dependent  int `json:"dependent"`
	Withdrawn  int `json:"withdrawn"`
}

// SubmissionDetail is a submission with its text and its changes.
type SubmissionDetail struct {
	Submission
	ContentType     string           `json:"content_type"`
	Text            string           `json:"text" doc:"Exactly as it was submitted."`
	ChangeInstances []ChangeInstance `json:"change_instances"`
}

// GeneratedChange is a change instance right after its birth: what does not go
// without saying of it.
type GeneratedChange struct {
	ID               int64             `json:"id"`
	URL              string            `json:"url" format:"uri"`
	Created          Moment            `json:"created"`
	State            engine.State      `json:"state"`
	ChangeType       engine.ChangeType `json:"change_type"`
	Kind             engine.ChangeKind `json:"kind"`
	IsDependant      bool              `json:"is_dependant"`
	Owner            Named             `json:"owner" doc:"The team that processes it."`
	ServiceOwnerTeam Named             `json:"service_owner_team"`
	ConsumerTeam     Named             `json:"consumer_team"`
	Service          Named             `json:"service"`
	Application      Named             `json:"application"`
	ServiceItem      Named             `json:"service_item"`
	NewDeclaration   *Declaration      `json:"new_declaration"`
	OldDeclaration   *Declaration      `json:"old_declaration"`
}

// SubmissionAnswer is what an accepted declaration led to.
type SubmissionAnswer struct {
	ID              int64                  `json:"id"`
	Message         string                 `json:"message"`
	ChangeInstances []GeneratedChange      `json:"change_instances"`
	Superseded      []int64                `json:"superseded" doc:"Changes that this submission took the place of."`
	Withdrawn       []engine.WithdrawnView `json:"withdrawn" doc:"Changes that this submission took back."`
	Summary         engine.Summary         `json:"summary"`
	Version         int64                  `json:"declaration_version"`
}

// noChanges is the answer to a declaration that changes nothing.
const noChanges = "No changes detected."

// proposal reads a declaration and how it is meant.
func proposal(c *fiber.Ctx) (p market.Proposal, err error) {
	query, err := web.Query(c, submitFilters...)
	if err != nil {
		return p, err
	}
	p = market.Proposal{
		YAML: isYAML(c), Partial: c.Method() == fiber.MethodPatch, Applications: query.Any("application"),
		CommitID: query.Text("commit_id"), Comment: query.Text("comment"), Preview: query.Text("preview"),
	}
	if p.Text, err = web.Body(c); err != nil {
		return p, err
	}
	if p.Keep, err = query.Bool("keep", false); err != nil {
		return p, err
	}
	if query.Has("confirm_deletes") {
		count, err := query.Number("confirm_deletes", 0, 0, engine.MaxItems*10)
		if err != nil {
			return p, err
		}
		p.ConfirmDeletes = &count
	}
	p.BaseVersion, err = baseVersion(c)
	return p, err
}

// baseVersion reads the version of the declaration that a client saw (lifecycle T8).
func baseVersion(c *fiber.Ctx) (*int64, error) {
	wanted := strings.TrimSpace(c.Get(fiber.HeaderIfMatch))
	if wanted == "" || wanted == "*" {
		return nil, nil
	}
	version, err := strconv.ParseInt(strings.Trim(wanted, `"`), 10, 64)
	if err != nil {
		return nil, fault.New(fault.Outdated, "If-Match must be the ETag of the declaration, such as \"41\".")
	}
	return &version, nil
}

func (a API) validateSubmission(c *fiber.Ctx) error {
	p, err := proposal(c)
	if err != nil {
		return err
	}
	if wantsText(c) {
		return a.planText(c, p)
	}
	verdict, err := a.Market.Validate(c.UserContext(), actor(c), p)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, verdict)
}

func (a API) planText(c *fiber.Ctx, p market.Proposal) error {
	plan, _, err := a.Market.Plan(c.UserContext(), actor(c), p)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, fiber.MIMETextPlainCharsetUTF8, []byte(plan.Text()))
}

func (a API) submit(c *fiber.Ctx) error {
	p, err := proposal(c)
	if err != nil {
		return err
	}
	outcome, err := a.Market.Submit(c.UserContext(), actor(c), p)
	if err != nil {
		return err
	}
	if !outcome.Recorded {
		return answer(c, fiber.StatusOK, Message{noChanges})
	}
	c.Location(a.url("consumer", "submissions", outcome.Submission.ID))
	tag(c, outcome.Submission.DeclarationVersion)
	shape := SubmissionAnswer{
		ID: outcome.Submission.ID, Message: submitted(len(outcome.ChangeIDs)), ChangeInstances: a.generated(outcome),
		Superseded: append([]int64{}, outcome.Superseded...), Withdrawn: outcome.View.Withdrawn, Summary: outcome.View.Summary,
		Version: outcome.Submission.DeclarationVersion,
	}
	if err := keepShort(c, shape); err != nil {
		return err
	}
	return answer(c, fiber.StatusCreated, shape)
}

// generated makes the shapes of a submission's changes from what was written, in
// the order of its plan: nothing is read again.
func (a API) generated(outcome market.Outcome) []GeneratedChange {
	shapes := make([]GeneratedChange, len(outcome.Changes))
	for i, row := range outcome.Changes {
		planned := &outcome.Plan.Changes[i]
		shapes[i] = GeneratedChange{
			ID: row.ID, URL: a.url(string(market.AsConsumer), "change_instances", row.ID), Created: Moment(row.Created),
			State: row.State, ChangeType: row.ChangeType, Kind: row.Kind, IsDependant: row.IsDependant(),
			Owner: Named(planned.Owner), ServiceOwnerTeam: Named(planned.Service.Owner), ConsumerTeam: Named{row.ConsumerTeamID, outcome.View.Team},
			Service: Named{row.ServiceID, planned.Key.Service}, Application: Named{row.ApplicationID, planned.Key.Application},
			ServiceItem:    Named{row.ServiceItemID, planned.Key.Name},
			NewDeclaration: declared(row.NewDeclaration, row.NewVersion), OldDeclaration: declared(row.OldDeclaration, row.OldVersion),
		}
	}
	return shapes
}

// mostKept is how many changes a kept answer holds; a repeated request with more
// gets the answer without them.
const mostKept = 500

func keepShort(c *fiber.Ctx, shape SubmissionAnswer) error {
	if len(shape.ChangeInstances) <= mostKept {
		return nil
	}
	shape.ChangeInstances = []GeneratedChange{}
	return keepInstead(c, shape)
}

func submitted(changes int) string {
	if changes == 1 {
		return "Submitted: 1 change instance was generated."
	}
	return fmt.Sprintf("Submitted: %d change instances were generated.", changes)
}

// changesOf makes the shapes of a submission's changes, in the order of its plan.
func (a API) changesOf(c *fiber.Ctx, submission int64) ([]ChangeInstance, error) {
	q := models.ChangeQuery{SubmissionID: []int64{submission}, Page: models.Page{Limit: mostRows, Order: "id"}}
	rows, _, err := a.Market.Changes(c.UserContext(), actor(c), market.AsConsumer, q)
	if err != nil {
		return nil, err
	}
	return a.changes(c, market.AsConsumer, rows)
}

func (a API) submissions(c *fiber.Ctx, rows []models.Submission) ([]Submission, error) {
	progress, err := a.Market.Progress(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	who := actor(c)
	return each(rows, func(row models.Submission) Submission {
		shape := Submission{
			ID: row.ID, URL: a.url("consumer", "submissions", row.ID), Team: Named{who.TeamID, who.TeamName}, CommitID: row.CommitID,
			Comment: row.Comment, SubmittedBy: row.SubmittedBy, Via: row.Via, Partial: row.Partial, Applications: []string{},
			DeclarationVersion: row.DeclarationVersion, States: progress[row.ID], Created: Moment(row.Created),
			Summary: Counts{row.Creates, row.Modifies, row.Deletes, row.Referenced, row.Dependent, row.Withdrawn},
		}
		if row.Applications != "" {
			_ = json.Unmarshal([]byte(row.Applications), &shape.Applications) // the market wrote it
		}
		if shape.States == nil {
			shape.States = map[string]int{}
		}
		return shape
	}), nil
}

func (a API) listSubmissions(c *fiber.Ctx) error {
	l, err := list(c, submissionFilters, "created")
	if err != nil {
		return err
	}
	q := models.SubmissionQuery{CommitID: l.Text("commit_id"), By: l.Text("submitted_by"), Search: l.Text("search"), Page: l.page}
	rows, count, err := a.Market.Submissions(c.UserContext(), actor(c), q)
	if err != nil {
		return err
	}
	shapes, err := a.submissions(c, rows)
	if err != nil {
		return err
	}
	if n := len(rows); n > 0 {
		l.last = rows[n-1].ID
	}
	return answerPage(a, c, l, count, shapes)
}

func (a API) readSubmission(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	row, text, err := a.Market.Submission(c.UserContext(), actor(c), number)
	if err != nil {
		return err
	}
	shapes, err := a.submissions(c, []models.Submission{row})
	if err != nil {
		return err
	}
	changes, err := a.changesOf(c, row.ID)
	if err != nil {
		return err
	}
	kind := web.JSON
	if row.Yaml {
		kind = web.YAML
	}
	return answer(c, fiber.StatusOK, SubmissionDetail{shapes[0], kind, string(text), changes})
}
