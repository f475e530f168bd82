package market

import (
	"cmp"
	"context"
	"strings"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/models"
)

// sidedItems narrows a list of items to what the actor's team sees from one side.
func sidedItems(who Actor, pov Pov, q models.ServiceItemQuery) models.ServiceItemQuery {
	switch pov {
	case AsConsumer:
		q.Consumer = who.team()
	case AsDependant:
		q.Dependant = who.team()
	default:
		q.Owner = who.team()
	}
	return q
}

// ItemStretch reads one part of the list of items that the actor's team sees
// from one side.
func (m *Market) ItemStretch(ctx context.Context, who Actor, pov Pov, q models.ServiceItemQuery, c models.Cursor) (models.Stretch[models.ServiceItem], error) {
	return models.ItemStretch(m.read(ctx), sidedItems(who, pov, q), c)
}

// ItemChoices finds what such a list may be narrowed by.
func (m *Market) ItemChoices(ctx context.Context, who Actor, pov Pov) (Choices, error) {
	facets, err := models.ItemFacets(m.read(ctx), sidedItems(who, pov, models.ServiceItemQuery{}))
	if err != nil {
		return Choices{}, err
	}
	return m.choices(ctx, facets)
}

// ItemDetails are one service item with everything around it that the actor's
// team may see.
type ItemDetails struct {
	Item models.ServiceItem
	Related
	Changes     []models.ChangeInstance // of all lanes in sight, newest first
	Moves       map[int64][]models.ChangeHistory
	Submissions map[int64]models.Submission
	Deployments []models.DeployedItem // newest first
	Lives       []models.ServiceItem  // that ever had the name, oldest first
	Schema      *schema.Schema
}

// ItemDetails reads one item that the actor's team may see.
func (m *Market) ItemDetails(ctx context.Context, who Actor, id int64) (d ItemDetails, err error) {
	if d.Item, err = m.ServiceItem(ctx, who, "", id); err != nil {
		return d, err
	}
	if d.Related, err = m.OfItems(ctx, []models.ServiceItem{d.Item}); err != nil {
		return d, err
	}
	if d.Changes, err = m.ChangesOfItem(ctx, who, d.Item); err != nil {
		return d, err
	}
	d.Lanes[id] = visible(who, d.Lanes[id])
	named, err := m.OfChanges(ctx, d.Changes)
	if err != nil {
		return d, err
	}
	d.Submissions = named.Submissions
	for team := range named.Teams {
		d.Teams[team] = named.Teams[team]
	}
	var own ids
	for _, change := range d.Changes {
		own.add(change.ID)
	}
	tx := m.read(ctx)
	return d, all(
		func() (err error) { d.Moves, err = models.HistoriesOf(tx, own.once()); return },
		func() (err error) { d.Deployments, err = models.DeployedItemsOf(tx, id); return },
		func() (err error) { d.Lives, err = models.Lives(tx, who.TeamID, d.Item); return },
		func() error {
			compiled, err := m.SchemasOf(ctx, d.Services)
			d.Schema = compiled[d.Item.ServiceID]
			return err
		},
	)
}

// RelationsInSight finds the relations of an item; of items that the actor's
// team may not see, the name only is told (portal ITM5).
func (m *Market) RelationsInSight(ctx context.Context, who Actor, item models.ServiceItem) (dependsOn, usedBy []Relation, err error) {
	dependsOn, usedBy, err = m.Relations(ctx, item)
	if err != nil || item.ConsumerTeamID == who.TeamID {
		return dependsOn, usedBy, err
	}
	seen, err := m.Seen(ctx, who, dependsOn)
	for i := range dependsOn {
		if other := dependsOn[i].Item; other != nil && !seen[other.ID] {
			dependsOn[i].Item = nil
		}
	}
	return dependsOn, nil, err
}

// Seen tells which of the items at the far ends of relations the actor's team may see.
func (m *Market) Seen(ctx context.Context, who Actor, relations []Relation) (map[int64]bool, error) {
	var others ids
	for _, relation := range relations {
		if relation.Item != nil {
			others.add(relation.Item.ID)
		}
	}
	return models.SeenItems(m.read(ctx), who.team(), others.once())
}

// byName orders names as people look for them.
func byName(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

// listed turns rows by id into a list.
func listed[T any](rows map[int64]T, err error) ([]T, error) {
	list := make([]T, 0, len(rows))
	for _, row := range rows {
		list = append(list, row)
	}
	return list, err
}
