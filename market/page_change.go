package market

import (
	"context"
	"slices"
	"time"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// ShownChanges are change instances with everything that their rows show.
type ShownChanges struct {
	Changes []models.ChangeInstance
	Related
	Rejected   map[int64]models.RejectedChange // who refused the one before, by change
	Compiled   map[int64]*schema.Schema        // the newest, by service
	CauseNames map[int64]string                // of the items that woke changes, by item
}

// ShowChanges finds everything that rows of these changes show, in a constant
// number of statements.
func (m *Market) ShowChanges(ctx context.Context, changes []models.ChangeInstance) (ShownChanges, error) {
	shown := ShownChanges{Changes: changes}
	var teams, services, applications, items, users, own ids
	for i := range changes {
		c := &changes[i]
		own.add(c.ID)
		teams.add(c.OwnerID)
		teams.add(c.ConsumerTeamID)
		services.add(c.ServiceID)
		applications.add(c.ApplicationID)
		items.add(c.ServiceItemID)
		users.some(c.AssigneeID)
	}
	tx, r := m.read(ctx), &shown.Related
	return shown, all(
		func() (err error) { r.Teams, err = models.TeamsByID(tx, teams.once()); return },
		func() (err error) { r.Services, err = models.ServicesByID(tx, services.once()); return },
		func() (err error) { r.Applications, err = models.ApplicationsByID(tx, applications.once()); return },
		func() (err error) { r.Items, err = models.ServiceItemsByID(tx, items.once()); return },
		func() (err error) { r.Users, err = models.UsersByID(tx, users.once()); return },
		func() (err error) { r.Causes, err = models.Causes(tx, own.once()); return },
		func() (err error) { shown.Rejected, err = models.EarlierRejections(tx, own.once()); return },
		func() (err error) { shown.Compiled, err = m.SchemasOf(ctx, r.Services); return },
		func() (err error) { shown.CauseNames, err = m.causeNames(ctx, *r); return },
	)
}

// causeNames finds the names of the items that woke changes; their consumer and
// their owners know them from the declarations that refer to them.
func (m *Market) causeNames(ctx context.Context, related Related) (map[int64]string, error) {
	var woke ids
	for _, causes := range related.Causes {
		for _, cause := range causes {
			woke.add(cause.ServiceItemID)
		}
	}
	items, err := models.ServiceItemsByID(m.read(ctx), woke.once())
	names := make(map[int64]string, len(items))
	for id, item := range items {
		names[id] = item.Name
	}
	return names, err
}

// sided narrows a list to what the actor's team sees from one side.
func sided(who Actor, pov Pov, q models.ChangeList) models.ChangeList {
	if pov == AsConsumer {
		q.Consumer = who.team()
	} else {
		q.Owner = who.team()
	}
	return q
}

// ChangeStretch reads one part of the list of changes that the actor's team
// sees from one side.
func (m *Market) ChangeStretch(ctx context.Context, who Actor, pov Pov, q models.ChangeList, c models.Cursor) (models.Stretch[models.ChangeInstance], error) {
	return models.ChangeStretch(m.read(ctx), sided(who, pov, q), c)
}

// CountDeletes tells how many changes of such a list delete their items.
func (m *Market) CountDeletes(ctx context.Context, who Actor, pov Pov, q models.ChangeList) (int64, error) {
	return models.CountDeletes(m.read(ctx), sided(who, pov, q))
}

// ChangePlace finds where a change stands in such a list (portal CHG7).
func (m *Market) ChangePlace(ctx context.Context, who Actor, pov Pov, q models.ChangeList, newest bool, id int64) (models.Place, error) {
	return models.ChangePlace(m.read(ctx), sided(who, pov, q), newest, id)
}

// Choices are what a list of changes or items may be narrowed by.
type Choices struct {
	Services     []models.Service
	Applications []models.Application
	Consumers    []models.Team
}

// ChangeChoices finds what the actor's team's changes of one side may be narrowed by.
func (m *Market) ChangeChoices(ctx context.Context, who Actor, pov Pov) (Choices, error) {
	side := models.OwnerSide
	if pov == AsConsumer {
		side = models.ConsumerSide
	}
	facets, err := models.ChangeFacets(m.read(ctx), side, who.TeamID)
	if err != nil {
		return Choices{}, err
	}
	return m.choices(ctx, facets)
}

func (m *Market) choices(ctx context.Context, facets []models.Facet) (choices Choices, err error) {
	var services, applications, consumers ids
	for _, f := range facets {
		services.add(f.ServiceID)
		applications.add(f.ApplicationID)
		consumers.add(f.ConsumerTeamID)
	}
	tx := m.read(ctx)
	err = all(
		func() (err error) { choices.Services, err = listed(models.ServicesByID(tx, services.once())); return },
		func() (err error) {
			choices.Applications, err = listed(models.ApplicationsByID(tx, applications.once()))
			return
		},
		func() (err error) { choices.Consumers, err = listed(models.TeamsByID(tx, consumers.once())); return },
	)
	slices.SortFunc(choices.Services, func(a, b models.Service) int { return byName(a.Name, b.Name) })
	slices.SortFunc(choices.Applications, func(a, b models.Application) int { return byName(a.Name, b.Name) })
	slices.SortFunc(choices.Consumers, func(a, b models.Team) int { return byName(a.Name, b.Name) })
	return choices, err
}

// ChangeDetails are one change instance with everything around it that the
// actor's team may see (portal CHG3, CHG4).
type ChangeDetails struct {
	ShownChanges
	History []models.ChangeHistory // newest first
	Woken   []models.ChangeInstance
	Lanes   []models.ChangeInstance // of the same piece of work, the shown change included
	Since   time.Time               // it stands in its state
	InLane  []models.ChangeInstance // all changes of the item in this lane, newest first
	Retry   int64                   // the change that tries this one again, 0 for none
}

// Change returns the change that is shown.
func (d *ChangeDetails) Change() *models.ChangeInstance { return &d.Changes[0] }

// ChangeDetails reads one change that the actor's team may see.
func (m *Market) ChangeDetails(ctx context.Context, who Actor, id int64) (ChangeDetails, error) {
	var d ChangeDetails
	change, err := m.Change(ctx, who, "", id)
	if err != nil {
		return d, err
	}
	if d.ShownChanges, err = m.ShowChanges(ctx, []models.ChangeInstance{change}); err != nil {
		return d, err
	}
	tx, origin := m.read(ctx), change.ID
	if change.OriginID != nil {
		origin = *change.OriginID
	}
	err = all(
		func() (err error) { d.Deployed, err = models.NewestDeployed(tx, []int64{change.ServiceItemID}); return },
		func() (err error) { d.History, err = models.HistoryOf(tx, id); return },
		func() error {
			woken, err := models.Woken(tx, []int64{id})
			d.Woken = visible(who, woken[id])
			return err
		},
		func() (err error) { d.Lanes, err = models.Copies(tx, origin); d.Lanes = visible(who, d.Lanes); return },
		func() error {
			again, err := models.RetriesOf(tx, []int64{id})
			d.Retry = again[id]
			return err
		},
		func() (err error) {
			q := models.ChangeQuery{Owner: change.OwnerID, ServiceItemID: []int64{change.ServiceItemID}, Page: models.Page{Limit: 100}}
			d.InLane, _, err = models.Changes(tx, q)
			return
		},
	)
	if err != nil {
		return d, err
	}
	d.Since = change.Created
	for _, step := range d.History {
		if step.Reason == "state" {
			d.Since = step.At
			break
		}
	}
	return d, m.nameAround(ctx, &d)
}

// nameAround finds the names of the items and teams around a change.
func (m *Market) nameAround(ctx context.Context, d *ChangeDetails) error {
	around := slices.Concat(d.Changes, d.Woken, d.Lanes, d.Causes[d.Changes[0].ID])
	var items, teams, services ids
	for i := range around {
		items.add(around[i].ServiceItemID)
		teams.add(around[i].OwnerID)
		services.add(around[i].ServiceID)
		teams.add(around[i].ConsumerTeamID)
	}
	tx := m.read(ctx)
	return all(
		func() (err error) { d.Items, err = models.ServiceItemsByID(tx, items.once()); return },
		func() (err error) { d.Teams, err = models.TeamsByID(tx, teams.once()); return },
		func() (err error) { d.Services, err = models.ServicesByID(tx, services.once()); return },
	)
}

// Sees reports whether an actor's team may see a change (marketplace A2).
func Sees(who Actor, change models.ChangeInstance) bool {
	return change.ConsumerTeamID == who.TeamID || change.OwnerID == who.TeamID
}

func visible(who Actor, changes []models.ChangeInstance) []models.ChangeInstance {
	return slices.DeleteFunc(changes, func(c models.ChangeInstance) bool { return !Sees(who, c) })
}

// RecentReasons lists the different words with which the actor's team last took
// changes to a state, at most five (portal QUE2).
func (m *Market) RecentReasons(ctx context.Context, who Actor, state engine.State) ([]string, error) {
	logs, err := models.RecentReasons(m.read(ctx), who.TeamID, state)
	var reasons []string
	for _, log := range logs {
		if len(reasons) < 5 && !slices.Contains(reasons, log) {
			reasons = append(reasons, log)
		}
	}
	return reasons, err
}

// Targets turns a list of changes into what a bulk request moves, and refuses
// one that is not what its sender counted (portal QUE4).
func (m *Market) Targets(ctx context.Context, who Actor, q models.ChangeList, expected int64) ([]BulkTarget, error) {
	stretch, err := m.ChangeStretch(ctx, who, AsServiceOwner, q, models.Cursor{Size: MaxBulk})
	if err != nil {
		return nil, err
	}
	if stretch.Count > MaxBulk {
		return nil, fault.Field("matching", "At most %d changes are moved at once. Narrow the list.", MaxBulk)
	}
	if stretch.Count != expected {
		return nil, &fault.Error{Kind: fault.Conflict, Code: "recounted", Text: "The list has changed since you counted: look at it again."}
	}
	targets := make([]BulkTarget, len(stretch.Rows))
	for i, change := range stretch.Rows {
		targets[i] = BulkTarget{ID: change.ID, Version: change.Version}
	}
	return targets, nil
}
