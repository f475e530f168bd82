package api_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// scenario is one case of generation.json.
type scenario struct {
	Name     string
	Services []struct {
		OwnerTeam string `json:"owner_team"`
		Schema    json.RawMessage
		Settings  map[string]any
	}
	Steps []step
}

// step is one request of a case and what must follow from it.
type step struct {
	Team           string
	Submit         json.RawMessage
	SubmitRaw      *string `json:"submit_raw"`
	ContentType    string  `json:"content_type"`
	Method         string
	Applications   []string
	ConfirmDeletes *int `json:"confirm_deletes"`
	Process        *struct {
		Change       chosen
		AsTeam       string `json:"as_team"`
		State        json.RawMessage
		Log          json.RawMessage
		DeployedItem json.RawMessage `json:"deployed_item"`
		HTTPMethod   string          `json:"http_method"`
		Slash        *bool
	}
	Retry *struct {
		Change chosen
		AsTeam string `json:"as_team"`
		Pov    string
	}
	Settings     map[string]any
	Service      string
	AsTeam       string `json:"as_team"`
	Publish      json.RawMessage
	TeamSettings json.RawMessage `json:"team_settings"`
	Expect       expectation
}

// chosen names one change instance of a case.
type chosen struct {
	Application string
	Service     string
	ServiceItem string `json:"service_item"`
	ChangeType  string `json:"change_type"`
	Owner       string
	Nth         int
}

type expectation struct {
	Status   any
	Then     []map[string]any
	State    string
	Mentions []string
	Line     *int
	Items    []map[string]any
	Changes  []struct {
		Change      chosen
		State       string
		Log         *string
		LogContains string `json:"log_contains"`
		History     []string
		By          string
	}
}

func scenarios(t *testing.T) []scenario {
	t.Helper()
	text, err := os.ReadFile("../../testdata/generation.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var file struct{ Cases []scenario }
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// TestGeneration plays every case of generation.json (marketplace section 12).
func TestGeneration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		p := serve(t, db)
		for i, s := range scenarios(t) {
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				play(t, p, s, fmt.Sprintf("-%d", i))
			})
		}
	})
}

// player plays one case; its teams and services carry a suffix of their own.
type player struct {
	*testing.T
	*portal
	suffix   string
	teams    map[string]*team
	services map[string]int64
	owners   map[string]string // owner team by service
}

func play(t *testing.T, p *portal, s scenario, suffix string) {
	g := &player{T: t, portal: p, suffix: suffix, teams: map[string]*team{}, services: map[string]int64{}, owners: map[string]string{}}
	g.setUp(s)
	about := ""
	for i, step := range s.Steps {
		if step.Team == "" {
			step.Team = about
		}
		about = step.Team
		g.step(i+1, step)
		if t.Failed() {
			return
		}
	}
	g.nobodySeesMore()
}

func (g *player) setUp(s scenario) {
	for _, service := range s.Services {
		g.owners[title(service.Schema)] = service.OwnerTeam
	}
	text := quote(s)
	for _, match := range regexp.MustCompile(`"(?:owner_team|Team|as_team|owner|consumer_team|service_owner_team|Owner|OwnerTeam|AsTeam)":"([^"]+)"`).FindAllStringSubmatch(text, -1) {
		g.meet(match[1])
	}
	for _, service := range s.Services {
		for _, field := range []string{"dependant_teams", "allowed_teams"} {
			names, _ := service.Settings[field].([]any)
			for _, name := range names {
				g.meet(name.(string))
			}
		}
	}
	pending := slices.Clone(s.Services)
	for len(pending) > 0 {
		service := pending[0]
		pending = pending[1:]
		if waits := slices.ContainsFunc(pending, func(other struct {
			OwnerTeam string `json:"owner_team"`
			Schema    json.RawMessage
			Settings  map[string]any
		}) bool {
			return strings.Contains(string(service.Schema), `"service_reference": `+quoted(title(other.Schema))) ||
				strings.Contains(string(service.Schema), `"service_reference":`+quoted(title(other.Schema)))
		}); waits {
			pending = append(pending, service)
			continue
		}
		got := g.teams[service.OwnerTeam].do(g.T, "POST", "/v1/orcabase/serviceowner/services/", g.schema(service.Schema))
		got.want(g.T, 201)
		g.services[title(service.Schema)] = got.number(g.T, "id")
		if len(service.Settings) > 0 {
			g.settings(title(service.Schema), service.OwnerTeam, service.Settings).want(g.T, 200)
		}
	}
}

func (g *player) meet(name string) {
	if g.teams[name] == nil {
		g.teams[name] = g.portal.team(g.T, name+g.suffix)
	}
}

