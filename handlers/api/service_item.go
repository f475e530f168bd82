package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// ServiceItem is one instance of a service.
type ServiceItem struct {
	ID                        int64               `json:"id"`
	URL                       string              `json:"url" format:"uri"`
	Name                      string              `json:"name"`
	Created                   Moment              `json:"created"`
	Modified                  Moment              `json:"modified"`
	RuntimeState              engine.RuntimeState `json:"runtime_state"`
	ChangeState               engine.ChangeState  `json:"change_state"`
	Service                   ItemService         `json:"service"`
	Application               ItemApplication     `json:"application"`
	Related                   Nothing             `json:"related"`
	ServiceOwnerTeam          Named               `json:"service_owner_team"`
	ConsumerTeam              NamedTeam           `json:"consumer_team"`
	DeployedItem              Free                `json:"deployed_item" doc:"{data, version} of the newest version, {} if there is none."`
	Declaration               Free                `json:"declaration"`
	HealthcheckStatus         Nothing             `json:"healthcheck_status"`
	IsValidatedMinimumSchema  bool                `json:"is_validated_minimum_schema"`
	IsDeprecatedServiceSchema bool                `json:"is_deprecated_service_schema"`
	IsServicePrivate          bool                `json:"is_service_private"`

	DeclarationVersion int            `json:"declaration_version"`
	Title              string         `json:"title"`
	Computed           map[string]any `json:"computed"`
	ComputedValues     map[string]any `json:"computed_values"`
	InSync             bool           `json:"in_sync"`
	InSyncWhy          []Behind       `json:"in_sync_why"`
	DeployedVersion    *int           `json:"deployed_version" doc:"Version of the declaration that was completed last."`
	References         []Relation     `json:"references" doc:"Filled in for one item, empty in lists."`
	ReferencedBy       []Relation     `json:"referenced_by" doc:"Filled in for one item, empty in lists."`
}

// ItemService is the service of a service item.
type ItemService struct {
	ID          int64               `json:"id"`
	Name        string              `json:"name"`
	Owner       Named               `json:"owner"`
	State       engine.ServiceState `json:"state"`
	Healthcheck Nothing             `json:"healthcheck"`
}

// ItemApplication is the application of a service item; its owner is a bare id there.
type ItemApplication struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Metadata Free   `json:"metadata"`
	Owner    int64  `json:"owner"`
}

// Behind is a change instance because of which an item is not as it is wanted.
type Behind struct {
	Change int64        `json:"change"`
	Owner  string       `json:"owner"`
	State  engine.State `json:"state"`
}

// Relation is one reference between two items; of an item that the asker may
// not read, only the service and the name are told.
type Relation struct {
	Path         string               `json:"path" doc:"JSON Pointer of the property in the item that refers."`
	Service      string               `json:"service"`
	Name         string               `json:"name"`
	ServiceItem  *int64               `json:"service_item"`
	Team         *int64               `json:"team"`
	Application  *int64               `json:"application"`
	RuntimeState *engine.RuntimeState `json:"runtime_state"`
	Title        *string              `json:"title"`
}

// deployedIn is the newest deployed item inside a service item.
type deployedIn struct {
	Data    Free `json:"data"`
	Version int  `json:"version"`
}

