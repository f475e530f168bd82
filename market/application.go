package market

import (
	"context"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
)

// ApplicationState sums an application up over its items (marketplace C9).
type ApplicationState struct {
	RuntimeState engine.RuntimeState
	ChangeState  engine.ChangeState
	Items        int // live ones
}

// Applications lists the actor's team's applications by name, each with its state.
func (m *Market) Applications(ctx context.Context, who Actor) ([]models.Application, map[int64]ApplicationState, error) {
	tx := m.read(ctx)
	applications, err := models.ApplicationsOf(tx, who.TeamID)
	if err != nil {
		return nil, nil, err
	}
	counts, err := models.CountItems(tx, who.TeamID)
	return applications, sumUp(counts), err
}

// Application reads one application of the actor's team with its state.
func (m *Market) Application(ctx context.Context, who Actor, id int64) (models.Application, ApplicationState, error) {
	application, err := models.ApplicationOf(m.read(ctx), who.TeamID, id)
	if err != nil {
		return application, ApplicationState{}, err
	}
	counts, err := models.CountItems(m.read(ctx), who.TeamID)
	state, there := sumUp(counts)[id]
	if !there {
		state = ApplicationState{RuntimeState: engine.Decommissioned, ChangeState: engine.ChangesCompleted}
	}
	return application, state, err
}

// sumUp takes the state that asks for most attention, and the liveliest one.
func sumUp(counts []models.ItemCount) map[int64]ApplicationState {
	states := map[int64]ApplicationState{}
	for _, c := range counts {
		s, there := states[c.ApplicationID]
		if !there {
			s = ApplicationState{RuntimeState: engine.Decommissioned, ChangeState: engine.ChangesCompleted}
		}
		if liveliness(c.RuntimeState) > liveliness(s.RuntimeState) {
			s.RuntimeState = c.RuntimeState
		}
		if urgency(c.ChangeState) < urgency(s.ChangeState) {
			s.ChangeState = c.ChangeState
		}
		if c.RuntimeState != engine.Decommissioned {
			s.Items += c.N
		}
		states[c.ApplicationID] = s
	}
	return states
}

func liveliness(state engine.RuntimeState) int {
	return map[engine.RuntimeState]int{engine.InService: 2, engine.Requested: 1}[state]
}

func urgency(state engine.ChangeState) int {
	for i, s := range engine.ChangeStates {
		if s == state {
			return i
		}
	}
	return len(engine.ChangeStates)
}
