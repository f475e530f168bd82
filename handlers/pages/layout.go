package pages

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/layouts"
	"github.com/portolan/portolan/web"
)

// Layout makes the whole page around a content: the portal's frame for people
// who are signed in, the door for everybody else.
func (p Pages) Layout(ctx context.Context, frame web.Frame, content templ.Component) templ.Component {
	f := layouts.Frame{
		Title: frame.Title, Path: placeOf(ctx, frame.Path), URL: frame.URL, Nonce: frame.Nonce,
		Theme: frame.Theme, Density: frame.Density, SingleKeysOff: frame.Keys == "off",
		Flash: notice(frame.Flash), Print: frame.Print, Now: models.Now(),
	}
	if frame.Actor.UserID == 0 {
		f.Nonce = "" // nothing at the door uses it, and its pages are equal byte by byte (DOOR-c)
		return layouts.Door(f, content)
	}
	f.User, f.Role, f.PlatformAdmin, f.Key = frame.Actor.UserName, string(frame.Actor.Role), frame.Actor.PlatformAdmin, web.NewKey()
	f.Team = layouts.TeamChoice{ID: frame.Actor.TeamID, Name: frame.Actor.TeamName}
	f.Teams, f.Counts = p.teamsOf(ctx, frame.Actor), p.counts(ctx, frame.Actor)
	return layouts.Page(f, content)
}

// placed is the key of a page's place in the navigation.
type placed struct{}

// stand says where in the navigation a page belongs whose path does not say it.
func stand(c *fiber.Ctx, path string) {
	c.SetUserContext(context.WithValue(c.UserContext(), placed{}, path))
}

// placeOf is where a page belongs: where it says, else where its path leads.
func placeOf(ctx context.Context, path string) string {
	if said, ok := ctx.Value(placed{}).(string); ok {
		return said
	}
	return path
}

// teamsOf lists the teams one may switch to. The frame is drawn around failures
// as well, and so does without what it cannot find out.
func (p Pages) teamsOf(ctx context.Context, who market.Actor) (teams []layouts.TeamChoice) {
	memberships, err := p.Market.Memberships(ctx, who)
	if err != nil {
		return nil
	}
	for _, m := range memberships {
		teams = append(teams, layouts.TeamChoice{ID: m.TeamID, Name: m.TeamName})
	}
	return teams
}

// counts are the numbers beside the navigation, by its ids.
func (p Pages) counts(ctx context.Context, who market.Actor) map[string]int {
	open, err := p.Market.Counts(ctx, who)
	if err != nil {
		return nil
	}
	return map[string]int{"queue": int(open.Queue), "changes": int(open.Changes), "submissions": int(open.Submissions)}
}

// Counts brings the numbers of the navigation up to date after something was
// done in a fragment.
func (p Pages) Counts(ctx context.Context, who market.Actor) templ.Component {
	return layouts.Counts(p.counts(ctx, who))
}

func notice(flash web.Flash) components.Notice {
	return components.Notice{Tone: components.Tone(flash.Tone), Text: flash.Text}
}

// Announce says with a fragment what was done.
func (p Pages) Announce(flash web.Flash) templ.Component {
	return components.Announce(flash.Text, notice(flash))
}

// Failure says why there is nothing to see. What the active team may not see,
// but another team of the user may, is one button away (portal X5).
func (p Pages) Failure(ctx context.Context, trouble web.Trouble) templ.Component {
	t := layouts.Trouble{Status: trouble.Status, Text: trouble.Text, RequestID: trouble.RequestID}
	if trouble.Status == 404 && trouble.Actor.UserID != 0 {
		if team := p.elsewhere(ctx, trouble); team.ID != 0 {
			t.SwitchTo, t.Next, t.Key = team, trouble.Path, web.NewKey()
		}
	}
	return layouts.Failure(t)
}

// elsewhere finds another team of the user that may see what a path names.
func (p Pages) elsewhere(ctx context.Context, trouble web.Trouble) layouts.TeamChoice {
	parts := strings.Split(strings.TrimPrefix(trouble.Path, "/"), "/")
	if len(parts) < 2 {
		return layouts.TeamChoice{}
	}
	id, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return layouts.TeamChoice{}
	}
	member, err := p.Market.Elsewhere(ctx, trouble.Actor, func(who market.Actor) error { return p.sees(ctx, who, parts[0], id) })
	if err != nil {
		return layouts.TeamChoice{}
	}
	return layouts.TeamChoice{ID: member.TeamID, Name: member.TeamName}
}

// sees fails if the actor's team may not see an object.
func (p Pages) sees(ctx context.Context, who market.Actor, kind string, id int64) (err error) {
	switch kind {
	case "changes":
		_, err = p.Market.Change(ctx, who, "", id)
	case "items":
		_, err = p.Market.ServiceItem(ctx, who, "", id)
	case "apps":
		_, _, err = p.Market.Application(ctx, who, id)
	case "submissions":
		_, _, err = p.Market.Submission(ctx, who, id)
	case "catalogue":
		_, err = p.Market.Service(ctx, who, id)
	case "services":
		_, err = p.ownService(ctx, who, id)
	case "teams":
		if who.TeamID != id {
			err = fault.Missing()
		}
	default:
		err = fault.Missing()
	}
	return err
}
