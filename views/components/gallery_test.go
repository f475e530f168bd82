package components_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/views/components"
	"github.com/portolan/portolan/views/forms"
	"github.com/portolan/portolan/views/layouts"
)

// The gallery shows every component in its states, as the pages use them.
// With GALLERY set to a folder the test leaves the pages there to be looked at.

var moment = time.Date(2026, 11, 17, 12, 4, 0, 0, time.UTC)

const (
	longName  = "CoreVM1-with-a-name-that-somebody-made-far-too-long-and-that-has-to-wrap-somewhere-because-it-is-never-cut"
	rightward = "خادم-الويب <b>bold</b> 9007199254740993"
)

func frame(title, path, theme string) layouts.Frame {
	return layouts.Frame{
		Title: title, Path: path, URL: "https://portal.example" + path, Theme: theme,
		User: "Bo", Role: "ADMIN", PlatformAdmin: true,
		Team:   layouts.TeamChoice{ID: 3, Name: "VMOwnerTeam"},
		Teams:  []layouts.TeamChoice{{ID: 3, Name: "VMOwnerTeam"}, {ID: 4, Name: "TeamBlue"}},
		Counts: map[string]int{"queue": 12, "inbox": 2, "changes": 3},
		Key:    "0192f3", Now: moment,
	}
}

// markup is literal HTML of the gallery itself.
func markup(html string) templ.Component { return templ.Raw(html) }

// around puts components as children into a component that takes them.
func around(outer templ.Component, inner ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return outer.Render(templ.WithChildren(ctx, templ.Join(inner...)), w)
	})
}

// line puts components into table cells or other elements of their own.
func line(element string, inner ...templ.Component) templ.Component {
	return templ.Join(markup("<"+element+">"), templ.Join(inner...), markup("</"+strings.Fields(element)[0]+">"))
}

func button(class, key, words string) templ.Component {
	return markup(`<button type="button" class="` + class + `" data-key="` + key + `">` + words + `</button>`)
}

type queueRow struct {
	id, item, team, fields string
	kind                   engine.ChangeType
	state                  engine.State
	cause                  components.Cause
	late                   components.Lateness
}

var queueRows = []queueRow{
	{"17", "CoreVM1", "AwesomeConsumer", "cpu, memory", engine.Modify, engine.Pending, components.Cause{Kind: engine.Basic}, components.Late},
	{"18", longName, "TeamBlue", "new", engine.Create, engine.Pending, components.Cause{Kind: engine.Referenced, Of: "CoreVM1", Href: "/changes/17"}, components.OnTime},
	{"19", rightward, "AwesomeConsumer", "gone", engine.Delete, engine.Approved, components.Cause{Kind: engine.Dependent, Of: "NPOwnerTeam"}, components.Overdue},
	{"20", "CoreVM4", "AwesomeConsumer", "disk", engine.Modify, engine.Errored, components.Cause{RetryOf: 31, Href: "/changes/31"}, components.OnTime},
	{"21", "CoreVM5", "TeamBlue", "cpu", engine.Modify, engine.Rejected, components.Cause{Kind: engine.Basic}, components.OnTime},
	{"22", "CoreVM6", "TeamBlue", "cpu", engine.Modify, engine.Completed, components.Cause{Kind: engine.Basic}, components.OnTime},
	{"23", "CoreVM7", "TeamBlue", "cpu", engine.Modify, engine.Closed, components.Cause{Kind: engine.Basic}, components.OnTime},
}

func (r queueRow) draw() templ.Component {
	actions := []templ.Component{button("btn btn-small", "a", "Approve"), button("btn btn-small", "r", "Reject…")}
	if !r.state.Open() {
		actions = nil
	}
	return line(`tr class="entry" id="change-`+r.id+`" data-row data-state="`+string(r.state)+`"`,
		line(`td`, markup(`<input type="checkbox" class="pick" name="change" value="`+r.id+`" aria-label="Select change `+r.id+`">`)),
		line(`td data-label="Type"`, components.TypeMark(r.kind)),
		line(`td data-label="Item"`, line(`a href="/changes/`+r.id+`" data-open`, components.Name(r.item))),
		line(`td data-label="Consumer"`, components.Name(r.team)),
		line(`td data-label="Fields"`, components.Text(r.fields)),
		line(`td data-label="Cause"`, components.CauseMark(r.cause)),
		line(`td data-label="State"`, components.StateBadge(r.state)),
		line(`td data-label="Age"`, components.Age(moment, r.late)),
		line(`td class="actions"`, actions...),
	)
}

