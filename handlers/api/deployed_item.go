package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// DeployedItem is one version of the JSON that an owner attaches to a service item.
type DeployedItem struct {
	ID               int64   `json:"id"`
	URL              string  `json:"url" format:"uri"`
	Version          int     `json:"version"`
	Data             Free    `json:"data"`
	ServiceItem      string  `json:"service_item" format:"uri"`
	ChangeInstance   *string `json:"change_instance"`
	ConsumerTeam     Named   `json:"consumer_team"`
	ServiceOwnerTeam Named   `json:"service_owner_team"`
	Created          Moment  `json:"created"`
	Modified         Moment  `json:"modified"`
}

// NewDeployedItem is the body that attaches a deployed item to a service item,
// named by its own address or by that of one of its change instances.
type NewDeployedItem struct {
	Data           map[string]any `json:"data"`
	ServiceItem    *string        `json:"service_item,omitempty"`
	ChangeInstance *string        `json:"change_instance,omitempty"`
}

// free writes the pair as JSON.
func (d deployedIn) free() Free {
	text, _ := json.Marshal(d) // stored JSON and a number
	return text
}

func (a API) deployed(c *fiber.Ctx, pov market.Pov, rows []models.DeployedItem) ([]DeployedItem, error) {
	related, err := a.Market.OfDeployed(c.UserContext(), rows)
	if err != nil {
		return nil, err
	}
	return each(rows, func(row models.DeployedItem) DeployedItem {
		service := related.Services[related.Items[row.ServiceItemID].ServiceID]
		shape := DeployedItem{
			ID: row.ID, URL: a.url(string(pov), "deployed_items", row.ID), Version: row.Version, Data: Free(row.Data),
			ServiceItem:  a.url(string(pov), "service_items", row.ServiceItemID),
			ConsumerTeam: named(related.Teams[row.ConsumerTeamID]), ServiceOwnerTeam: named(related.Teams[service.OwnerID]),
			Created: Moment(row.Created), Modified: Moment(row.Modified),
		}
		if row.ChangeID != nil {
			shape.ChangeInstance = ptr(a.url(string(pov), "change_instances", *row.ChangeID))
		}
		return shape
	}), nil
}

func (a API) listDeployed(pov, side market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		l, err := list(c, deployedItemFilters, "created", "version")
		if err != nil {
			return err
		}
		has, err := having(l)
		if err != nil {
			return err
		}
		f := &filtered{listing: l}
		q := models.DeployedItemQuery{
			ServiceItemID: f.ids("service_item_id"), ServiceID: f.ids("service_id"), ApplicationID: f.ids("application_id"),
			ConsumerTeam: f.ids("consumer_team_id"), ServiceOwner: f.ids("service_owner_team_id"), Page: l.page,
		}
		if f.err != nil {
			return f.err
		}
		rows, count, err := sift(has, q.Page, func(page models.Page) ([]models.DeployedItem, int64, error) {
			q.Page = page
			return a.Market.DeployedItems(c.UserContext(), actor(c), side, q)
		}, func(row models.DeployedItem) string { return row.Data })
		if err != nil {
			return err
		}
		shapes, err := a.deployed(c, pov, rows)
		if err != nil {
			return err
		}
		if n := len(rows); n > 0 {
			l.last = rows[n-1].ID
		}
		return answerPage(a, c, l, count, shapes)
	}
}

func (a API) answerDeployed(c *fiber.Ctx, status int, pov market.Pov, row models.DeployedItem) error {
	shapes, err := a.deployed(c, pov, []models.DeployedItem{row})
	if err != nil {
		return err
	}
	return answer(c, status, shapes[0])
}

func (a API) readDeployed(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		row, err := a.Market.DeployedItem(c.UserContext(), actor(c), number)
		if err != nil {
			return err
		}
		if _, err := a.Market.ServiceItem(c.UserContext(), actor(c), pov, row.ServiceItemID); err != nil {
			return err
		}
		return a.answerDeployed(c, fiber.StatusOK, pov, row)
	}
}

func (a API) deploy(c *fiber.Ctx) error {
	b, err := readBody(c)
	if err != nil {
		return err
	}
	data, item, change := b.json("data"), b.idIn("service_item"), b.idIn("change_instance")
	if err := b.doneAll(); err != nil {
		return err
	}
	if data == nil {
		return fault.Field("data", "Send the deployed item as a JSON object.")
	}
	if (item == 0) == (change == 0) {
		return fault.Field("service_item", "Name either a service_item or a change_instance.")
	}
	row, made, err := a.Market.Deploy(c.UserContext(), actor(c), item, change, data)
	if err != nil {
		return err
	}
	status := fiber.StatusOK
	if made {
		status = fiber.StatusCreated
		c.Location(a.url("serviceowner", "deployed_items", row.ID))
	}
	return a.answerDeployed(c, status, market.AsServiceOwner, row)
}
