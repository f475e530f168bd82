package web

import (
	"strings"
	"testing"
)

func TestC1_IdempotencyKey(t *testing.T) {
	t.Parallel()
	f := serve(t, nil, Route{Method: "POST", Path: "/v1/write", Door: Program, Pov: None, Role: None, Loads: None, Takes: []string{JSON},
		Handle: func(c *fiberCtx) error {
			key, err := IdempotencyKey(c)
			if err != nil {
				return err
			}
			print, err := Fingerprint(c)
			if err != nil {
				return err
			}
			return c.SendString(key + " " + print)
		}})
	post := func(query, body string, headers ...string) answer {
		t.Helper()
		return f.ask("POST", "/v1/write"+query, strings.NewReader(body), append(headers, asAdmin)...)
	}
	for key, want := range map[string]int{
		"a": 200, strings.Repeat("~", 255): 200, strings.Repeat("~", 256): 400, "a b": 400, "ü": 400,
	} {
		got := post("", "{}", KeyHeader+": "+key)
		if got.StatusCode != want || want == 200 && !strings.HasPrefix(got.body, key+" ") {
			t.Errorf("%q: %d %s, want %d", key, got.StatusCode, got.body, want)
		}
	}
	if got := post("", "{}", KeyHeader+": a", KeyHeader+": b"); got.StatusCode != 400 || !strings.Contains(got.body, KeyHeader) {
		t.Errorf("two keys: %d %s", got.StatusCode, got.body)
	}
	seen := map[string]string{}
	for name, print := range map[string]string{
		"plain": post("", "{}").body, "query": post("?a", "{}").body, "body": post("", "{} ").body, "empty": post("", "").body,
	} {
		if other, twice := seen[print]; twice || len(print) != 65 {
			t.Errorf("%s and %s: %q", name, other, print)
		}
		seen[print] = name
	}
	if post("", "{}").body != post("/", "{}").body {
		t.Error("the two spellings of a path differ")
	}
	if NewKey() == NewKey() || !visible(NewKey()) {
		t.Error("NewKey() is not a fresh key")
	}
}
