package api

import (
	"encoding/json"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// Service is a service of the catalogue.
type Service struct {
	ID                    int64               `json:"id"`
	URL                   string              `json:"url" format:"uri"`
	Name                  string              `json:"name"`
	Owner                 Named               `json:"owner"`
	State                 engine.ServiceState `json:"state"`
	Schema                ServiceSchema       `json:"schema"`
	ApprovalRequired      bool                `json:"approval_required"`
	AllowManualApproval   bool                `json:"allow_manual_approval"`
	AllowManualCompletion bool                `json:"allow_manual_completion"`
	Private               bool                `json:"private"`
	AllowedTeams          []int64             `json:"allowed_teams" doc:"For the owner only; empty for everybody else."`
	DependantTeams        []Named             `json:"dependant_teams"`
	Healthcheck           Nothing             `json:"healthcheck"`
	MinimumSchemaVersion  int                 `json:"minimum_schema_version"`
	Description           string              `json:"description"`
	Tags                  []string            `json:"tags"`
	Docs                  string              `json:"docs" doc:"The readme, in Markdown."`
	Created               Moment              `json:"created"`
	Modified              Moment              `json:"modified"`
}

// ServiceSchema is one version of a service's JSON Schema.
type ServiceSchema struct {
	ID      int64 `json:"id"`
	Version int   `json:"version"`
	Schema  Free  `json:"schema"`
}

// SchemaVersion is one accepted publish of a service's schema.
type SchemaVersion struct {
	ServiceSchema
	PublishedBy string `json:"published_by"`
	Created     Moment `json:"created"`
}

// services makes the shapes of services as the asker sees them from one side.
func (a API) services(c *fiber.Ctx, pov market.Pov, rows []models.Service) ([]Service, error) {
	related, err := a.Market.OfServices(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	who := actor(c)
	return each(rows, func(s models.Service) Service { return a.service(pov, who.TeamID, s, related) }), nil
}

func (a API) service(pov market.Pov, team int64, s models.Service, related market.Related) Service {
	newest := related.Schemas[s.ID]
	shape := Service{
		ID: s.ID, URL: a.url(string(pov), "services", s.ID), Name: s.Name, Owner: named(related.Teams[s.OwnerID]), State: s.State,
		Schema:           ServiceSchema{newest.ID, newest.Version, Free(newest.Schema)},
		ApprovalRequired: s.ApprovalRequired, AllowManualApproval: s.AllowManualApproval, AllowManualCompletion: s.AllowManualCompletion,
		Private: s.Private, AllowedTeams: []int64{}, DependantTeams: []Named{}, MinimumSchemaVersion: s.MinimumSchemaVersion,
		Description: s.Description, Tags: tagsOf(s), Docs: s.Readme, Created: Moment(s.Created), Modified: Moment(s.Modified),
	}
	if s.OwnerID == team {
		shape.AllowedTeams = append(shape.AllowedTeams, related.Allowed[s.ID]...)
	}
	for _, dependant := range related.Dependants[s.ID] {
		shape.DependantTeams = append(shape.DependantTeams, named(related.Teams[dependant]))
	}
	return shape
}

func tagsOf(s models.Service) []string {
	tags := []string{}
	_ = json.Unmarshal([]byte(s.Tags), &tags) // the market wrote it
	return tags
}

func (a API) answerService(c *fiber.Ctx, status int, pov market.Pov, row models.Service) error {
	shapes, err := a.services(c, pov, []models.Service{row})
	if err != nil {
		return err
	}
	tag(c, row.Version)
	return answer(c, status, shapes[0])
}

func (a API) listServices(pov market.Pov, dependant bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, serviceFilters, "name", "created", "modified")
		if err != nil {
			return err
		}
		q, err := serviceQuery(l)
		if err != nil {
			return err
		}
		who, seen := actor(c), pov
		if dependant {
			q.DependantOf, seen = who.TeamID, market.AsConsumer
		}
		rows, count, err := a.Market.Services(c.UserContext(), who, seen, q)
		if err != nil {
			return err
		}
		shapes, err := a.services(c, pov, rows)
		if err != nil {
			return err
		}
		return answerPage(a, c, l, count, shapes)
	}
}

func serviceQuery(l listing) (q models.ServiceQuery, err error) {
	q = models.ServiceQuery{Name: l.Text("name"), Tag: l.Text("tag"), Search: l.Text("search"), Page: l.page}
	states, err := l.AnyOf("state", words(engine.ServiceStates)...)
	if err != nil {
		return q, err
	}
	q.State = as[engine.ServiceState](states)
	owners, err := l.IDs("owner_id")
	if err != nil || len(owners) == 0 {
		return q, err
	}
	if len(owners) > 1 {
		return q, fault.Field("owner_id", "One id is needed here.")
	}
	q.OwnerID = owners[0]
	return q, nil
}

// words are the texts of a closed set.
func words[W ~string](set []W) []string {
	return each(set, func(word W) string { return string(word) })
}

// as makes texts that were checked words of a closed set.
func as[W ~string](texts []string) []W {
	return each(texts, func(text string) W { return W(text) })
}

// serviceSeen finds a service from one side: the owner's side shows its own services only.
func (a API) serviceSeen(c *fiber.Ctx, pov market.Pov) (models.Service, error) {
	number, err := id(c, "id")
	if err != nil {
		return models.Service{}, err
	}
	who := actor(c)
	row, err := a.Market.Service(c.UserContext(), who, number)
	if err == nil && pov == market.AsServiceOwner && row.OwnerID != who.TeamID {
		err = fault.Missing()
	}
	return row, err
}

func (a API) readService(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		row, err := a.serviceSeen(c, pov)
		if err != nil {
			return err
		}
		return a.answerService(c, fiber.StatusOK, pov, row)
	}
}

// listTags lists the tags of all services that can be seen from one side.
func (a API) listTags(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, nil)
		if err != nil {
			return err
		}
		rows, _, err := a.Market.Services(c.UserContext(), actor(c), pov, models.ServiceQuery{})
		if err != nil {
			return err
		}
		var tags []string
		for _, row := range rows {
			tags = append(tags, tagsOf(row)...)
		}
		slices.Sort(tags)
		return answerCut(a, c, l, slices.Compact(tags))
	}
}

func schemaVersionOf(v models.ServiceVersion) SchemaVersion {
	return SchemaVersion{ServiceSchema{v.ID, v.Version, Free(v.Schema)}, v.PublishedBy, Moment(v.Created)}
}

func (a API) listVersions(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, nil)
		if err != nil {
			return err
		}
		row, err := a.serviceSeen(c, pov)
		if err != nil {
			return err
		}
		versions, err := a.Market.SchemaVersions(c.UserContext(), actor(c), row.ID)
		if err != nil {
			return err
		}
		return answerCut(a, c, l, each(versions, schemaVersionOf))
	}
}

func (a API) readVersion(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		row, err := a.serviceSeen(c, pov)
		if err != nil {
			return err
		}
		number, err := id(c, "n")
		if err != nil {
			return err
		}
		versions, err := a.Market.SchemaVersions(c.UserContext(), actor(c), row.ID)
		if err != nil {
			return err
		}
		for _, version := range versions {
			if int64(version.Version) == number {
				return answer(c, fiber.StatusOK, schemaVersionOf(version))
			}
		}
		return fault.Missing()
	}
}
