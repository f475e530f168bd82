package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// refusal is a text that must not be accepted, and how that must be said.
type refusal struct {
	rule    string
	text    string
	yaml    bool
	method  string // POST unless it says otherwise
	query   string
	status  int    // 400 unless it says otherwise
	says    string // part of a sentence
	pointer string
	line    int
	column  int
}

// document puts one line into the third line of a declaration.
func document(services string) string {
	return "{\"AwesomeConsumer\": {\"NewApp1\": {\"services\": {\n" + services + "\n}}}}"
}

var refusals = []refusal{
	{rule: "M1 two teams", text: "{\"AwesomeConsumer\": {},\n \"Other\": {}}", says: "one team", line: 2, column: 2, pointer: "/Other"},
	{rule: "M1 no team", text: `{}`, says: "team", line: 1, column: 1},
	{rule: "M1 another team", text: `{"Other": {}}`, status: 403, says: "Other"},
	{rule: "M1 another team names the caller's", text: `{"Other": {}}`, status: 403, says: "AwesomeConsumer"},
	{rule: "M1 team is no object", text: `{"AwesomeConsumer": []}`, says: "object", line: 1, column: 21, pointer: "/AwesomeConsumer"},
	{rule: "M1 services missing", text: `{"AwesomeConsumer": {"NewApp1": {}}}`, says: "services", line: 1, column: 22, pointer: "/AwesomeConsumer/NewApp1"},
	{rule: "M1 services is no object", text: `{"AwesomeConsumer": {"NewApp1": {"services": []}}}`, says: "object", line: 1, column: 46, pointer: "/AwesomeConsumer/NewApp1/services"},
	{rule: "M1 unknown key", text: "{\"AwesomeConsumer\": {\"NewApp1\": {\"services\": {},\n \"servces\": {}}}}", says: "servces", line: 2, column: 2, pointer: "/AwesomeConsumer/NewApp1/servces"},
	{rule: "M1 metadata is no object", text: `{"AwesomeConsumer": {"metadata": 1}}`, says: "metadata", line: 1, column: 34, pointer: "/AwesomeConsumer/metadata"},
	{rule: "M2 item is no object", text: document(`"VM": ["x"]`), says: "object", line: 2, column: 8, pointer: "/AwesomeConsumer/NewApp1/services/VM/0"},
	{rule: "M2 name is no string", text: document(`"VM": [{"name": 1}]`), says: "name", line: 2, column: 17, pointer: "/AwesomeConsumer/NewApp1/services/VM/0/name"},
	{rule: "M3 white space at the end", text: document(`"VM": [{"name": "a "}]`), says: "white space", line: 2, column: 17, pointer: "/AwesomeConsumer/NewApp1/services/VM/0/name"},
	{rule: "M3 application with a control character", text: `{"AwesomeConsumer": {"a\u0007": {"services": {}}}}`, says: "control", line: 1, column: 22, pointer: "/AwesomeConsumer/a\u0007"},
	{rule: "M3 not NFC", text: document(`"VM": [{"name": "e\u0301"}]`), says: "NFC", line: 2, column: 17, pointer: "/AwesomeConsumer/NewApp1/services/VM/0/name"},
	{rule: "M4 comment", text: document(`// no`), says: "comments are not allowed in JSON", line: 2, column: 1},
	{rule: "M4 trailing comma", text: document(`"VM": [],`), says: "comma", line: 2, column: 9},
	{rule: "M4 duplicate key", text: document(`"VM": [{"name": "a", "c": 1, "\u0063": 2}]`), says: "twice", line: 2, column: 30, pointer: "/AwesomeConsumer/NewApp1/services/VM/0/c"},
	{rule: "M4 NaN", text: document(`"VM": [{"name": "a", "c": NaN}]`), says: "NaN", line: 2, column: 27},
	{rule: "M4 second document", text: `{"AwesomeConsumer": {}} {}`, line: 1, column: 25},
	{rule: "M4 lone surrogate", text: document(`"VM": [{"name": "a", "c": "\ud800"}]`), says: "surrogate", line: 2, column: 28},
	{rule: "M4 NUL", text: document(`"VM": [{"name": "a", "c": "\u0000"}]`), says: "NUL", line: 2, column: 27},
	{rule: "M4 too many digits", text: document(`"VM": [{"name": "a", "c": ` + strings.Repeat("9", 401) + `}]`), says: "400", line: 2, column: 27},
	{rule: "M4 exponent", text: document(`"VM": [{"name": "a", "c": 1e401}]`), says: "400", line: 2, column: 27},
	{rule: "M4 depth", text: document(`"VM": [{"name": "a", "c": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}]`), says: "64", line: 2},
	{rule: "M4 not UTF-8", text: document("\"VM\": [{\"name\": \"\xff\"}]"), says: "UTF-8", line: 2, column: 18},
	{rule: "M4 empty", text: ``, line: 1, column: 1},
	{rule: "M5 anchor", yaml: true, text: "AwesomeConsumer:\n  NewApp1: &a\n    services: {}\n", says: "anchor", line: 2},
	{rule: "M5 alias", yaml: true, text: "AwesomeConsumer:\n  NewApp1: *a\n", line: 2},
	{rule: "M5 tag", yaml: true, text: "AwesomeConsumer:\n  NewApp1:\n    services: !!map {}\n", says: "tag", line: 3},
	{rule: "M5 number as key", yaml: true, text: "AwesomeConsumer:\n  NewApp1:\n    services:\n      1: []\n", says: "string", line: 4, column: 7},
	{rule: "M5 second document", yaml: true, text: "AwesomeConsumer: {}\n---\na: 1\n", says: "document", line: 2},
	{rule: "M5 tab", yaml: true, text: "AwesomeConsumer:\n\tNewApp1: {}\n", line: 2},

	{rule: "V1 unknown service", text: document(`"VMs": [{"name": "a"}]`), says: "VMs", line: 2, column: 1, pointer: "/AwesomeConsumer/NewApp1/services/VMs"},
	{rule: "V1 service is no array", text: document(`"VM": {"name": "a"}`), says: "list of items", line: 2, column: 7, pointer: "/AwesomeConsumer/NewApp1/services/VM"},
	{rule: "V1 item without name", text: document(`"VM": [{"cpu": 1}]`), says: "name", line: 2, column: 8, pointer: "/AwesomeConsumer/NewApp1/services/VM/0"},
	{rule: "V1 two items of one name", text: document("\"VM\": [{\"name\": \"a\"},\n{\"name\": \"a\"}]"), says: "a", line: 3, pointer: "/AwesomeConsumer/NewApp1/services/VM/1/name"},
	{rule: "V1 decommissioned service", text: document(`"Ended": [{"name": "a"}]`), says: "decommissioned", line: 2, column: 1, pointer: "/AwesomeConsumer/NewApp1/services/Ended"},
	{rule: "V2 wrong type", text: document(`"VM": [{"name": "a", "cpu": "8"}]`), says: "integer", line: 2, column: 29, pointer: "/AwesomeConsumer/NewApp1/services/VM/0/cpu"},
	{rule: "V2 missing property", text: document(`"Disk": [{"name": "a"}]`), says: "size", line: 2, column: 10, pointer: "/AwesomeConsumer/NewApp1/services/Disk/0"},
	{rule: "V2 format", text: document(`"Disk": [{"name": "a", "size": 1, "at": "yesterday"}]`), says: "date and time", line: 2, column: 41, pointer: "/AwesomeConsumer/NewApp1/services/Disk/0/at"},
	{rule: "V3 private service", text: document(`"Secret": [{"name": "a"}]`), says: "Secret", line: 2, pointer: "/AwesomeConsumer/NewApp1/services/Secret"},
	{rule: "V4 no new items", text: document(`"Full": [{"name": "a"}]`), says: "no new service items", line: 2, pointer: "/AwesomeConsumer/NewApp1/services/Full/0"},
	{rule: "V5 dangling reference", text: document(`"LB": [{"name": "l", "related_vms": ["a"]}]`), says: "a", line: 2, column: 38, pointer: "/AwesomeConsumer/NewApp1/services/LB/0/related_vms/0"},
	{rule: "G12 application out of scope", text: `{"AwesomeConsumer": {"NewApp1": {"services": {}}}}`, query: "?application=Other", says: "NewApp1", line: 1},
	{rule: "R3 item in use", method: "PATCH", text: document(`"VM": [{"name": "used", "cpu": "x"}]`), says: "integer", line: 2, column: 32},
}