func title(schema json.RawMessage) string {
	var s struct{ Title string }
	_ = json.Unmarshal(schema, &s)
	return s.Title
}

func quoted(name string) string { return strings.TrimSpace(quote(name)) }

// own gives a name of the case its suffix if it is one of a team or a service.
func (g *player) own(name string) string {
	if g.teams[name] != nil || g.owners[name] != "" {
		return name + g.suffix
	}
	return name
}

// schema is a schema with the case's own names.
func (g *player) schema(text json.RawMessage) string {
	return quote(g.rename(parse(g.T, string(text)), func(key string, v any) any {
		if name, ok := v.(string); ok && (key == "title" || key == "service_reference") {
			return g.own(name)
		}
		return v
	}))
}

func (g *player) rename(v any, change func(string, any) any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			v[key] = change(key, g.rename(inner, change))
		}
	case []any:
		for i, inner := range v {
			v[i] = g.rename(inner, change)
		}
	}
	return v
}

// document is a declaration with the case's own names.
func (g *player) document(text json.RawMessage) string {
	root, ok := parse(g.T, string(text)).(map[string]any)
	if !ok {
		return string(text)
	}
	mapped := map[string]any{}
	for name, below := range root {
		if applications, ok := below.(map[string]any); ok {
			for _, application := range applications {
				g.renameServices(application)
			}
		}
		mapped[g.own(name)] = below
	}
	return quote(mapped)
}

// renameServices renames the keys below the services of an application.
func (g *player) renameServices(application any) {
	body, _ := application.(map[string]any)
	services, ok := body["services"].(map[string]any)
	if !ok {
		return
	}
	mapped := map[string]any{}
	for name, items := range services {
		mapped[g.own(name)] = items
	}
	body["services"] = mapped
}

var placeholder = regexp.MustCompile(`\{\{([^{}]+)\}\}`)

func (g *player) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(m string) string { return g.own(m[2 : len(m)-2]) })
}

func (g *player) settings(service, as string, settings map[string]any) reply {
	sent := map[string]any{}
	for field, v := range settings {
		sent[field] = v
		if names, ok := v.([]any); ok && strings.HasSuffix(field, "_teams") {
			ids := []int64{}
			for _, name := range names {
				g.meet(name.(string))
				ids = append(ids, g.teams[name.(string)].id)
			}
			sent[field] = ids
		}
	}
	return g.teams[as].do(g.T, "PATCH", fmt.Sprintf("/v1/orcabase/serviceowner/services/%d/", g.services[service]), quote(sent))
}

// step sends a step's request and looks at everything that must follow.
func (g *player) step(n int, s step) {
	g.Helper()
	consumer := g.teams[s.Team]
	before, itemsBefore := g.list(consumer, "consumer/change_instances"), g.list(consumer, "consumer/service_items")
	got, looked := g.act(s)
	after := g.list(consumer, "consumer/change_instances")
	if !looked && !accepts(s.Expect.Status, got.status) {
		g.Fatalf("step %d: status %d, want %v: %s", n, got.status, s.Expect.Status, got.body)
	}
	g.mentions(n, s.Expect, got)
	var fresh []any
	for _, change := range after {
		if g.find(before, at(change, "id")) == nil {
			fresh = append(fresh, change)
		}
	}
	g.then(n, s.Expect.Then, fresh)
	if got.status >= 400 {
		if !reflect.DeepEqual(before, after) || !reflect.DeepEqual(itemsBefore, g.list(consumer, "consumer/service_items")) {
			g.Errorf("step %d was refused and still changed something", n)
		}
	}
	if s.Expect.State != "" && at(g.choose(n, after, s.Process.Change), "state") != s.Expect.State {
		g.Errorf("step %d: state %v, want %s", n, at(g.choose(n, after, s.Process.Change), "state"), s.Expect.State)
	}
	for _, item := range s.Expect.Items {
		g.item(n, consumer, item)
	}
	for _, change := range s.Expect.Changes {
		row := g.choose(n, after, change.Change)
		if log, _ := at(row, "log").(string); change.State != "" && at(row, "state") != change.State || change.Log != nil && log != *change.Log || !strings.Contains(log, change.LogContains) {
			g.Errorf("step %d: change %v is %v with log %q, want %s %v %q", n, change.Change, at(row, "state"), log, change.State, change.Log, change.LogContains)
		}
		g.history(n, consumer, row, change.History, change.By)
	}
}

