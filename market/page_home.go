package market

import (
	"context"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// Counts are the numbers beside the navigation.
type Counts struct {
	Queue       int64 // changes that the team still has to process
	Changes     int64 // changes of its own that were rejected or went wrong
	Submissions int64 // submissions with changes to wait for
}

// Counts counts what is open for the actor's team.
func (m *Market) Counts(ctx context.Context, who Actor) (Counts, error) {
	if who.TeamID == 0 {
		return Counts{}, nil
	}
	tx := m.read(ctx)
	owner, err := models.OpenStates(tx, models.OwnerSide, who.TeamID)
	if err != nil {
		return Counts{}, err
	}
	consumer, err := models.OpenStates(tx, models.ConsumerSide, who.TeamID)
	if err != nil {
		return Counts{}, err
	}
	submissions, err := models.CountUnfinished(tx, who.TeamID)
	return Counts{
		Queue:       owner[engine.Pending] + owner[engine.Approved],
		Changes:     consumer[engine.Rejected] + consumer[engine.Errored],
		Submissions: submissions,
	}, err
}

// Waiting is what waits for a team on one service.
type Waiting struct {
	Service models.Service
	N       int64
	Since   time.Time // the oldest of them
}

// Home is what waits for the actor (portal HOM1).
type Home struct {
	Pending     []Waiting // of the services it decides on, copies included
	Approved    int64     // to be completed
	Errored     int64     // of those it processes
	Submissions int64     // its own that still have changes to wait for
	Rejected    int64     // of its own changes
	Failed      int64     // of its own changes, errored
	Services    int64     // that it owns
	Declared    bool      // it has submitted something
	Orphans     []models.Team
}

// Home gathers what waits for the actor's team and, for a platform admin, what
// is amiss in the portal.
func (m *Market) Home(ctx context.Context, who Actor) (home Home, err error) {
	tx := m.read(ctx)
	if who.PlatformAdmin {
		if home.Orphans, err = models.TeamsWithoutAdmin(tx); err != nil {
			return home, err
		}
	}
	if who.TeamID == 0 {
		return home, nil
	}
	var owner, consumer map[engine.State]int64
	err = all(
		func() (err error) { owner, err = models.OpenStates(tx, models.OwnerSide, who.TeamID); return },
		func() (err error) { consumer, err = models.OpenStates(tx, models.ConsumerSide, who.TeamID); return },
		func() (err error) { home.Submissions, err = models.CountUnfinished(tx, who.TeamID); return },
		func() (err error) { home.Pending, err = m.pending(ctx, who); return },
		func() (err error) { return m.begun(ctx, who, &home) },
	)
	home.Approved, home.Errored = owner[engine.Approved], owner[engine.Errored]
	home.Rejected, home.Failed = consumer[engine.Rejected], consumer[engine.Errored]
	return home, err
}

// pending tells what waits for a decision, by service, with its oldest.
func (m *Market) pending(ctx context.Context, who Actor) ([]Waiting, error) {
	tx := m.read(ctx)
	figures, err := models.CountPending(tx, who.TeamID)
	if err != nil {
		return nil, err
	}
	var services, oldest ids
	for _, f := range figures {
		services.add(f.ServiceID)
		oldest.add(f.OldestID)
	}
	named, err := models.ServicesByID(tx, services.once())
	if err != nil {
		return nil, err
	}
	since, err := models.ChangesCreated(tx, oldest.once())
	waiting := make([]Waiting, 0, len(figures))
	for _, f := range figures {
		waiting = append(waiting, Waiting{Service: named[f.ServiceID], N: f.N, Since: since[f.OldestID]})
	}
	return waiting, err
}

// begun tells how far a team has come that is new to the portal.
func (m *Market) begun(ctx context.Context, who Actor, home *Home) error {
	tx := m.read(ctx)
	_, services, err := models.Services(tx, models.ServiceQuery{OwnedBy: who.TeamID, Page: models.Page{Limit: 1}})
	if err != nil {
		return err
	}
	submissions, _, err := models.Submissions(tx, models.SubmissionQuery{Team: who.TeamID, Page: models.Page{Limit: 1}})
	home.Services, home.Declared = services, len(submissions) > 0
	return err
}

// Elsewhere finds another team of the acting user for which sees succeeds, such
// as the one that may see a page which the active team may not (portal X5).
func (m *Market) Elsewhere(ctx context.Context, who Actor, sees func(Actor) error) (models.Member, error) {
	memberships, err := m.Memberships(ctx, who)
	if err != nil {
		return models.Member{}, err
	}
	for _, member := range memberships {
		if member.TeamID == who.TeamID {
			continue
		}
		other := who
		other.TeamID, other.TeamName, other.Role = member.TeamID, member.TeamName, member.Role
		if err := sees(other); err == nil {
			return member, nil
		} else if !fault.Is(err, fault.NotFound) {
			return models.Member{}, err
		}
	}
	return models.Member{}, fault.Missing()
}
