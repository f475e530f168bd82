package pages

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// refusalStatus is the status of a form that comes back: 422 where it can be mended,
// 400 where no form of ours sends it, 409 where somebody was faster (portal X4).
func refusalStatus(err error) int {
	f := fault.Of(err)
	switch {
	case f == nil:
		return fiber.StatusInternalServerError
	case f.Kind == fault.Conflict:
		return fiber.StatusConflict
	case f.Fields["state"] != nil || f.Fields["version"] != nil:
		return fiber.StatusBadRequest
	}
	return fiber.StatusUnprocessableEntity
}

func refusal(err error) views.Banner {
	return views.Banner{Tone: components.Warn, Title: sentenceOf(err), Text: "The page shows the change as it is now."}
}

// moved answers a step that was taken: the row or the card as it is now, or the
// page it was taken from.
func (p Pages) moved(c *fiber.Ctx, id int64, form web.FormValues) error {
	if !web.IsFragment(c) {
		web.Announce(c, "ok", "Saved.")
		return web.Redirect(c, back(changePath(id), form.Text("from")))
	}
	row, err := p.redraw(c, id, form, views.Change{}, "")
	if err != nil {
		return err
	}
	left, err := p.Market.Counts(c.UserContext(), web.Actor(c))
	if err != nil {
		return err
	}
	return p.afterwards(c, fmt.Sprintf("%s is %s, %d left", row.Item, strings.ToLower(components.StateWord(row.State)), left.Queue))
}

// redraw answers a fragment with the row or the card that a step was taken on;
// notice says on it what happened.
func (p Pages) redraw(c *fiber.Ctx, id int64, form web.FormValues, page views.Change, notice string) (views.ChangeRow, error) {
	if form.Text("view") != "row" {
		if notice != "" {
			page.Banners = append(page.Banners, views.Banner{Tone: components.Warn, Title: notice, Text: "The page shows the change as it is now."})
		}
		page.Focus = true
		if err := p.fillChange(c, id, form.Text("from"), &page); err != nil {
			return page.ChangeRow, err
		}
		return page.ChangeRow, web.Render(c, "", views.ChangeCard(page))
	}
	who := web.Actor(c)
	change, err := p.Market.Change(c.UserContext(), who, market.AsServiceOwner, id)
	if err != nil {
		return views.ChangeRow{}, err
	}
	shown, err := p.Market.ShowChanges(c.UserContext(), []models.ChangeInstance{change})
	if err != nil {
		return views.ChangeRow{}, err
	}
	row := changeRow(who, shown, &change, true, form.Text("from"))
	row.Notice = notice
	return row, web.Render(c, "", views.ChangeRowPart(row))
}

