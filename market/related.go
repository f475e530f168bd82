package market

import (
	"context"
	"slices"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/models"
)

// Related holds the things that rows of a list name by id, so that a list is
// shown with a constant number of statements.
type Related struct {
	Teams        map[int64]models.Team
	Services     map[int64]models.Service
	Applications map[int64]models.Application
	Items        map[int64]models.ServiceItem
	Submissions  map[int64]models.Submission
	Deployed     map[int64]models.DeployedItem // the newest, by service item
	Users        map[int64]models.User         // assignees
	Causes       map[int64][]models.ChangeInstance
	Schemas      map[int64]models.ServiceVersion // the newest, by service
	Allowed      map[int64][]int64               // allowed teams, by service
	Dependants   map[int64][]int64               // dependent teams, by service
	Lanes        map[int64][]models.ChangeInstance
}

// ids gathers ids, each once.
type ids struct{ list []int64 }

func (s *ids) add(id int64) { s.list = append(s.list, id) }

func (s *ids) some(id *int64) {
	if id != nil {
		s.list = append(s.list, *id)
	}
}

func (s *ids) once() []int64 {
	slices.Sort(s.list)
	return slices.Compact(s.list)
}

// OfChanges finds everything that these change instances name.
func (m *Market) OfChanges(ctx context.Context, changes []models.ChangeInstance) (r Related, err error) {
	var teams, services, applications, items, submissions, users, own ids
	for i := range changes {
		c := &changes[i]
		own.add(c.ID)
		teams.add(c.OwnerID)
		teams.add(c.ServiceOwnerTeamID)
		teams.add(c.ConsumerTeamID)
		services.add(c.ServiceID)
		applications.add(c.ApplicationID)
		items.add(c.ServiceItemID)
		submissions.some(c.SubmissionID)
		users.some(c.AssigneeID)
	}
	tx := m.read(ctx)
	return r, all(
		func() (err error) { r.Teams, err = models.TeamsByID(tx, teams.once()); return },
		func() (err error) { r.Services, err = models.ServicesByID(tx, services.once()); return },
		func() (err error) { r.Applications, err = models.ApplicationsByID(tx, applications.once()); return },
		func() (err error) { r.Items, err = models.ServiceItemsByID(tx, items.once()); return },
		func() (err error) { r.Submissions, err = models.SubmissionsByID(tx, submissions.once()); return },
		func() (err error) { r.Deployed, err = models.NewestDeployed(tx, items.once()); return },
		func() (err error) { r.Users, err = models.UsersByID(tx, users.once()); return },
		func() (err error) { r.Causes, err = models.Causes(tx, own.once()); return },
	)
}

// OfItems finds everything that these service items name.
func (m *Market) OfItems(ctx context.Context, items []models.ServiceItem) (r Related, err error) {
	var teams, services, applications, own ids
	for i := range items {
		own.add(items[i].ID)
		teams.add(items[i].ConsumerTeamID)
		services.add(items[i].ServiceID)
		applications.add(items[i].ApplicationID)
	}
	tx := m.read(ctx)
	return r, all(
		func() (err error) { r.Services, err = models.ServicesByID(tx, services.once()); return },
		func() (err error) { r.Applications, err = models.ApplicationsByID(tx, applications.once()); return },
		func() (err error) { r.Deployed, err = models.NewestDeployed(tx, own.once()); return },
		func() (err error) { r.Lanes, err = models.Lanes(tx, own.once()); return },
		func() (err error) {
			for _, service := range r.Services {
				teams.add(service.OwnerID)
			}
			for _, lanes := range r.Lanes {
				for _, lane := range lanes {
					teams.add(lane.OwnerID)
				}
			}
			r.Teams, err = models.TeamsByID(tx, teams.once())
			return
		},
	)
}

// OfServices finds everything that these services name.
func (m *Market) OfServices(ctx context.Context, services []models.Service) (r Related, err error) {
	var teams, own ids
	for i := range services {
		own.add(services[i].ID)
		teams.add(services[i].OwnerID)
	}
	tx := m.read(ctx)
	return r, all(
		func() (err error) { r.Schemas, err = models.NewestSchemas(tx, own.once()); return },
		func() (err error) { r.Allowed, err = models.TeamsBeside(tx, models.AllowedTeams, own.once()); return },
		func() (err error) {
			r.Dependants, err = models.TeamsBeside(tx, models.DependantTeams, own.once())
			return
		},
		func() (err error) {
			for _, list := range r.Dependants {
				teams.list = append(teams.list, list...)
			}
			for _, list := range r.Allowed {
				teams.list = append(teams.list, list...)
			}
			r.Teams, err = models.TeamsByID(tx, teams.once())
			return
		},
	)
}

// OfDeployed finds the items, services and teams that these deployed items belong to.
func (m *Market) OfDeployed(ctx context.Context, deployed []models.DeployedItem) (r Related, err error) {
	var items, services, teams ids
	for i := range deployed {
		items.add(deployed[i].ServiceItemID)
		teams.add(deployed[i].ConsumerTeamID)
	}
	tx := m.read(ctx)
	return r, all(
		func() (err error) { r.Items, err = models.ServiceItemsByID(tx, items.once()); return },
		func() (err error) {
			for _, item := range r.Items {
				services.add(item.ServiceID)
			}
			r.Services, err = models.ServicesByID(tx, services.once())
			return
		},
		func() (err error) {
			for _, service := range r.Services {
				teams.add(service.OwnerID)
			}
			r.Teams, err = models.TeamsByID(tx, teams.once())
			return
		},
	)
}

// SchemasOf compiles the newest schemas of the services that a list names.
func (m *Market) SchemasOf(ctx context.Context, services map[int64]models.Service) (map[int64]*schema.Schema, error) {
	list := make([]models.Service, 0, len(services))
	for _, service := range services {
		list = append(list, service)
	}
	return m.newestSchemas(m.read(ctx), list)
}

// all does steps until one fails.
func all(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