func queue() templ.Component {
	var rows []templ.Component
	for _, row := range queueRows {
		rows = append(rows, row.draw())
	}
	states := []forms.Option{{Value: "PENDING", Label: "Pending", Selected: true}, {Value: "APPROVED", Label: "Approved", Selected: true}, {Value: "ERRORED", Label: "Errored"}}
	services := []forms.Option{{Label: "All services"}, {Value: "1", Label: "VM"}, {Value: "2", Label: "LoadBalancer"}}
	bar := components.FilterBar(components.Filters{
		Action: "/queue", Target: "#list", Clear: "/queue", Notice: `The filter "colour" is not known and was left out.`,
		Fields: []components.Filter{
			{Name: "state", Label: "State", Kind: components.AnyOf, Options: states},
			{Name: "service", Label: "Service", Options: services},
			{Name: "q", Label: "Search", Kind: components.Words},
		},
		Active: []components.Chip{{Label: "state", Value: "Pending, Approved", Remove: "/queue?state="}, {Label: "q", Value: "core", Remove: "/queue"}},
	})
	head := templ.Join(markup(`<thead><tr><th scope="col">`), components.SelectAll("Select all changes"), markup(`</th>`),
		components.SortHeader("Type", "/queue?sort=type", "#list", components.Unsorted),
		markup(`<th scope="col">Item</th><th scope="col">Consumer</th><th scope="col">Fields</th><th scope="col">Cause</th><th scope="col">State</th>`),
		components.SortHeader("Age", "/queue?sort=-age", "#list", components.Descending),
		markup(`<th scope="col"><span class="sr-only">Actions</span></th></tr></thead>`))
	return templ.Join(
		around(components.PageHead(components.Head{Title: "Queue", Lead: "Changes that wait for VMOwnerTeam, the oldest first."}),
			components.SummaryChips(components.Summary{Create: 2, Modify: 1, Delete: 1, Referenced: 1, Dependent: 2}, "/queue?")),
		bar,
		markup(`<form method="post" action="/queue/bulk" data-bulk><triage-list class="region"><table class="list" id="list"><caption class="sr-only">Changes in the queue</caption>`),
		head, line("tbody", rows...), markup(`</table></triage-list>`),
		around(components.BulkBar(components.Bulk{Noun: "changes", Matching: 12, MatchingHref: "/queue?all=1"}), button("btn btn-primary", "", "Approve"), button("btn btn-danger", "", "Reject…"), button("btn", "", "Take")),
		markup(`</form>`),
		components.Pagination(components.Paging{Noun: "changes", Next: "/queue?after=23", Prev: "/queue?before=17", Size: 25, SizeHref: func(int) string { return "/queue" }, Total: 10000, Many: true, Target: "#list"}),
		components.KeyHints([]components.KeyHint{{Keys: "j k", Does: "move"}, {Keys: "x", Does: "select"}, {Keys: "a", Does: "approve"}, {Keys: "r", Does: "reject"}, {Keys: "?", Does: "all keys"}}),
	)
}

var exampleDiff = components.Diff{
	Label: "VM CoreVM1",
	Rows: []components.DiffRow{
		{Path: "cpu", Op: components.Changed, Before: "8", After: "16"},
		{Path: "memory", Op: components.Changed, Before: "9007199254740993", After: "0.1000000000000000055", Note: "forces replacement"},
		{Path: "disks[2].mount", Op: components.Added, After: `"/var/lib/a-rather-long-path/that-goes-on-and-on/and-never-finds-an-end"`},
		{Path: "backup.window", Op: components.Removed, Before: "{\n  \"from\": \"02:00\",\n  \"to\": \"04:00\"\n}"},
		{Path: "address", Op: components.Added, Note: "known after completion"},
	},
	Unchanged: []components.DiffRow{{Path: "name", Before: `"CoreVM1"`, After: `"CoreVM1"`}},
	Link:      func(view components.DiffView) string { return "/changes/17?view=" + string(view) },
}

