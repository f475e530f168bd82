package market

import (
	"context"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// AsDependant is the side of a team that receives copies of changes.
const AsDependant Pov = "dependant"

// ServiceItems lists the service items that the actor's team sees from one side.
func (m *Market) ServiceItems(ctx context.Context, who Actor, pov Pov, q models.ServiceItemQuery) ([]models.ServiceItem, int64, error) {
	switch pov {
	case AsConsumer:
		q.Consumer = who.team()
	case AsDependant:
		q.Dependant = who.team()
	default:
		q.Owner = who.team()
	}
	return models.ServiceItems(m.read(ctx), q)
}

// ServiceItem reads one service item that the actor's team may see; an empty
// pov means from any side.
func (m *Market) ServiceItem(ctx context.Context, who Actor, pov Pov, id int64) (models.ServiceItem, error) {
	item, err := models.ServiceItemByID(m.read(ctx), who.TeamID, id)
	if err != nil {
		return item, err
	}
	if (pov == AsConsumer) && item.ConsumerTeamID != who.TeamID {
		return models.ServiceItem{}, fault.Missing()
	}
	if pov == AsServiceOwner && item.ConsumerTeamID == who.TeamID {
		if _, err := models.OwnedItem(m.read(ctx), who.TeamID, id); err != nil && !m.routed(ctx, who, id) {
			return models.ServiceItem{}, fault.Missing()
		}
	}
	return item, nil
}

// routed reports whether a change of an item was routed to the actor's team.
func (m *Market) routed(ctx context.Context, who Actor, item int64) bool {
	_, count, err := models.Changes(m.read(ctx), models.ChangeQuery{Owner: who.team(), ServiceItemID: []int64{item}, Page: models.Page{Limit: 1}})
	return err == nil && count > 0
}

// Deployments lists the versions of an item's deployed item, newest first.
func (m *Market) Deployments(ctx context.Context, who Actor, item int64) ([]models.DeployedItem, error) {
	if _, err := m.ServiceItem(ctx, who, "", item); err != nil {
		return nil, err
	}
	return models.DeployedItemsOf(m.read(ctx), item)
}

// ChangesOfItem lists the changes of an item that the actor's team may see,
// newest first: all lanes for the consumer, its own lane for everybody else.
func (m *Market) ChangesOfItem(ctx context.Context, who Actor, item models.ServiceItem) ([]models.ChangeInstance, error) {
	q := models.ChangeQuery{ServiceItemID: []int64{item.ID}, Page: models.Page{Limit: 1000}}
	if item.ConsumerTeamID != who.TeamID {
		q.Owner = who.team()
	}
	changes, _, err := models.Changes(m.read(ctx), q)
	return changes, err
}

// InSync reports whether an item is as its team wants it, and which changes
// say otherwise (lifecycle Y1, Y2); lanes are the newest standing changes of
// each of its lanes.
func InSync(lanes []models.ChangeInstance) (bool, []models.ChangeInstance) {
	var behind []models.ChangeInstance
	own := false
	for _, change := range lanes {
		own = own || !change.IsDependant()
		if change.State != engine.Completed {
			behind = append(behind, change)
		}
	}
	return own && len(behind) == 0, behind
}

// Relation is one reference between two items, seen from one of them (lifecycle Q1).
type Relation struct {
	Path    string // pointer of the property in the item that refers
	Service string
	Name    string
	Item    *models.ServiceItem // the other item, nil when it is not there
}

// Relations finds what an item refers to and what refers to it, among the live
// items of its consumer team.
func (m *Market) Relations(ctx context.Context, item models.ServiceItem) (dependsOn, usedBy []Relation, err error) {
	tx := m.read(ctx)
	live, err := models.LiveItems(tx, item.ConsumerTeamID)
	if err != nil {
		return nil, nil, err
	}
	service, err := models.ServiceByID(tx, item.ServiceID)
	if err != nil {
		return nil, nil, err
	}
	schemas, err := m.schemasOfLive(tx, live, service)
	if err != nil {
		return nil, nil, err
	}
	homes := map[[2]string][]*models.LiveItem{}
	for i := range live {
		name := [2]string{live[i].Service, live[i].Name}
		homes[name] = append(homes[name], &live[i])
	}
	for _, r := range refersTo(schemas[item.ServiceID], item.Declaration) {
		other := pick(homes[[2]string{r.Service, r.Name}], item.ApplicationID, r.Team)
		dependsOn = append(dependsOn, relation(r, r.Service, r.Name, other))
	}
	for i := range live {
		user := &live[i]
		if user.ID == item.ID || !slices.Contains(schemas[user.ServiceID].ReferencedServices(), service.Name) {
			continue
		}
		for _, r := range refersTo(schemas[user.ServiceID], user.Declaration) {
			other := pick(homes[[2]string{r.Service, r.Name}], user.ApplicationID, r.Team)
			if other != nil && other.ID == item.ID {
				usedBy = append(usedBy, relation(r, user.Service, user.Name, user))
			}
		}
	}
	return dependsOn, usedBy, nil
}

func (m *Market) schemasOfLive(tx *gorm.DB, live []models.LiveItem, service models.Service) (map[int64]*schema.Schema, error) {
	services := map[int64]models.Service{}
	var missing ids
	for i := range live {
		missing.add(live[i].ServiceID)
	}
	services, err := models.ServicesByID(tx, missing.once())
	if err != nil {
		return nil, err
	}
	services[service.ID] = service
	list := make([]models.Service, 0, len(services))
	for _, s := range services {
		list = append(list, s)
	}
	return m.newestSchemas(tx, list)
}

func refersTo(s *schema.Schema, declaration string) []schema.Reference {
	if !s.HasReferences() {
		return nil
	}
	v, _ := value.ParseJSON([]byte(declaration))
	return s.References(&v)
}

// pick finds the item that a name means: the own application's, else the only other one.
func pick(homes []*models.LiveItem, application int64, team bool) *models.LiveItem {
	for _, home := range homes {
		if home.ApplicationID == application {
			return home
		}
	}
	if team && len(homes) == 1 {
		return homes[0]
	}
	return nil
}

func relation(r schema.Reference, service, name string, other *models.LiveItem) Relation {
	rel := Relation{Path: value.Pointer(r.Path...), Service: service, Name: name}
	if other != nil {
		rel.Item = &other.ServiceItem
	}
	return rel
}
