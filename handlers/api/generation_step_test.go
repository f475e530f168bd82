package api_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

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
