package market

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// SchemaVerdict says whether a schema would be accepted, and what its publication would change.
type SchemaVerdict struct {
	IsValid  bool                  `json:"is_valid"`
	Errors   map[string][]string   `json:"errors"` // sentences by JSON Pointer
	Problems []engine.Problem      `json:"problems"`
	Warnings []engine.Problem      `json:"warnings"`
	Name     string                `json:"name"`
	IsNew    bool                  `json:"is_new"`
	Changes  []schema.SchemaChange `json:"impact"` // against the version before
}

// Published is what a publication led to.
type Published struct {
	Service models.Service
	Changed bool // a new service or version; false when the schema was there already
	IsNew   bool
}

// draft is a schema that was read and compiled, before it is published.
type draft struct {
	root     value.Value
	text     []byte
	schema   *schema.Schema
	existing *models.Service
	before   *schema.Schema // the newest version, nil for a new service
}

// ValidateSchema tells whether Publish would accept a schema, with all problems at once (marketplace S2).
func (m *Market) ValidateSchema(ctx context.Context, who Actor, text []byte, yaml bool) (SchemaVerdict, error) {
	d, problems, err := m.draft(m.read(ctx), who, text, yaml)
	if err != nil && !fault.Is(err, fault.Conflict) {
		return SchemaVerdict{}, err
	}
	if err != nil {
		problems = append(problems, engine.Problem{Pointer: "/title", Message: err.Error(), Rule: "S1"})
	}
	verdict := schemaVerdict(problems)
	if d.schema != nil {
		verdict.Name, verdict.IsNew, verdict.Warnings = d.schema.Title(), d.existing == nil, d.schema.Warnings()
		verdict.Changes = d.changes()
	}
	return verdict, nil
}

func schemaVerdict(problems []engine.Problem) SchemaVerdict {
	v := SchemaVerdict{IsValid: len(problems) == 0, Errors: map[string][]string{}, Problems: []engine.Problem{}, Warnings: []engine.Problem{}, Changes: []schema.SchemaChange{}}
	for _, p := range problems[:min(len(problems), engine.MaxProblems)] {
		v.Problems = append(v.Problems, p)
		v.Errors[p.Pointer] = append(v.Errors[p.Pointer], p.Message)
	}
	return v
}

// changes lists what differs from the version before, empty for a new service.
func (d *draft) changes() []schema.SchemaChange {
	if d.before == nil {
		return []schema.SchemaChange{}
	}
	return append([]schema.SchemaChange{}, schema.Impact(d.before, d.schema)...)
}

// draft reads and compiles a schema and finds the service it is a version of.
func (m *Market) draft(tx *gorm.DB, who Actor, text []byte, yaml bool) (draft, []engine.Problem, error) {
	d := draft{text: text}
	root, problems := value.Parse(text, yaml)
	if len(problems) > 0 {
		return d, problems, nil
	}
	d.root = root
	compiled, problems := schema.Compile(&d.root, text)
	if len(problems) > 0 {
		return d, problems, nil
	}
	d.schema = compiled
	existing, err := models.ServiceByName(tx, compiled.Title())
	switch {
	case err == nil && existing.OwnerID != who.TeamID:
		return d, nil, &fault.Error{Kind: fault.Conflict, Code: "title_taken", Text: fmt.Sprintf("Another team has published a service called %q. Choose another title.", compiled.Title())}
	case err == nil:
		d.existing = &existing
		if d.before, err = m.schemaOf(tx, existing); err != nil {
			return d, nil, err
		}
	case !fault.Is(err, fault.NotFound):
		return d, nil, err
	}
	problems, err = unknownReferences(tx, who, &d)
	return d, problems, err
}

// schemaOf compiles the newest schema of a service.
func (m *Market) schemaOf(tx *gorm.DB, service models.Service) (*schema.Schema, error) {
	compiled, err := m.newestSchemas(tx, []models.Service{service})
	return compiled[service.ID], err
}

// unknownReferences finds service_reference values that name no service which
// the publishing team may know of (marketplace S2, A2). What the version before
// referred to stays known.
func unknownReferences(tx *gorm.DB, who Actor, d *draft) ([]engine.Problem, error) {
	names := d.schema.ReferencedServices()
	if len(names) == 0 {
		return nil, nil
	}
	services, _, err := models.Services(tx, models.ServiceQuery{Names: names, VisibleTo: who.team()})
	if err != nil {
		return nil, err
	}
	known := []string{d.schema.Title()}
	for _, service := range services {
		known = append(known, service.Name)
	}
	if d.before != nil {
		known = append(known, d.before.ReferencedServices()...)
	}
	var problems []engine.Problem
	for _, name := range names {
		if !slices.Contains(known, name) {
			problems = append(problems, d.unknownReference(name))
		}
	}
	return problems, nil
}

// unknownReference says where a schema first refers to a service that is not there.
func (d *draft) unknownReference(name string) engine.Problem {
	path, at := findReference(&d.root, name)
	line, column := value.NewText(d.text).Place(at)
	return engine.Problem{
		Pointer: value.Pointer(path...), Line: line, Column: column, Rule: "S2",
		Message: fmt.Sprintf("The service_reference %q names a service that does not exist. Publish that service first.", name),
	}
}

// findReference finds the first service_reference to a service, as the steps of a pointer.
func findReference(v *value.Value, service string) (path []string, at int) {
	for i := range v.Members {
		m := &v.Members[i]
		if m.Name == "service_reference" && m.Value.Kind == value.String && m.Value.Text == service {
			return []string{m.Name}, m.Value.At
		}
		if path, at := findReference(&m.Value, service); path != nil {
			return append([]string{m.Name}, path...), at
		}
	}
	for i := range v.Items {
		if path, at := findReference(&v.Items[i], service); path != nil {
			return append([]string{strconv.Itoa(i)}, path...), at
		}
	}
	return nil, 0
}

