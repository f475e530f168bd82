package market

import (
	"context"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// SeenApplication is an application with its team and its state, as summed up
// over the items that one team may see.
type SeenApplication struct {
	models.Application
	ApplicationState
	Team models.Team
}

// SeenApplications lists the applications that the actor's team sees from one
// side: its own, or those with items that are routed to it.
func (m *Market) SeenApplications(ctx context.Context, who Actor, pov Pov) ([]SeenApplication, error) {
	if pov != AsConsumer {
		return m.routedApplications(ctx, who)
	}
	rows, states, err := m.Applications(ctx, who)
	if err != nil {
		return nil, err
	}
	seen := make([]SeenApplication, len(rows))
	for i, row := range rows {
		seen[i] = SeenApplication{Application: row, ApplicationState: stateOf(states, row.ID), Team: models.Team{ID: who.TeamID, Name: who.TeamName}}
	}
	return seen, nil
}

// stateOf is the state of an application, also of one without items.
func stateOf(states map[int64]ApplicationState, id int64) ApplicationState {
	if state, there := states[id]; there {
		return state
	}
	return sumUp([]models.ItemCount{{ApplicationID: id}})[id]
}

func (m *Market) routedApplications(ctx context.Context, who Actor) ([]SeenApplication, error) {
	tx := m.read(ctx)
	counts, err := models.CountItemsRouted(tx, who.TeamID)
	if err != nil {
		return nil, err
	}
	var own, teams ids
	states := sumUp(counts)
	for id := range states {
		own.add(id)
	}
	rows, err := models.ApplicationsByID(tx, own.once())
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		teams.add(row.TeamID)
	}
	names, err := models.TeamsByID(tx, teams.once())
	if err != nil {
		return nil, err
	}
	seen := make([]SeenApplication, 0, len(rows))
	for id, row := range rows {
		seen = append(seen, SeenApplication{Application: row, ApplicationState: states[id], Team: names[row.TeamID]})
	}
	return seen, nil
}

// SeenApplication reads one application that the actor's team sees from one side.
func (m *Market) SeenApplication(ctx context.Context, who Actor, pov Pov, id int64) (SeenApplication, error) {
	seen, err := m.SeenApplications(ctx, who, pov)
	if err != nil {
		return SeenApplication{}, err
	}
	for _, application := range seen {
		if application.ID == id {
			return application, nil
		}
	}
	return SeenApplication{}, fault.Missing()
}

// CompletedVersions finds which version of its declaration each item's owner
// completed last (lifecycle Y1).
func (m *Market) CompletedVersions(ctx context.Context, items []models.ServiceItem) (map[int64]int, error) {
	var own ids
	for i := range items {
		own.add(items[i].ID)
	}
	return models.CompletedVersions(m.read(ctx), own.once())
}
