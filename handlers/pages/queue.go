package pages

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// queueRoutes are the lists of changes, and what acts on many of them at once.
func (p Pages) queueRoutes() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/queue", Door: web.Person, Pov: "serviceowner", Role: "READ_ONLY", Loads: "market.ChangeStretch", Handle: p.listChanges},
		{Method: "GET", Path: "/changes", Door: web.Person, Pov: "consumer", Role: "READ_ONLY", Loads: "market.ChangeStretch", Handle: p.listChanges},
		{Method: "POST", Path: "/queue/bulk", Door: web.Person, Pov: "serviceowner", Role: "GENERAL", Loads: "market.MoveChanges", Takes: []string{web.FormType}, Handle: p.moveChanges},
	}
}

// listChanges shows the owner's queue, or what the consumer's team has asked for.
func (p Pages) listChanges(c *fiber.Ctx) error {
	asked, err := readChanges(c, web.Actor(c))
	if err != nil {
		return err
	}
	return p.changeList(c, asked, views.ChangeList{}, nil)
}

// changeList draws a list of changes around the outcome of a bulk action, if
// there was one; selected rows stay ticked.
func (p Pages) changeList(c *fiber.Ctx, asked changeListing, list views.ChangeList, selected map[int64]bool) error {
	who, ctx := web.Actor(c), c.UserContext()
	stretch, err := p.Market.ChangeStretch(ctx, who, asked.pov, asked.query, asked.cursor)
	if err != nil {
		return err
	}
	shown, err := p.Market.ShowChanges(ctx, stretch.Rows)
	if err != nil {
		return err
	}
	owning := asked.pov == market.AsServiceOwner
	list.Rows = changeRows(who, shown, owning, asked.narrowed().Encode())
	if list.All, err = p.allMatching(c, asked, stretch.Count); err != nil {
		return err
	}
	for i := range list.Rows {
		list.Rows[i].Selected = list.All != nil || selected[list.Rows[i].ID]
	}
	list.Path, list.Owner, list.Acts, list.From, list.Key = asked.path, owning, who.MayWrite(), asked.narrowed().Encode(), web.NewKey()
	list.Paging = asked.paging("changes", asked.cursor, stretch.Prev, stretch.Next, stretch.Count)
	list.AgeHref, list.Age = asked.sortAddress()
	list.Empty = emptyList(asked, who)
	if err := p.changeBar(c, asked, &list); err != nil {
		return err
	}
	if web.IsFragment(c) {
		return web.Render(c, list.Title, views.ChangeListPart(list))
	}
	return web.Render(c, list.Title, views.ChangesPage(list))
}

// changeBar fills in what stands around the list.
func (p Pages) changeBar(c *fiber.Ctx, asked changeListing, list *views.ChangeList) error {
	who := web.Actor(c)
	choices, err := p.Market.ChangeChoices(c.UserContext(), who, asked.pov)
	if err != nil {
		return err
	}
	list.Title, list.Lead = "Changes", "What "+who.TeamName+" has asked of other teams, and how far it has come."
	if list.Owner {
		list.Title, list.Lead = "Queue", "Changes that wait for "+who.TeamName+", the oldest first."
		if asked.cursor.Newest {
			list.Lead = "Changes that wait for " + who.TeamName + ", the newest first."
		}
	}
	list.Filters = asked.chips(asked.filters(asked.fields(choices)...))
	list.Views = asked.tabs()
	return nil
}

// allMatching is the selection of everything that the filters leave (portal QUE4).
func (p Pages) allMatching(c *fiber.Ctx, asked changeListing, count int64) (*views.AllMatching, error) {
	if asked.values.Get("all") != "1" || asked.pov != market.AsServiceOwner || count == 0 || count > market.MaxBulk {
		return nil, nil
	}
	deletes, err := p.Market.CountDeletes(c.UserContext(), web.Actor(c), asked.pov, asked.query)
	return &views.AllMatching{Count: count, Deletes: deletes, Off: asked.with("all", "")}, err
}

// emptyList says why there is nothing to see, and what to do next.
func emptyList(asked changeListing, who market.Actor) views.EmptyText {
	switch {
	case !asked.isUsual():
		return views.EmptyText{Title: "No change matches", Text: "Nothing is left by these filters.", Next: components.Link{Text: "Clear all filters", Href: asked.path}}
	case asked.pov == market.AsConsumer:
		return views.EmptyText{Title: "Nothing is open", Text: "No change of " + who.TeamName + " waits for another team.", Next: components.Link{Text: "Look at all changes", Href: "/changes?state=any"}}
	}
	return views.EmptyText{Title: "Nothing waits", Text: "No change waits for " + who.TeamName + " now.", Next: components.Link{Text: "Look at all changes", Href: "/queue?state=any"}}
}

// moveChanges takes one step with many changes; each succeeds or fails on its
// own (portal QUE4).
func (p Pages) moveChanges(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	asked := cameFrom("/queue", form.Text("from"), web.Actor(c))
	order, err := p.readBulk(c, form)
	if err != nil {
		return p.refuseBulk(c, asked, form, order, err)
	}
	lines, err := p.carryOutBulk(c, order)
	if err != nil {
		return p.refuseBulk(c, asked, form, order, err)
	}
	failed := map[int64]bool{}
	for _, line := range lines {
		failed[line.ID] = !line.OK
	}
	asked.values.Del("all")
	if web.IsFragment(c) {
		list := views.ChangeList{Results: lines}
		if err := p.changeList(c, asked, list, failed); err != nil {
			return err
		}
		return p.afterwards(c, said(lines))
	}
	return p.changeList(c, asked, views.ChangeList{Results: lines}, failed)
}

// said sums a bulk action up for screen readers.
func said(lines []views.BulkLine) string {
	done := 0
	for _, line := range lines {
		if line.OK {
			done++
		}
	}
	return fmt.Sprintf("%d done, %d stayed as they were", done, len(lines)-done)
}

// afterwards puts a spoken sentence and the counts of the navigation behind a fragment.
func (p Pages) afterwards(c *fiber.Ctx, sentence string) error {
	out := c.Response().BodyWriter()
	if err := components.Announce(sentence, components.Notice{}).Render(c.UserContext(), out); err != nil {
		return err
	}
	return p.Counts(c.UserContext(), web.Actor(c)).Render(c.UserContext(), out)
}

// refuseBulk shows the list again with what keeps the action from being done.
func (p Pages) refuseBulk(c *fiber.Ctx, asked changeListing, form web.FormValues, order bulkOrder, err error) error {
	f := refused(err)
	if f == nil && !isConflict(err) {
		return err
	}
	list := views.ChangeList{Log: form.Text("log")}
	c.Status(fiber.StatusUnprocessableEntity)
	if f != nil && f.Fields["log"] != nil {
		list.LogProblem = f.Text
	} else {
		list.Results = []views.BulkLine{{Text: sentenceOf(err)}}
		if isConflict(err) {
			c.Status(fiber.StatusConflict)
		}
	}
	selected := map[int64]bool{}
	for _, target := range order.targets {
		selected[target.ID] = true
	}
	return p.changeList(c, asked, list, selected)
}
