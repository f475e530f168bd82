package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// failing answers each number by that error, to programs and to people.
func failing(t *testing.T, errs map[string]error) *front {
	fail := func(c *fiber.Ctx) error {
		c.WriteString("half an answer")
		return errs[c.Params("name")]
	}
	return serve(t, nil,
		Route{Method: "GET", Path: "/v1/fail/:name", Door: Program, Pov: None, Role: None, Loads: None, Handle: fail},
		handle("GET", "/fail/:name", fail))
}

func TestH9_OneErrorWriter(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err    error
		status int
		json   string
	}{
		"field":    {fault.Field("state", "No such state."), 400, `{"state":["No such state."]}`},
		"plain":    {fault.New(fault.Invalid, "No."), 400, `{"detail":"No."}`},
		"tree":     {&fault.Error{Kind: fault.Invalid, Text: "No.", Detail: map[string]any{"T1": []any{map[string]string{"a": "b"}}}}, 400, `{"T1":[{"a":"b"}]}`},
		"both":     {&fault.Error{Kind: fault.Invalid, Text: "No.", Fields: map[string][]string{"x": {"y"}}, Detail: map[string]int{"n": 1}}, 400, `{"n":1,"x":["y"]}`},
		"list":     {&fault.Error{Kind: fault.Invalid, Text: "No.", Detail: []int{1}}, 400, `[1]`},
		"unknown":  {fault.New(fault.Unknown, "Who?"), 401, `{"detail":"Who?"}`},
		"role":     {fault.New(fault.Forbidden, "No."), 403, `{"detail":"No."}`},
		"missing":  {fault.Missing(), 404, `{"detail":"Not found."}`},
		"method":   {fault.New(fault.NoMethod, "No."), 405, `{"detail":"No."}`},
		"race":     {&fault.Error{Kind: fault.Conflict, Text: "Late.", Code: "lost_race", Detail: map[string]int{"version": 3}}, 409, `{"code":"lost_race","detail":"Late.","version":3}`},
		"gone":     {fault.New(fault.Gone, "Gone."), 410, `{"detail":"Gone."}`},
		"outdated": {fault.New(fault.Outdated, "Old."), 412, `{"detail":"Old."}`},
		"large":    {fault.New(fault.TooLarge, "Big."), 413, `{"detail":"Big."}`},
		"type":     {fault.New(fault.Unsupported, "No."), 415, `{"detail":"No."}`},
		"often":    {&fault.Error{Kind: fault.TooMany, Text: "Slow.", Retry: 1500 * time.Millisecond}, 429, `{"detail":"Slow."}`},
		"away":     {&fault.Error{Kind: fault.Unavailable, Text: "Away.", Code: "outcome_unknown", Retry: time.Second}, 503, `{"code":"outcome_unknown","detail":"Away.","request_id":"id"}`},
		"wrapped":  {fmt.Errorf("answer change: %w", fault.Missing()), 404, `{"detail":"Not found."}`},
		"late":     {fmt.Errorf("query: %w", context.DeadlineExceeded), 503, `{"detail":"The portal took too long. Try again.","request_id":"id"}`},
		"library":  {errors.New("pq: SELECT * FROM <secrets>"), 500, `{"detail":"Something went wrong on our side.","request_id":"id"}`},
		"fiber":    {fiber.NewError(404, "Cannot GET <x>"), 404, `{"detail":"Not found."}`},
		"teapot":   {fiber.NewError(418, "short and stout"), 500, `{"detail":"Something went wrong on our side.","request_id":"id"}`},
		"markup":   {fault.New(fault.Forbidden, "<script>alert(1)</script>"), 403, `{"detail":"\u003cscript\u003ealert(1)\u003c/script\u003e"}`},
		"endless":  {&fault.Error{Kind: fault.Invalid, Text: "No.", Detail: make(chan int)}, 400, `{"detail":"No."}`},
	}
	errs := map[string]error{}
	for name, tc := range tests {
		errs[name] = tc.err
	}
	f := failing(t, errs)
	for name, tc := range tests {
		got := f.get("/v1/fail/"+name, asAdmin, "X-Request-Id: id")
		if got.StatusCode != tc.status || got.body != tc.json || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s %s, want %d %s", name, got.StatusCode, got.Header.Get("Content-Type"), got.body, tc.status, tc.json)
		}
		page, fragment := f.get("/fail/"+name), f.get("/fail/"+name, "HX-Request: true")
		if page.StatusCode != tc.status || !strings.HasPrefix(page.body, "<!doctype html>") || strings.Contains(page.body, "<script") || strings.Contains(page.body, "half") {
			t.Errorf("%s: page %d %s", name, page.StatusCode, page.body)
		}
		if fragment.StatusCode != tc.status || !strings.HasPrefix(fragment.body, "<p role=alert>") {
			t.Errorf("%s: fragment %d %s", name, fragment.StatusCode, fragment.body)
		}
	}
	if got := f.get("/v1/fail/often", asAdmin).Header.Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q, want 2", got)
	}
	if got := strings.Count(f.log.String(), `"msg":"failure"`); got != 6 {
		t.Errorf("%d failures of ours in the log, want each of two for program, page and fragment", got)
	}
}

func TestFailingFailurePage(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) {
		cfg.Failure = func(context.Context, Trouble) component { return halfway{} }
	})
	if got := f.get("/nowhere"); got.StatusCode != 404 || got.body != "Not found." {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}