// refuseMove brings a step back that was not taken, with all that was typed.
func (p Pages) refuseMove(c *fiber.Ctx, id int64, form web.FormValues, move market.Move, err error) error {
	f := fault.Of(err)
	if f == nil || f.Kind != fault.Invalid && f.Kind != fault.Conflict {
		return err
	}
	c.Status(refusalStatus(err))
	typed := views.MoveForm{Log: plain(form.Text("log")), Deployed: plain(form.Text("deployed_item"))}
	if c.Response().StatusCode() == fiber.StatusUnprocessableEntity {
		if typed.Problem = first(f.Fields["deployed_item"]); typed.Problem == "" {
			typed.LogProblem = f.Text
		}
		if form.Text("view") == "row" && web.IsFragment(c) {
			c.Set("HX-Retarget", "#dialog")
			c.Set("HX-Reswap", "innerHTML")
			return p.question(c, id, move.State, form.Text("from"), typed)
		}
		return p.change(c, id, form.Text("from"), views.Change{Form: typed})
	}
	if web.IsFragment(c) {
		_, err := p.redraw(c, id, form, views.Change{Form: typed}, f.Text)
		return err
	}
	return p.change(c, id, form.Text("from"), views.Change{Form: typed, Banners: []views.Banner{refusal(err)}})
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// compareDeployed tells what a new version of the deployed item would alter,
// before it is saved (portal CHG5).
func (p Pages) compareDeployed(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	d, err := p.Market.ChangeDetails(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return err
	}
	typed := views.MoveForm{Log: plain(form.Text("log")), Deployed: plain(form.Text("deployed_item"))}
	compareTyped(&d, &typed)
	if len(typed.Problems) > 0 {
		c.Status(fiber.StatusUnprocessableEntity)
	}
	if web.IsFragment(c) {
		return web.Render(c, "", views.DeployedDifference(typed))
	}
	return p.change(c, id, form.Text("from"), views.Change{Form: typed})
}

func compareTyped(d *market.ChangeDetails, typed *views.MoveForm) {
	if len(bytes.TrimSpace([]byte(typed.Deployed))) == 0 {
		return
	}
	after, problems := value.ParseJSON([]byte(typed.Deployed))
	if typed.Problems = problems; len(problems) > 0 {
		return
	}
	var before *value.Value
	if newest, there := d.Deployed[d.Change().ServiceItemID]; there {
		before = parsed(&newest.Data)
	}
	diff := comparison("deployed item", before, &after, nil, nil)
	typed.Difference = &diff
}

// assignChange takes a change, takes it over, or gives it back (marketplace C12).
func (p Pages) assignChange(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	who, form, answer, err := p.begin(c)
	if err != nil {
		return err
	}
	if answer != nil {
		return web.Redirect(c, answer.Location)
	}
	change, err := p.assign(c, who, id, form.Text("state"), form.Text("state") == "over")
	if refused(err) != nil || isConflict(err) {
		c.Status(refusalStatus(err))
		if web.IsFragment(c) {
			_, err := p.redraw(c, id, form, views.Change{}, sentenceOf(err))
			return err
		}
		return p.change(c, id, form.Text("from"), views.Change{Banners: []views.Banner{refusal(err)}})
	}
	if err != nil {
		return err
	}
	if err := p.keep(c.UserContext(), who, back(changePath(id), form.Text("from"))); err != nil {
		return err
	}
	if !web.IsFragment(c) {
		return web.Redirect(c, back(changePath(id), form.Text("from")))
	}
	row, err := p.redraw(c, id, form, views.Change{}, "")
	if err != nil {
		return err
	}
	return p.afterwards(c, row.Item+" is "+assigned(change))
}

func assigned(change models.ChangeInstance) string {
	if change.AssigneeID == nil {
		return "released"
	}
	return "yours"
}

func (p Pages) assign(c *fiber.Ctx, who market.Actor, id int64, step string, over bool) (models.ChangeInstance, error) {
	switch step {
	case "take", "over":
		return p.Market.Take(c.UserContext(), who, id, over)
	case "release":
		return p.Market.Release(c.UserContext(), who, id)
	}
	return models.ChangeInstance{}, fault.New(fault.Invalid, "No form of ours sends this.")
}

// back is a path with the list it was reached from.
func back(path, from string) string {
	if from == "" {
		return path
	}
	return path + "?from=" + url.QueryEscape(from)
}

// trail leads up from a part of a change.
func trail(c *fiber.Ctx, change string) []components.Link {
	return []components.Link{{Text: "Change", Href: back(change, c.Query("from"))}}
}

// The states that a change must have for each step, in words.
func impossible(c *models.ChangeInstance) (list []views.Impossible) {
	for _, step := range []struct {
		label string
		from  []engine.State
		why   string
	}{
		{"Approve, Reject", []engine.State{engine.Pending}, "only while the change is pending"},
		{"Complete, Mark errored", []engine.State{engine.Approved}, "only once the change is approved"},
		{"Close", []engine.State{engine.Rejected, engine.Errored}, "only after it was rejected or errored"},
	} {
		possible := false
		for _, state := range step.from {
			possible = possible || state == c.State
		}
		if !possible {
			list = append(list, views.Impossible{Label: step.label, Why: step.why})
		}
	}
	return list
}
