package web

import (
	"net/url"
	"testing"

	"github.com/gofiber/fiber/v2"
)

func TestA6_NoOpenRedirect(t *testing.T) {
	t.Parallel()
	f := serve(t, nil, handle("GET", "/go", func(c *fiber.Ctx) error {
		q, err := Query(c, "next")
		if err != nil {
			return err
		}
		return Redirect(c, q.Text("next"))
	}))
	tests := map[string]string{
		"/items":                      "/items",
		"/items/":                     "/items/",
		"/items?state=A,B&q=%2F":      "/items?state=A,B&q=%2F",
		`/items?declaration={"a":1}`:  `/items?declaration={"a":1}`,
		"/":                           "/",
		"/items?next=//evil.example":  "/items?next=//evil.example",
		"/items?u=https://a.example/": "/items?u=https://a.example/",
		"":                            "/",
		"items":                       "/",
		"//evil.example":              "/",
		"///evil.example":             "/",
		`/\evil.example`:              "/",
		`\/evil.example`:              "/",
		"\t//evil.example":            "/",
		"/\t/evil.example":            "/",
		"/\n/evil.example":            "/",
		"/items\r\nSet-Cookie: a=b":   "/",
		"/%2f%2fevil.example":         "/",
		"/%5cevil.example":            "/",
		"/..//evil.example":           "/",
		"/%09/evil.example":           "/",
		"https:evil.example":          "/",
		"https://portal@evil.example": "/",
		"javascript:alert(1)":         "/",
		" /items":                     "/",
		"/items#\u202e":               "/",
		"/a b":                        "/",
		"/%zz":                        "/",
		"?next=/items":                "/",
	}
	for next, want := range tests {
		got := f.get("/go?next=" + url.QueryEscape(next))
		if got.StatusCode != 303 || got.Header.Get("Location") != want {
			t.Errorf("%q: %d to %q, want %q", next, got.StatusCode, got.Header.Get("Location"), want)
		}
		if to, err := got.Location(); err != nil || to.Host != f.address {
			t.Errorf("%q leaves the host: %v", next, to)
		}
	}
}
