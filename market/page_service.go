package market

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/models"
)

// ServiceFigures says how much goes on with a service.
type ServiceFigures struct {
	Items  int64     // live ones: of the actor's team in the catalogue, of everybody for the owner
	Open   int64     // changes to be decided or completed
	Oldest time.Time // of the open ones, zero if there is none
	Lead   time.Duration
}

// Catalogue counts for services of the catalogue the actor's team's own items
// and the median time from wish to completion, by service.
func (m *Market) Catalogue(ctx context.Context, who Actor, services []models.Service) (map[int64]ServiceFigures, error) {
	tx, wanted := m.read(ctx), serviceIDs(services)
	found := map[int64]ServiceFigures{}
	items, err := models.CountLive(tx, who.team(), wanted)
	if err != nil {
		return nil, err
	}
	for _, f := range items {
		found[f.ServiceID] = ServiceFigures{Items: f.N}
	}
	times, err := models.LeadTimes(tx, wanted)
	for id, took := range times {
		f := found[id]
		f.Lead = median(took)
		found[id] = f
	}
	return found, err
}

// median is the middle one of some durations, the nearest rank.
func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[(len(of)-1)/2]
}

// OwnFigures counts for services items and open changes in the lane of the
// actor's team, by service.
func (m *Market) OwnFigures(ctx context.Context, who Actor, services []models.Service) (map[int64]ServiceFigures, error) {
	tx, wanted := m.read(ctx), serviceIDs(services)
	items, err := models.CountLive(tx, 0, wanted)
	if err != nil {
		return nil, err
	}
	open, err := models.CountOpen(tx, who.TeamID, wanted)
	if err != nil {
		return nil, err
	}
	var oldest ids
	for _, f := range open {
		oldest.add(f.OldestID)
	}
	since, err := models.ChangesCreated(tx, oldest.once())
	found := map[int64]ServiceFigures{}
	for _, f := range items {
		found[f.ServiceID] = ServiceFigures{Items: f.N}
	}
	for _, f := range open {
		figures := found[f.ServiceID]
		figures.Open, figures.Oldest = f.N, since[f.OldestID]
		found[f.ServiceID] = figures
	}
	return found, err
}

func serviceIDs(services []models.Service) []int64 {
	list := make([]int64, len(services))
	for i, s := range services {
		list[i] = s.ID
	}
	return list
}

// Facets lists name, owner and tags of every service the actor's team may see.
func (m *Market) Facets(ctx context.Context, who Actor) ([]models.Service, map[int64]models.Team, error) {
	tx := m.read(ctx)
	services, err := models.Facets(tx, who.team())
	if err != nil {
		return nil, nil, err
	}
	var owners ids
	for _, s := range services {
		owners.add(s.OwnerID)
	}
	teams, err := models.TeamsByID(tx, owners.once())
	return services, teams, err
}

// DependantServices lists the services that send copies of their changes to
// the actor's team, and counts them.
func (m *Market) DependantServices(ctx context.Context, who Actor, q models.ServiceQuery) ([]models.Service, int64, error) {
	q.DependantOf = who.team()
	return models.Services(m.read(ctx), q)
}

// VersionChanges classifies what each of these versions of one service changed
// against the one before, by version; versions come newest first.
func (m *Market) VersionChanges(versions []models.ServiceVersion) (map[int][]schema.SchemaChange, error) {
	changes := map[int][]schema.SchemaChange{}
	var newer *schema.Schema
	for i, v := range versions {
		compiled, err := m.schemas.compile(v)
		if err != nil {
			return nil, err
		}
		if newer != nil {
			changes[versions[i-1].Version] = schema.Impact(compiled, newer)
		}
		newer = compiled
	}
	return changes, nil
}

// settingsLookedAt is how many changes of settings are looked at.
const settingsLookedAt = 50

// SettingsChanged tells who changed each setting of a service last, by the
// names of ServicePatch, as far back as it looks.
func (m *Market) SettingsChanged(ctx context.Context, who Actor, service int64) (map[string]models.Audit, error) {
	entries, err := models.AuditOf(m.read(ctx), who.TeamID, "service.change", object("service", service), settingsLookedAt)
	if err != nil {
		return nil, err
	}
	last := map[string]models.Audit{}
	for _, entry := range entries {
		var patch map[string]any
		if json.Unmarshal([]byte(entry.Summary), &patch) != nil {
			continue
		}
		for name, value := range patch {
			if _, known := last[name]; value != nil && !known {
				last[name] = entry
			}
		}
	}
	return last, nil
}

// Since tells with which version of a service each property came that the
// newest one has, by path; versions come newest first.
func (m *Market) Since(versions []models.ServiceVersion) (map[string]int, error) {
	since := map[string]int{}
	for _, v := range versions {
		compiled, err := m.schemas.compile(v)
		if err != nil {
			return nil, err
		}
		here := map[string]bool{}
		for _, row := range compiled.Rows() {
			here[row.Path] = true
		}
		for path := range here {
			if last, known := since[path]; v.Version == versions[0].Version || known && last == v.Version+1 {
				since[path] = v.Version
			}
		}
	}
	return since, nil
}

// Near lists the names that were probably meant by a search which found nothing.
func Near(wanted string, names []string) (near []string) {
	wanted = strings.ToLower(wanted)
	for _, name := range names {
		if distance(wanted, strings.ToLower(name)) <= max(1, len([]rune(wanted))/3) {
			near = append(near, name)
		}
	}
	return near[:min(len(near), nearNames)]
}

const nearNames = 5

// distance counts the letters to change, add or leave out between two words.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > 60 || len(to) > 60 {
		return len(from) + len(to)
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
