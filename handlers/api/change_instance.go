package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// ChangeInstance is one piece of work for one team on one service item.
type ChangeInstance struct {
	ID               int64             `json:"id"`
	URL              string            `json:"url" format:"uri"`
	Created          Moment            `json:"created"`
	Modified         Moment            `json:"modified"`
	State            engine.State      `json:"state"`
	ChangeType       engine.ChangeType `json:"change_type"`
	Log              string            `json:"log"`
	Owner            Named             `json:"owner" doc:"The team that processes it."`
	ServiceOwnerTeam NamedTeam         `json:"service_owner_team"`
	ConsumerTeam     NamedTeam         `json:"consumer_team"`
	ServiceItem      ChangedItem       `json:"service_item"`
	Submission       *Submitted        `json:"submission"`
	Service          ChangedService    `json:"service"`
	Application      NamedTeam         `json:"application"`
	NewDeclaration   *Declaration      `json:"new_declaration"`
	OldDeclaration   *Declaration      `json:"old_declaration"`
	IsDependant      bool              `json:"is_dependant"`

	Kind         engine.ChangeKind `json:"kind"`
	Causes       []Cause           `json:"causes"`
	RetryOf      *int64            `json:"retry_of"`
	SupersededBy *int64            `json:"superseded_by"`
	Assignee     *Named            `json:"assignee"`
	Delivery     Nothing           `json:"delivery"`
	Diff         []Difference      `json:"diff"`
}

// ChangedItem is the service item of a change instance as it stands now.
type ChangedItem struct {
	ID           int64               `json:"id"`
	Name         string              `json:"name"`
	RuntimeState engine.RuntimeState `json:"runtime_state"`
	Declaration  Free                `json:"declaration"`
	DeployedItem Free                `json:"deployed_item" doc:"The newest version, {} if there is none."`
}

// Submitted is the submission that a change instance came from.
type Submitted struct {
	ID       int64  `json:"id"`
	CommitID string `json:"commit_id"`
}

// ChangedService is the service of a change instance.
type ChangedService struct {
	ID                    int64  `json:"id"`
	Name                  string `json:"name"`
	AllowManualApproval   bool   `json:"allow_manual_approval"`
	AllowManualCompletion bool   `json:"allow_manual_completion"`
}

// Declaration is one version of what a team declares of a service item.
type Declaration struct {
	Version     int  `json:"version"`
	Declaration Free `json:"declaration"`
}

// Cause is a change instance that woke another one.
type Cause struct {
	ID          int64 `json:"id"`
	ServiceItem int64 `json:"service_item"`
}

// Difference is one place where the new declaration differs from the old one.
type Difference struct {
	Pointer string `json:"pointer" doc:"JSON Pointer into the declaration."`
	Op      string `json:"op" enum:"add,remove,change"`
	Before  Free   `json:"before"`
	After   Free   `json:"after"`
}

// Step is one entry of a change instance's history.
type Step struct {
	ID            int64        `json:"id" doc:"Of the change instance."`
	State         engine.State `json:"state"`
	Log           string       `json:"log"`
	Modified      Moment       `json:"modified"`
	Reason        string       `json:"reason" enum:"state,log"`
	ChangedBy     string       `json:"changed_by"`
	ChangedByTeam string       `json:"changed_by_team"`
	Via           string       `json:"via"`
}

