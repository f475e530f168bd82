package pages

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// returned is why a submission comes back to its sender, with nothing stored.
type returned struct {
	status  int
	banner  views.Banner
	comment string // what is wrong with the comment
	moved   []views.MovedItem
	mark    bool // mark the confirmations that are missing
}

// reviewed looks whether the text is the one that was previewed and each
// deletion in it was typed; nil lets it pass.
func (p Pages) reviewed(c *fiber.Ctx, d draft) (*returned, error) {
	who, ctx := web.Actor(c), c.UserContext()
	if len([]rune(d.comment)) > maxComment {
		return &returned{status: fiber.StatusUnprocessableEntity, comment: fmt.Sprintf("At most %d characters; this comment has %d.", maxComment, len([]rune(d.comment)))}, nil
	}
	if d.preview == "" {
		return &returned{status: fiber.StatusUnprocessableEntity, banner: views.Banner{Tone: components.Info, Title: "Look at the preview, then submit", Text: "This is what the text would do. Nothing has been asked of anybody yet."}}, nil
	}
	stored, err := p.Market.StoredPreview(ctx, who, d.preview)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Gone) {
		return &returned{status: fiber.StatusConflict, banner: views.Banner{Tone: components.Warn, Title: "Your preview has expired", Text: "Below is a new one. Look at it, then submit."}}, nil
	}
	if err != nil {
		return nil, err
	}
	if !d.isPreviewed(stored) {
		return &returned{status: fiber.StatusConflict, banner: views.Banner{Tone: components.Warn, Title: "The text changed after its preview", Text: "Below is the preview of the text as it is now. Look at it, then submit."}}, nil
	}
	plan, team, err := p.Market.Plan(ctx, who, d.proposal())
	if _, _, ok := problemsOf(err); ok || err == nil && team.DeclarationVersion != stored.BaseVersion {
		return nil, nil // the submission itself tells what has moved
	}
	if err != nil {
		return nil, err
	}
	if confirm := confirmation(&plan, d.typed); !confirm.Matched() {
		return &returned{status: fiber.StatusUnprocessableEntity, mark: true, banner: views.Banner{Tone: components.Bad, Title: "Confirm what is deleted", Text: "Nothing was submitted. Type each name below exactly as it is written."}}, nil
	}
	return nil, nil
}

// refuseSubmission brings a text back that the marketplace did not take.
func (p Pages) refuseSubmission(c *fiber.Ctx, d draft, err error) error {
	f := fault.Of(err)
	if f == nil {
		return err
	}
	if stale, ok := f.Detail.(market.Stale); ok {
		return p.sendBack(c, d, p.staleness(c, stale), nil)
	}
	if _, _, ok := problemsOf(err); ok {
		return p.sendBack(c, d, &returned{status: fiber.StatusUnprocessableEntity}, nil)
	}
	if f.Kind == fault.Conflict || f.Kind == fault.Gone {
		return p.sendBack(c, d, &returned{status: fiber.StatusConflict, banner: views.Banner{Tone: components.Warn, Title: f.Text}}, nil)
	}
	return err
}

// reasons say why a preview is stale (lifecycle T6).
var reasons = map[string]string{
	"declared":    "somebody has submitted since",
	"schema":      "the service has a newer schema",
	"open_change": "another change of it is open by now",
	"plan":        "a change of it was moved since",
}

// staleness tells what has moved since a preview was made (portal DEC7).
func (p Pages) staleness(c *fiber.Ctx, stale market.Stale) *returned {
	back := &returned{status: fiber.StatusConflict, banner: views.Banner{
		Tone: components.Warn, Title: "What is declared has moved since your preview",
		Text: "Nothing was submitted. Your text and your comment are kept; below is a new preview.",
	}}
	if last, err := p.Market.LastSubmission(c.UserContext(), web.Actor(c)); err == nil && stale.CurrentVersion != stale.BaseVersion {
		back.banner.Title = fmt.Sprintf("%s submitted #%d since your preview", last.SubmittedBy, last.ID)
	}
	for _, item := range stale.Items {
		name := item.Service
		if item.Name != "" {
			name = item.Application + " / " + item.Service + " / " + item.Name
		}
		back.moved = append(back.moved, views.MovedItem{Name: name, Why: reasons[item.Why]})
	}
	if len(back.moved) > maxMoved {
		back.moved = append(back.moved[:maxMoved], views.MovedItem{Name: plus(len(back.moved) - maxMoved), Why: "as well"})
	}
	return back
}

// How many moved items are listed, and how long a comment may be.
const (
	maxMoved   = 20
	maxComment = 500
)

// sendBack draws the editor again with a fresh preview; the text, the comment
// and what was typed are kept (portal X4, DEC7).
func (p Pages) sendBack(c *fiber.Ctx, d draft, why *returned, err error) error {
	if _, _, ok := problemsOf(err); err != nil && !ok {
		return err
	}
	page, err := p.preview(c, d)
	if err != nil {
		return err
	}
	if why == nil || page.Total > 0 {
		c.Status(fiber.StatusUnprocessableEntity)
		return p.declare(c, d, page)
	}
	c.Status(why.status)
	page.CommentBad, page.Moved = why.comment, why.moved
	if why.banner.Title != "" {
		page.Banners = append(page.Banners, why.banner)
	}
	if why.mark {
		for i := range page.Confirm.Fields {
			f := &page.Confirm.Fields[i]
			if f.Typed != f.Expect {
				f.Problem = "This is not " + f.Expect + "."
			}
		}
	}
	return p.declare(c, d, page)
}
