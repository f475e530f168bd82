package market

import (
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// situation loads all that a plan of a team depends on besides the document,
// in a constant number of statements. With hold, the services stay as they are
// until the transaction ends.
func (m *Market) situation(tx *gorm.DB, team models.Team, doc *engine.Document, hold bool) (engine.Situation, error) {
	now := engine.Situation{Team: engineTeam(team), Metadata: team.Metadata, Applications: map[string]string{}, Guard: m.guard}
	live, err := models.LiveItems(tx, team.ID)
	if err != nil {
		return now, err
	}
	services, held, err := concerned(tx, live, doc, hold)
	if err != nil {
		return now, err
	}
	if now.Services, err = m.catalogue(tx, team.ID, services, held); err != nil {
		return now, err
	}
	applications, err := models.ApplicationsOf(tx, team.ID)
	if err != nil {
		return now, err
	}
	for _, application := range applications {
		now.Applications[application.Name] = application.Metadata
	}
	now.Items, err = items(tx, team.ID, live, now.Services)
	return now, err
}

// concerned finds the services of the document and of the team's live items.
func concerned(tx *gorm.DB, live []models.LiveItem, doc *engine.Document, hold bool) ([]models.Service, map[int64]bool, error) {
	held, names := map[int64]bool{}, map[string]bool{}
	for i := range live {
		held[live[i].ServiceID], names[live[i].Service] = true, true
	}
	for _, application := range doc.Applications {
		for _, service := range application.Services {
			names[service.Name] = true
		}
	}
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	find := models.ServicesByName
	if hold {
		find = models.HoldServices
	}
	services, err := find(tx, list)
	return services, held, err
}

// items makes the engine's view of a team's live items.
func items(tx *gorm.DB, team int64, live []models.LiveItem, services map[string]*engine.Service) ([]engine.Item, error) {
	list, index := make([]engine.Item, len(live)), make(map[int64]*engine.Item, len(live))
	for i := range live {
		list[i] = item(&live[i])
		index[live[i].ID] = &list[i]
	}
	open, err := models.OpenChanges(tx, team, superseding(services))
	if err != nil {
		return nil, err
	}
	deletions := map[int64]*engine.Deletion{}
	for i := range open {
		if target := index[open[i].ServiceItemID]; target != nil {
			addOpen(target, &open[i], deletions)
		}
	}
	if err := addCopies(tx, deletions); err != nil {
		return nil, err
	}
	return list, addRejections(tx, team, index)
}

func item(row *models.LiveItem) engine.Item {
	it := engine.Item{
		ID: row.ID, Key: engine.Key{Application: row.Application, Service: row.Service, Name: row.Name},
		Version: row.DeclarationVersion, LastVersion: row.LastVersion, Schema: row.SchemaVersion, Declared: row.Declared(),
	}
	if row.BaseChangeID != nil {
		it.BaseChange = *row.BaseChangeID
	}
	if row.DeclaredChangeID != nil {
		it.Declaration = row.Declaration
		copy(it.Hash[:], row.DeclarationHash)
	}
	return it
}

// superseding lists the services whose unfetched changes are merged.
func superseding(services map[string]*engine.Service) (ids []int64) {
	for _, service := range services {
		if service.Supersede {
			ids = append(ids, service.ID)
		}
	}
	return ids
}

func addOpen(target *engine.Item, row *models.OpenChange, deletions map[int64]*engine.Deletion) {
	own := row.OwnerID == row.ServiceOwnerTeamID
	if row.State == engine.Rejected {
		return
	}
	target.Open = append(target.Open, engine.OpenChange{
		ID: row.ID, Owner: engine.Team{ID: row.OwnerID, Name: row.Owner}, Own: own, Type: row.ChangeType, Kind: row.Kind,
		State: row.State, Untouched: row.Version == 1,
		New: version(row.NewVersion, row.NewDeclaration), Old: version(row.OldVersion, row.OldDeclaration),
	})
	if own && row.State == engine.Errored && row.ID == target.BaseChange {
		target.Errored = row.ID
	}
	if own && row.State == engine.Pending && row.ChangeType == engine.Delete {
		target.Deletion = &engine.Deletion{Change: row.ID}
		deletions[row.ID] = target.Deletion
	}
}

func version(number int, declaration *string) *engine.Version {
	if declaration == nil {
		return nil
	}
	return &engine.Version{Number: number, Declaration: *declaration}
}

// addCopies finds what dependent teams have done with their copies of PENDING deletions.
func addCopies(tx *gorm.DB, deletions map[int64]*engine.Deletion) error {
	ids := make([]int64, 0, len(deletions))
	for id := range deletions {
		ids = append(ids, id)
	}
	copies, err := models.CopiesOf(tx, ids)
	for i := range copies {
		c := &copies[i]
		deletion := deletions[*c.OriginID]
		deletion.Copies = append(deletion.Copies, engine.Copy{
			Change: c.ID, Owner: engine.Team{ID: c.OwnerID, Name: c.Owner}, State: c.State, Lapsed: c.Lapsed,
		})
	}
	return err
}

// addRejections finds, for items whose newest own-lane change lapsed, who
// refused it and why (marketplace G6).
func addRejections(tx *gorm.DB, team int64, index map[int64]*engine.Item) error {
	rejections, err := models.NewestRejections(tx, team)
	for _, r := range rejections {
		if target := index[r.ServiceItemID]; target != nil {
			target.Rejection = &engine.Rejection{Change: r.ChangeID, At: r.At, By: r.ChangedBy, Log: r.Log}
		}
	}
	return err
}
