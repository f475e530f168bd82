package web

import (
	"strings"
	"testing"
)

func TestB1_PolicyOnEveryAnswer(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) {
		cfg.Static = func(name string) (File, bool) { return File{Type: "text/css", Body: []byte("a{}")}, name == "a.css" }
	})
	nonces := map[string]bool{}
	for _, path := range []string{"/", "/page", "/nowhere", "/static/a.css", "/static/b.css", "/v1/things", "/v1/nowhere", "/v1/panic", "/panic", "//", "/%2f"} {
		got := f.get(path)
		nonce := secured(t, path, got)
		if nonces[nonce] {
			t.Errorf("%s: the nonce is not its own", path)
		}
		nonces[nonce] = true
	}
	for _, method := range []string{"TRACE", "POST", "OPTIONS"} {
		secured(t, method, f.ask(method, "/", nil))
	}
	for name, text := range map[string]string{
		"unreadable": "nonsense\r\n\r\n",
		"flood":      "GET / HTTP/1.1\r\nHost: h\r\nX-A: " + strings.Repeat("a", 20000) + "\r\n\r\n",
		"framing":    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		answers, _ := f.raw(text, 1)
		if len(answers) != 1 {
			t.Fatalf("%s: no answer", name)
		}
		secured(t, name, answers[0])
	}
}

// secured parses the headers of trust B1 and B2 and returns the nonce.
func secured(t *testing.T, name string, got answer) string {
	t.Helper()
	directives := map[string]string{}
	for directive := range strings.SplitSeq(got.Header.Get("Content-Security-Policy"), ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(directive), " ")
		directives[key] = value
	}
	before, nonce, _ := strings.Cut(strings.TrimSuffix(directives["style-src"], "'"), "'nonce-")
	if before != "'self' " || len(nonce) < 22 {
		t.Errorf("%s: style-src %q", name, directives["style-src"])
	}
	delete(directives, "style-src")
	for key, want := range map[string]string{
		"default-src": "'none'", "script-src": "'self'", "img-src": "'self' data:", "font-src": "'self'", "connect-src": "'self'",
		"form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'",
	} {
		if directives[key] != want {
			t.Errorf("%s: %s is %q, want %q", name, key, directives[key], want)
		}
	}
	if len(directives) != 8 {
		t.Errorf("%s: policy %v", name, directives)
	}
	for key, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin", "Strict-Transport-Security": "max-age=31536000", "Server": "",
		"Access-Control-Allow-Origin": "",
	} {
		if got.Header.Get(key) != want {
			t.Errorf("%s: %s is %q, want %q", name, key, got.Header.Get(key), want)
		}
	}
	if !strings.Contains(got.Header.Get("Permissions-Policy"), "camera=()") {
		t.Errorf("%s: no Permissions-Policy", name)
	}
	if !strings.HasPrefix(name, "/static/a") && got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: Cache-Control %q", name, got.Header.Get("Cache-Control"))
	}
	return nonce
}

func TestB2_NoHSTSOnLoopback(t *testing.T) {
	t.Parallel()
	f := serve(t, func(cfg *Config) { cfg.BaseURL = "http://127.0.0.1:8080" })
	if got := f.get("/").Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("Strict-Transport-Security: %q", got)
	}
}
