package api

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
)

// NewState is the body that moves a change instance: any of its members, at least one.
type NewState struct {
	State        *engine.State   `json:"state,omitempty"`
	Log          *string         `json:"log,omitempty" maxLength:"10000"`
	DeployedItem *map[string]any `json:"deployed_item,omitempty"`
}

func (a API) moveChange(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	who := actor(c)
	row, err := a.Market.Change(c.UserContext(), who, market.AsServiceOwner, number)
	if err != nil {
		return err
	}
	if err := unchanged(c, row.Version); err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	move := b.move()
	if err := b.done(); err != nil {
		return err
	}
	if strings.HasPrefix(c.Get(fiber.HeaderIfMatch), `"`) {
		move.Version = row.Version
	}
	if row, err = a.Market.MoveChange(c.UserContext(), who, number, move); err != nil {
		return err
	}
	return a.answerChange(c, fiber.StatusOK, market.AsServiceOwner, row)
}

// move takes what an owner reports; further members are ignored, as clients send them.
func (b *body) move() (move market.Move) {
	if text := b.text("state"); text != nil {
		state, known := engine.ParseState(*text)
		if !known {
			b.blame("state", "%q is not a state. Choose from %s.", *text, strings.Join(words(engine.States), ", "))
		}
		move.State = state
	}
	move.Log, move.DeployedItem = b.text("log"), b.json("deployed_item")
	return move
}

func (a API) retryChange(pov market.Pov) fiber.Handler {
	return func(c *fiber.Ctx) error {
		number, err := id(c, "id")
		if err != nil {
			return err
		}
		row, err := a.Market.Retry(c.UserContext(), actor(c), pov, number)
		if err != nil {
			return err
		}
		c.Location(a.url(string(pov), "change_instances", row.ID))
		return a.answerChange(c, fiber.StatusCreated, pov, row)
	}
}

// Reason is a body that says why.
type Reason struct {
	Reason string `json:"reason,omitempty"`
}

func (a API) withdrawChange(c *fiber.Ctx) error {
	number, err := id(c, "id")
	if err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	reason := b.text("reason")
	if err := b.done(); err != nil {
		return err
	}
	row, err := a.Market.Withdraw(c.UserContext(), actor(c), number, textOr(reason))
	if err != nil {
		return err
	}
	return a.answerChange(c, fiber.StatusOK, market.AsConsumer, row)
}

// Bulk is the body that moves many change instances.
type Bulk struct {
	IDs []int64 `json:"ids" maxItems:"500"`
	NewState
}

// BulkAnswer says what became of each change instance.
type BulkAnswer struct {
	Results []BulkResult `json:"results"`
}

// BulkResult says what became of one change instance.
type BulkResult struct {
	ID    int64        `json:"id"`
	OK    bool         `json:"ok"`
	State engine.State `json:"state"`
	Error *string      `json:"error"`
}

func (a API) moveChanges(c *fiber.Ctx) error {
	b, err := readBody(c)
	if err != nil {
		return err
	}
	numbers, move := b.numbers("ids"), b.move()
	if err := b.doneAll(); err != nil {
		return err
	}
	if numbers == nil {
		return fault.Field("ids", "Name the changes to move.")
	}
	targets := each(*numbers, func(number int64) market.BulkTarget { return market.BulkTarget{ID: number} })
	results, err := a.Market.MoveChanges(c.UserContext(), actor(c), targets, move)
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, BulkAnswer{each(results, bulkResultOf)})
}

func bulkResultOf(r market.BulkResult) BulkResult {
	shape := BulkResult{ID: r.ID, OK: r.Err == nil, State: r.Change.State}
	if r.Err != nil {
		shape.Error = ptr(fault.Of(r.Err).Text)
	}
	return shape
}