// refusing is the owner's services that the refusals are about.
var refusing = []string{
	`{"title":"VM","type":"object","required":["name"],"properties":{"name":{"type":"string"},"cpu":{"type":"integer"}}}`,
	`{"title":"LB","type":"object","required":["name"],"properties":{"name":{"type":"string"},
		"related_vms":{"type":"array","items":{"type":"string"},"format":"reference_list","reference_method":"list","service_reference":"VM"}}}`,
	`{"title":"Disk","type":"object","required":["name","size"],"properties":{"name":{"type":"string"},"size":{"type":"integer"},"at":{"type":"string","format":"date-time"}}}`,
	`{"title":"Ended","type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`,
	`{"title":"Full","type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`,
	`{"title":"Secret","type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`,
}

func refusingShop(t *testing.T, db *models.DB) *team {
	t.Helper()
	p := serve(t, db)
	owner, consumer := p.team(t, "VMOwnerTeam"), p.team(t, "AwesomeConsumer")
	for _, schema := range refusing {
		got := owner.do(t, "POST", publishPath, schema)
		got.want(t, 201)
		settings := map[string]string{"Ended": `{"state":"DECOMMISSIONED"}`, "Full": `{"state":"NO_NEW_SERVICE_ITEM"}`, "Secret": `{"private":true}`}[got.text(t, "name")]
		if settings != "" {
			owner.do(t, "PATCH", fmt.Sprintf("%s%d/", publishPath, got.number(t, "id")), settings).want(t, 200)
		}
	}
	return consumer
}

