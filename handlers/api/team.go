package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// Team is a team as its own members see it.
type Team struct {
	ID                           int64                `json:"id"`
	Name                         string               `json:"name"`
	Metadata                     Free                 `json:"metadata"`
	Email                        string               `json:"email"`
	AllowSubmitSubmissionBuilder bool                 `json:"allow_submit_submission_builder"`
	DeletionGuard                models.DeletionGuard `json:"deletion_guard" enum:"off,application,any"`
	Created                      Moment               `json:"created"`
	Modified                     Moment               `json:"modified"`
}

// NewTeam is the body that makes a team.
type NewTeam struct {
	Name  string `json:"name"`
	Owner *int64 `json:"owner,omitempty" doc:"The user who becomes its admin; for platform admins."`
}

// TeamSettings is the body that changes a team; what is left out stays.
type TeamSettings struct {
	Metadata                     *map[string]any       `json:"metadata,omitempty"`
	Email                        *string               `json:"email,omitempty"`
	AllowSubmitSubmissionBuilder *bool                 `json:"allow_submit_submission_builder,omitempty"`
	DeletionGuard                *models.DeletionGuard `json:"deletion_guard,omitempty" enum:"off,application,any"`
}

func teamOf(t models.Team) Team {
	return Team{
		ID: t.ID, Name: t.Name, Metadata: Free(t.Metadata), Email: t.Email, AllowSubmitSubmissionBuilder: t.AllowSubmitSubmissionBuilder,
		DeletionGuard: t.DeletionGuard, Created: Moment(t.Created), Modified: Moment(t.Modified),
	}
}

func (a API) listTeams(c *fiber.Ctx) error {
	l, err := list(c, nil, "name", "created", "modified")
	if err != nil {
		return err
	}
	teams, count, err := a.Market.Teams(c.UserContext(), actor(c), l.page)
	if err != nil {
		return err
	}
	return answerPage(a, c, l, count, each(teams, teamOf))
}

func (a API) listAllTeams(c *fiber.Ctx) error {
	l, err := list(c, allTeamFilters, "name", "created", "modified")
	if err != nil {
		return err
	}
	teams, count, err := a.Market.AllTeams(c.UserContext(), actor(c), l.Text("name"), l.page)
	if err != nil {
		return err
	}
	return answerPage(a, c, l, count, each(teams, namedTeam))
}

func (a API) createTeam(c *fiber.Ctx) error {
	b, err := readBody(c)
	if err != nil {
		return err
	}
	name, owner := b.text("name"), b.number("owner")
	if err := b.doneAll(); err != nil {
		return err
	}
	team, err := a.Market.CreateTeam(c.UserContext(), actor(c), textOr(name), owner)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusCreated, teamOf(team))
}

func (a API) readTeam(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	team, err := a.Market.Team(c.UserContext(), actor(c), number)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, teamOf(team))
}

func (a API) changeTeam(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	patch := market.TeamPatch{Email: b.text("email"), AllowSubmitSubmissionBuilder: b.flag("allow_submit_submission_builder")}
	if metadata := b.json("metadata"); metadata != nil {
		patch.Metadata = ptr(string(metadata))
	}
	if guard := b.text("deletion_guard"); guard != nil {
		patch.DeletionGuard = ptr(models.DeletionGuard(*guard))
	}
	if err := b.doneAll(); err != nil {
		return err
	}
	team, err := a.Market.ChangeTeam(c.UserContext(), actor(c), number, patch)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, teamOf(team))
}

// each makes a shape of every row.
func each[R, S any](rows []R, shape func(R) S) []S {
	shapes := make([]S, len(rows))
	for i, row := range rows {
		shapes[i] = shape(row)
	}
	return shapes
}

func ptr[T any](value T) *T { return &value }

func textOr(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
