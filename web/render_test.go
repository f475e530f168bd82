package web

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestX2_FragmentOrPage(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for name, tc := range map[string]struct {
		headers []string
		whole   bool
	}{
		"browser":         {nil, true},
		"htmx":            {[]string{"HX-Request: true"}, false},
		"restored":        {[]string{"HX-Request: true", "HX-History-Restore-Request: true"}, true},
		"something else":  {[]string{"HX-Request: 1"}, true},
		"other hx header": {[]string{"HX-Boosted: true"}, true},
	} {
		got := f.get("/page", append(tc.headers, signed)...)
		if strings.HasPrefix(got.body, "<!doctype html>") != tc.whole || !strings.Contains(got.body, "<h1>Page</h1>") {
			t.Errorf("%s: %s", name, got.body)
		}
		if got.Header.Get("Vary") != "HX-Request" || got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %v", name, got.Header)
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	var frame Frame
	f := serve(t, func(cfg *Config) {
		cfg.Layout = func(_ ctx, fr Frame, content component) component { frame = fr; return content }
	})
	got := f.get("/page/?print=1&a={}", signed+"; __Host-portolan-theme=dark; __Host-portolan-density=compact", "X-Request-Id: id")
	if frame.Title != "Page" || frame.Path != "/page" || !strings.HasSuffix(frame.URL, "/page/?print=1&a={}") || !strings.HasPrefix(frame.URL, "http") || !frame.Print || frame.Theme != "dark" || frame.Density != "compact" || frame.RequestID != "id" {
		t.Errorf("%+v", frame)
	}
	if a := frame.Actor; a.UserID != 3 || a.Via != "portal" || a.Address != "127.0.0.1" || a.RequestID != "id" {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(got.Header.Get("Content-Security-Policy"), "'nonce-"+frame.Nonce+"'") || got.Header.Get("X-Request-Id") != "id" {
		t.Errorf("%v", got.Header)
	}
}

func TestH10_StaticFiles(t *testing.T) {
	t.Parallel()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "a{}")
	z.Close()
	files := map[string]File{
		"app.123.css": {Type: "text/css; charset=utf-8", Body: []byte("a{}"), Gzip: []byte(packed.String()), ETag: `"1"`, Immutable: true},
		"robots.txt":  {Type: "text/plain", Body: []byte("b"), ETag: `"2"`},
	}
	f := serve(t, func(cfg *Config) {
		cfg.Static = func(name string) (File, bool) { file, ok := files[name]; return file, ok }
	})

	got := f.get("/static/app.123.css")
	if got.body != "a{}" || got.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.Header.Get("ETag") != `"1"` || got.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%s %v", got.body, got.Header)
	}
	if got := f.get("/static/robots.txt"); got.body != "b" || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("%s %v", got.body, got.Header)
	}
	for accept, want := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.00": false, "br": false, "": false, "GZIP": true} {
		got := f.get("/static/app.123.css", "Accept-Encoding: "+accept)
		if (got.Header.Get("Content-Encoding") == "gzip" && got.body == packed.String()) != want {
			t.Errorf("%q: %v", accept, got.Header)
		}
	}
	for tag, want := range map[string]int{`"1"`: 304, `W/"1"`: 304, `"0", "1"`: 304, "*": 304, `"2"`: 200, "": 200} {
		if got := f.get("/static/app.123.css", "If-None-Match: "+tag); got.StatusCode != want || want == 304 && got.body != "" {
			t.Errorf("%q: %d", tag, got.StatusCode)
		}
	}
	if got := f.ask("HEAD", "/static/app.123.css", nil); got.StatusCode != 200 || got.body != "" || got.ContentLength != 3 {
		t.Errorf("HEAD: %d %d", got.StatusCode, got.ContentLength)
	}
	for _, name := range []string{"", "app.css", "app.123.css/", "app.123.css/x", "./app.123.css", "app%2e123.css", "APP.123.css"} {
		want := 404
		if name == "app.123.css/" {
			want = 200 // one trailing slash is the same resource
		}
		if got := f.get("/static/" + name); got.StatusCode != want {
			t.Errorf("%q: %d, want %d", name, got.StatusCode, want)
		}
	}
	if got := serve(t, nil).get("/static/app.css"); got.StatusCode != 404 {
		t.Errorf("no files: %d", got.StatusCode)
	}
}