// TestRefusals looks at the status, the sentence, the place and the unchanged
// database of every refusal of marketplace sections 3 and 4.
func TestRefusals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		consumer := refusingShop(t, db)
		before := consumer.rows(t)
		for _, r := range refusals {
			if r.method == "" {
				r.method = "POST"
			}
			if r.status == 0 {
				r.status = 400
			}
			kind := "application/json"
			if r.yaml {
				kind = "application/yaml"
			}
			got := consumer.do(t, r.method, submitPath+r.query, r.text, "Content-Type: "+kind)
			if got.status != r.status {
				t.Errorf("%s: status %d, want %d: %s", r.rule, got.status, r.status, got.body)
				continue
			}
			if !strings.Contains(strings.ToLower(got.body), strings.ToLower(r.says)) {
				t.Errorf("%s: %q is not said: %s", r.rule, r.says, got.body)
			}
			if r.status == 400 {
				r.look(t, got)
			}
			consumer.unmoved(t, before, r.rule)
		}
	})
}

// look checks the place of the first problem and the shape around it (marketplace V7).
func (r refusal) look(t *testing.T, got reply) {
	t.Helper()
	if got.at(t, "is_valid") != false || len(got.at(t, "errors").(map[string]any)) == 0 {
		t.Errorf("%s: no error tree: %s", r.rule, got.body)
	}
	problem := got.at(t, "problems", "0")
	line, column, pointer := fmt.Sprint(at(problem, "line")), fmt.Sprint(at(problem, "column")), at(problem, "pointer")
	if line != fmt.Sprint(r.line) || r.column != 0 && column != fmt.Sprint(r.column) || r.pointer != "" && pointer != r.pointer {
		t.Errorf("%s: at %v line %s column %s, want %q line %d column %d: %v", r.rule, pointer, line, column, r.pointer, r.line, r.column, at(problem, "message"))
	}
}

// Every problem is told at once, up to 200, with the full count (marketplace section 4).
func TestV_AllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		consumer := refusingShop(t, db)
		items := make([]string, 300)
		for i := range items {
			items[i] = fmt.Sprintf(`{"name": "vm-%d", "cpu": "x"}`, i)
		}
		got := consumer.do(t, "POST", submitPath, document(`"VM": [`+strings.Join(items, ",\n")+`]`))
		got.want(t, 400)
		if n := len(got.at(t, "problems").([]any)); n != 200 || !equal(got.at(t, "problem_count"), json.Number("300")) {
			t.Errorf("%d problems of %v", n, got.at(t, "problem_count"))
		}
		if sentence := got.at(t, "errors", "AwesomeConsumer", "NewApp1", "VM", "vm-7", "cpu", "0"); sentence == nil {
			t.Errorf("no sentence in the error tree: %.400s", got.body)
		}
	})
}

// An item that others still need cannot go, and all users are named (marketplace R3).
func TestR3_ItemInUse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		consumer := refusingShop(t, db)
		consumer.do(t, "POST", submitPath, document(`"VM": [{"name": "a"}], "LB": [{"name": "l1", "related_vms": ["a"]}, {"name": "l2", "related_vms": ["a"]}]`)).want(t, 201)
		before := consumer.rows(t)
		got := consumer.do(t, "POST", submitPath, document(`"VM": [], "LB": [{"name": "l1", "related_vms": ["a"]}, {"name": "l2", "related_vms": ["a"]}]`))
		got.want(t, 400)
		for _, word := range []string{"l1", "l2", "related_vms"} {
			if !strings.Contains(got.body, word) {
				t.Errorf("%s is not named: %s", word, got.body)
			}
		}
		consumer.unmoved(t, before, "R3")
	})
}
