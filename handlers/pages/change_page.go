package pages

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// fillChange fills in the page of a change; what it holds already stays: the
// form that came back and the banners above it.
func (p Pages) fillChange(c *fiber.Ctx, id int64, from string, page *views.Change) error {
	who := web.Actor(c)
	d, err := p.Market.ChangeDetails(c.UserContext(), who, id)
	if err != nil {
		return err
	}
	change := d.Change()
	page.ChangeRow = changeRow(who, d.ShownChanges, change, change.OwnerID == who.TeamID, from)
	page.Consuming = change.ConsumerTeamID == who.TeamID
	page.Since = d.Since
	page.Diff = diffOf(d.ShownChanges, change)
	page.Timeline, page.Related = timeline(d.History), relatedTo(who, &d)
	page.Facts, page.Impossible = factsOf(who, &d), impossible(change)
	page.Banners = append(page.Banners, standingOf(&d)...)
	fillDeployed(who, &d, &page.Form)
	fillConsumer(&d, page)
	return p.fillPlace(c, page, from)
}

// fillPlace finds the change in the list it was reached from (portal CHG7).
func (p Pages) fillPlace(c *fiber.Ctx, page *views.Change, from string) error {
	who := web.Actor(c)
	path, name := "/changes", "Changes"
	if page.Owning {
		path, name = "/queue", "Queue"
	}
	stand(c, path)
	asked := cameFrom(path, from, who)
	place, err := p.Market.ChangePlace(c.UserContext(), who, asked.pov, asked.query, asked.cursor.Newest, page.ID)
	if err != nil {
		return err
	}
	page.List = components.Link{Text: name, Href: asked.with("", "")}
	switch {
	case place.Number > 0 && place.Count > models.CountLimit:
		page.Place = fmt.Sprintf("%d of more than %d", place.Number, models.CountLimit)
	case place.Number > 0:
		page.Place = fmt.Sprintf("%d of %d", place.Number, place.Count)
	}
	page.Up, page.Down = beside(place.Prev, from), beside(place.Next, from)
	page.Newer, page.Older = page.Down, page.Up
	if asked.cursor.Newest {
		page.Newer, page.Older = page.Up, page.Down
	}
	return nil
}

func beside(id int64, from string) string {
	if id == 0 {
		return ""
	}
	return back(changePath(id), from)
}

// fillDeployed prefills the editor of the deployed item with the newest version.
func fillDeployed(who market.Actor, d *market.ChangeDetails, form *views.MoveForm) {
	change := d.Change()
	form.Deployable = change.OwnerID == who.TeamID && !change.IsDependant() && change.State != engine.Pending && change.State != engine.Rejected
	newest, there := d.Deployed[change.ServiceItemID]
	if !there {
		return
	}
	form.Version = newest.Version
	if form.Deployed == "" {
		form.Deployed = string(value.Indent(parsed(&newest.Data)))
	}
}

// fillConsumer fills in what the consumer can do about a change.
func fillConsumer(d *market.ChangeDetails, page *views.Change) {
	change := d.Change()
	if page.Consuming {
		page.Editor = "/declare?application=" + escaped(page.Application)
		if change.State == engine.Pending && page.Withdraw == nil {
			page.Withdraw = &views.WithdrawForm{}
		} else if change.State != engine.Pending {
			page.Withdraw = nil
		}
	}
	failed := change.State == engine.Errored || change.ClosedReason == models.ClosedErrored
	newest := len(d.InLane) == 0 || d.InLane[0].ID == change.ID
	if failed && newest {
		page.Retry, page.RetryNote = "Request again", "A new change of the same kind follows; this one is closed."
		if page.Owning {
			page.Retry = "Retry"
		}
	}
}

// standingOf says what has become of a change, where its state does not say all.
func standingOf(d *market.ChangeDetails) (banners []views.Banner) {
	change := d.Change()
	say := func(title, text string) {
		banners = append(banners, views.Banner{Tone: components.Info, Title: title, Text: text})
	}
	switch change.ClosedReason {
	case models.ClosedWithdrawn:
		say("This change was withdrawn", change.Log)
	case models.ClosedSuperseded:
		say("This change was superseded", change.Log)
	}
	if len(d.InLane) > 0 && d.InLane[0].ID > change.ID && change.State.Open() {
		say(fmt.Sprintf("A newer change of this item exists: #%d", d.InLane[0].ID), "It is listed below, under related changes.")
	}
	if item := d.Items[change.ServiceItemID]; item.RuntimeState == engine.Decommissioned && change.ChangeType != engine.Delete {
		say("The item is decommissioned", "Its history stays.")
	}
	return banners
}