// changes makes the shapes of change instances as they are seen from one side.
func (a API) changes(c *fiber.Ctx, pov market.Pov, rows []models.ChangeInstance) ([]ChangeInstance, error) {
	related, err := a.Market.OfChanges(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	schemas, err := a.Market.SchemasOf(c.UserContext(), related.Services)
	if err != nil {
		return nil, err
	}
	return each(rows, func(row models.ChangeInstance) ChangeInstance {
		shape := a.change(pov, row, related)
		shape.Diff = differences(row, schemas[row.ServiceID])
		return shape
	}), nil
}

func (a API) change(pov market.Pov, row models.ChangeInstance, related market.Related) ChangeInstance {
	service, item, application := related.Services[row.ServiceID], related.Items[row.ServiceItemID], related.Applications[row.ApplicationID]
	shape := ChangeInstance{
		ID: row.ID, URL: a.url(string(pov), "change_instances", row.ID), Created: Moment(row.Created), Modified: Moment(row.Modified),
		State: row.State, ChangeType: row.ChangeType, Log: row.Log, Owner: named(related.Teams[row.OwnerID]),
		ServiceOwnerTeam: namedTeam(related.Teams[row.ServiceOwnerTeamID]), ConsumerTeam: namedTeam(related.Teams[row.ConsumerTeamID]),
		ServiceItem:    ChangedItem{item.ID, item.Name, item.RuntimeState, Free(item.Declaration), Free("{}")},
		Service:        ChangedService{service.ID, service.Name, service.AllowManualApproval, service.AllowManualCompletion},
		Application:    NamedTeam{application.ID, application.Name, Free(application.Metadata)},
		NewDeclaration: declared(row.NewDeclaration, row.NewVersion), OldDeclaration: declared(row.OldDeclaration, row.OldVersion),
		IsDependant: row.IsDependant(), Kind: row.Kind, RetryOf: row.RetryOf, SupersededBy: row.SupersededBy,
		Causes: each(related.Causes[row.ID], func(cause models.ChangeInstance) Cause { return Cause{cause.ID, cause.ServiceItemID} }),
	}
	if deployed, there := related.Deployed[row.ServiceItemID]; there {
		shape.ServiceItem.DeployedItem = Free(deployed.Data)
	}
	if row.SubmissionID != nil {
		shape.Submission = ptr(Submitted{*row.SubmissionID, related.Submissions[*row.SubmissionID].CommitID})
	}
	if row.AssigneeID != nil {
		user := related.Users[*row.AssigneeID]
		shape.Assignee = ptr(Named{user.ID, user.Name})
	}
	return shape
}

func declared(text *string, version int) *Declaration {
	if text == nil {
		return nil
	}
	return ptr(Declaration{version, Free(*text)})
}

func differences(row models.ChangeInstance, s *schema.Schema) []Difference {
	var ordering *value.Ordering
	if s != nil {
		ordering = s.Ordering()
	}
	rows, _ := engine.Differences(row.OldDeclaration, row.NewDeclaration, ordering)
	return each(rows, func(d value.Difference) Difference {
		return Difference{d.Pointer, d.Op, written(d.Before), written(d.After)}
	})
}

// written is a value as JSON, null if there is none.
func written(v *value.Value) Free {
	if v == nil {
		return Free("null")
	}
	return Free(value.AppendJSON(nil, v))
}

func (a API) answerChange(c *fiber.Ctx, status int, pov market.Pov, row models.ChangeInstance) error {
	shapes, err := a.changes(c, pov, []models.ChangeInstance{row})
	if err != nil {
		return err
	}
	tag(c, row.Version)
	return answer(c, status, shapes[0])
}

// listChanges lists change instances from one side, all or those of one kind.
func (a API) listChanges(pov market.Pov, kinds ...engine.ChangeKind) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, changeFilters, "created", "modified", "state", "change_type")
		if err != nil {
			return err
		}
		q, err := changeQuery(l)
		if err != nil {
			return err
		}
		q.Kind = kinds
		has, err := having(l)
		if err != nil {
			return err
		}
		rows, count, err := sift(has, q.Page, func(page models.Page) ([]models.ChangeInstance, int64, error) {
			q.Page = page
			return a.Market.Changes(c.UserContext(), actor(c), pov, q)
		}, declarationOf)
		if err != nil {
			return err
		}
		shapes, err := a.changes(c, pov, rows)
		if err != nil {
			return err
		}
		if n := len(rows); n > 0 {
			l.last = rows[n-1].ID
		}
		return answerPage(a, c, l, count, shapes)
	}
}

func changeQuery(l listing) (q models.ChangeQuery, err error) {
	q = models.ChangeQuery{ServiceName: l.Any("service_name"), CommitID: l.Text("commit_id"), Page: l.page}
	f := &filtered{listing: l}
	q.ApplicationID, q.ConsumerTeam, q.ServiceID = f.ids("application_id"), f.ids("consumer_team_id"), f.ids("service_id")
	q.ServiceItemID, q.ServiceOwner, q.SubmissionID = f.ids("service_item_id"), f.ids("service_owner_team_id"), f.ids("submission_id")
	q.Assignee, q.NotReferenced = f.ids("assignee"), f.flag("exclude_referenced")
	q.Type = as[engine.ChangeType](f.anyOf("change_type", words(engine.ChangeTypes)))
	q.State = states(f.anyOf("state", append(words(engine.States), "ERROR")))
	q.ModifiedFrom, q.ModifiedUntil = later(f.moment("modified"), f.moment("start_date")), f.moment("end_date")
	q.CreatedBefore = f.moment("older_than")
	return q, f.err
}

// declarationOf is what a change instance is about: what it declares, or what it ends.
func declarationOf(row models.ChangeInstance) string {
	if row.NewDeclaration != nil {
		return *row.NewDeclaration
	}
	return textOr(row.OldDeclaration)
}

// states reads states as clients write them.
func states(texts []string) []engine.State {
	return each(texts, func(text string) engine.State { state, _ := engine.ParseState(text); return state })
}

func (a API) readChange(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		row, err := a.Market.Change(c.UserContext(), actor(c), pov, number)
		if err != nil {
			return err
		}
		return a.answerChange(c, fiber.StatusOK, pov, row)
	}
}

func (a API) historyOf(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		history, err := a.Market.History(c.UserContext(), actor(c), pov, number)
		if err != nil {
			return err
		}
		return answer(c, fiber.StatusOK, each(history, func(h models.ChangeHistory) Step {
			return Step{h.ChangeID, h.State, h.Log, Moment(h.At), h.Reason, h.ChangedBy, h.ChangedByTeam, h.Via}
		}))
	}
}
