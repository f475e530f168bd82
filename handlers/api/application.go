package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// Application is a named group of service items of one consumer team.
type Application struct {
	ID           int64               `json:"id"`
	URL          string              `json:"url" format:"uri"`
	Name         string              `json:"name"`
	Metadata     Free                `json:"metadata"`
	Owner        Named               `json:"owner"`
	RuntimeState engine.RuntimeState `json:"runtime_state"`
	ChangeState  engine.ChangeState  `json:"change_state"`
	ServiceItems int                 `json:"service_items" doc:"How many of its items are live."`
	Created      Moment              `json:"created"`
	Modified     Moment              `json:"modified"`
}

func (a API) application(pov market.Pov, row market.SeenApplication) Application {
	return Application{
		ID: row.ID, URL: a.url(string(pov), "applications", row.ID), Name: row.Name, Metadata: Free(row.Metadata), Owner: named(row.Team),
		RuntimeState: row.RuntimeState, ChangeState: row.ChangeState, ServiceItems: row.Items, Created: Moment(row.Created), Modified: Moment(row.Modified),
	}
}

// applicationOrders compares applications by what clients may sort by.
var applicationOrders = map[string]func(a, b models.Application) int{
	"name":     func(a, b models.Application) int { return strings.Compare(a.Name, b.Name) },
	"created":  func(a, b models.Application) int { return a.Created.Compare(b.Created) },
	"modified": func(a, b models.Application) int { return a.Modified.Compare(b.Modified) },
}

func (a API) listApplications(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, applicationFilters, "name", "created", "modified")
		if err != nil {
			return err
		}
		wanted, err := l.AnyOf("runtime_state", words(engine.RuntimeStates)...)
		if err != nil {
			return err
		}
		if wanted == nil {
			wanted = []string{string(engine.InService), string(engine.Requested)}
		}
		rows, err := a.Market.SeenApplications(c.UserContext(), actor(c), pov)
		if err != nil {
			return err
		}
		search := strings.ToLower(l.Text("search"))
		rows = slices.DeleteFunc(rows, func(row market.SeenApplication) bool {
			return !slices.Contains(wanted, string(row.RuntimeState)) || !strings.Contains(strings.ToLower(row.Name), search)
		})
		sortApplications(rows, l.Any("ordering"))
		return answerCut(a, c, l, each(rows, func(row market.SeenApplication) Application { return a.application(pov, row) }))
	}
}

// sortApplications puts the newest first, unless the client wants another order.
func sortApplications(rows []market.SeenApplication, columns []string) {
	slices.SortStableFunc(rows, func(a, b market.SeenApplication) int {
		for _, column := range columns {
			name, descending := strings.CutPrefix(column, "-")
			order := applicationOrders[name](a.Application, b.Application)
			if descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Compare(b.ID, a.ID)
	})
}

func (a API) readApplication(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		row, err := a.Market.SeenApplication(c.UserContext(), actor(c), pov, number)
		if err != nil {
			return err
		}
		return answer(c, fiber.StatusOK, a.application(pov, row))
	}
}
