package market

import (
	"cmp"
	"context"
	"slices"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/models"
)

// Declaration writes the actor's team's current declaration as a document that
// can be submitted again: unchanged it generates nothing (lifecycle T8). With
// names, only these applications are in it. It returns the version as well.
func (m *Market) Declaration(ctx context.Context, who Actor, names []string) (value.Value, int64, error) {
	tx := m.read(ctx)
	team, err := models.TeamByID(tx, who.TeamID)
	if err != nil {
		return value.Value{}, 0, err
	}
	live, err := models.LiveItems(tx, team.ID)
	if err != nil {
		return value.Value{}, 0, err
	}
	applications, err := models.ApplicationsOf(tx, team.ID)
	if err != nil {
		return value.Value{}, 0, err
	}
	below := documentOf(live, applications, names)
	if names == nil && team.Metadata != "{}" {
		below.Members = append(below.Members, member("metadata", stored(team.Metadata)))
	}
	root := value.Value{Kind: value.Object, Members: []value.Member{member(team.Name, below)}}
	return root, team.DeclarationVersion, nil
}

// documentOf groups declared items by application and service.
func documentOf(live []models.LiveItem, applications []models.Application, names []string) value.Value {
	items := slices.DeleteFunc(slices.Clone(live), func(i models.LiveItem) bool { return !i.Declared() })
	slices.SortStableFunc(items, func(a, b models.LiveItem) int {
		return cmp.Or(cmp.Compare(a.Application, b.Application), cmp.Compare(a.Service, b.Service), cmp.Compare(a.ID, b.ID))
	})
	team := value.Value{Kind: value.Object}
	for _, application := range applications {
		if names != nil && !slices.Contains(names, application.Name) {
			continue
		}
		services := value.Value{Kind: value.Object}
		for i := range items {
			if items[i].ApplicationID == application.ID {
				services.Members = add(services.Members, items[i].Service, stored(items[i].Declaration))
			}
		}
		if len(services.Members) == 0 && application.Metadata == "{}" {
			continue
		}
		body := value.Value{Kind: value.Object}
		if application.Metadata != "{}" {
			body.Members = append(body.Members, member("metadata", stored(application.Metadata)))
		}
		body.Members = append(body.Members, member("services", services))
		team.Members = append(team.Members, member(application.Name, body))
	}
	return team
}

// add appends an item to its service's list, which is the last one if it is there at all.
func add(services []value.Member, service string, item value.Value) []value.Member {
	if n := len(services); n == 0 || services[n-1].Name != service {
		services = append(services, member(service, value.Value{Kind: value.Array}))
	}
	list := &services[len(services)-1].Value
	list.Items = append(list.Items, item)
	return services
}

func member(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }

// stored reads a text that was strictly read before it was stored.
func stored(text string) value.Value {
	v, _ := value.ParseJSON([]byte(text))
	return v
}