func change() templ.Component {
	facts := components.DefinitionList([]components.Fact{
		{Term: "Consumer", Value: components.Name("AwesomeConsumer")}, {Term: "Application", Value: components.Name("NewApp1")},
		{Term: "Runtime state", Value: components.RuntimeBadge(engine.InService)}, {Term: "Changes", Value: components.ChangeStateBadge(engine.ChangesPending)},
		{Term: "Service", Value: components.ServiceStateBadge(engine.ServiceNoNew)}, {Term: "Delivery", Value: components.Badge(components.Wait, "in progress, attempt 2")},
		{Term: "Waiting", Value: components.Age(moment, components.Overdue)},
	})
	inline := exampleDiff
	inline.View, inline.Label = components.Inline, "VM CoreVM1 in line"
	raw := components.Diff{Label: "VM CoreVM1 raw", View: components.Raw, Before: `{"cpu": 8}`, After: `{"cpu": 16}`}
	history := components.Timeline([]components.Entry{
		{ID: "move-1", At: moment, Title: "Created", Who: "Ana", Team: "AwesomeConsumer", Via: "portal"},
		{At: moment, Comment: true, Who: "Ana", Log: "See https://wiki.example/vm?a=1&b=2.\n<script>alert(1)</script>"},
		{At: moment, State: engine.Approved, Who: "Bo", Team: "VMOwnerTeam", Log: "Capacity is there.", Replaced: "Fine"},
		{At: moment, State: engine.Errored, Who: "deployer (Api Key)", Team: "VMOwnerTeam", Via: "API", Log: "quota exceeded"},
	})
	return templ.Join(
		around(components.PageHead(components.Head{Title: "Modify VM / CoreVM1", Trail: []components.Link{{Text: "Queue", Href: "/queue"}, {Text: "#17", Href: "/changes/17"}}}),
			components.DialogButton("reject", "Reject…", "btn btn-danger"), forms.Submit("Approve", "")),
		components.Tabs("Change", []components.Tab{{Label: "Changes", Href: "/changes/17", Current: true}, {Label: "Related", Href: "/changes/17?tab=related", Count: 3}}, "#panel"),
		markup(`<div class="split" id="panel"><div class="stack">`),
		around(components.Panel("what", "What changes"), components.DiffTable(exampleDiff)),
		around(components.Panel("inline", "In line"), components.DiffTable(inline)),
		around(components.Panel("raw", "Raw"), components.DiffTable(raw)),
		around(components.Banner(components.Info, "Approved by Bo 12 s ago"), components.Text("The actions below are valid now.")),
		around(components.Banner(components.Bad, "The webhook is paused")),
		components.CodeBlock(components.Code{ID: "example", Label: "Example", Text: "{\n  \"name\": \"CoreVM1\",\n  \"cpu\": 8\n}"}),
		components.Progress(3, 4, "3 of 4 done"),
		markup(`</div><div class="stack">`),
		around(components.Panel("facts", "Facts"), facts),
		around(components.Panel("history", "History"), history),
		markup(`</div></div>`),
		around(components.ConfirmDialog(components.Confirm{ID: "reject", Title: "Reject the change of CoreVM1?", Action: "/changes/17", Submit: "Reject", Key: "1", Danger: true}),
			forms.Textarea(forms.Field{Name: "log", Label: "Reason", Required: true, Hint: "The consumer reads this."}, 3)),
	)
}

