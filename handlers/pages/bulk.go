package pages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// bulkOrder is what one bulk action asks for: one step, and the changes that
// take it, each with the version that was seen.
type bulkOrder struct {
	targets []market.BulkTarget
	step    string // a state, take or release
	log     string
}

// readBulk reads a bulk action: ticked rows, everything that matches, or the one
// row whose button was pressed without script.
func (p Pages) readBulk(c *fiber.Ctx, form web.FormValues) (order bulkOrder, err error) {
	order.step, order.log = form.Text("state"), strings.TrimSpace(form.Text("log"))
	marks := form.All("change")
	if one := form.Text("one"); one != "" {
		at := strings.LastIndexByte(one, ':')
		marks, order.step = []string{one[:max(at, 0)]}, one[at+1:]
	}
	for _, mark := range marks {
		target, ok := bulkTarget(mark)
		if !ok {
			return order, fault.New(fault.Invalid, "No form of ours sends this.")
		}
		order.targets = append(order.targets, target)
	}
	if form.Has("matching") && form.Text("one") == "" {
		expected, err := form.Number("expected")
		if err != nil {
			return order, err
		}
		asked := cameFrom("/queue", form.Text("matching"), web.Actor(c))
		if order.targets, err = p.Market.Targets(c.UserContext(), web.Actor(c), asked.query, expected); err != nil {
			return order, err
		}
	}
	return order, order.check()
}

func bulkTarget(mark string) (market.BulkTarget, bool) {
	id, version, _ := strings.Cut(mark, ":")
	n, err := strconv.ParseInt(id, 10, 64)
	v, wrong := strconv.ParseInt(version, 10, 64)
	return market.BulkTarget{ID: n, Version: v}, err == nil && wrong == nil
}

func (o bulkOrder) check() error {
	if len(o.targets) == 0 {
		return fault.Field("change", "Tick at least one change first.")
	}
	return needsReason(engine.State(o.step), o.log)
}

// needsReason refuses a rejection or a failure that nobody explains (portal CHG2).
func needsReason(state engine.State, log string) error {
	if (state == engine.Rejected || state == engine.Errored) && strings.TrimSpace(log) == "" {
		return fault.Field("log", "Say why: the consumer reads this.")
	}
	return nil
}

// carryOutBulk takes the step with each change and tells what became of it.
func (p Pages) carryOutBulk(c *fiber.Ctx, order bulkOrder) ([]views.BulkLine, error) {
	who, ctx := web.Actor(c), c.UserContext()
	var results []market.BulkResult
	var err error
	if order.step == "take" || order.step == "release" {
		results, err = p.assignEach(c, order)
	} else {
		state, known := engine.ParseState(order.step)
		if !known {
			return nil, fault.New(fault.Invalid, "No form of ours sends this.")
		}
		move := market.Move{State: state}
		if order.log != "" {
			move.Log = &order.log
		}
		results, err = p.Market.MoveChanges(ctx, who, order.targets, move)
	}
	if err != nil {
		return nil, err
	}
	return p.bulkLines(c, results, order.step)
}

func (p Pages) assignEach(c *fiber.Ctx, order bulkOrder) ([]market.BulkResult, error) {
	results := make([]market.BulkResult, len(order.targets))
	for i, target := range order.targets {
		change, err := p.assign(c, web.Actor(c), target.ID, order.step, false)
		if err != nil && fault.Of(err) == nil {
			return nil, err
		}
		results[i] = market.BulkResult{Change: change, ID: target.ID, Err: err}
	}
	return results, nil
}

// bulkLines names each change and says what became of it.
func (p Pages) bulkLines(c *fiber.Ctx, results []market.BulkResult, step string) ([]views.BulkLine, error) {
	var changes []models.ChangeInstance
	for _, result := range results {
		if result.Change.ID != 0 {
			changes = append(changes, result.Change)
		}
	}
	related, err := p.Market.OfChanges(c.UserContext(), changes)
	if err != nil {
		return nil, err
	}
	lines := make([]views.BulkLine, len(results))
	for i, result := range results {
		lines[i] = views.BulkLine{ID: result.ID, Item: fmt.Sprintf("#%d", result.ID), OK: result.Err == nil, Text: became(result, step)}
		if item := related.Items[result.Change.ServiceItemID].Name; item != "" {
			lines[i].Item = item
		}
	}
	return lines, nil
}

func became(result market.BulkResult, step string) string {
	if result.Err != nil {
		return "stayed: " + sentenceOf(result.Err)
	}
	switch step {
	case "take":
		return "taken"
	case "release":
		return "released"
	}
	return "is " + strings.ToLower(components.StateWord(result.Change.State))
}

// sentenceOf is what people are told about an expected failure.
func sentenceOf(err error) string {
	if f := fault.Of(err); f != nil {
		return f.Text
	}
	return "Something went wrong on our side."
}

func isConflict(err error) bool { return fault.Is(err, fault.Conflict) }