func (g *player) act(s step) (got reply, looked bool) {
	consumer := g.teams[s.Team]
	query := url.Values{}
	if len(s.Applications) > 0 {
		query.Set("application", strings.Join(s.Applications, ","))
	}
	if s.ConfirmDeletes != nil {
		query.Set("confirm_deletes", strconv.Itoa(*s.ConfirmDeletes))
	}
	submit := "/v1/orcabase/consumer/submissions/submit/?" + query.Encode()
	method := s.Method
	if method == "" {
		method = "POST"
	}
	switch {
	case s.Submit != nil:
		return consumer.do(g.T, method, submit, g.document(s.Submit)), false
	case s.SubmitRaw != nil:
		var headers []string
		if s.ContentType != "" {
			headers = []string{"Content-Type: " + s.ContentType}
		}
		return consumer.do(g.T, method, submit, g.fill(*s.SubmitRaw), headers...), false
	case s.Process != nil:
		return g.process(s), false
	case s.Retry != nil:
		pov := s.Retry.Pov
		if pov == "" {
			pov = "serviceowner"
		}
		change := g.choose(0, g.list(consumer, "consumer/change_instances"), s.Retry.Change)
		return g.teams[s.Retry.AsTeam].do(g.T, "POST", fmt.Sprintf("/v1/orcabase/%s/change_instances/%v/retry/", pov, at(change, "id")), "{}"), false
	case s.Settings != nil:
		return g.settings(s.Service, s.AsTeam, s.Settings), false
	case s.Publish != nil:
		return g.teams[s.AsTeam].do(g.T, "POST", "/v1/orcabase/serviceowner/services/", g.schema(s.Publish)), false
	case s.TeamSettings != nil:
		return consumer.do(g.T, "PATCH", fmt.Sprintf("/v1/account/teams/%d/", consumer.id), string(s.TeamSettings)), false
	}
	return reply{}, true
}

func (g *player) process(s step) reply {
	change := g.choose(0, g.list(g.teams[s.Team], "consumer/change_instances"), s.Process.Change)
	path := fmt.Sprintf("/v1/orcabase/serviceowner/change_instances/%v/", at(change, "id"))
	if s.Process.Slash != nil && !*s.Process.Slash {
		path = strings.TrimSuffix(path, "/")
	}
	method := s.Process.HTTPMethod
	if method == "" {
		method = "PATCH"
	}
	sent := map[string]json.RawMessage{}
	for field, v := range map[string]json.RawMessage{"state": s.Process.State, "log": s.Process.Log, "deployed_item": s.Process.DeployedItem} {
		if v != nil {
			sent[field] = v
		}
	}
	return g.teams[s.Process.AsTeam].do(g.T, method, path, quote(sent))
}

// list reads everything that a team sees of one kind.
func (g *player) list(of *team, kind string) []any {
	g.Helper()
	got := of.do(g.T, "GET", "/v1/orcabase/"+kind+"/?limit=10000", "")
	got.want(g.T, 200)
	return got.at(g.T, "results").([]any)
}

func (g *player) find(rows []any, id any) any {
	for _, row := range rows {
		if at(row, "id") == id {
			return row
		}
	}
	return nil
}

// choose finds the change that a case names; rows are newest first.
func (g *player) choose(n int, rows []any, c chosen) any {
	g.Helper()
	owner := c.Owner
	if owner == "" {
		owner = g.owners[c.Service]
	}
	var found []any
	for _, row := range slices.Backward(rows) {
		if at(row, "application", "name") == c.Application && at(row, "service", "name") == g.own(c.Service) && at(row, "service_item", "name") == c.ServiceItem &&
			(c.ChangeType == "" || at(row, "change_type") == c.ChangeType) && at(row, "owner", "name") == g.own(owner) {
			found = append(found, row)
		}
	}
	if len(found) < max(1, c.Nth) {
		g.Fatalf("step %d: %d changes %+v", n, len(found), c)
	}
	if c.Nth > 0 {
		return found[c.Nth-1]
	}
	return found[len(found)-1]
}

func accepts(want any, status int) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return accepts(one, status) })
	}
	return fmt.Sprint(want) == strconv.Itoa(status) || want == nil
}

func (g *player) mentions(n int, e expectation, got reply) {
	g.Helper()
	for _, word := range e.Mentions {
		if !strings.Contains(strings.ToLower(got.body), strings.ToLower(g.fill(word))) {
			g.Errorf("step %d: the answer does not mention %q: %s", n, word, got.body)
		}
	}
	if e.Line == nil {
		return
	}
	problems, _ := got.at(g.T, "problems").([]any)
	if !slices.ContainsFunc(problems, func(p any) bool { return fmt.Sprint(at(p, "line")) == strconv.Itoa(*e.Line) }) {
		g.Errorf("step %d: no problem at line %d: %s", n, *e.Line, got.body)
	}
}

