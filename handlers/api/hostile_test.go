package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// hostility is one case of hostile.json.
type hostility struct {
	Name  string
	Where string
	Make  json.RawMessage
	Must  string
}

// recipe says how to make an input that is too large to be written down.
type recipe struct {
	Prefix, Repeat, Suffix string
	Times                  int
	Items                  int
	Each                   string
	Keys                   int `json:"object_with_keys"`
	Encoding, Text         string
	Template               string
}

func hostilities(t *testing.T, where string) []hostility {
	t.Helper()
	text, err := os.ReadFile("../../testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []hostility }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	found := slices.DeleteFunc(file.Cases, func(h hostility) bool { return !strings.HasPrefix(h.Where, where) })
	if len(found) == 0 {
		t.Fatalf("no cases for %s", where)
	}
	return found
}

// text makes the bytes of an input.
func (h hostility) text() string {
	var plain string
	if json.Unmarshal(h.Make, &plain) == nil {
		return strings.Replace(plain, "<5,000 nines>", strings.Repeat("9", 5000), 1)
	}
	var r recipe
	if json.Unmarshal(h.Make, &r) != nil {
		return string(h.Make)
	}
	const head, tail = `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[`, `]}}}}`
	switch {
	case r.Times > 0:
		return r.Prefix + strings.Repeat(r.Repeat, r.Times) + r.Suffix
	case r.Items > 0:
		items := make([]string, r.Items)
		for i := range items {
			items[i] = fmt.Sprintf(r.Each, i)
		}
		return head + strings.Join(items, ",") + tail
	case r.Keys > 0:
		keys := make([]string, r.Keys)
		for i := range keys {
			keys[i] = fmt.Sprintf(`"k%d":1`, i)
		}
		return head + `{"name":"a",` + strings.Join(keys, ",") + "}" + tail
	case r.Encoding == "utf-16le":
		var text strings.Builder
		for _, unit := range utf16.Encode([]rune(r.Text)) {
			text.WriteByte(byte(unit))
			text.WriteByte(byte(unit >> 8))
		}
		return text.String()
	}
	return string(h.Make)
}

// rows counts the rows of every table.
func (p *portal) rows(t *testing.T) map[string]int64 {
	t.Helper()
	tx := p.db.Read(t.Context())
	tables, err := tx.Migrator().GetTables()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int64{}
	for _, table := range tables {
		var n int64
		if err := tx.Table(table).Count(&n).Error; err != nil {
			t.Fatal(err)
		}
		counts[table] = n
	}
	return counts
}

// unmoved fails if anything was stored since before.
func (p *portal) unmoved(t *testing.T, before map[string]int64, why string) {
	t.Helper()
	if after := p.rows(t); !maps.Equal(before, after) {
		for table, n := range after {
			if n != before[table] {
				t.Errorf("%s was refused and still left %d rows in %s", why, n-before[table], table)
			}
		}
	}
}

const (
	submitPath   = "/v1/orcabase/consumer/submissions/submit/"
	validatePath = "/v1/orcabase/consumer/submissions/validate/"
	publishPath  = "/v1/orcabase/serviceowner/services/"
	anyVM        = `{"title":"VM","type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`
	boundVM      = `{"title":"VM","type":"object","required":["name"],"properties":{"name":{"type":"string"},"cpu":{"type":"number","maximum":5,"multipleOf":0.01}}}`
)

// shop starts a portal with the hostile cases' team and service.
func shop(t *testing.T, db *models.DB, schema string) *team {
	t.Helper()
	p := serve(t, db)
	owner := p.team(t, "VMOwnerTeam")
	owner.do(t, "POST", publishPath, schema).want(t, 201)
	return p.team(t, "AwesomeConsumer")
}

// placed reports whether an answer names a line and a column.
func placed(t *testing.T, got reply) bool {
	line, _ := got.at(t, "problems", "0", "line").(json.Number)
	column, _ := got.at(t, "problems", "0", "column").(json.Number)
	return line != "" && line != "0" && column != "" && column != "0"
}

func TestHostile_Declarations(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{"any": anyVM, "bounds": boundVM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, db *models.DB) {
				consumer := shop(t, db, schema)
				for _, h := range hostilities(t, "declaration") {
					switch {
					case strings.HasPrefix(h.Must, "400"):
						refused(t, consumer, h)
					case h.Name == "integer-2-53" && name == "any":
						exact(t, consumer, h)
					case h.Name == "keys-1000000" && name == "any":
						bounded(t, consumer, h)
					}
				}
			})
		})
	}
}

