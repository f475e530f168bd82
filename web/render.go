package web

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
)

// IsFragment reports whether htmx asks for a part of a page. It does not when
// it restores a page that it no longer remembers.
func IsFragment(c *fiber.Ctx) bool {
	return c.Get("HX-Request") == "true" && c.Get("HX-History-Restore-Request") != "true"
}

// Render writes a fragment to htmx and a whole page to everyone else
// (portal.md X2), with the status that was set before.
func Render(c *fiber.Ctx, title string, content templ.Component) error {
	c.Type("html", "utf-8")
	c.Vary("HX-Request")
	if IsFragment(c) {
		content = withFlash(c, content)
	} else {
		content = of(c).cfg.Layout(c.UserContext(), frameOf(c, title), content)
	}
	return content.Render(c.UserContext(), c.Response().BodyWriter())
}

// withFlash puts what was announced behind a fragment.
func withFlash(c *fiber.Ctx, content templ.Component) templ.Component {
	flash, ok := announced(c)
	if !ok {
		return content
	}
	return templ.Join(content, of(c).cfg.Announce(flash))
}

func frameOf(c *fiber.Ctx, title string) Frame {
	return Frame{
		Title:     title,
		Path:      c.Path(),
		URL:       URL(c, string(c.Request().Header.RequestURI())),
		Actor:     Actor(c),
		Nonce:     Nonce(c),
		Theme:     Preference(c, "theme"),
		Density:   Preference(c, "density"),
		Keys:      Preference(c, "keys"),
		RequestID: RequestID(c),
		Flash:     takeFlash(c),
		Print:     c.Query("print") == "1",
	}
}

// markup makes a component of text that stands between our own tags.
func markup(before, text, after string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, before+templ.EscapeString(text)+after)
		return err
	})
}

// plainLayout is the page of an app that was given none.
func plainLayout(_ context.Context, frame Frame, content templ.Component) templ.Component {
	return templ.Join(markup("<!doctype html><html lang=en><title>", frame.Title, "</title><main>"), content, markup("", "", "</main></html>"))
}

func plainFailure(_ context.Context, trouble Trouble) templ.Component {
	text := trouble.Text
	if trouble.RequestID != "" {
		text += " Request " + trouble.RequestID + "."
	}
	return markup("<p role=alert>", strings.TrimSpace(text), "</p>")
}

func plainAnnounce(flash Flash) templ.Component {
	return templ.Join(
		markup(`<div id="live" hx-swap-oob="innerHTML">`, flash.Text, `</div>`),
		markup(`<div id="flash" hx-swap-oob="innerHTML"><p class="toast">`, flash.Text, `</p></div>`),
	)
}
