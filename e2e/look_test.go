package e2e_test

import (
	_ "embed"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

//go:embed axe.min.js
var axe string

// axeRun lists the violations of some rules.
func axeRun(rules string) string {
	return `axe.run({resultTypes: ["violations"], runOnly: ` + rules + `}).then(r =>
		r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.html.slice(0, 200) + " " + n.any.concat(n.all, n.none).map(a => a.message).join("; "))))`
}

// The rules that portal C4 names; in the dark only colours are other ones.
var themes = []struct{ name, rules string }{
	{"light", `["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]`},
	{"dark", `["color-contrast", "link-in-text-block"]`},
}

// look holds the page the tab is on against the rows 1 to 4 of the matrix
// (portal C4): light and dark, wide and narrow, by mouse and by keyboard.
func (b *tab) look() {
	b.t.Helper()
	b.do("inject axe", chromedp.Evaluate[chromedp.Void](axe+";0"))
	for _, theme := range themes {
		b.theme(theme.name)
		for _, violation := range eval[[]string](b, axeRun(theme.rules)) {
			b.t.Errorf("%s, %s: %s", b.path(), theme.name, violation)
		}
	}
	b.theme("")
	if lost := b.focusAfterTab(); lost != "" {
		b.t.Errorf("%s: after Tab the focus is on %s", b.path(), lost)
	}
	b.narrow()
	if wide := eval[[]string](b, tooWide); len(wide) > 0 {
		b.t.Errorf("%s scrolls sideways at 320 px: %s", b.path(), strings.Join(wide, "\n"))
	}
	b.wide()
}

// tooWide names what sticks out of a page that scrolls sideways.
const tooWide = `(() => {
	const page = document.scrollingElement;
	if (page.scrollWidth <= page.clientWidth) return [];
	const out = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > page.clientWidth + 1);
	return [page.scrollWidth + " > " + page.clientWidth, ...out.slice(0, 8).map(e => e.outerHTML.slice(0, 160))];
})()`

func (b *tab) wide() {
	b.t.Helper()
	b.do("widen", chromedp.EmulateViewport(1280, 900))
}

func (b *tab) narrow() {
	b.t.Helper()
	b.do("narrow", chromedp.EmulateViewport(320, 640))
}

// theme makes the system's theme light or dark; empty leaves it alone. Nothing
// moves meanwhile, so that no colour is half way between two themes.
func (b *tab) theme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// focusAfterTab says where the focus is after Tab when it cannot be seen there.
func (b *tab) focusAfterTab() string {
	b.t.Helper()
	b.press("\t")
	return eval[string](b, `(() => {
		const at = document.activeElement;
		if (at === document.body) return document.querySelector("dialog[open]") ? "" : "the body"; // after a dialog's last control comes the browser's frame
		const ring = getComputedStyle(at);
		return parseFloat(ring.outlineWidth) >= 2 && ring.outlineStyle !== "none" ? "" : "something without a ring: " + at.outerHTML.slice(0, 160);
	})()`)
}