// timeline tells a change's history, newest first (portal CHG3).
func timeline(history []models.ChangeHistory) []components.Entry {
	entries := make([]components.Entry, len(history))
	for i, step := range history {
		e := components.Entry{ID: fmt.Sprintf("step-%d", step.ID), At: step.At, Who: step.ChangedBy, Team: step.ChangedByTeam, Via: through(step.Via), Log: step.Log, State: step.State}
		if step.Reason == "log" {
			e.State, e.Title = "", "Log written"
		}
		entries[i] = e
	}
	return entries
}

func through(via string) string {
	switch via {
	case "portal":
		return "in the portal"
	case "api":
		return "over the API"
	case "bulk":
		return "in bulk"
	}
	return ""
}

// factsOf lists what a change belongs to.
func factsOf(who market.Actor, d *market.ChangeDetails) []components.Fact {
	change := d.Change()
	item, service, application := d.Items[change.ServiceItemID], d.Services[change.ServiceID], d.Applications[change.ApplicationID]
	facts := []components.Fact{
		{Term: "Item", Value: views.NameLink(item.Name, itemPath(item.ID))},
		{Term: "Service", Value: components.Name(service.Name)},
		{Term: "Consumer", Value: components.Name(d.Teams[change.ConsumerTeamID].Name)},
	}
	if change.ConsumerTeamID == who.TeamID {
		facts = append(facts, components.Fact{Term: "Application", Value: views.NameLink(application.Name, fmt.Sprintf("/apps/%d", application.ID))})
	} else {
		facts = append(facts, components.Fact{Term: "Application", Value: components.Name(application.Name)})
	}
	facts = append(facts, components.Fact{Term: "Processed by", Value: components.Name(d.Teams[change.OwnerID].Name)})
	if change.SubmissionID != nil {
		text := components.Text(fmt.Sprintf("#%d", *change.SubmissionID))
		if change.ConsumerTeamID == who.TeamID {
			text = views.NameLink(fmt.Sprintf("#%d", *change.SubmissionID), fmt.Sprintf("/submissions/%d", *change.SubmissionID))
		}
		facts = append(facts, components.Fact{Term: "Submission", Value: text})
	}
	if change.AssigneeID != nil {
		facts = append(facts, components.Fact{Term: "Taken by", Value: components.Name(d.Users[*change.AssigneeID].Name)})
	}
	return append(facts, components.Fact{Term: "Version", Value: components.Text(versionsOf(change))},
		components.Fact{Term: "Item now", Value: components.RuntimeBadge(item.RuntimeState)})
}

// versionsOf says which versions of the declaration a change leads between.
func versionsOf(c *models.ChangeInstance) string {
	switch c.ChangeType {
	case engine.Create:
		return fmt.Sprintf("v%d, the first", c.NewVersion)
	case engine.Delete:
		return fmt.Sprintf("v%d was the last", c.OldVersion)
	}
	return fmt.Sprintf("v%d to v%d", c.OldVersion, c.NewVersion)
}

// relatedTo gathers the changes around one, linked both ways (portal CHG4).
func relatedTo(who market.Actor, d *market.ChangeDetails) (groups []views.RelatedGroup) {
	change := d.Change()
	add := func(title string, changes []models.ChangeInstance) {
		group := views.RelatedGroup{Title: title}
		for _, c := range changes {
			if c.ID == change.ID || !market.Sees(who, c) {
				continue
			}
			name := d.Items[c.ServiceItemID].Name
			group.Rows = append(group.Rows, views.RelatedChange{ID: c.ID, Type: c.ChangeType, State: c.State, Name: name, Team: d.Teams[c.OwnerID].Name, At: c.Created})
		}
		if len(group.Rows) > 0 {
			groups = append(groups, group)
		}
	}
	add("Caused by", d.Causes[change.ID])
	add("Caused these", d.Woken)
	add("The same change for other teams", d.Lanes)
	add("Newer changes of this item", inLane(d, func(id int64) bool { return id > change.ID }))
	add("Earlier changes of this item", inLane(d, func(id int64) bool { return id < change.ID }))
	return groups
}

func inLane(d *market.ChangeDetails, keep func(int64) bool) (some []models.ChangeInstance) {
	for _, c := range d.InLane {
		if keep(c.ID) && len(some) < 10 {
			some = append(some, c)
		}
	}
	return some
}

func escaped(name string) string { return strings.ReplaceAll(url.QueryEscape(name), "+", "%20") }
