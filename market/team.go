package market

import (
	"context"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strings"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// mostMetadata is how many bytes a team may say about itself.
const mostMetadata = 64 * 1024

// acting is the actor as what it is in a team right now (trust Z7): Missing for
// those who have nothing to do with the team; a platform admin who is no member
// has no role in it.
func acting(tx *gorm.DB, who Actor, team int64) (Actor, error) {
	if who.KeyID != 0 && who.TeamID != team {
		return who, fault.Missing()
	}
	row, err := models.TeamByID(tx, team)
	if err != nil {
		return who, err
	}
	who.TeamID, who.TeamName = row.ID, row.Name
	if who.KeyID != 0 {
		return who, nil
	}
	who.Role = ""
	member, err := models.MembershipOf(tx, who.UserID, team)
	if err == nil {
		who.Role = member.Role
	}
	if fault.Is(err, fault.NotFound) && who.PlatformAdmin {
		err = nil
	}
	return who, err
}

// CreateTeam makes a team with an admin: the platform admin who creates it, or
// the user who shall own it. A team made on the command line for nobody has no
// members yet.
func (m *Market) CreateTeam(ctx context.Context, who Actor, name string, owner *int64) (team models.Team, err error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return team, err
	}
	if err := checkName("name", name); err != nil {
		return team, err
	}
	if owner == nil && who.UserID != 0 {
		owner = &who.UserID
	}
	err = m.write(ctx, who, func(tx *gorm.DB) (err error) {
		team, err = addTeam(tx, who, name, owner)
		return err
	})
	return team, err
}

// addTeam keeps a new team and makes its owner an admin.
func addTeam(tx *gorm.DB, who Actor, name string, owner *int64) (models.Team, error) {
	now := models.Now()
	team := models.Team{Name: name, Metadata: "{}", DeletionGuard: models.GuardOff, Created: now, Modified: now}
	if err := tx.Create(&team).Error; err != nil {
		if models.IsUnique(err, "teams_name_key") {
			err = taken("name", "There is already a team of this name.")
		}
		return team, err
	}
	who.TeamID = team.ID
	if err := record(tx, who, "team.create", object("team", team.ID), name); err != nil || owner == nil {
		return team, err
	}
	user, err := models.UserByID(tx, *owner)
	if fault.Is(err, fault.NotFound) {
		err = fault.Field("owner", "There is no such user.")
	}
	if err != nil {
		return team, err
	}
	_, err = addMember(tx, who, user, models.Admin)
	return team, err
}

// TeamPatch is what an admin may change about a team; nil leaves a setting as it is.
type TeamPatch struct {
	Metadata                     *string // the text of a JSON object
	Email                        *string
	AllowSubmitSubmissionBuilder *bool
	DeletionGuard                *models.DeletionGuard
}

// ChangeTeam changes settings of a team, for its admins.
func (m *Market) ChangeTeam(ctx context.Context, who Actor, id int64, patch TeamPatch) (team models.Team, err error) {
	changes, err := patch.changes()
	if err != nil {
		return team, err
	}
	err = m.write(ctx, who, func(tx *gorm.DB) error {
		who, err := acting(tx, who, id)
		if err != nil {
			return err
		}
		if err := who.mustAdmin(); err != nil {
			return err
		}
		if team, err = models.LockTeam(tx, id); err != nil || len(changes) == 0 {
			return err
		}
		set := maps.Clone(changes)
		if metadata := patch.Metadata; metadata != nil && !sameObject(*metadata, team.Metadata) {
			set["declaration_version"] = team.DeclarationVersion + 1 // metadata is declared as well
		}
		if err := changeTeam(tx, who, id, set); err != nil {
			return err
		}
		team, err = models.TeamByID(tx, id)
		return err
	})
	return team, err
}

func changeTeam(tx *gorm.DB, who Actor, id int64, changes map[string]any) error {
	columns := []string{}
	for column := range changes {
		if column != "declaration_version" {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	if err := tx.Model(&models.Team{}).Where("id = ?", id).Updates(changes).Update("modified", models.Now()).Error; err != nil {
		return err
	}
	return record(tx, who, "team.change", object("team", id), strings.Join(columns, ", "))
}

// changes are the columns that the patch sets, or what is wrong with it.
func (p TeamPatch) changes() (map[string]any, error) {
	set := map[string]any{}
	if p.Metadata != nil {
		text, err := compactObject(*p.Metadata)
		if err != nil {
			return nil, err
		}
		set["metadata"] = text
	}
	if p.Email != nil {
		if !validEmail(*p.Email) {
			return nil, fault.Field("email", "This is no mail address.")
		}
		set["email"] = *p.Email
	}
	if p.AllowSubmitSubmissionBuilder != nil {
		set["allow_submit_submission_builder"] = *p.AllowSubmitSubmissionBuilder
	}
	if p.DeletionGuard != nil {
		if !slices.Contains(models.DeletionGuards, *p.DeletionGuard) {
			return nil, fault.Field("deletion_guard", "The deletion guard must be off, application or any.")
		}
		set["deletion_guard"] = *p.DeletionGuard
	}
	return set, nil
}

// compactObject is the text of a JSON object without the space around its parts.
func compactObject(text string) (string, error) {
	if len(text) > mostMetadata {
		return "", fault.Field("metadata", "The metadata may have at most %d bytes.", mostMetadata)
	}
	object, problems := value.ParseJSON([]byte(text))
	if len(problems) > 0 {
		return "", fault.Field("metadata", "The metadata cannot be read: %s", problems[0].Message)
	}
	if object.Kind != value.Object {
		return "", fault.Field("metadata", "The metadata must be a JSON object, such as {}.")
	}
	return string(value.AppendJSON(nil, &object)), nil
}

// sameObject compares two texts of JSON by their values.
func sameObject(a, b string) bool {
	one, other := stored(a), stored(b)
	return value.Equal(&one, &other, nil)
}

// validEmail accepts a bare address, or nothing.
func validEmail(text string) bool {
	if text == "" {
		return true
	}
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && len(text) <= 254 && checkName("email", text) == nil
}

// Team finds a team that the actor has to do with.
func (m *Market) Team(ctx context.Context, who Actor, id int64) (models.Team, error) {
	tx := m.read(ctx)
	if _, err := acting(tx, who, id); err != nil {
		return models.Team{}, err
	}
	return models.TeamByID(tx, id)
}

// Teams lists the actor's teams, the active one first; a key has just its own.
func (m *Market) Teams(ctx context.Context, who Actor, page models.Page) ([]models.Team, int64, error) {
	q := models.TeamQuery{Member: who.UserID, Page: page}
	if who.KeyID != 0 {
		q.ID = who.TeamID
	}
	if page.Order == "" {
		q.Page.Order = fmt.Sprintf("CASE WHEN id = %d THEN 0 ELSE 1 END, name, id", who.TeamID)
	}
	return models.Teams(m.read(ctx), q)
}

// AllTeams lists every team by name; only name and metadata are for everybody.
func (m *Market) AllTeams(ctx context.Context, who Actor, name string, page models.Page) ([]models.Team, int64, error) {
	return models.Teams(m.read(ctx), models.TeamQuery{Name: name, Page: page})
}
