package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Proposal is a declaration as a consumer sends it, and how it is meant.
type Proposal struct {
	Text           []byte
	YAML           bool
	Partial        bool     // only upsert what it names (marketplace G4)
	Applications   []string // declare exactly these; nil for the whole team
	CommitID       string   // ≤ 255 characters
	Comment        string   // ≤ 500 characters
	ConfirmDeletes *int     // how many deletions the consumer has agreed to (marketplace G11)
	Keep           bool     // record the submission even if it changes nothing (marketplace G9)
	Preview        string   // apply this stored preview, refused when it is stale (lifecycle T5)
	Live           bool     // a preview while somebody types: only the newest few are kept
	BaseVersion    *int64   // refuse unless the team's declaration still has this version (lifecycle T8)
}

// Verdict says whether a declaration would be accepted, in the shape that
// NetOrca's clients print (marketplace V7), and what it would do.
type Verdict struct {
	IsValid      bool             `json:"is_valid"`
	Errors       map[string]any   `json:"errors"`
	Problems     []engine.Problem `json:"problems"`
	ProblemCount int              `json:"problem_count"`
	Plan         *engine.PlanView `json:"plan,omitempty"`
}

// Outcome is what a submission led to.
type Outcome struct {
	Recorded   bool // false: nothing to change, and nobody asked to keep it
	Submission models.Submission
	Changes    []models.ChangeInstance // as generated, in the order of the plan
	ChangeIDs  []int64
	Superseded []int64
	Plan       engine.Plan
	View       engine.PlanView
}

// planned is a plan with the document and the base it was computed on.
type planned struct {
	doc      *engine.Document
	plan     engine.Plan
	team     models.Team
	proposal Proposal
}

func (p *planned) view() engine.PlanView { return p.plan.View(p.team.Name, p.team.DeclarationVersion) }

// Validate tells what Submit would do or why it would refuse, and stores nothing.
func (m *Market) Validate(ctx context.Context, who Actor, proposal Proposal) (Verdict, error) {
	p, err := m.planIn(ctx, who, proposal)
	if refusal := fault.Of(err); refusal != nil {
		if verdict, ok := refusal.Detail.(Verdict); ok {
			return verdict, nil
		}
	}
	if err != nil {
		return Verdict{}, err
	}
	view := p.view()
	return Verdict{IsValid: true, Errors: map[string]any{}, Problems: []engine.Problem{}, Plan: &view}, nil
}

// Plan computes what Submit would do, for pages.
func (m *Market) Plan(ctx context.Context, who Actor, proposal Proposal) (engine.Plan, models.Team, error) {
	p, err := m.planIn(ctx, who, proposal)
	if err != nil {
		return engine.Plan{}, models.Team{}, err
	}
	return p.plan, p.team, nil
}

func (m *Market) planIn(ctx context.Context, who Actor, proposal Proposal) (planned, error) {
	tx := m.read(ctx)
	team, err := models.TeamByID(tx, who.TeamID)
	if err != nil {
		return planned{}, err
	}
	return m.plan(tx, team, proposal, false)
}

// errMoved says that a change on which the plan relies was moved meanwhile, so
// the plan is made again.
var errMoved = errors.New("a change moved while it was planned upon")

// Submit makes a document what the actor's team has declared and asks the
// owners for the changes this takes. All of it happens, or none of it.
func (m *Market) Submit(ctx context.Context, who Actor, proposal Proposal) (Outcome, error) {
	if err := who.mustWrite(); err != nil {
		return Outcome{}, err
	}
	if err := proposal.check(); err != nil {
		return Outcome{}, err
	}
	var outcome Outcome
	for range 5 {
		err := m.write(ctx, who, func(tx *gorm.DB) (err error) {
			outcome, err = m.submit(tx, who, proposal)
			return err
		})
		if !errors.Is(err, errMoved) {
			return outcome, err
		}
	}
	return outcome, &fault.Error{Kind: fault.Conflict, Code: "lost_race", Text: "The owners moved changes of these items at the same moment. Submit again."}
}

func (p Proposal) check() error {
	if err := checkText("commit_id", p.CommitID, 255); err != nil {
		return err
	}
	return checkText("comment", p.Comment, 500)
}

func (m *Market) submit(tx *gorm.DB, who Actor, proposal Proposal) (Outcome, error) {
	team, err := models.LockTeam(tx, who.TeamID)
	if err != nil {
		return Outcome{}, err
	}
	if proposal.BaseVersion != nil && *proposal.BaseVersion != team.DeclarationVersion {
		return Outcome{}, fault.New(fault.Outdated, "The declaration has version %d by now, not %d. Read it again.", team.DeclarationVersion, *proposal.BaseVersion)
	}
	p, err := m.planOf(tx, team, proposal)
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Plan: p.plan, View: p.view()}
	if p.plan.Empty() && !proposal.Keep {
		return outcome, nil
	}
	if err := guard(p); err != nil {
		return Outcome{}, err
	}
	outcome.Recorded = true
	return outcome, carryOut(tx, who, p, &outcome)
}