// Publish accepts a schema as a new service or as a new version of one; a
// schema that is there already is no new version (marketplace S1).
func (m *Market) Publish(ctx context.Context, who Actor, text []byte, yaml bool) (Published, error) {
	var published Published
	if err := who.mustAdmin(); err != nil {
		return published, err
	}
	err := m.write(ctx, who, func(tx *gorm.DB) error {
		d, problems, err := m.draft(tx, who, text, yaml)
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			return &fault.Error{Kind: fault.Invalid, Text: fmt.Sprintf("The schema has problems: %s", problems[0].Message), Detail: schemaVerdict(problems)}
		}
		published, err = publish(tx, who, d)
		return err
	})
	return published, err
}

func publish(tx *gorm.DB, who Actor, d draft) (Published, error) {
	if d.existing == nil {
		service, err := publishNew(tx, who, d)
		return Published{Service: service, Changed: true, IsNew: true}, err
	}
	if err := models.LockRow(tx, "services", d.existing.ID); err != nil {
		return Published{}, err
	}
	service, err := models.ServiceByID(tx, d.existing.ID)
	if err != nil {
		return Published{}, err
	}
	if service.SchemaVersion != d.existing.SchemaVersion {
		return Published{}, &fault.Error{Kind: fault.Conflict, Code: "lost_race", Text: "Somebody published another version of this service meanwhile. Look at it first."}
	}
	if d.before.Equal(d.schema) {
		return Published{Service: service}, nil
	}
	service, err = publishNext(tx, who, d, service)
	return Published{Service: service, Changed: true}, err
}

func publishNew(tx *gorm.DB, who Actor, d draft) (models.Service, error) {
	at := models.Now()
	approval := d.schema.Metadata().ApprovalRequired
	service := models.Service{
		Name: d.schema.Title(), OwnerID: who.TeamID, State: engine.ServiceInService, SchemaVersion: 1, MinimumSchemaVersion: 1,
		ApprovalRequired: approval == nil || *approval, AllowManualApproval: true, AllowManualCompletion: true,
		Description: d.schema.Description(), Tags: "[]", Version: 1, Created: at, Modified: at,
	}
	err := tx.Create(&service).Error
	if models.IsUnique(err, "services_name_key") {
		return service, &fault.Error{Kind: fault.Conflict, Code: "title_taken", Text: fmt.Sprintf("A service called %q was published meanwhile.", service.Name)}
	}
	if err != nil {
		return service, err
	}
	return service, keepVersion(tx, who, d, service)
}

func publishNext(tx *gorm.DB, who Actor, d draft, service models.Service) (models.Service, error) {
	service.SchemaVersion++
	service.Version++
	service.Description, service.Modified = d.schema.Description(), models.Now()
	was, is := d.before.Metadata().ApprovalRequired, d.schema.Metadata().ApprovalRequired
	if is != nil && (was == nil || *was != *is) {
		service.ApprovalRequired = *is
	}
	err := tx.Model(&models.Service{}).Where("id = ?", service.ID).Updates(map[string]any{
		"schema_version": service.SchemaVersion, "version": service.Version, "description": service.Description,
		"approval_required": service.ApprovalRequired, "modified": service.Modified,
	}).Error
	if err != nil {
		return service, err
	}
	return service, keepVersion(tx, who, d, service)
}

// keepVersion keeps the text of a schema as its service's newest version.
func keepVersion(tx *gorm.DB, who Actor, d draft, service models.Service) error {
	hash := value.Hash(&d.root, nil)
	err := tx.Create(&models.ServiceVersion{
		ServiceID: service.ID, Version: service.SchemaVersion, Schema: string(value.AppendJSON(nil, &d.root)), Hash: hash[:],
		PublishedBy: who.Name(), Created: models.Now(),
	}).Error
	if err != nil {
		return err
	}
	if err := announce(tx, "service.published", service.ID, service.OwnerID); err != nil {
		return err
	}
	return record(tx, who, "service.publish", object("service", service.ID), fmt.Sprintf("%s version %d", service.Name, service.SchemaVersion))
}

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

// Services lists the services that the actor's team sees from one side: the
// catalogue, or what it owns.
func (m *Market) Services(ctx context.Context, who Actor, pov Pov, q models.ServiceQuery) ([]models.Service, int64, error) {
	if pov == AsConsumer {
		q.VisibleTo = who.team()
	} else {
		q.OwnedBy = who.team()
	}
	return models.Services(m.read(ctx), q)
}

// Service reads one service that the actor's team may see.
func (m *Market) Service(ctx context.Context, who Actor, id int64) (models.Service, error) {
	return visibleService(m.read(ctx), who, id)
}

func visibleService(tx *gorm.DB, who Actor, id int64) (models.Service, error) {
	services, _, err := models.Services(tx, models.ServiceQuery{ID: id, VisibleTo: who.team()})
	if err != nil {
		return models.Service{}, err
	}
	if len(services) == 0 {
		return models.Service{}, fault.Missing()
	}
	return services[0], nil
}

// SchemaVersions lists the versions of a service that the actor's team may see, newest first.
func (m *Market) SchemaVersions(ctx context.Context, who Actor, id int64) ([]models.ServiceVersion, error) {
	if _, err := m.Service(ctx, who, id); err != nil {
		return nil, err
	}
	return models.VersionsOf(m.read(ctx), id)
}

// Schema compiles the newest schema of a service that the actor's team may see.
func (m *Market) Schema(ctx context.Context, who Actor, id int64) (*schema.Schema, error) {
	service, err := m.Service(ctx, who, id)
	if err != nil {
		return nil, err
	}
	return m.schemaOf(m.read(ctx), service)
}
