package market

import (
	"context"
	"fmt"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// Draft is a document to begin with in the editor.
type Draft struct {
	Document value.Value
	Version  int64 // of the team's declaration
	Declared bool  // it holds what is declared now, not only an example
}

// Opening is what the editor opens with: what the team, or one application of
// it, has declared, or an example that can be ordered (portal DEC2). A service
// adds an example item of it.
func (m *Market) Opening(ctx context.Context, who Actor, application string, service int64) (Draft, error) {
	var names []string
	if application != "" {
		names = []string{application}
	}
	document, version, err := m.Declaration(ctx, who, names)
	if err != nil {
		return Draft{}, err
	}
	draft := Draft{Document: document, Version: version, Declared: len(document.Members[0].Value.Members) > 0}
	if service == 0 && draft.Declared {
		return draft, nil
	}
	if application == "" {
		application = m.firstApplication(&document)
	}
	example, ok, err := m.exampleOf(ctx, who, service)
	if err != nil || !ok {
		return draft, err
	}
	plant(&draft.Document.Members[0].Value, application, example)
	return draft, nil
}

// firstApplication names the application that an example goes into.
func (m *Market) firstApplication(document *value.Value) string {
	for _, member := range document.Members[0].Value.Members {
		if member.Name != "metadata" {
			return member.Name
		}
	}
	return "NewApp1"
}

// example is one item of a service with the items it names, by service.
type example struct {
	service  string
	services value.Value
}

// exampleOf makes an item of a service, or of the first one that may be ordered
// where none is named.
func (m *Market) exampleOf(ctx context.Context, who Actor, id int64) (example, bool, error) {
	q := models.ServiceQuery{ID: id, Page: models.Page{Limit: 1}}
	if id == 0 {
		q.State = []engine.ServiceState{engine.ServiceInService}
	}
	services, _, err := m.Services(ctx, who, AsConsumer, q)
	if err != nil || len(services) == 0 {
		return example{}, false, err
	}
	document, err := m.ExampleDeclaration(ctx, who, services[0], "")
	if err != nil {
		return example{}, false, err
	}
	inside := document.Members[0].Value.Members[0].Value.Members[0].Value
	return example{services[0].Name, inside}, true, nil
}

// plant adds an example to a team's document: its first item under a name that
// is free, and those it names where there are none yet.
func plant(team *value.Value, application string, e example) {
	services := within(within(team, application, value.Object), "services", value.Object)
	for _, service := range e.services.Members {
		list := within(services, service.Name, value.Array)
		for i, item := range service.Value.Items {
			taken := namesIn(list)
			name, named := item.Get("name")
			if named && service.Name == e.service && i == 0 {
				name.Text = free(name.Text, taken)
			} else if named && taken[name.Text] {
				continue
			}
			list.Items = append(list.Items, item)
		}
	}
}

func namesIn(list *value.Value) map[string]bool {
	taken := map[string]bool{}
	for i := range list.Items {
		if name, there := list.Items[i].Get("name"); there {
			taken[name.Text] = true
		}
	}
	return taken
}

// free is a name that is not taken, as like the wanted one as can be.
func free(name string, taken map[string]bool) string {
	first := name
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", first, n)
	}
	return name
}

// within finds a member of an object, or makes it.
func within(object *value.Value, name string, kind value.Kind) *value.Value {
	if there, ok := object.Get(name); ok {
		return there
	}
	object.Members = append(object.Members, member(name, value.Value{Kind: kind}))
	return &object.Members[len(object.Members)-1].Value
}

// Orderable lists the services that the actor's team may order, by name.
func (m *Market) Orderable(ctx context.Context, who Actor) ([]models.Service, error) {
	services, _, err := m.Services(ctx, who, AsConsumer, models.ServiceQuery{State: []engine.ServiceState{engine.ServiceInService}, Page: models.Page{Limit: 100}})
	return services, err
}

// SubmissionStretch reads one part of the list of submissions of the actor's
// team.
func (m *Market) SubmissionStretch(ctx context.Context, who Actor, q models.SubmissionList, c models.Cursor) (models.Stretch[models.Submission], error) {
	q.Team = who.TeamID
	return models.SubmissionStretch(m.read(ctx), q, c)
}

// SubmissionChoices finds what the list of submissions may be narrowed by.
func (m *Market) SubmissionChoices(ctx context.Context, who Actor) ([]string, []models.Application, error) {
	submitters, err := models.Submitters(m.read(ctx), who.TeamID)
	if err != nil {
		return nil, nil, err
	}
	applications, err := models.ApplicationsOf(m.read(ctx), who.TeamID)
	return submitters, applications, err
}

// ChangesOfSubmission lists the changes that a submission of the actor's team
// generated, in the order of its plan.
func (m *Market) ChangesOfSubmission(ctx context.Context, who Actor, id int64) ([]models.ChangeInstance, error) {
	if _, _, err := m.Submission(ctx, who, id); err != nil {
		return nil, err
	}
	return models.ChangesOf(m.read(ctx), id)
}

// LastSubmission finds the newest submission of the actor's team.
func (m *Market) LastSubmission(ctx context.Context, who Actor) (models.Submission, error) {
	return models.NewestSubmission(m.read(ctx), who.TeamID)
}

// PlantExample adds an example item of a service to a document of the actor's
// team: to one application, or to its first one.
func (m *Market) PlantExample(ctx context.Context, who Actor, document *value.Value, application string, service int64) error {
	if document.Kind != value.Object || len(document.Members) != 1 || document.Members[0].Value.Kind != value.Object {
		return fault.Field("declaration", "The document must be an object with one key, the name of your team, before an example fits into it.")
	}
	if application == "" {
		application = m.firstApplication(document)
	}
	example, ok, err := m.exampleOf(ctx, who, service)
	if err != nil {
		return err
	}
	if !ok {
		return fault.Missing()
	}
	plant(&document.Members[0].Value, application, example)
	return nil
}

// HideSecrets replaces the secret values of a document (lifecycle K4).
func (m *Market) HideSecrets(ctx context.Context, document value.Value) (value.Value, error) {
	names := servicesOf(&document)
	services, err := models.ServicesByName(m.read(ctx), names)
	if err != nil {
		return document, err
	}
	compiled, err := m.newestSchemas(m.read(ctx), services)
	if err != nil {
		return document, err
	}
	byName := map[string]*schema.Schema{}
	for _, service := range services {
		byName[service.Name] = compiled[service.ID]
	}
	eachItem(&document, func(service string, item *value.Value) {
		if s := byName[service]; s != nil {
			*item = s.Hide(nil, item)
		}
	})
	return document, nil
}

func servicesOf(document *value.Value) (names []string) {
	eachItem(document, func(service string, _ *value.Value) { names = append(names, service) })
	slices.Sort(names)
	return slices.Compact(names)
}

// eachItem visits the items of a document.
func eachItem(document *value.Value, visit func(service string, item *value.Value)) {
	for t := range document.Members {
		for a := range document.Members[t].Value.Members {
			services, there := document.Members[t].Value.Members[a].Value.Get("services")
			if !there {
				continue
			}
			for s := range services.Members {
				list := &services.Members[s]
				for i := range list.Value.Items {
					visit(list.Name, &list.Value.Items[i])
				}
			}
		}
	}
}
