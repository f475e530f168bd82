package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// tables are what a submission writes at the least, with the indexes that its
// lists need.
const tables = `
CREATE TABLE service_items (id bigint PRIMARY KEY, team_id bigint NOT NULL, application text NOT NULL, service text NOT NULL, name text NOT NULL,
  declaration text NOT NULL, runtime_state text NOT NULL, created timestamptz NOT NULL, UNIQUE (team_id, application, service, name));
CREATE TABLE change_instances (id bigint PRIMARY KEY, item_id bigint NOT NULL, owner_id bigint NOT NULL, state text NOT NULL, change_type text NOT NULL,
  new_declaration text, old_declaration text, created timestamptz NOT NULL);
CREATE INDEX queue ON change_instances (owner_id, state, id);
CREATE TABLE history (id bigint PRIMARY KEY, change_id bigint NOT NULL, state text NOT NULL, log text NOT NULL, changed_by text NOT NULL, at timestamptz NOT NULL);
CREATE INDEX history_change ON history (change_id)`

// yardsticks measures what a submission and a preview cost at the least.
func yardsticks(ctx context.Context, f *figure, runs int) error {
	dsn, drop, err := newDatabase(ctx)
	if err != nil {
		return err
	}
	defer drop()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, tables); err != nil {
		return err
	}
	run := 0
	if f.RawWrite, err = median(runs, func() (time.Duration, error) { run++; return rawWrite(ctx, conn, f.Items, run) }); err != nil {
		return err
	}
	validator, err := bareSchema()
	if err != nil {
		return err
	}
	f.BarePreview, err = median(runs, func() (time.Duration, error) { return barePreview(ctx, conn, validator, f.Items) })
	return err
}

// rawWrite is one transaction that writes n items, changes and history rows with COPY.
func rawWrite(ctx context.Context, conn *pgx.Conn, n, run int) (time.Duration, error) {
	at, first := time.Now(), int64(run*n)
	declarations := make([]string, n)
	for i := range n {
		declarations[i] = item(i, 1)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(ctx)
	for _, table := range []struct {
		name    string
		columns []string
		row     func(i int) []any
	}{
		{"service_items", []string{"id", "team_id", "application", "service", "name", "declaration", "runtime_state", "created"}, func(i int) []any {
			return []any{first + int64(i), int64(run), "App", service, fmt.Sprintf("vm-%06d", i), declarations[i], "REQUESTED", at}
		}},
		{"change_instances", []string{"id", "item_id", "owner_id", "state", "change_type", "new_declaration", "old_declaration", "created"}, func(i int) []any {
			return []any{first + int64(i), first + int64(i), int64(1), "PENDING", "CREATE", declarations[i], nil, at}
		}},
		{"history", []string{"id", "change_id", "state", "log", "changed_by", "at"}, func(i int) []any {
			return []any{first + int64(i), first + int64(i), "PENDING", "", "bench", at}
		}},
	} {
		rows := pgx.CopyFromSlice(n, func(i int) ([]any, error) { return table.row(i), nil })
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{table.name}, table.columns, rows); err != nil {
			return 0, err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return 0, err
	}
	return time.Since(at), nil
}

func bareSchema() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("bench.json", doc); err != nil {
		return nil, err
	}
	return compiler.Compile("bench.json")
}

// barePreview decodes the document, validates each item, loads the declarations
// of the newest raw write and compares them plainly.
func barePreview(ctx context.Context, conn *pgx.Conn, validator *jsonschema.Schema, n int) (time.Duration, error) {
	text := document(n, 2)
	start := time.Now()
	items, err := decode(text)
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		if err := validator.Validate(item); err != nil {
			return 0, err
		}
	}
	rows, err := conn.Query(ctx, "SELECT name, declaration FROM service_items WHERE team_id = 1")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	stored := make(map[string]any, n)
	for rows.Next() {
		var name, declaration string
		if err := rows.Scan(&name, &declaration); err != nil {
			return 0, err
		}
		if stored[name], err = jsonschema.UnmarshalJSON(bytes.NewReader([]byte(declaration))); err != nil {
			return 0, err
		}
	}
	changed := 0
	for _, item := range items {
		if !reflect.DeepEqual(item, stored[item["name"].(string)]) {
			changed++
		}
	}
	if want := (n + 99) / 100; changed != want {
		return 0, fmt.Errorf("%d items differ, want %d", changed, want)
	}
	return time.Since(start), rows.Err()
}

func decode(text []byte) ([]map[string]any, error) {
	var doc map[string]map[string]struct {
		Services map[string][]map[string]any `json:"services"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&doc)
	return doc[team]["App"].Services[service], err
}
