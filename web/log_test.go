package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestL5_LinesAreEvents(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	hostile := []string{"\r\n{\"msg\":\"forged\"}\r\n", "\x00", "\x1b[31mred", "\u202eevil", "\u2028next", "\u0085", "\xff\xfe", strings.Repeat("a", 4000), "\u200b", "\u2066x"}
	events := 0
	for _, text := range hostile {
		f.get("/" + url.PathEscape(text))
		f.get("/v1/things?declaration=" + url.QueryEscape(text))
		events += 2
		for _, header := range []string{"User-Agent", "X-Request-Id", "X-Forwarded-For"} {
			f.raw("GET / HTTP/1.1\r\nHost: h\r\n"+header+": a"+text+"\r\n\r\n", 1)
			events++
		}
		f.raw("FOO /"+text+" HTTP/1.1\r\nHost: h\r\n\r\n", 1)
		events++
	}
	f.get("/", "User-Agent: "+strings.Repeat("b", 10_000))
	events++

	got := strings.Split(strings.TrimSuffix(f.log.String(), "\n"), "\n")
	if len(got) != events {
		t.Errorf("%d lines for %d events", len(got), events)
	}
	for _, line := range got {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if event["msg"] != "request" {
			t.Errorf("forged: %s", line)
		}
		for key, value := range event {
			if text, ok := value.(string); ok && (len(text) > logged+len("…") || strings.ContainsFunc(text, invisible)) {
				t.Errorf("%s: %q", key, text)
			}
		}
	}
}

func TestL5_NoSecretsInTheLog(t *testing.T) {
	t.Parallel()
	f := serve(t, nil, handle("GET", "/invite/:token", func(*fiberCtx) error { return errors.New("not about it") }))
	f.get("/invite/SECRET")
	f.get("/invites/SECRET")
	f.get("//invite/SECRET")
	f.get("/v1/things?key=SECRET", "Authorization: Api-Key SECRET", "Cookie: __Host-portolan=SECRET")
	f.ask("POST", "/open", strings.NewReader("password=SECRET"), asForm, ourSite)
	if strings.Contains(f.log.String(), "SECRET") {
		t.Errorf("log: %s", f.log)
	}
	if !strings.Contains(f.log.String(), `"route":"/invite/:token"`) {
		t.Errorf("the pattern is missing: %s", f.log)
	}
}

func TestNewLogger(t *testing.T) {
	t.Parallel()
	out := &lines{}
	log := NewLogger(out, slog.LevelInfo)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("x", 3600))
	log.Info("a\nb", "err", fmt.Errorf("x\u202ey"), "at", at, "list", []string{"\x1b"}, slog.Group("in", "deep", "\r"), "k\ney", 7)
	log.Debug("not written")
	var event struct {
		Msg, Err, List, Level string
		At                    time.Time
		In                    struct{ Deep string }
		Key                   int `json:"k\\u000aey"`
	}
	if err := json.Unmarshal([]byte(out.String()), &event); err != nil {
		t.Fatal(err)
	}
	if event.Msg != `a\u000ab` || event.Err != `x\u202ey` || event.List != `[\u001b]` || event.In.Deep != `\u000d` || event.Level != "INFO" || event.At.Location() != time.UTC {
		t.Errorf("%+v in %s", event, out)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain ünïcode 😀":         "plain ünïcode 😀",
		"\ufffd":                  `\ufffd`,
		"a\xffb":                  `a\xffb`,
		"tab\there":               `tab\u0009here`,
		"nbsp\u00a0":              `nbsp\u00a0`,
		strings.Repeat("é", 1000): strings.Repeat("é", 512) + "…",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}
