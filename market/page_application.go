package market

import (
	"context"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
)

// ShownApplications are the actor's team's applications with everything that
// their rows show.
type ShownApplications struct {
	Applications []models.Application
	States       map[int64]ApplicationState
	Items        map[int64][]models.ServiceCount // by application
	Services     map[int64]models.Service
	Last         map[int64]models.Submission // the newest, by application
}

// ShowApplications finds the actor's team's applications, in a constant number
// of statements.
func (m *Market) ShowApplications(ctx context.Context, who Actor) (shown ShownApplications, err error) {
	if shown.Applications, shown.States, err = m.Applications(ctx, who); err != nil {
		return shown, err
	}
	tx := m.read(ctx)
	counts, err := models.CountByService(tx, who.TeamID)
	if err != nil {
		return shown, err
	}
	last, err := models.LastSubmissions(tx, who.TeamID)
	if err != nil {
		return shown, err
	}
	var services, submissions ids
	shown.Items, shown.Last = map[int64][]models.ServiceCount{}, map[int64]models.Submission{}
	for _, count := range counts {
		shown.Items[count.ApplicationID] = append(shown.Items[count.ApplicationID], count)
		services.add(count.ServiceID)
	}
	for _, id := range last {
		submissions.add(id)
	}
	if shown.Services, err = models.ServicesByID(tx, services.once()); err != nil {
		return shown, err
	}
	named, err := models.SubmissionsByID(tx, submissions.once())
	for application, id := range last {
		shown.Last[application] = named[id]
	}
	return shown, err
}

// ApplicationDetails are one application of the actor's team with its live
// items and open changes.
type ApplicationDetails struct {
	Application models.Application
	State       ApplicationState
	Items       []models.ServiceItem
	ItemsAround Related
	Open        ShownChanges
}

// openLimit bounds the items and changes that an application's page lists.
const openLimit = 500

// ApplicationDetails reads one application of the actor's team.
func (m *Market) ApplicationDetails(ctx context.Context, who Actor, id int64) (d ApplicationDetails, err error) {
	if d.Application, d.State, err = m.Application(ctx, who, id); err != nil {
		return d, err
	}
	tx := m.read(ctx)
	items := models.ServiceItemQuery{Consumer: who.TeamID, ApplicationID: []int64{id}, Live: true, Page: models.Page{Limit: openLimit, Order: "service_id, id"}}
	if d.Items, _, err = models.ServiceItems(tx, items); err != nil {
		return d, err
	}
	if d.ItemsAround, err = m.OfItems(ctx, d.Items); err != nil {
		return d, err
	}
	open := models.ChangeQuery{Consumer: who.TeamID, ApplicationID: []int64{id}, State: []engine.State{engine.Pending, engine.Approved, engine.Rejected, engine.Errored}, Page: models.Page{Limit: openLimit}}
	changes, _, err := models.Changes(tx, open)
	if err != nil {
		return d, err
	}
	d.Open, err = m.ShowChanges(ctx, changes)
	return d, err
}