func fields() templ.Component {
	options := []forms.Option{{Value: "a", Label: "Approval required", Hint: "New changes wait for you.", Selected: true}, {Value: "b", Label: "Approved at once"}}
	problems := []value.Problem{
		{Line: 7, Column: 37, Pointer: "/AwesomeConsumer/NewApp1/services/VM/1/cpu", Message: `must be an integer, got "eight"`},
		{Message: "The service Firewall is not known."},
	}
	return templ.Join(
		components.PageHead(components.Head{Title: "Declare", Lead: "The whole document of the team; what is left out is deleted."}),
		markup(`<form class="stack" method="post" action="/declare">`), forms.Hidden("1"), forms.Version(3),
		forms.ErrorSummary("The declaration is not valid.", []forms.FieldError{{Field: "declaration", Text: "Fix 2 problems"}}),
		forms.TextInput(forms.Field{Name: "name", Label: "Application", Value: rightward, Hint: "1 to 255 characters.", Required: true}),
		forms.TextInput(forms.Field{Name: "comment", Label: "Comment", Error: "At most 500 characters.", Value: "…"}),
		forms.TextInput(forms.Field{Name: "team", Label: "Team", Value: "VMOwnerTeam", ReadOnly: true, Reason: "Set by the environment."}),
		forms.Password(forms.Field{Name: "password", Label: "Password", Required: true, Attrs: templ.Attributes{"autocomplete": "new-password"}}),
		forms.CodeArea(forms.Field{Name: "declaration", Label: "Declaration", Required: true, Value: "{\"VM\": [\n  {\"name\": \"CoreVM1\", \"cpu\": \"eight\"}\n]}"}, 8),
		components.ProblemList(problems, 240, "declaration"),
		forms.Select(forms.Field{Name: "role", Label: "Role", Required: true}, []forms.Option{{Value: "ADMIN", Label: "Admin"}, {Value: "GENERAL", Label: "General", Selected: true}}),
		forms.Radios(forms.Field{Name: "approval", Label: "Approval", Required: true, Error: "Choose one."}, options),
		forms.Checkbox(forms.Field{Name: "partial", Label: "Only add and change", Hint: "Nothing is deleted."}, true),
		markup(`<div class="row">`), forms.Submit("Submit 4 changes", ""), forms.Submit("Preview", "btn"),
		markup(`<button type="submit" class="btn" aria-disabled="true" aria-describedby="why">Publish</button><span class="reason" id="why">automation only</span></div>`),
		components.Empty("Nothing waits", "The last change was completed two hours ago.", components.Link{Text: "Look at all changes", Href: "/queue?state="}), markup(`</form>`),
	)
}

func door() templ.Component {
	return templ.Join(markup(`<h1>Sign in</h1><form class="stack" method="post" action="/sign-in">`), forms.Hidden("1"),
		forms.ErrorSummary("Name or password is wrong.", nil),
		forms.TextInput(forms.Field{Name: "name", Label: "Name", Required: true, Attrs: templ.Attributes{"autocomplete": "username"}}),
		forms.Password(forms.Field{Name: "password", Label: "Password", Required: true, Attrs: templ.Attributes{"autocomplete": "current-password"}}),
		forms.Submit("Sign in", ""), markup(`</form>`))
}

// gallery returns every page of the gallery in one theme, by file name.
func gallery(theme string) map[string]templ.Component {
	lost := layouts.Trouble{Status: 404, Text: "There is no such change.", RequestID: "4f2a9c", SwitchTo: layouts.TeamChoice{ID: 4, Name: "TeamBlue"}, Next: "/changes/17", Key: "1"}
	flashing := frame("Declare", "/declare", theme)
	flashing.Flash = components.Notice{Tone: components.OK, Text: "Submission #482 asks for 4 changes."}
	compact := frame("Queue", "/queue", theme)
	compact.Density = "compact"
	printed := frame("Change 17", "/changes/17", theme)
	printed.Print = true
	return map[string]templ.Component{
		"queue":   layouts.Page(frame("Queue", "/queue", theme), queue()),
		"compact": layouts.Page(compact, queue()),
		"change":  layouts.Page(frame("Change 17", "/changes/17", theme), change()),
		"print":   layouts.Page(printed, change()),
		"fields":  layouts.Page(flashing, fields()),
		"failure": layouts.Page(frame("Nothing here", "/changes/17", theme), layouts.Failure(lost)),
		"door":    layouts.Door(layouts.Frame{Title: "Sign in", Theme: theme}, door()),
	}
}

var (
	inlineCode = regexp.MustCompile(`(?i)<[^>]*\s(style|on[a-z]+|hx-on[:a-z-]*)=`)
	ids        = regexp.MustCompile(`\sid="([^"]*)"`)
)

// TestX32_GalleryIsSafeMarkup renders every component and looks at the markup.
func TestX32_GalleryIsSafeMarkup(t *testing.T) {
	t.Parallel()
	for name, page := range gallery("system") {
		html := render(t, page)
		if found := inlineCode.FindString(html); found != "" {
			t.Errorf("%s: inline style or script: %s", name, found)
		}
		seen := map[string]bool{}
		for _, id := range ids.FindAllStringSubmatch(html, -1) {
			if seen[id[1]] {
				t.Errorf("%s: the id %q occurs twice", name, id[1])
			}
			seen[id[1]] = true
		}
		if strings.Contains(html, "<script>alert") || strings.Contains(html, "<b>bold") {
			t.Errorf("%s: people's text became markup", name)
		}
		if folder := os.Getenv("GALLERY"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(html), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
