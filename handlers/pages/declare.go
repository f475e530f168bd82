package pages

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/views/components"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// declareRoutes are the declaration editor: what it opens with, what its text
// would do, and the submission of it.
func (p Pages) declareRoutes() []web.Route {
	at := func(method, path, role string, handle fiber.Handler, before ...fiber.Handler) web.Route {
		return web.Route{Method: method, Path: path, Door: web.Person, Pov: "consumer", Role: role, Loads: "market.Declaration", Takes: bodyOf(method), Before: before, Handle: handle}
	}
	upload := at("POST", "/declare/upload", "GENERAL", p.uploadDeclaration)
	upload.Takes = []string{web.Multipart}
	return []web.Route{
		at("GET", "/declare", "READ_ONLY", p.showDeclare),
		at("GET", "/declare/download", "READ_ONLY", p.downloadDeclaration),
		at("POST", "/declare/lint", "GENERAL", p.lintDeclaration),
		at("POST", "/declare/preview", "GENERAL", p.previewDeclaration),
		at("POST", "/declare/convert", "GENERAL", p.convertDeclaration),
		at("POST", "/declare", "GENERAL", p.submitDeclaration, web.PaceSubmit),
		upload,
	}
}

// showDeclare opens the editor with what is declared now, or with an example.
func (p Pages) showDeclare(c *fiber.Ctx) error {
	who := web.Actor(c)
	service, _ := strconv.ParseInt(c.Query("insert"), 10, 64)
	d := draft{application: c.Query("application"), yaml: c.Query("format") == "yaml", rows: planRows}
	opening, err := p.Market.Opening(c.UserContext(), who, d.application, service)
	if err != nil {
		return err
	}
	if !who.MayWrite() {
		if opening.Document, err = p.Market.HideSecrets(c.UserContext(), opening.Document); err != nil {
			return err
		}
	}
	d.text = d.write(&opening.Document)
	page := views.Declare{}
	if !opening.Declared && who.MayWrite() {
		page.Banners = append(page.Banners, views.Banner{Tone: components.Info, Title: "Nothing is declared here yet: this is an example",
			Text: "Change it to what you need. The preview shows what would happen; nothing is asked of anybody before you submit."})
	}
	return p.declare(c, d, page)
}

// declare draws the editor around a draft.
func (p Pages) declare(c *fiber.Ctx, d draft, page views.Declare) error {
	who := web.Actor(c)
	page.Team, page.Application, page.Text, page.YAML, page.Partial, page.Comment = who.TeamName, d.application, d.text, d.yaml, d.partial, d.comment
	page.Key, page.Acts = web.NewKey(), who.MayWrite()
	if page.Submit.Label == "" {
		page.Submit = views.SubmitState{Label: "Submit", Reason: "Preview first, to see what it would do."}
	}
	services, err := p.Market.Orderable(c.UserContext(), who)
	if err != nil {
		return err
	}
	page.Services = serviceOptions(market.Choices{Services: services})
	title := "Declare"
	if d.application != "" {
		title = "Declare " + d.application
	}
	return web.Render(c, title, views.DeclarePage(page))
}

// previewDeclaration tells what submitting the text would do.
func (p Pages) previewDeclaration(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	d := readDraft(form)
	page, err := p.preview(c, d)
	if err != nil {
		return err
	}
	if page.Total > 0 {
		c.Status(fiber.StatusUnprocessableEntity)
	}
	if !web.IsFragment(c) {
		return p.declare(c, d, page)
	}
	if page.Total > 0 {
		c.Set("HX-Reswap", "none")
		return web.Render(c, "", views.PreviewRefusal(page))
	}
	return web.Render(c, "", views.PreviewAnswer(page, d.set == page.Confirm.Set))
}

