package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
)

func TestU6_SessionCookie(t *testing.T) {
	t.Parallel()
	routes := []Route{
		handle("GET", "/in", func(c *fiber.Ctx) error {
			SetPreference(c, "theme", "dark")
			if err := SetSession(c, "session-ADMIN"); err != nil {
				return err
			}
			Announce(c, "ok", "Welcome.")
			return Redirect(c, "/page")
		}),
		handle("GET", "/out", func(c *fiber.Ctx) error {
			if err := DropSession(c); err != nil {
				return err
			}
			return c.SendString(SessionID(c))
		}),
		handle("GET", "/who", func(c *fiber.Ctx) error { return c.SendString(SessionID(c)) }),
	}
	for base, tc := range map[string]struct {
		prefix string
		secure bool
	}{"https://portal.example": {"__Host-", true}, "http://127.0.0.1:8080": {"", false}} {
		f := serve(t, func(cfg *Config) { cfg.BaseURL = base }, routes...)
		cookies := map[string]*http.Cookie{}
		for _, cookie := range f.get("/in").Cookies() {
			cookies[cookie.Name] = cookie
			if !cookie.HttpOnly || cookie.Secure != tc.secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" {
				t.Errorf("%s: %v", base, cookie)
			}
		}
		session := cookies[tc.prefix+"portolan"]
		if len(cookies) != 3 || session == nil || session.Value != "session-ADMIN" || session.MaxAge != 0 {
			t.Errorf("%s: cookies %v", base, cookies)
		}
		if got := f.get("/who", "Cookie: "+session.Name+"="+session.Value); got.body != "session-ADMIN" {
			t.Errorf("%s: session %q", base, got.body)
		}
		out := f.get("/out", "Cookie: "+session.Name+"="+session.Value).Cookies()
		if len(out) != 1 || out[0].Value != "" || out[0].MaxAge != -1 {
			t.Errorf("%s: leaves %v", base, out)
		}
	}
	f := serve(t, nil, routes...)
	for _, value := range []string{strings.Repeat("a", 129), `"quoted one"`, "a b", "ü"} {
		if got := f.get("/who", "Cookie: __Host-portolan="+value); got.body != "" {
			t.Errorf("%q is a session: %q", value, got.body)
		}
	}
}

func TestPersonIsSentToSignIn(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for _, cookie := range []string{"", "Cookie: __Host-portolan=dead", "Cookie: portolan=session-ADMIN"} {
		got := f.get("/page?a=%2F&b={}", cookie, asAdmin)
		if got.StatusCode != 303 || got.Header.Get("Location") != "/sign-in?next="+url.QueryEscape("/page?a=%2F&b={}") {
			t.Errorf("%q: %d to %q", cookie, got.StatusCode, got.Header.Get("Location"))
		}
		if got := f.get("/page", cookie, "HX-Request: true"); got.StatusCode != 401 || !strings.Contains(got.body, "sign in again") {
			t.Errorf("fragment: %d %s", got.StatusCode, got.body)
		}
		if got := f.ask("POST", "/page", strings.NewReader("a=b"), cookie, ourSite, asForm); got.StatusCode != 401 {
			t.Errorf("form: %d", got.StatusCode)
		}
	}
	if got := f.get("/page", signed); got.StatusCode != 200 {
		t.Errorf("signed in: %d", got.StatusCode)
	}
	if got := f.get("/", "Cookie: __Host-portolan=dead"); got.StatusCode != 200 {
		t.Errorf("open page with a dead session: %d", got.StatusCode)
	}
}

func TestFlashIsSaidOnce(t *testing.T) {
	t.Parallel()
	var frames []Frame
	f := serve(t, func(cfg *Config) {
		cfg.Layout = func(_ ctx, frame Frame, content component) component {
			frames = append(frames, frame)
			return plainLayout(nil, frame, content)
		}
	}, handle("GET", "/say", func(c *fiber.Ctx) error {
		Announce(c, "ok", `Saved <b> "ü" ✓`)
		if c.Query("stay") != "" {
			return Render(c, "Said", markup("<p>", "here", "</p>"))
		}
		return Redirect(c, "/")
	}))
	left := f.get("/say").Cookies()
	if len(left) != 1 {
		t.Fatalf("cookies %v", left)
	}
	next := f.get("/", "Cookie: "+left[0].Name+"="+left[0].Value)
	want := Flash{"ok", `Saved <b> "ü" ✓`}
	if len(frames) != 1 || frames[0].Flash != want || len(next.Cookies()) != 1 || next.Cookies()[0].MaxAge != -1 {
		t.Errorf("frames %+v, cookies %v", frames, next.Cookies())
	}
	stays := f.get("/say?stay=1")
	if len(frames) != 2 || frames[1].Flash != want || len(stays.Cookies()) != 0 {
		t.Errorf("frames %+v, cookies %v", frames, stays.Cookies())
	}
	fragment := f.get("/say?stay=1", "HX-Request: true")
	if len(fragment.Cookies()) != 0 || !strings.Contains(fragment.body, `id="live" hx-swap-oob`) || !strings.Contains(fragment.body, "Saved &lt;b&gt;") {
		t.Errorf("fragment %s", fragment.body)
	}
	if moved := f.get("/say", "HX-Request: true"); len(moved.Cookies()) != 1 || moved.Header.Get("HX-Redirect") != "/" || moved.StatusCode != 204 {
		t.Errorf("htmx is sent on by %d %v", moved.StatusCode, moved.Header)
	}
	for _, forged := range []string{"!!", "b2s", "_w"} {
		if got := f.get("/", "Cookie: "+left[0].Name+"="+forged); got.StatusCode != 200 {
			t.Errorf("forged %q: %d", forged, got.StatusCode)
		}
	}
}

func TestX27_Preferences(t *testing.T) {
	t.Parallel()
	var theme string
	f := serve(t, nil,
		handle("GET", "/set/:value", func(c *fiber.Ctx) error { SetPreference(c, "theme", c.Params("value")); return nil }),
		handle("GET", "/see", func(c *fiber.Ctx) error { theme = Preference(c, "theme"); return nil }))
	for value, maxAge := range map[string]int{"dark": year, "pink": -1} {
		cookie := f.get("/set/" + value).Cookies()[0]
		if cookie.MaxAge != maxAge {
			t.Errorf("%s: %v", value, cookie)
		}
	}
	for value, want := range map[string]string{"dark": "dark", "pink": "", "": "", `"><script>`: ""} {
		if f.get("/see", "Cookie: __Host-portolan-theme="+value); theme != want {
			t.Errorf("%q is %q, want %q", value, theme, want)
		}
	}
}
