package market

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// schemaCache keeps compiled schemas by service and version; a version never
// changes, so replicas need to tell each other nothing (trust S8).
type schemaCache struct {
	mu       sync.Mutex
	compiled map[schemaKey]*schema.Schema
}

type schemaKey struct {
	service int64
	version int
}

// schemaCacheSize bounds the compiled schemas that are kept.
const schemaCacheSize = 2_000

func newSchemaCache() *schemaCache { return &schemaCache{compiled: map[schemaKey]*schema.Schema{}} }

func (c *schemaCache) get(key schemaKey) *schema.Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.compiled[key]
}

func (c *schemaCache) put(key schemaKey, s *schema.Schema) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.compiled) >= schemaCacheSize {
		clear(c.compiled)
	}
	c.compiled[key] = s
}

// compile reads a schema that was checked when it was published.
func (c *schemaCache) compile(v models.ServiceVersion) (*schema.Schema, error) {
	key := schemaKey{v.ServiceID, v.Version}
	if s := c.get(key); s != nil {
		return s, nil
	}
	root, problems := value.ParseJSON([]byte(v.Schema))
	if len(problems) == 0 {
		var s *schema.Schema
		if s, problems = schema.Compile(&root, []byte(v.Schema)); len(problems) == 0 {
			c.put(key, s)
			return s, nil
		}
	}
	return nil, fmt.Errorf("schema of service %d version %d no longer compiles: %s", v.ServiceID, v.Version, problems[0].Message)
}

// schemas compiles the newest schema of each service, by service id.
func (m *Market) newestSchemas(tx *gorm.DB, services []models.Service) (map[int64]*schema.Schema, error) {
	compiled := make(map[int64]*schema.Schema, len(services))
	var missing []int64
	for _, service := range services {
		if s := m.schemas.get(schemaKey{service.ID, service.SchemaVersion}); s != nil {
			compiled[service.ID] = s
		} else {
			missing = append(missing, service.ID)
		}
	}
	versions, err := models.NewestSchemas(tx, missing)
	if err != nil {
		return nil, err
	}
	for id, version := range versions {
		if compiled[id], err = m.schemas.compile(version); err != nil {
			return nil, err
		}
	}
	return compiled, nil
}

// catalogue makes the engine's view of these services for a consumer team.
// Private services that the team may not order are there only if it holds
// items of them (marketplace V3, A2).
func (m *Market) catalogue(tx *gorm.DB, consumer int64, services []models.Service, held map[int64]bool) (map[string]*engine.Service, error) {
	ids := make([]int64, len(services))
	for i, service := range services {
		ids[i] = service.ID
	}
	schemas, err := m.newestSchemas(tx, services)
	if err != nil {
		return nil, err
	}
	allowed, err := models.TeamsBeside(tx, models.AllowedTeams, ids)
	if err != nil {
		return nil, err
	}
	dependants, err := models.TeamsBeside(tx, models.DependantTeams, ids)
	if err != nil {
		return nil, err
	}
	teams, err := models.TeamsByID(tx, teamIDs(services, dependants))
	if err != nil {
		return nil, err
	}

	catalogue := make(map[string]*engine.Service, len(services))
	for _, s := range services {
		open := !s.Private || s.OwnerID == consumer || slices.Contains(allowed[s.ID], consumer)
		if !open && !held[s.ID] {
			continue
		}
		catalogue[s.Name] = &engine.Service{
			ID: s.ID, Name: s.Name, Owner: engineTeam(teams[s.OwnerID]), State: s.State, SchemaVersion: s.SchemaVersion,
			ApprovalRequired: s.ApprovalRequired, Open: open, Supersede: schemas[s.ID].Metadata().SupersedeUnfetched,
			Dependants: dependantTeams(s, dependants[s.ID], teams), Schema: schemas[s.ID],
		}
	}
	return catalogue, nil
}

func engineTeam(t models.Team) engine.Team { return engine.Team{ID: t.ID, Name: t.Name} }

// dependantTeams lists who receives copies, by name, without the owner (marketplace D1).
func dependantTeams(s models.Service, ids []int64, teams map[int64]models.Team) (list []engine.Team) {
	for _, id := range ids {
		if id != s.OwnerID {
			list = append(list, engineTeam(teams[id]))
		}
	}
	slices.SortFunc(list, func(a, b engine.Team) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func teamIDs(services []models.Service, dependants map[int64][]int64) []int64 {
	var ids []int64
	for _, s := range services {
		ids = append(ids, s.OwnerID)
		ids = append(ids, dependants[s.ID]...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
