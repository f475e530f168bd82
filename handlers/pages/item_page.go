package pages

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// showItem tells the life of one service item.
func (p Pages) showItem(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	who := web.Actor(c)
	d, err := p.Market.ItemDetails(c.UserContext(), who, id)
	if err != nil {
		return err
	}
	page := views.Item{ItemRow: itemRow(d.Related, d.Item), Tab: c.Query("tab", "declaration"), Side: sideTo(who, &d), Acts: who.MayWrite()}
	page.Life, page.Others, page.Facts, page.Banners = life(&d), otherLives(page.Side, &d), itemFacts(who, &d), itemBanners(&d)
	declared, deployed := declaredVersions(&d), deployedVersions(&d)
	page.Counts = map[string]int{"declaration": len(declared), "deployed": len(deployed), "changes": len(d.Changes)}
	switch page.Tab {
	case "changes":
		page.Changes = itemChanges(who, &d)
	case "relations":
		if err := p.fillRelations(c, d.Item, &page); err != nil {
			return err
		}
	case "deployed":
		page.Versions = compareVersions(c, &d, deployed)
	default:
		page.Tab = "declaration"
		page.Versions = compareVersions(c, &d, declared)
	}
	if web.IsFragment(c) {
		return web.Render(c, page.Name, views.ItemPanel(page))
	}
	return web.Render(c, page.Service+" / "+page.Name, views.ItemPage(page))
}

// sideTo is what the actor's team is to an item.
func sideTo(who market.Actor, d *market.ItemDetails) string {
	switch who.TeamID {
	case d.Item.ConsumerTeamID:
		return "consumer"
	case d.Services[d.Item.ServiceID].OwnerID:
		return "owner"
	}
	return "dependent"
}

// version is one version of a declaration or deployed item, with its text.
type version struct {
	views.VersionRow
	text   string
	secret bool // its schema may hide values
}

// declaredVersions lists the versions of an item's declaration, newest first;
// where several changes carry one version, the owner's newest tells of it.
func declaredVersions(d *market.ItemDetails) (versions []version) {
	seen, own := map[int]int{}, map[int]bool{}
	for _, c := range d.Changes {
		if c.NewDeclaration == nil {
			continue
		}
		at, known := seen[c.NewVersion]
		if known && (own[c.NewVersion] || c.IsDependant()) {
			continue
		}
		own[c.NewVersion] = !c.IsDependant()
		v := version{VersionRow: views.VersionRow{Number: c.NewVersion, At: c.Created, By: byWhom(d, c), Change: c.ID, Standing: standingOfVersion(c), Lapsed: c.Lapsed}, text: *c.NewDeclaration, secret: true}
		if c.Lapsed {
			v.Log = c.Log
		}
		if known {
			versions[at] = v
			continue
		}
		seen[c.NewVersion] = len(versions)
		versions = append(versions, v)
	}
	slices.SortStableFunc(versions, func(a, b version) int { return b.Number - a.Number })
	return versions
}

func byWhom(d *market.ItemDetails, c models.ChangeInstance) string {
	if c.SubmissionID == nil {
		return ""
	}
	return d.Submissions[*c.SubmissionID].SubmittedBy
}

// standingOfVersion says what has become of a version.
func standingOfVersion(c models.ChangeInstance) string {
	switch {
	case c.Lapsed:
		return "rejected"
	case c.State == engine.Pending:
		return "proposed"
	case c.State == engine.Completed:
		return "completed"
	case c.ClosedReason == models.ClosedSuperseded:
		return "superseded"
	case c.State == engine.Approved:
		return "approved"
	}
	return "errored"
}

// deployedVersions lists the versions of an item's deployed item, newest first.
func deployedVersions(d *market.ItemDetails) (versions []version) {
	for _, deployed := range d.Deployments {
		row := views.VersionRow{Number: deployed.Version, At: deployed.Created, By: deployed.CreatedBy, Standing: "attached on its own"}
		if deployed.ChangeID != nil {
			row.Standing = "came with a change"
			if slices.ContainsFunc(d.Changes, func(c models.ChangeInstance) bool { return c.ID == *deployed.ChangeID }) {
				row.Change = *deployed.ChangeID
			}
		}
		versions = append(versions, version{VersionRow: row, text: deployed.Data})
	}
	return versions
}

// compareVersions compares the two versions that the address names, else the
// newest with the one before (portal ITM3).
func compareVersions(c *fiber.Ctx, d *market.ItemDetails, versions []version) views.ItemVersions {
	shown := views.ItemVersions{}
	for _, v := range versions {
		shown.Rows = append(shown.Rows, v.VersionRow)
	}
	if len(versions) == 0 {
		return shown
	}
	newest := versions[0]
	s := d.Schema
	if !newest.secret {
		s = nil
	}
	shown.Text = whole(s, parsed(&newest.text))
	from, to := numbered(versions, c.Query("from")), numbered(versions, c.Query("to"))
	if from == nil && to == nil && len(versions) > 1 {
		from, to = &versions[1], &versions[0]
	}
	if from == nil || to == nil {
		return shown
	}
	shown.From, shown.To = from.Number, to.Number
	diff := compared(fmt.Sprintf("version %d to %d", from.Number, to.Number), &from.text, &to.text, s)
	shown.Diff = &diff
	return shown
}

func numbered(versions []version, number string) *version {
	n, err := strconv.Atoi(number)
	at := slices.IndexFunc(versions, func(v version) bool { return err == nil && v.Number == n })
	if at < 0 {
		return nil
	}
	return &versions[at]
}

func itemChanges(who market.Actor, d *market.ItemDetails) (list []views.ItemChange) {
	for _, c := range d.Changes {
		change := views.ItemChange{ID: c.ID, Type: c.ChangeType, State: c.State, Team: d.Teams[c.OwnerID].Name, At: c.Created, Log: c.Log, Lane: "the owner's lane", Cause: components.Cause{Kind: c.Kind}}
		if c.IsDependant() {
			change.Lane = "a dependent team's copy"
		}
		switch {
		case c.RetryOf != nil:
			change.Cause.RetryOf, change.Cause.Href = *c.RetryOf, changePath(*c.RetryOf)
		case c.Kind == engine.Dependent:
			change.Cause.Of = change.Team
		case c.Kind == engine.Referenced:
			change.Cause.Of, change.Cause.Href = "see the change", changePath(c.ID)
		}
		list = append(list, change)
	}
	return list
}

func (p Pages) fillRelations(c *fiber.Ctx, item models.ServiceItem, page *views.Item) error {
	dependsOn, usedBy, err := p.Market.RelationsInSight(c.UserContext(), web.Actor(c), item)
	page.DependsOn, page.UsedBy = relatedItems(dependsOn), relatedItems(usedBy)
	return err
}

func relatedItems(relations []market.Relation) (list []views.RelatedItem) {
	for _, r := range relations {
		related := views.RelatedItem{Service: r.Service, Name: r.Name, Field: fieldPath(steps(r.Path))}
		if r.Item != nil {
			related.Href = itemPath(r.Item.ID)
		}
		list = append(list, related)
	}
	return list
}
