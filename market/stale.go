package market

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Stale says why a preview can no longer be submitted (lifecycle T6).
type Stale struct {
	BaseVersion    int64       `json:"base_version"`
	CurrentVersion int64       `json:"current_version"`
	Items          []StaleItem `json:"items"`
}

// StaleItem is one item that is not as it was when the preview was made; of a
// service whose items do not change, only the service is named.
type StaleItem struct {
	Application string `json:"application"`
	Service     string `json:"service"`
	Name        string `json:"name"`
	Why         string `json:"why"` // declared, schema, open_change or plan
}

func stale(stored models.Preview, team models.Team, items []StaleItem) error {
	return &fault.Error{
		Kind: fault.Conflict, Code: "stale_preview",
		Text:   "What was declared has moved since this preview was made, so it no longer shows what would happen. Preview again.",
		Detail: Stale{BaseVersion: stored.BaseVersion, CurrentVersion: team.DeclarationVersion, Items: items},
	}
}

// allOf lists every item of a stored plan with one reason.
func allOf(plan, why string) []StaleItem {
	var view engine.PlanView
	list := staleList{}
	if json.Unmarshal([]byte(plan), &view) == nil {
		for i := range view.Changes {
			list.add(&view.Changes[i], why)
		}
	}
	return list.items()
}

// refused is for a document that is not valid any more: its schemas moved, or
// something else that the plan depends on.
func (m *Market) refused(tx *gorm.DB, stored models.Preview, team models.Team, shown engine.PlanView) error {
	services, err := models.ServicesByName(tx, slices.Collect(maps.Keys(shown.SchemaVersions)))
	if err != nil {
		return err
	}
	now := shown
	now.SchemaVersions = map[string]int{}
	for _, service := range services {
		now.SchemaVersions[service.Name] = service.SchemaVersion
	}
	if items := staleItems(shown, now); items != nil {
		return stale(stored, team, items)
	}
	return stale(stored, team, allOf(stored.Plan, "plan"))
}

// lane is whose change of which item a view shows.
type lane struct{ application, service, name, owner string }

func laneOf(c *engine.ChangeView) lane { return lane{c.Application, c.Service, c.Name, c.Owner} }

// staleItems lists what differs between the plan that was shown and the one
// made now, nil if nothing does.
func staleItems(shown, now engine.PlanView) []StaleItem {
	moved := movedSchemas(shown, now)
	before := make(map[lane]*engine.ChangeView, len(shown.Changes))
	for i := range shown.Changes {
		before[laneOf(&shown.Changes[i])] = &shown.Changes[i]
	}
	list := staleList{}
	for i := range now.Changes {
		change := &now.Changes[i]
		if moved[change.Service] {
			list.add(change, "schema")
		} else if why := whyStale(before[laneOf(change)], change); why != "" {
			list.add(change, why)
		}
		delete(before, laneOf(change))
	}
	for i := range shown.Changes {
		if change := &shown.Changes[i]; before[laneOf(change)] != nil {
			list.add(change, "plan")
		}
	}
	list.addServices(moved)
	if len(list) == 0 && shown.HasChanges == now.HasChanges && reflect.DeepEqual(shown.Withdrawn, now.Withdrawn) && reflect.DeepEqual(shown.Superseded, now.Superseded) {
		return nil
	}
	return list.items()
}

func movedSchemas(shown, now engine.PlanView) map[string]bool {
	moved := map[string]bool{}
	for name, version := range now.SchemaVersions {
		if shown.SchemaVersions[name] != version {
			moved[name] = true
		}
	}
	return moved
}

// whyStale compares one change of two plans by the bytes that were shown.
func whyStale(before, now *engine.ChangeView) string {
	if before == nil {
		return "plan"
	}
	a, _ := json.Marshal(before)
	b, _ := json.Marshal(now)
	if bytes.Equal(a, b) {
		return ""
	}
	if now.OpenChange != nil && !same(now.OpenChange, before.OpenChange) {
		return "open_change"
	}
	return "plan"
}

// staleList gathers items, each once, with the first reason.
type staleList []StaleItem

func (l *staleList) add(c *engine.ChangeView, why string) {
	item := StaleItem{Application: c.Application, Service: c.Service, Name: c.Name}
	if n := len(*l); n > 0 { // the changes of an item stand together
		last := (*l)[n-1]
		if last.Why = ""; last == item {
			return
		}
	}
	item.Why = why
	*l = append(*l, item)
}

// addServices names the services that moved and of which no item does.
func (l *staleList) addServices(moved map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(moved)) {
		if !slices.ContainsFunc(*l, func(i StaleItem) bool { return i.Service == name }) {
			*l = append(*l, StaleItem{Service: name, Why: "schema"})
		}
	}
}

// items is the list as it is told, never null.
func (l staleList) items() []StaleItem { return append([]StaleItem{}, l...) }
