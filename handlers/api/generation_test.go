package api_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
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