// then compares generated changes with the expected ones, in any order.
func (g *player) then(n int, want []map[string]any, fresh []any) {
	g.Helper()
	rest := slices.Clone(fresh)
	for _, expected := range want {
		i := slices.IndexFunc(rest, func(change any) bool { return g.is(change, expected) })
		if i < 0 {
			g.Errorf("step %d: %v was not generated", n, expected)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, change := range rest {
		g.Errorf("step %d: %v was generated as well", n, g.summary(change))
	}
}

func (g *player) summary(c any) string {
	return fmt.Sprint(at(c, "change_type"), " ", at(c, "service_item", "name"), " of ", at(c, "owner", "name"), " ", at(c, "state"), " ", at(c, "kind"), " ",
		at(c, "new_declaration"), " after ", at(c, "old_declaration"))
}

// is reports whether a change has all the expected fields.
func (g *player) is(change any, expected map[string]any) bool {
	for field, want := range expected {
		got := at(change, field)
		switch field {
		case "application", "service", "service_item":
			got = at(change, field, "name")
		case "owner", "consumer_team", "service_owner_team":
			got = at(change, field, "name")
		case "new_declaration", "old_declaration":
			got = at(change, field, "declaration")
		case "retry":
			got = at(change, "retry_of") != nil
		}
		if name, ok := want.(string); ok && field != "application" && field != "service_item" {
			want = g.own(name)
		}
		if !equal(want, got) {
			return false
		}
	}
	return true
}

// equal compares JSON values, numbers by their exact value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		other, ok := b.(json.Number)
		x, _ := new(big.Rat).SetString(a.String())
		y, _ := new(big.Rat).SetString(other.String())
		return ok && x != nil && y != nil && x.Cmp(y) == 0
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for key, v := range a {
			if w, there := other[key]; !there || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, equal)
	}
	return a == b
}

func (g *player) item(n int, consumer *team, want map[string]any) {
	g.Helper()
	var rows []any
	for _, row := range g.list(consumer, "consumer/service_items") {
		if at(row, "application", "name") == want["application"] && at(row, "service", "name") == g.own(fmt.Sprint(want["service"])) && at(row, "name") == want["service_item"] {
			rows = append(rows, row)
		}
	}
	if count, ok := want["rows"]; ok && fmt.Sprint(count) != strconv.Itoa(len(rows)) {
		g.Errorf("step %d: %d rows of %v, want %v", n, len(rows), want["service_item"], count)
	}
	if len(rows) == 0 {
		return
	}
	if state, ok := want["runtime_state"]; ok && at(rows[0], "runtime_state") != state {
		g.Errorf("step %d: %v is %v, want %v", n, want["service_item"], at(rows[0], "runtime_state"), state)
	}
	version := at(rows[0], "deployed_item", "version")
	if version == nil {
		version = json.Number("0")
	}
	if wanted, ok := want["deployed_item_version"]; ok && !equal(wanted, version) {
		g.Errorf("step %d: deployed item version %v, want %v", n, version, wanted)
	}
	if data, ok := want["deployed_item"]; ok && !equal(data, at(rows[0], "deployed_item", "data")) {
		g.Errorf("step %d: deployed item %v, want %v", n, at(rows[0], "deployed_item", "data"), data)
	}
}

func (g *player) history(n int, consumer *team, change any, want []string, by string) {
	g.Helper()
	got := consumer.do(g.T, "GET", fmt.Sprintf("/v1/orcabase/consumer/change_instances/%v/history/", at(change, "id")), "")
	got.want(g.T, 200)
	rows := parse(g.T, got.body).([]any)
	if by != "" && at(rows[0], "changed_by") != by {
		g.Errorf("step %d: changed by %v, want %s", n, at(rows[0], "changed_by"), by)
	}
	if want == nil {
		return
	}
	var states []string
	for _, row := range rows {
		if at(row, "reason") == "state" {
			states = append(states, at(row, "state").(string))
		}
	}
	if !slices.Equal(states, want) && !slices.Equal(states, want[:len(want)-1]) {
		g.Errorf("step %d: history %v, want %v", n, states, want)
	}
}

// nobodySeesMore checks that no list of a team shows another team's changes (marketplace A2).
func (g *player) nobodySeesMore() {
	for _, of := range g.teams {
		for _, change := range g.list(of, "consumer/change_instances") {
			if at(change, "consumer_team", "name") != of.name {
				g.Errorf("%s sees a change of %v", of.name, at(change, "consumer_team", "name"))
			}
		}
		for _, change := range g.list(of, "serviceowner/change_instances") {
			if at(change, "owner", "name") != of.name {
				g.Errorf("%s sees a change that %v processes", of.name, at(change, "owner", "name"))
			}
		}
	}
}
