package web

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// filters is a route for programs that shows what it understood.
func filters(t *testing.T) *front {
	return serve(t, nil, Route{Method: "GET", Path: "/v1/list", Door: Program, Pov: None, Role: None, Loads: None,
		Handle: func(c *fiber.Ctx) error {
			q, err := Query(c, "state", "declaration", "limit", "ids", "flag", "since", "ordering", "any")
			if err != nil {
				return err
			}
			state, err := q.AnyOf("state", "PENDING", "APPROVED")
			if err != nil {
				return err
			}
			limit, err := q.Number("limit", 20, 1, 10000)
			if err != nil {
				return err
			}
			ids, err := q.IDs("ids")
			if err != nil {
				return err
			}
			flag, err := q.Bool("flag", false)
			if err != nil {
				return err
			}
			since, err := q.Time("since")
			if err != nil {
				return err
			}
			ordering, err := q.Ordering("created", "name")
			if err != nil {
				return err
			}
			return c.JSON(fiber.Map{"state": state, "declaration": q.Text("declaration"), "limit": limit, "ids": ids, "flag": flag,
				"since": since, "ordering": ordering, "any": q.Any("any")})
		}})
}

func TestQuery(t *testing.T) {
	t.Parallel()
	f := filters(t)
	tests := map[string]struct {
		query, has string
		bad        string // the filter that the 400 names
	}{
		"nothing":             {"", `"limit":20`, ""},
		"empty pairs":         {"&&state=PENDING&", `"state":["PENDING"]`, ""},
		"empty value":         {"state=&limit=", `"limit":20`, ""},
		"any of":              {"state=PENDING,APPROVED", `"state":["PENDING","APPROVED"]`, ""},
		"any of, repeated":    {"state=PENDING&state=APPROVED", `"state":["PENDING","APPROVED"]`, ""},
		"any of, loose":       {"any=,a,%20b,", `"any":["a","b"]`, ""},
		"raw JSON":            {`declaration={"a":["b",{"c":1}],"d":"x,y"}`, `"declaration":"{\"a\":[\"b\",{\"c\":1}],\"d\":\"x,y\"}"`, ""},
		"raw spaces":          {`declaration={"a": 1}`, `"declaration":"{\"a\": 1}"`, ""},
		"escaped JSON":        {`declaration=%7B%22a%22%3A+1%2C%202%26%7D`, `"declaration":"{\"a\": 1, 2\u0026}"`, ""},
		"decoded once":        {"declaration=%2541", `"declaration":"%41"`, ""},
		"equals sign inside":  {"declaration=a=b", `"declaration":"a=b"`, ""},
		"escaped name":        {"%73tate=PENDING", `"state":["PENDING"]`, ""},
		"ids":                 {"ids=1,2,9007199254740993", `"ids":[1,2,9007199254740993]`, ""},
		"flag":                {"flag=True", `"flag":true`, ""},
		"a moment":            {"since=2026-01-02T03:04:05.678901Z", `"since":"2026-01-02T03:04:05.678901Z"`, ""},
		"a moment with zone":  {"since=2026-01-02T03:04:05+01:00", `"since":"2026-01-02T02:04:05Z"`, ""},
		"a day":               {"since=2026-01-02", `"since":"2026-01-02T00:00:00Z"`, ""},
		"ordering":            {"ordering=-created,name", `"ordering":["-created","name"]`, ""},
		"unknown":             {"stat=PENDING", "", "stat"},
		"unknown, no value":   {"stat", "", "stat"},
		"unknown, other case": {"State=PENDING", "", "State"},
		"nameless":            {"=x", "", ""},
		"brackets":            {"state[]=PENDING", "", "state[]"},
		"semicolon":           {"state=PENDING;limit=1", "", "state"},
		"bad state":           {"state=PENDING,DONE", "", "state"},
		"bad limit":           {"limit=1e3", "", "limit"},
		"limit too small":     {"limit=0", "", "limit"},
		"limit too large":     {"limit=10001", "", "limit"},
		"huge limit":          {"limit=99999999999999999999", "", "limit"},
		"bad id":              {"ids=1,x", "", "ids"},
		"bad flag":            {"flag=1", "", "flag"},
		"bad time":            {"since=yesterday", "", "since"},
		"bad ordering":        {"ordering=-password", "", "ordering"},
		"minus twice":         {"ordering=--created", "", "ordering"},
		"broken escape":       {"declaration=50%", "", "declaration"},
		"broken digits":       {"declaration=%4x", "", "declaration"},
		"not UTF-8":           {"declaration=%ff", "", "declaration"},
		"NUL":                 {"declaration=%00", "", "declaration"},
	}
	for name, tc := range tests {
		answers, _ := f.raw("GET /v1/list/?"+tc.query+" HTTP/1.1\r\nHost: h\r\n"+asAdmin+"\r\n\r\n", 1)
		got := answers[0]
		if tc.has != "" {
			if got.StatusCode != 200 || !strings.Contains(got.body, tc.has) {
				t.Errorf("%s: %d %s, want %s", name, got.StatusCode, got.body, tc.has)
			}
			continue
		}
		var problems map[string][]string
		err := json.Unmarshal([]byte(got.body), &problems)
		if got.StatusCode != 400 || err != nil || len(problems) != 1 || len(problems[tc.bad]) != 1 {
			t.Errorf("%s: %d %s, want a 400 about %q", name, got.StatusCode, got.body, tc.bad)
		}
	}
	got := f.get("/v1/list?b=1&a=2", asAdmin)
	if got.body != `{"a":["Unknown filter."],"b":["Unknown filter."]}` {
		t.Errorf("two unknown ones: %s", got.body)
	}
}

func TestX1_PeopleAreToldAboutUnknownFilters(t *testing.T) {
	t.Parallel()
	var state, unknown []string
	f := serve(t, nil, handle("GET", "/list", func(c *fiber.Ctx) error {
		q, strange, err := QueryKnown(c, "state")
		state, unknown = q.Any("state"), strange
		return err
	}))
	if got := f.get("/list?state=A&colour=red&state=B"); got.StatusCode != 200 {
		t.Fatal(got.StatusCode)
	}
	if !slices.Equal(state, []string{"A", "B"}) || !slices.Equal(unknown, []string{"colour"}) {
		t.Errorf("%q, unknown %q", state, unknown)
	}
}