func refused(t *testing.T, consumer *team, h hostility) {
	t.Helper()
	before := consumer.rows(t)
	for _, path := range []string{submitPath, validatePath, "/v1/orcabase/consumer/previews/"} {
		got := consumer.do(t, "POST", path, h.text())
		want := 400
		if path == validatePath {
			want = 200
		}
		if got.status != want || !placed(t, got) {
			t.Errorf("%s at %s: %d %.300s", h.Name, path, got.status, got.body)
		}
	}
	consumer.unmoved(t, before, h.Name)
}

// exact reads a value back as it was written.
func exact(t *testing.T, consumer *team, h hostility) {
	t.Helper()
	consumer.do(t, "POST", submitPath, h.text()).want(t, 201)
	for _, path := range []string{"consumer/declaration/", "consumer/change_instances/", "consumer/service_items/", "consumer/declaration/?format=yaml"} {
		if got := consumer.do(t, "GET", "/v1/orcabase/"+path, ""); !strings.Contains(got.body, "9007199254740993") {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{}}`).want(t, 201)
}

// bounded is about time and life: any answer but a failure of ours will do.
func bounded(t *testing.T, consumer *team, h hostility) {
	t.Helper()
	got := consumer.do(t, "POST", validatePath, h.text())
	if got.status >= 500 {
		t.Errorf("%s: %d %.300s", h.Name, got.status, got.body)
	}
}

// One item more than the published limit is refused (trust H12).
func TestHostile_Items100000(t *testing.T) {
	t.Parallel()
	consumer := shop(t, dbtest.Open(t), anyVM)
	for _, h := range hostilities(t, "declaration") {
		if h.Name != "items-100000" {
			continue
		}
		text := strings.Replace(h.text(), `[{`, `[{"name":"one more"},{`, 1)
		before := consumer.rows(t)
		consumer.do(t, "POST", submitPath, text).want(t, 400)
		consumer.unmoved(t, before, h.Name)
	}
}

func TestHostile_Names(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		consumer := shop(t, db, anyVM)
		for _, h := range hostilities(t, "name of") {
			name := h.text()
			if name == "a x 4096" {
				name = strings.Repeat("a", 4096)
			}
			for place, try := range entrances(t, consumer) {
				before := consumer.rows(t)
				got, shown := try(name)
				if strings.HasPrefix(h.Must, "400") {
					if got.status != 400 || len(got.body) < 20 {
						t.Errorf("%s as %s: %d %s", h.Name, place, got.status, got.body)
					}
					consumer.unmoved(t, before, h.Name+" as "+place)
					continue
				}
				if got.status != 201 || shown() != name {
					t.Errorf("%s as %s: %d, read back as %q", h.Name, place, got.status, shown())
				}
			}
		}
	})
}

// entrances are the ways in for names; each says how the name is read back.
func entrances(t *testing.T, consumer *team) map[string]func(string) (reply, func() string) {
	submit := func(application, item string) reply {
		return consumer.do(t, "POST", submitPath, quote(map[string]any{"AwesomeConsumer": map[string]any{
			application: map[string]any{"services": map[string]any{"VM": []any{map[string]any{"name": item}}}}}}))
	}
	newest := func(path ...string) func() string {
		return func() string {
			return consumer.do(t, "GET", "/v1/orcabase/consumer/service_items/?limit=1", "").text(t, append([]string{"results", "0"}, path...)...)
		}
	}
	made := func(got reply) (reply, func() string) { return got, func() string { return got.text(t, "name") } }
	return map[string]func(string) (reply, func() string){
		"item":        func(name string) (reply, func() string) { return submit("App", name), newest("name") },
		"application": func(name string) (reply, func() string) { return submit(name, "x"), newest("application", "name") },
		"service": func(name string) (reply, func() string) {
			return made(consumer.do(t, "POST", publishPath, quote(map[string]any{"title": name, "type": "object", "required": []string{"name"},
				"properties": map[string]any{"name": map[string]any{"type": "string"}}})))
		},
		"team": func(name string) (reply, func() string) {
			return made(consumer.ask(t, "POST", "/v1/account/teams/", consumer.admin, quote(map[string]any{"name": name})))
		},
		"API key": func(name string) (reply, func() string) {
			return made(consumer.do(t, "POST", "/v1/account/teams/"+strconv.FormatInt(consumer.id, 10)+"/api_keys/", quote(map[string]any{"name": name, "role": "READ_ONLY"})))
		},
	}
}

func TestHostile_YAML(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		consumer := shop(t, db, anyVM)
		for _, h := range hostilities(t, "yaml") {
			lines := strings.ReplaceAll(h.text(), "\n", "\n          ")
			document := "AwesomeConsumer:\n  App:\n    services:\n      VM:\n        - name: " + h.Name + "\n          " + lines + "\n"
			before := consumer.rows(t)
			got := consumer.do(t, "POST", submitPath, document, "Content-Type: application/yaml")
			if strings.HasPrefix(h.Must, "400") {
				if got.status != 400 || !placed(t, got) || got.number(t, "problems", "0", "line") < 6 {
					t.Errorf("%s: %d %s", h.Name, got.status, got.body)
				}
				consumer.unmoved(t, before, h.Name)
				continue
			}
			got.want(t, 201)
			declaration := got.at(t, "change_instances", "0", "new_declaration", "declaration").(map[string]any)
			if !(equal(declaration["cpu"], json.Number("10")) || declaration["d"] == "2001-01-01") {
				t.Errorf("%s: read as %v", h.Name, declaration)
			}
		}
	})
}

func TestHostile_Schemas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		owner := serve(t, db).team(t, "VMOwnerTeam")
		for _, h := range hostilities(t, "schema") {
			before := owner.rows(t)
			got := owner.do(t, "POST", publishPath, h.schema(t))
			if got.status == 400 {
				if got.at(t, "problems", "0", "message") == nil {
					t.Errorf("%s is refused without a reason: %s", h.Name, got.body)
				}
				owner.unmoved(t, before, h.Name)
			} else {
				got.want(t, 201)
				item := quote(map[string]any{"VMOwnerTeam": map[string]any{"App": map[string]any{"services": map[string]any{
					h.Name: []any{map[string]any{"name": "a", "x": strings.Repeat("a", 5000) + "!"}}}}}})
				owner.do(t, "POST", validatePath, item).want(t, 200)
			}
		}
	})
}

// schema puts a hostile piece where it does most harm.
func (h hostility) schema(t *testing.T) string {
	text := h.text()
	if h.Name == "schema-depth-10000" {
		return text
	}
	root := map[string]any{"title": h.Name, "type": "object", "required": []string{"name"}}
	properties := map[string]any{"name": map[string]any{"type": "string"}}
	root["properties"] = properties
	piece, _ := parse(t, text).(map[string]any)
	switch {
	case piece["template"] != nil:
		defs := map[string]any{"d0": map[string]any{"type": "integer"}}
		for i := 1; i <= 22; i++ {
			ref := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i-1)}
			defs[fmt.Sprintf("d%d", i)] = map[string]any{"allOf": []any{ref, ref}}
		}
		root["$defs"], properties["x"] = defs, map[string]any{"$ref": "#/$defs/d22"}
	case h.Name == "schema-no-name-property":
		return quote(piece)
	case piece["$schema"] != nil || piece["$defs"] != nil:
		maps.Copy(root, piece)
	case piece == nil:
		properties["x"] = false
	default:
		properties["x"] = piece
	}
	return quote(root)
}
