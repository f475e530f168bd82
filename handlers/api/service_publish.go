package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/web"
)

// ServiceSettings is the body that changes a service; what is left out stays.
type ServiceSettings struct {
	State                 *engine.ServiceState `json:"state,omitempty"`
	ApprovalRequired      *bool                `json:"approval_required,omitempty"`
	AllowManualApproval   *bool                `json:"allow_manual_approval,omitempty"`
	AllowManualCompletion *bool                `json:"allow_manual_completion,omitempty"`
	Private               *bool                `json:"private,omitempty"`
	AllowedTeams          *[]int64             `json:"allowed_teams,omitempty"`
	DependantTeams        *[]any               `json:"dependant_teams,omitempty" doc:"Ids, or objects with an id."`
	Description           *string              `json:"description,omitempty"`
	Docs                  *string              `json:"docs,omitempty" doc:"The readme, in Markdown."`
	Tags                  *[]string            `json:"tags,omitempty"`
	MinimumSchemaVersion  *int                 `json:"minimum_schema_version,omitempty"`
}

// SchemaVerdict says whether a schema would be accepted, and what it would change.
type SchemaVerdict struct {
	IsValid  bool                `json:"is_valid"`
	Errors   map[string][]string `json:"errors" doc:"Sentences by JSON Pointer."`
	Problems []engine.Problem    `json:"problems"`
	Warnings []engine.Problem    `json:"warnings"`
	Name     string              `json:"name"`
	IsNew    bool                `json:"is_new"`
	Impact   []SchemaChange      `json:"impact" doc:"Against the version before."`
}

// SchemaChange is one difference between two versions of a schema.
type SchemaChange struct {
	Path     string `json:"path"`
	What     string `json:"what"`
	Breaking bool   `json:"breaking"`
}

func schemaVerdictOf(v market.SchemaVerdict) SchemaVerdict {
	return SchemaVerdict{
		IsValid: v.IsValid, Errors: v.Errors, Problems: v.Problems, Warnings: append([]engine.Problem{}, v.Warnings...), Name: v.Name, IsNew: v.IsNew,
		Impact: each(v.Changes, func(c schema.SchemaChange) SchemaChange { return SchemaChange{c.Path, c.What, c.Breaking} }),
	}
}

func (a API) publishService(c *fiber.Ctx) error {
	text, err := web.Body(c)
	if err != nil {
		return err
	}
	published, err := a.Market.Publish(c.UserContext(), actor(c), text, isYAML(c))
	if err != nil {
		return err
	}
	status := fiber.StatusOK
	if published.Changed {
		status = fiber.StatusCreated
	}
	return a.answerService(c, status, market.AsServiceOwner, published.Service)
}

func (a API) validateService(c *fiber.Ctx) error {
	if _, err := web.Query(c, "dry_run"); err != nil {
		return err
	}
	text, err := web.Body(c)
	if err != nil {
		return err
	}
	verdict, err := a.Market.ValidateSchema(c.UserContext(), actor(c), text, isYAML(c))
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, schemaVerdictOf(verdict))
}

func (a API) changeService(c *fiber.Ctx) error {
	row, err := a.serviceSeen(c, market.AsConsumer)
	if err != nil {
		return err
	}
	if err := unchanged(c, row.Version); err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	patch := b.servicePatch()
	if err := b.doneAll(); err != nil {
		return err
	}
	if c.Get(fiber.HeaderIfMatch) != "" {
		patch.Version = row.Version
	}
	if row, err = a.Market.ChangeService(c.UserContext(), actor(c), row.ID, patch); err != nil {
		return err
	}
	return a.answerService(c, fiber.StatusOK, market.AsServiceOwner, row)
}

func (b *body) servicePatch() market.ServicePatch {
	patch := market.ServicePatch{
		ApprovalRequired: b.flag("approval_required"), AllowManualApproval: b.flag("allow_manual_approval"),
		AllowManualCompletion: b.flag("allow_manual_completion"), Private: b.flag("private"),
		AllowedTeams: b.numbers("allowed_teams"), DependantTeams: b.numbers("dependant_teams"),
		Description: b.text("description"), Readme: b.text("docs"), Tags: b.texts("tags"),
	}
	if patch.Readme == nil {
		patch.Readme = b.text("readme")
	}
	if state := b.text("state"); state != nil {
		patch.State = ptr(engine.ServiceState(*state))
	}
	if version := b.number("minimum_schema_version"); version != nil {
		patch.MinimumSchemaVersion = ptr(int(*version))
	}
	return patch
}
