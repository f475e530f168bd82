package pages

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
)

// changeFilters are what a list of changes may be narrowed by (portal QUE1).
var changeFilters = []string{"state", "type", "service", "application", "consumer", "cause", "assignee", "older_than", "younger_than", "submission", "item", "all"}

// changeListing is the address of a list of changes and what it asks for.
type changeListing struct {
	listing
	pov    market.Pov
	query  models.ChangeList
	cursor models.Cursor
	states []engine.State
}

// The states that each side looks at first.
var (
	ownerStates    = []engine.State{engine.Pending, engine.Approved}
	consumerStates = []engine.State{engine.Pending, engine.Approved, engine.Rejected, engine.Errored}
)

// sideOf tells from which side a path looks at changes.
func sideOf(path string) market.Pov {
	if path == "/queue" {
		return market.AsServiceOwner
	}
	return market.AsConsumer
}

// readChanges reads the address of a list of changes.
func readChanges(c *fiber.Ctx, who market.Actor) (changeListing, error) {
	l, err := listed(c, changeFilters...)
	if err != nil {
		return changeListing{}, err
	}
	return askedFor(l, who), nil
}

// cameFrom reads the address of the list that a change was reached from; path
// is "/queue" or "/changes".
func cameFrom(path, query string, who market.Actor) changeListing {
	values, err := url.ParseQuery(query)
	if err != nil {
		values = url.Values{}
	}
	l := listing{path: path, values: url.Values{}}
	for _, name := range append([]string{"q", "sort", "size"}, changeFilters...) {
		if values.Get(name) != "" {
			l.values.Set(name, values.Get(name))
		}
	}
	return askedFor(l, who)
}

func askedFor(l listing, who market.Actor) changeListing {
	a := changeListing{listing: l, pov: sideOf(l.path)}
	usual, newest := ownerStates, false
	if a.pov == market.AsConsumer {
		usual, newest = consumerStates, true
	}
	a.states = a.readStates(usual)
	q := &a.query
	if len(a.states) < len(engine.States) {
		q.State = a.states
	}
	q.Type = oneOf(&a.listing, "type", engine.ChangeTypes)
	q.ServiceID, q.ApplicationID, q.ConsumerTeam = a.ids("service"), a.ids("application"), a.ids("consumer")
	q.SubmissionID, q.ServiceItemID = a.ids("submission"), a.ids("item")
	q.CreatedBefore, q.CreatedAfter = a.ago("older_than"), a.ago("younger_than")
	q.Search = a.values.Get("q")
	a.readCauses()
	a.readAssignee(who)
	a.cursor = a.listing.cursor(newest)
	return a
}

// readStates reads the states; "any" stands for all of them, as does a search
// for a submission or an item.
func (a *changeListing) readStates(usual []engine.State) []engine.State {
	if a.values.Get("state") == "any" {
		return engine.States
	}
	if states := oneOf(&a.listing, "state", engine.States); len(states) > 0 {
		return states
	}
	if a.values.Has("submission") || a.values.Has("item") {
		return engine.States
	}
	return usual
}

var causeKinds = map[string]engine.ChangeKind{"direct": engine.Basic, "referenced": engine.Referenced, "dependent": engine.Dependent}

func (a *changeListing) readCauses() {
	for _, cause := range oneOf(&a.listing, "cause", causes) {
		if kind, known := causeKinds[cause]; known {
			a.query.Kind = append(a.query.Kind, kind)
		} else {
			a.query.Retries = true
		}
	}
}

func (a *changeListing) readAssignee(who market.Actor) {
	switch a.values.Get("assignee") {
	case "me":
		a.query.Assignee = []int64{who.UserID}
	case "none":
		a.query.Unassigned = true
	default:
		a.query.Assignee = a.ids("assignee")
	}
}

// fields are the filters of the bar above the list.
func (a changeListing) fields(choices market.Choices) []components.Filter {
	set := []string{}
	for _, state := range a.states {
		set = append(set, string(state))
	}
	fields := []components.Filter{
		a.boxes("state", "State", set, stateOptions()),
		a.boxes("type", "Type", a.any("type"), typeOptions()),
		a.choice("service", "Service", "All services", serviceOptions(choices)),
	}
	if a.pov == market.AsServiceOwner {
		fields = append(fields, a.choice("consumer", "Consumer", "All consumers", consumerOptions(choices)))
	}
	fields = append(fields,
		a.choice("application", "Application", "All applications", applicationOptions(choices.Applications)),
		a.choice("cause", "Cause", "Any cause", causeOptions()),
	)
	if a.pov == market.AsServiceOwner {
		fields = append(fields, a.choice("assignee", "Taken by", "Anybody", assigneeOptions()))
	}
	return append(fields, a.choice("older_than", "Older than", "Any age", ageOptions()), a.words("Search items"))
}

// chips adds what is narrowed by but has no field of its own.
func (a changeListing) chips(f components.Filters) components.Filters {
	for _, extra := range [][2]string{{"submission", "Submission"}, {"item", "Item"}, {"younger_than", "Younger than"}} {
		if a.values.Has(extra[0]) {
			f.Active = append(f.Active, components.Chip{Label: extra[1], Value: a.values.Get(extra[0]), Remove: a.with(extra[0], "")})
			f.Keep[extra[0]] = a.values.Get(extra[0])
		}
	}
	return f
}

// view is a tab above the list: a list that people look at often.
type view struct{ label, query string }

func (a changeListing) tabs() []components.Tab {
	views := []view{{"Waiting", ""}, {"Mine", "assignee=me"}, {"Deletions", "type=DELETE"}, {"Errored", "state=ERRORED"}, {"All", "state=any"}}
	if a.pov == market.AsConsumer {
		views = []view{{"Open", ""}, {"Rejected or errored", "state=REJECTED%2CERRORED"}, {"Completed", "state=COMPLETED"}, {"All", "state=any"}}
	}
	tabs := make([]components.Tab, len(views))
	here := a.narrowed()
	here.Del("size")
	here.Del("sort")
	for i, v := range views {
		tabs[i] = components.Tab{Label: v.label, Href: a.path, Current: here.Encode() == v.query}
		if v.query != "" {
			tabs[i].Href += "?" + v.query
		}
	}
	return tabs
}

// isUsual reports whether nothing narrows the list but what always does.
func (a changeListing) isUsual() bool {
	for name := range a.narrowed() {
		if !slices.Contains([]string{"size", "sort"}, name) {
			return false
		}
	}
	return true
}

// sortAddress is the head of the age column.
func (a changeListing) sortAddress() (string, components.Direction) {
	return a.sorting(a.cursor.Newest)
}

func text(id int64) string { return strconv.FormatInt(id, 10) }
