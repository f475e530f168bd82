package market

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// ServicePatch names the settings of a service that shall change; nil leaves one as it is (marketplace S6).
type ServicePatch struct {
	State                 *engine.ServiceState
	ApprovalRequired      *bool
	AllowManualApproval   *bool
	AllowManualCompletion *bool
	Private               *bool
	AllowedTeams          *[]int64 // some make the service private, none make it public, unless Private says otherwise
	DependantTeams        *[]int64
	Description           *string
	Readme                *string
	Tags                  *[]string
	MinimumSchemaVersion  *int
	Version               int64 // of the settings as they were shown; 0 does not care
}

// ChangeService changes settings of a service of the actor's team. They affect
// later changes only (marketplace C3, D3).
func (m *Market) ChangeService(ctx context.Context, who Actor, id int64, patch ServicePatch) (models.Service, error) {
	var service models.Service
	err := m.write(ctx, who, func(tx *gorm.DB) (err error) {
		if service, err = m.lockOwnService(tx, who, id); err != nil {
			return err
		}
		if patch.Version != 0 && patch.Version != service.Version {
			return &fault.Error{Kind: fault.Conflict, Code: "lost_race", Text: "Somebody changed the settings of this service meanwhile. Here they are as they stand now."}
		}
		if err := patch.check(tx, &service); err != nil {
			return err
		}
		if err := patch.apply(tx, &service); err != nil {
			return err
		}
		return record(tx, who, "service.change", object("service", service.ID), patch.summary())
	})
	return service, err
}

// summary is the patch as the audit log keeps it; of a readme only the size.
func (p ServicePatch) summary() string {
	if p.Readme != nil {
		size := fmt.Sprintf("%d bytes", len(*p.Readme))
		p.Readme = &size
	}
	text, _ := json.Marshal(p) // strings, numbers and lists always encode
	return string(text)
}

// lockOwnService holds a service of the actor's team.
func (m *Market) lockOwnService(tx *gorm.DB, who Actor, id int64) (models.Service, error) {
	service, err := models.ServiceByID(tx, id)
	if err != nil {
		return service, err
	}
	if service.OwnerID != who.TeamID {
		if _, err := visibleService(tx, who, id); err != nil {
			return service, err
		}
		return service, fault.New(fault.Forbidden, "Only the team that owns this service may change it.")
	}
	if err := who.mustAdmin(); err != nil {
		return service, err
	}
	if err := models.LockRow(tx, "services", id); err != nil {
		return service, err
	}
	return models.ServiceByID(tx, id)
}

func (p ServicePatch) check(tx *gorm.DB, service *models.Service) error {
	if p.State != nil && !slices.Contains(engine.ServiceStates, *p.State) {
		return fault.Field("state", "The state must be one of %v.", engine.ServiceStates)
	}
	if p.State != nil && *p.State == engine.ServiceDecommissioned {
		live, err := models.CountLiveItems(tx, service.ID)
		if err != nil {
			return err
		}
		if live > 0 {
			return fault.Field("state", "%d service items of %s are still live; it can be decommissioned when none is left.", live, service.Name)
		}
	}
	if n := p.MinimumSchemaVersion; n != nil && (*n < 1 || *n > service.SchemaVersion) {
		return fault.Field("minimum_schema_version", "The minimum schema version must be between 1 and %d.", service.SchemaVersion)
	}
	if err := p.checkTexts(); err != nil {
		return err
	}
	if err := knownTeams(tx, "allowed_teams", p.AllowedTeams); err != nil {
		return err
	}
	return knownTeams(tx, "dependant_teams", p.DependantTeams)
}

// Bounds of what an owner says about a service.
const (
	mostReadme      = 1 << 20 // bytes
	mostDescription = 10_000  // characters
	mostTags        = 20
)

func (p ServicePatch) checkTexts() error {
	if p.Readme != nil && len(*p.Readme) > mostReadme {
		return fault.Field("readme", "A readme may have at most 1 MiB.")
	}
	if p.Readme != nil {
		if err := checkText("readme", *p.Readme, mostReadme); err != nil {
			return err
		}
	}
	if p.Description != nil {
		if err := checkText("description", *p.Description, mostDescription); err != nil {
			return err
		}
	}
	if p.Tags == nil {
		return nil
	}
	if len(*p.Tags) > mostTags {
		return fault.Field("tags", "A service may have at most %d tags.", mostTags)
	}
	for _, tag := range *p.Tags {
		if err := checkName("tags", tag); err != nil {
			return err
		}
	}
	return nil
}

func knownTeams(tx *gorm.DB, field string, ids *[]int64) error {
	if ids == nil {
		return nil
	}
	teams, err := models.TeamsByID(tx, *ids)
	if err != nil {
		return err
	}
	for _, id := range *ids {
		if _, there := teams[id]; !there {
			return fault.Field(field, "There is no team %d.", id)
		}
	}
	return nil
}

func (p ServicePatch) apply(tx *gorm.DB, service *models.Service) error {
	set := map[string]any{}
	put(set, "state", p.State, &service.State)
	put(set, "approval_required", p.ApprovalRequired, &service.ApprovalRequired)
	put(set, "allow_manual_approval", p.AllowManualApproval, &service.AllowManualApproval)
	put(set, "allow_manual_completion", p.AllowManualCompletion, &service.AllowManualCompletion)
	put(set, "description", p.Description, &service.Description)
	put(set, "readme", p.Readme, &service.Readme)
	put(set, "minimum_schema_version", p.MinimumSchemaVersion, &service.MinimumSchemaVersion)
	if p.Tags != nil {
		text, _ := json.Marshal(*p.Tags)
		tags := string(text)
		put(set, "tags", &tags, &service.Tags)
	}
	private := p.Private
	if private == nil && p.AllowedTeams != nil {
		some := len(*p.AllowedTeams) > 0
		private = &some
	}
	put(set, "private", private, &service.Private)
	if p.AllowedTeams != nil {
		if err := models.ReplaceTeams(tx, models.AllowedTeams, service.ID, *p.AllowedTeams); err != nil {
			return err
		}
	}
	if p.DependantTeams != nil {
		if err := models.ReplaceTeams(tx, models.DependantTeams, service.ID, *p.DependantTeams); err != nil {
			return err
		}
	}
	service.Version, service.Modified = service.Version+1, models.Now()
	set["version"], set["modified"] = service.Version, service.Modified
	return tx.Model(&models.Service{}).Where("id = ?", service.ID).Updates(set).Error
}

// put notes a new value for a column and for the row in hand.
func put[T any](set map[string]any, column string, value *T, field *T) {
	if value != nil {
		set[column], *field = *value, *value
	}
}