// preview makes and stores the preview of a draft, or gathers what is wrong with it.
func (p Pages) preview(c *fiber.Ctx, d draft) (page views.Declare, err error) {
	who := web.Actor(c)
	proposal := d.proposal()
	proposal.Live = true
	stored, plan, err := p.Market.Preview(c.UserContext(), who, proposal)
	if problems, total, ok := problemsOf(err); ok {
		page.Problems, page.Total = problems, total
		page.Status = views.PreviewStatus{Problems: total, Of: p.madeAt(c, d.preview)}
		page.Submit = views.SubmitState{Label: "Submit", Reason: "Fix " + counted(total, "problem", "problems") + " first."}
		return page, nil
	}
	if err != nil {
		return page, err
	}
	page.Confirm = confirmation(&plan, d.typed)
	page.Preview = planView(&plan, stored.ID, d)
	page.Status = views.PreviewStatus{Of: stored.Created}
	page.Submit = submitState(&plan, page.Confirm)
	return page, nil
}

// madeAt is when the preview that is still shown was made.
func (p Pages) madeAt(c *fiber.Ctx, id string) (at time.Time) {
	if id == "" {
		return at
	}
	stored, err := p.Market.StoredPreview(c.UserContext(), web.Actor(c), id)
	if err != nil {
		return at
	}
	return stored.Created
}

// problemsOf takes the problems out of the refusal of a document.
func problemsOf(err error) (problems []engine.Problem, total int, ok bool) {
	f := fault.Of(err)
	if f == nil {
		return nil, 0, false
	}
	if verdict, there := f.Detail.(market.Verdict); there {
		return verdict.Problems, verdict.ProblemCount, true
	}
	// A document of another team is refused as a whole.
	if f.Kind == fault.Forbidden {
		return []engine.Problem{{Message: f.Text, Rule: "M1"}}, 1, true
	}
	return nil, 0, false
}

// submitState says what the button submits, and why it does not.
func submitState(plan *engine.Plan, confirm views.Confirmation) views.SubmitState {
	s := views.SubmitState{Label: "Submit " + counted(len(plan.Changes), "change", "changes")}
	switch {
	case plan.Empty():
		return views.SubmitState{Label: "Submit", Reason: "Nothing to do: this is what is declared already."}
	case len(plan.Changes) == 0:
		s.Label = "Submit"
	}
	if len(confirm.Fields) > 0 {
		s.Confirms = true
		if !confirm.Matched() {
			s.Reason = "Type what is deleted first, exactly as it is written."
		}
	}
	return s
}

// lintDeclaration tells a script what is wrong with a text, with its places.
func (p Pages) lintDeclaration(c *fiber.Ctx) error {
	form, err := web.Form(c)
	if err != nil {
		return err
	}
	_, _, err = p.Market.Plan(c.UserContext(), web.Actor(c), readDraft(form).proposal())
	problems, total, ok := problemsOf(err)
	if err != nil && !ok {
		return err
	}
	if c.Accepts("text/html", "application/json") == "application/json" {
		if problems == nil {
			problems = []engine.Problem{}
		}
		return c.JSON(fiber.Map{"problems": problems, "problem_count": total})
	}
	return web.Render(c, "Problems", components.ProblemList(problems, total, "declaration"))
}

// submitDeclaration makes the previewed text what the team has declared.
func (p Pages) submitDeclaration(c *fiber.Ctx) error {
	who, form, answer, err := p.begin(c)
	if err != nil {
		return err
	}
	if answer != nil {
		return web.Redirect(c, answer.Location)
	}
	d := readDraft(form)
	if refusal, err := p.reviewed(c, d); err != nil || refusal != nil {
		return p.sendBack(c, d, refusal, err)
	}
	outcome, err := p.Market.Submit(c.UserContext(), who, d.submission())
	if err != nil {
		return p.refuseSubmission(c, d, err)
	}
	if !outcome.Recorded {
		return p.sendBack(c, d, &returned{status: fiber.StatusOK, banner: views.Banner{Tone: components.Info, Title: "Nothing to do", Text: "This is what is declared already. Nothing was recorded."}}, nil)
	}
	place := fmt.Sprintf("/submissions/%d", outcome.Submission.ID)
	if err := p.keep(c.UserContext(), who, place); err != nil {
		return err
	}
	web.Announce(c, "ok", fmt.Sprintf("Submission #%d asks for %s.", outcome.Submission.ID, counted(len(outcome.ChangeIDs), "change", "changes")))
	return web.Redirect(c, place)
}
