package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// example shows a whole declaration with one item and what it needs, ready to
// be sent.
func (p Pages) example(c *fiber.Ctx, service models.Service, shown views.Offer) error {
	ctx, who := c.UserContext(), web.Actor(c)
	applications, _, err := p.Market.Applications(ctx, who)
	if err != nil {
		return err
	}
	page := views.Example{Offer: shown, YAML: c.Query("as") == "yaml", MayDeclare: who.MayWrite()}
	name := ""
	for i, a := range applications {
		if i == 0 {
			name = a.Name
		}
		page.Applications = append(page.Applications, forms.Option{Value: a.Name, Label: a.Name})
	}
	declaration, err := p.Market.ExampleDeclaration(ctx, who, service, name)
	if err != nil {
		return err
	}
	page.Text = string(value.Indent(&declaration)) + "\n"
	if page.YAML {
		page.Text = string(value.YAML(&declaration))
	}
	return web.Render(c, shown.Name, views.ExamplePage(page))
}

// schemaChanges are the differences between two versions, the breaking ones first.
func schemaChanges(changes []schema.SchemaChange) (shown []views.SchemaChange) {
	for _, breaking := range []bool{true, false} {
		for _, change := range changes {
			if change.Breaking == breaking {
				shown = append(shown, views.SchemaChange{Path: change.Path, What: strings.ReplaceAll(change.What, " -> ", " → "), Breaking: breaking})
			}
		}
	}
	return shown
}

// took says how long something takes, in the unit that people would use.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Minute:
		return "a minute"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", (d+30*time.Minute)/time.Hour)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Hours()/24), ".0") + " days"
}

// part is one page of a list that is paged by how many rows come before it.
type part struct{ skip, size int }

// offsetOf reads which part of a short list is wanted.
func offsetOf(l *listing) part {
	p := part{size: l.cursor(false).Size}
	if after := l.ids("after"); len(after) == 1 && after[0] > 0 && after[0] < 1_000_000 {
		p.skip = int(after[0])
	}
	return p
}

func (p part) page() models.Page { return models.Page{Limit: p.size, Offset: p.skip} }

// paging leads through the list.
func (p part) paging(l listing, noun string, total int64) components.Paging {
	if total == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	paging := components.Paging{Noun: noun, Size: p.size, Total: int(total), SizeHref: func(n int) string { return l.with("size", fmt.Sprint(n)) }}
	if p.skip > 0 {
		paging.Prev = l.with("after", fmt.Sprint(max(0, p.skip-p.size)))
	}
	if int64(p.skip+p.size) < total {
		paging.Next = l.with("after", fmt.Sprint(p.skip+p.size))
	}
	return paging
}
