package pages

import (
	"strconv"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
)

func stateOptions() (options []forms.Option) {
	for _, state := range engine.States {
		options = append(options, forms.Option{Value: string(state), Label: components.StateWord(state)})
	}
	return options
}

func typeOptions() (options []forms.Option) {
	for _, kind := range engine.ChangeTypes {
		options = append(options, forms.Option{Value: string(kind), Label: components.TypeWord(kind)})
	}
	return options
}

func runtimeOptions() (options []forms.Option) {
	for _, state := range engine.RuntimeStates {
		options = append(options, forms.Option{Value: string(state), Label: components.RuntimeWord(state)})
	}
	return options
}

func changeStateOptions() (options []forms.Option) {
	for _, state := range engine.ChangeStates {
		options = append(options, forms.Option{Value: string(state), Label: components.ChangeStateWord(state)})
	}
	return options
}

// causes are why a change exists, as filters name them.
var causes = []string{"direct", "referenced", "dependent", "retry"}

func causeOptions() []forms.Option {
	return []forms.Option{{Value: "direct", Label: "Direct"}, {Value: "referenced", Label: "Referenced"}, {Value: "dependent", Label: "Dependent copy"}, {Value: "retry", Label: "Retry"}}
}

func ageOptions() []forms.Option {
	return []forms.Option{{Value: "1h", Label: "1 hour"}, {Value: "4h", Label: "4 hours"}, {Value: "1d", Label: "1 day"}, {Value: "3d", Label: "3 days"}, {Value: "7d", Label: "7 days"}}
}

func assigneeOptions() []forms.Option {
	return []forms.Option{{Value: "me", Label: "Me"}, {Value: "none", Label: "Nobody"}}
}

func named[T any](rows []T, one func(*T) (int64, string)) []forms.Option {
	options := make([]forms.Option, len(rows))
	for i := range rows {
		id, name := one(&rows[i])
		options[i] = forms.Option{Value: strconv.FormatInt(id, 10), Label: name}
	}
	return options
}

func serviceOptions(choices market.Choices) []forms.Option {
	return named(choices.Services, func(s *models.Service) (int64, string) { return s.ID, s.Name })
}

func applicationOptions(applications []models.Application) []forms.Option {
	return named(applications, func(a *models.Application) (int64, string) { return a.ID, a.Name })
}

func consumerOptions(choices market.Choices) []forms.Option {
	return named(choices.Consumers, func(t *models.Team) (int64, string) { return t.ID, t.Name })
}
