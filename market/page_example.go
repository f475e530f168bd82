package market

import (
	"context"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/models"
)

// mostExamples bounds how many items an example may draw in by its references.
const mostExamples = 20

// ExampleDeclaration is a declaration of one item of a service that would be
// accepted, with the items that it names, for an application of the actor's
// team (portal CAT2).
func (m *Market) ExampleDeclaration(ctx context.Context, who Actor, service models.Service, application string) (value.Value, error) {
	services := value.Value{Kind: value.Object}
	known := map[[2]string]bool{}
	wanted := [][2]string{{service.Name, ""}} // service and item
	for len(wanted) > 0 && len(known) < mostExamples {
		next := wanted[0]
		wanted = wanted[1:]
		item, named, err := m.namedExample(ctx, who, next[0], next[1])
		if err != nil {
			return value.Value{}, err
		}
		if item == nil || known[[2]string{next[0], named.name}] {
			continue
		}
		known[[2]string{next[0], named.name}] = true
		list := within(&services, next[0], value.Array)
		list.Items = append(list.Items, *item)
		wanted = append(wanted, named.others...)
	}
	application = orElse(application, "NewApp1")
	inside := value.Value{Kind: value.Object, Members: []value.Member{member("services", services)}}
	team := value.Value{Kind: value.Object, Members: []value.Member{member(application, inside)}}
	return value.Value{Kind: value.Object, Members: []value.Member{member(orElse(who.TeamName, "MyTeam"), team)}}, nil
}

// exampleNames are the name of an example and the items that it names.
type exampleNames struct {
	name   string
	others [][2]string
}

// namedExample makes an item of a service that the actor's team may see, nil if it
// may not. A name takes the place of the example's own.
func (m *Market) namedExample(ctx context.Context, who Actor, service, name string) (*value.Value, exampleNames, error) {
	found, _, err := models.Services(m.read(ctx), models.ServiceQuery{Name: service, VisibleTo: who.TeamID})
	if err != nil || len(found) == 0 {
		return nil, exampleNames{}, err
	}
	compiled, err := m.schemaOf(m.read(ctx), found[0])
	if err != nil {
		return nil, exampleNames{}, err
	}
	item := compiled.Example()
	item.Members = append([]value.Member{}, item.Members...)
	names := exampleNames{name: name}
	for i := range item.Members {
		if own := &item.Members[i]; own.Name == "name" && own.Value.Kind == value.String {
			names.name = orElse(name, own.Value.Text)
			own.Value.Text = names.name
		}
	}
	for _, reference := range compiled.References(&item) {
		names.others = append(names.others, [2]string{reference.Service, reference.Name})
	}
	return &item, names, nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
