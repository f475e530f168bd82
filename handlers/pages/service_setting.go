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

// toggle is a setting of a service that is on or off: what it does, and where
// it is kept.
type toggle struct {
	name, label, effect, byDefault, open string
	field                                string // of market.ServicePatch
	now                                  func(models.Service) bool
	set                                  func(*market.ServicePatch, *bool)
}

var toggles = []toggle{
	{"approval_required", "Approval required", "New changes wait in your queue for a decision. Off, they are approved at once.", "on", "keep their state", "ApprovalRequired",
		func(s models.Service) bool { return s.ApprovalRequired }, func(p *market.ServicePatch, on *bool) { p.ApprovalRequired = on }},
	{"allow_manual_approval", "People may approve and reject", "Off, only an API key may, and the portal shows the buttons disabled.", "on", "follow the new rule at once", "AllowManualApproval",
		func(s models.Service) bool { return s.AllowManualApproval }, func(p *market.ServicePatch, on *bool) { p.AllowManualApproval = on }},
	{"allow_manual_completion", "People may complete and mark as errored", "Off, only an API key may, and the portal shows the buttons disabled.", "on", "follow the new rule at once", "AllowManualCompletion",
		func(s models.Service) bool { return s.AllowManualCompletion }, func(p *market.ServicePatch, on *bool) { p.AllowManualCompletion = on }},
	{"private", "Private", "Only your team and the allowed teams see and order the service; teams that hold items keep them.", "off", "go on", "Private",
		func(s models.Service) bool { return s.Private }, func(p *market.ServicePatch, on *bool) { p.Private = on }},
}

// typedSettings are the settings as a form sent them.
type typedSettings struct {
	state   string
	on      map[string]bool
	minimum string
}

func settingsOf(s models.Service) typedSettings {
	typed := typedSettings{state: string(s.State), on: map[string]bool{}, minimum: strconv.Itoa(s.MinimumSchemaVersion)}
	for _, t := range toggles {
		typed.on[t.name] = t.now(s)
	}
	return typed
}

func typedIn(form web.FormValues) typedSettings {
	typed := typedSettings{state: form.Text("state"), on: map[string]bool{}, minimum: form.Text("minimum_schema_version")}
	for _, t := range toggles {
		typed.on[t.name] = form.Has(t.name)
	}
	return typed
}

// patch names what the form changes, and nothing else, so that the log tells
// who changed which setting.
func (typed typedSettings) patch(s models.Service, version int64) (market.ServicePatch, error) {
	patch := market.ServicePatch{Version: version}
	if state := engine.ServiceState(typed.state); state != s.State {
		patch.State = &state
	}
	for _, t := range toggles {
		if on := typed.on[t.name]; on != t.now(s) {
			t.set(&patch, &on)
		}
	}
	minimum, err := strconv.Atoi(strings.TrimSpace(typed.minimum))
	if err != nil {
		return patch, fault.Field("minimum_schema_version", "A whole number is needed here.")
	}
	if minimum != s.MinimumSchemaVersion {
		patch.MinimumSchemaVersion = &minimum
	}
	return patch, nil
}

func (p Pages) showServiceSettings(c *fiber.Ctx) error {
	service, own, err := p.service(c, "settings")
	if err != nil {
		return err
	}
	return p.serviceSettings(c, service, own, settingsOf(service), views.Problems{})
}

// serviceSettings draws the settings as they were typed; after a lost race it
// says beside them what they are now (trust C4).
func (p Pages) serviceSettings(c *fiber.Ctx, s models.Service, own views.Own, typed typedSettings, problems views.Problems) error {
	ctx, who := c.UserContext(), web.Actor(c)
	last, err := p.Market.SettingsChanged(ctx, who, s.ID)
	if err != nil {
		return err
	}
	figures, err := p.Market.OwnFigures(ctx, who, []models.Service{s})
	if err != nil {
		return err
	}
	open := func(what string) string { return fmt.Sprintf("Open changes %s (%d now).", what, figures[s.ID].Open) }
	page := views.ServiceSettings{Own: own, State: typed.state, Minimum: typed.minimum, Newest: s.SchemaVersion, Problems: problems,
		StateOf: changedBy(views.Setting{}, last["State"]),
		MinOf:   changedBy(views.Setting{Default: "1", Open: open("are not touched")}, last["MinimumSchemaVersion"])}
	if typed.state != string(s.State) && problems.Text != "" {
		page.StateOf.Now = strings.ToLower(components.ServiceStateWord(s.State))
	}
	for _, t := range toggles {
		setting := views.Setting{Name: t.name, Label: t.label, Effect: t.effect, Default: t.byDefault, On: typed.on[t.name], Open: open(t.open)}
		if on := t.now(s); on != setting.On && problems.Text != "" {
			setting.Now = onOff(on)
		}
		page.Switches = append(page.Switches, changedBy(setting, last[t.field]))
	}
	return web.Render(c, s.Name, views.ServiceSettingsPage(page))
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func changedBy(s views.Setting, entry models.Audit) views.Setting {
	s.By, s.At = entry.Actor, entry.At
	return s
}

func (p Pages) changeServiceSettings(c *fiber.Ctx) error {
	service, own, err := p.service(c, "settings")
	if err != nil {
		return err
	}
	var typed typedSettings
	err = p.once(c, func(who market.Actor, form web.FormValues) (place, said string, err error) {
		typed = typedIn(form)
		version, err := form.Number("version")
		if err != nil {
			return "", "", err
		}
		patch, err := typed.patch(service, version)
		if err != nil {
			return "", "", err
		}
		_, err = p.Market.ChangeService(c.UserContext(), who, service.ID, patch)
		return own.Path("settings"), "The settings are saved. They count from the next change on.", err
	})
	if f := sentBack(err); f != nil {
		return p.serviceSettings(c.Status(statusOf(f)), service, own, typed, problems(f))
	}
	return err
}

// sentBack reports whether a form about an object comes back: because of what
// was typed, or because somebody else was faster (portal X7).
func sentBack(err error) *fault.Error {
	if f := fault.Of(err); f != nil && (f.Code == "lost_race" || f.Code == "title_taken") {
		return f
	}
	return refused(err)
}