// items makes the shapes of service items as they are seen from one side.
func (a API) items(c *fiber.Ctx, pov market.Pov, rows []models.ServiceItem) ([]ServiceItem, error) {
	related, err := a.Market.OfItems(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	completed, err := a.Market.CompletedVersions(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	who := actor(c)
	return each(rows, func(row models.ServiceItem) ServiceItem {
		shape := a.item(pov, row, related)
		shape.InSync, shape.InSyncWhy = inSync(who, row, related)
		if version, there := completed[row.ID]; there {
			shape.DeployedVersion = &version
		}
		return shape
	}), nil
}

func (a API) item(pov market.Pov, row models.ServiceItem, related market.Related) ServiceItem {
	service, application := related.Services[row.ServiceID], related.Applications[row.ApplicationID]
	owner := named(related.Teams[service.OwnerID])
	shape := ServiceItem{
		ID: row.ID, URL: a.url(string(pov), "service_items", row.ID), Name: row.Name, Created: Moment(row.Created), Modified: Moment(row.Modified),
		RuntimeState: row.RuntimeState, ChangeState: row.ChangeState, Service: ItemService{ID: service.ID, Name: service.Name, Owner: owner, State: service.State},
		Application:      ItemApplication{application.ID, application.Name, Free(application.Metadata), application.TeamID},
		ServiceOwnerTeam: owner, ConsumerTeam: namedTeam(related.Teams[row.ConsumerTeamID]), DeployedItem: Free("{}"), Declaration: Free(row.Declaration),
		IsValidatedMinimumSchema: row.SchemaVersion >= service.MinimumSchemaVersion, IsDeprecatedServiceSchema: row.SchemaVersion < service.SchemaVersion,
		IsServicePrivate: service.Private, DeclarationVersion: row.DeclarationVersion, Title: row.Name,
		Computed: map[string]any{}, ComputedValues: map[string]any{}, References: []Relation{}, ReferencedBy: []Relation{},
	}
	if deployed, there := related.Deployed[row.ID]; there {
		shape.DeployedItem = deployedIn{Free(deployed.Data), deployed.Version}.free()
	}
	return shape
}

// inSync tells the consumer and the owner of the service about every lane, a
// dependent team about its own.
func inSync(who market.Actor, row models.ServiceItem, related market.Related) (bool, []Behind) {
	ok, behind := market.InSync(related.Lanes[row.ID])
	why := []Behind{}
	for _, change := range behind {
		if who.TeamID == row.ConsumerTeamID || who.TeamID == change.ServiceOwnerTeamID || who.TeamID == change.OwnerID {
			why = append(why, Behind{change.ID, related.Teams[change.OwnerID].Name, change.State})
		}
	}
	return ok, why
}

func (a API) listItems(pov, side market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, serviceItemFilters, "created", "modified", "name", "runtime_state", "change_state")
		if err != nil {
			return err
		}
		q, err := serviceItemQuery(l)
		if err != nil {
			return err
		}
		has, err := having(l)
		if err != nil {
			return err
		}
		rows, count, err := sift(has, q.Page, func(page models.Page) ([]models.ServiceItem, int64, error) {
			q.Page = page
			return a.Market.ServiceItems(c.UserContext(), actor(c), side, q)
		}, func(row models.ServiceItem) string { return row.Declaration })
		if err != nil {
			return err
		}
		shapes, err := a.items(c, pov, rows)
		if err != nil {
			return err
		}
		if n := len(rows); n > 0 {
			l.last = rows[n-1].ID
		}
		return answerPage(a, c, l, count, shapes)
	}
}

func serviceItemQuery(l listing) (models.ServiceItemQuery, error) {
	f := &filtered{listing: l}
	q := models.ServiceItemQuery{
		Name: l.Any("name"), ApplicationName: l.Any("application_name"), ServiceName: l.Any("service_name"), Page: l.page,
		ApplicationLike: l.Text("application_name_contains"),
		RuntimeState:    as[engine.RuntimeState](f.anyOf("runtime_state", words(engine.RuntimeStates))),
		ChangeState:     as[engine.ChangeState](f.anyOf("change_state", words(engine.ChangeStates))),
		ApplicationID:   f.ids("application_id"), ConsumerTeam: f.ids("consumer_team_id"), ServiceID: f.ids("service_id"),
		ServiceOwner: append(f.ids("service_owner_id"), f.ids("service_owner_team_id")...),
		ModifiedFrom: f.moment("start_date"), ModifiedUntil: f.moment("end_date"),
	}
	return q, f.err
}

func (a API) readItem(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		row, err := a.Market.ServiceItem(c.UserContext(), actor(c), pov, number)
		if err != nil {
			return err
		}
		shapes, err := a.items(c, pov, []models.ServiceItem{row})
		if err != nil {
			return err
		}
		dependsOn, usedBy, err := a.Market.Relations(c.UserContext(), row)
		if err != nil {
			return err
		}
		if shapes[0].References, err = a.relations(c, dependsOn); err != nil {
			return err
		}
		if shapes[0].ReferencedBy, err = a.relations(c, usedBy); err != nil {
			return err
		}
		return answer(c, fiber.StatusOK, shapes[0])
	}
}

// relations makes the shapes of references; of items that the caller may not
// read only service and name are told (lifecycle Q1).
func (a API) relations(c *fiber.Ctx, found []market.Relation) ([]Relation, error) {
	seen, err := a.Market.Seen(c.UserContext(), actor(c), found)
	if err != nil {
		return nil, err
	}
	return each(found, func(relation market.Relation) Relation {
		shape := Relation{Path: relation.Path, Service: relation.Service, Name: relation.Name}
		if other := relation.Item; other != nil && seen[other.ID] {
			shape.ServiceItem, shape.Team, shape.Application = &other.ID, &other.ConsumerTeamID, &other.ApplicationID
			shape.RuntimeState, shape.Title = &other.RuntimeState, &other.Name
		}
		return shape
	}), nil
}