// planOf makes the plan of a document, or of the preview that it names.
func (m *Market) planOf(tx *gorm.DB, team models.Team, proposal Proposal) (planned, error) {
	if proposal.Preview != "" {
		return m.planPreviewed(tx, team, proposal)
	}
	return m.plan(tx, team, proposal, true)
}

// plan is all that Preview, Validate and Submit have in common, which is every
// decision.
func (m *Market) plan(tx *gorm.DB, team models.Team, proposal Proposal, hold bool) (planned, error) {
	doc, problems := engine.Read(proposal.Text, proposal.YAML)
	if doc.Team != "" && doc.Team != team.Name {
		return planned{}, fault.New(fault.Forbidden, "You cannot submit for the team %s: you act for the team %s.", doc.Team, team.Name)
	}
	if len(problems) > 0 {
		return planned{}, refuse(problems)
	}
	now, err := m.situation(tx, team, doc, hold)
	if err != nil {
		return planned{}, err
	}
	plan, problems := engine.Compute(doc, engine.Scope{Partial: proposal.Partial, Applications: proposal.Applications}, now)
	if len(problems) > 0 {
		return planned{}, refuse(problems)
	}
	return planned{doc: doc, plan: plan, team: team, proposal: proposal}, nil
}

// refuse makes the one answer to a document that breaks rules: every problem at once.
func refuse(problems []engine.Problem) error {
	verdict := Verdict{Errors: map[string]any{}, Problems: problems, ProblemCount: len(problems)}
	if len(problems) > engine.MaxProblems {
		verdict.Problems = problems[:engine.MaxProblems]
	}
	for _, problem := range verdict.Problems {
		graft(verdict.Errors, problem)
	}
	text := fmt.Sprintf("The declaration has %d problems.", len(problems))
	if len(problems) == 1 {
		text = fmt.Sprintf("The declaration has a problem: %s", problems[0].Message)
	}
	return &fault.Error{Kind: fault.Invalid, Text: text, Detail: verdict}
}

// graft hangs a sentence into the error tree, at the place its path leads to;
// sentences about a thing as a whole stand under "non_field_errors".
func graft(tree map[string]any, problem engine.Problem) {
	path := slices.Clone(problem.Path)
	if len(path) < 5 {
		path = append(path, "non_field_errors")
	}
	for _, part := range path[:len(path)-1] {
		below, ok := tree[part].(map[string]any)
		if !ok {
			below = map[string]any{}
			if sentences, there := tree[part]; there {
				below["non_field_errors"] = sentences
			}
			tree[part] = below
		}
		tree = below
	}
	leaf := path[len(path)-1]
	switch there := tree[leaf].(type) {
	case map[string]any:
		sentences, _ := there["non_field_errors"].([]string)
		there["non_field_errors"] = append(sentences, problem.Message)
	case []string:
		tree[leaf] = append(there, problem.Message)
	default:
		tree[leaf] = []string{problem.Message}
	}
}

// guard refuses deletions that nobody has counted (marketplace G11).
func guard(p planned) error {
	deletions := p.plan.Deletions()
	guarded := map[models.DeletionGuard]func(engine.Key) bool{
		models.GuardAny:         func(engine.Key) bool { return true },
		models.GuardApplication: func(key engine.Key) bool { return p.plan.Emptied[key.Application] },
	}[p.team.DeletionGuard]
	if guarded == nil || !slices.ContainsFunc(deletions, guarded) {
		return nil
	}
	count := len(deletions)
	if p.proposal.ConfirmDeletes != nil && *p.proposal.ConfirmDeletes == count {
		return nil
	}
	return &fault.Error{
		Kind: fault.Conflict, Code: "confirm_deletes",
		Text: fmt.Sprintf("This submission deletes %d service items and the team %s guards deletions. Add ?confirm_deletes=%d if that is meant.", count, p.team.Name, count),
	}
}

// Submissions lists the actor's team's submissions, newest first.
func (m *Market) Submissions(ctx context.Context, who Actor, q models.SubmissionQuery) ([]models.Submission, int64, error) {
	q.Team = who.TeamID
	return models.Submissions(m.read(ctx), q)
}

// Submission reads one submission of the actor's team with its text.
func (m *Market) Submission(ctx context.Context, who Actor, id int64) (models.Submission, []byte, error) {
	tx := m.read(ctx)
	submission, err := models.SubmissionByID(tx, who.TeamID, id)
	if err != nil {
		return submission, nil, err
	}
	text, err := models.TextOf(tx, id)
	return submission, text.Text, err
}

// Progress counts the changes of submissions by state.
func (m *Market) Progress(ctx context.Context, submissions []models.Submission) (map[int64]map[string]int, error) {
	ids := make([]int64, len(submissions))
	for i, submission := range submissions {
		ids[i] = submission.ID
	}
	return models.Progress(m.read(ctx), ids)
}

// applicationList writes a scope as JSON, empty for the whole team.
func applicationList(names []string) string {
	if names == nil {
		return ""
	}
	text, _ := json.Marshal(names)
	return string(text)
}
