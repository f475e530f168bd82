package pages

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// changeRoutes are one change instance and the steps on it.
func (p Pages) changeRoutes() []web.Route {
	at := func(method, below, pov, role string, handle fiber.Handler) web.Route {
		return web.Route{Method: method, Path: "/changes/:id" + below, Door: web.Person, Pov: pov, Role: role, Loads: "market.Change", Takes: bodyOf(method), Handle: handle}
	}
	return []web.Route{
		at("GET", "", "both", "READ_ONLY", p.showChange),
		at("GET", "/diff", "both", "READ_ONLY", p.showDiff),
		at("GET", "/move", "serviceowner", "GENERAL", p.askMove),
		at("POST", "", "serviceowner", "GENERAL", p.moveChange),
		at("POST", "/compare", "serviceowner", "GENERAL", p.compareDeployed),
		at("POST", "/assignee", "serviceowner", "GENERAL", p.assignChange),
		at("POST", "/retry", "both", "GENERAL", p.retryChange),
		at("POST", "/withdraw", "consumer", "GENERAL", p.withdrawChange),
	}
}

func (p Pages) showChange(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	return p.change(c, id, c.Query("from"), views.Change{})
}

// change draws the page of a change around a form that came back, if one did.
func (p Pages) change(c *fiber.Ctx, id int64, from string, page views.Change) error {
	if err := p.fillChange(c, id, from, &page); err != nil {
		return err
	}
	title := page.Service + " / " + page.Item
	if web.IsFragment(c) {
		return web.Render(c, title, views.ChangeCard(page))
	}
	return web.Render(c, title, views.ChangePage(page))
}

// showDiff opens below a row, or is a page of its own without script.
func (p Pages) showDiff(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	d, err := p.Market.ChangeDetails(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return err
	}
	diff := diffOf(d.ShownChanges, d.Change())
	if web.IsFragment(c) {
		return web.Render(c, diff.Label, views.ChangeDiffRow(id, 9, diff))
	}
	return web.Render(c, diff.Label, views.ChangeDiffPage(trail(c, changePath(id)), diff.Label, diff))
}

// askMove asks in a dialog for what a step needs; without script the change's
// own page does.
func (p Pages) askMove(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	if !web.IsFragment(c) {
		return web.Redirect(c, changePath(id))
	}
	state, _ := engine.ParseState(c.Query("state"))
	return p.question(c, id, state, c.Query("from"), views.MoveForm{})
}

// question draws the dialog of a step around what was typed into it.
func (p Pages) question(c *fiber.Ctx, id int64, state engine.State, from string, form views.MoveForm) error {
	who := web.Actor(c)
	d, err := p.Market.ChangeDetails(c.UserContext(), who, id)
	if err != nil {
		return err
	}
	row := changeRow(who, d.ShownChanges, d.Change(), d.Change().OwnerID == who.TeamID, from)
	q := views.Question{ChangeRow: row, Form: form, Deletes: row.Type == engine.Delete && state == engine.Approved}
	for _, move := range row.Moves {
		if move.State == state {
			q.Move = move
		}
	}
	if q.Move.State == "" {
		return &fault.Error{Kind: fault.Conflict, Text: "This change is " + string(row.State) + " by now. Reload the list."}
	}
	if q.Recent, err = p.Market.RecentReasons(c.UserContext(), who, state); err != nil {
		return err
	}
	fillDeployed(who, &d, &q.Form)
	return web.Render(c, "", views.ChangeQuestion(q))
}

// moveChange takes a step on a change, and answers with it as it is then.
func (p Pages) moveChange(c *fiber.Ctx) error {
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
	move, err := readMove(form)
	if err == nil {
		_, err = p.Market.MoveChange(c.UserContext(), who, id, move)
	}
	if err != nil {
		return p.refuseMove(c, id, form, move, err)
	}
	if err := p.keep(c.UserContext(), who, back(changePath(id), form.Text("from"))); err != nil {
		return err
	}
	return p.moved(c, id, form)
}

// readMove reads the one form of a change (portal CHG2).
func readMove(form web.FormValues) (move market.Move, err error) {
	if text := form.Text("state"); text != "" {
		state, known := engine.ParseState(text)
		if !known {
			return move, fault.Field("state", "There is no such state.")
		}
		move.State = state
	}
	if form.Has("version") {
		if move.Version, err = form.Number("version"); err != nil {
			return move, err
		}
	}
	log := strings.TrimSpace(plain(form.Text("log")))
	if log == "" {
		log = form.Text("recent")
	}
	if log != "" {
		move.Log = &log
	}
	if deployed := plain(form.Text("deployed_item")); strings.TrimSpace(deployed) != "" {
		move.DeployedItem = []byte(deployed)
	}
	return move, needsReason(move.State, log)
}

// plain undoes the line ends that browsers send for text areas.
func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// retryChange asks again for what errored (marketplace G7).
func (p Pages) retryChange(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		again, err := p.Market.Retry(c.UserContext(), who, "", id)
		return back(changePath(again.ID), form.Text("from")), "A new change asks for it again.", err
	})
	if refused(err) == nil && !isConflict(err) {
		return err
	}
	return p.change(c.Status(refusalStatus(err)), id, "", views.Change{Banners: []views.Banner{refusal(err)}})
}

// withdrawChange takes a consumer's own pending change back (marketplace C11).
func (p Pages) withdrawChange(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	reason := ""
	err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		if reason = strings.TrimSpace(form.Text("reason")); reason == "" {
			return "", "", fault.Field("reason", "Say why: the team that processes it reads this.")
		}
		_, err = p.Market.Withdraw(c.UserContext(), who, id, reason)
		return back(changePath(id), form.Text("from")), "The change is withdrawn.", err
	})
	f := refused(err)
	if f == nil && !isConflict(err) {
		return err
	}
	page := views.Change{}
	if f != nil && f.Fields["reason"] != nil {
		page.Withdraw = &views.WithdrawForm{Reason: reason, Problem: f.Text}
	} else {
		page.Banners = []views.Banner{refusal(err)}
	}
	return p.change(c.Status(refusalStatus(err)), id, "", page)
}
