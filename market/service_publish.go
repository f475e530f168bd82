package market

import (
	"context"
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
