package components_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/views/components"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// words returns what a reader sees of some markup.
func words(markup string) string { return html.UnescapeString(tags.ReplaceAllString(markup, "")) }

func TestX16_PeoplesTextStaysText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, link string }{
		"plain":                          {"no capacity", ""},
		"line breaks and spaces":         {" a\n\n  b\t", ""},
		"markup":                         {`<img src=x onerror=alert(1)> & "co"`, ""},
		"a link":                         {"see https://wiki.example/a?b=1&c=2#d now", "https://wiki.example/a?b=1&c=2#d"},
		"a link that ends a sentence":    {"(see http://wiki.example/vm).", "http://wiki.example/vm"},
		"a link against markup":          {"https://x.example/<b>", "https://x.example/"},
		"script is no link":              {"javascript:alert(1) data:text/html,x", ""},
		"a scheme alone is not an error": {"https:// and nothing", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := render(t, components.PeopleText(tc.text))
			if got := words(out); got != tc.text {
				t.Errorf("reads %q, want %q", got, tc.text)
			}
			if has := strings.Contains(out, "<a "); has != (tc.link != "") {
				t.Errorf("link: %v in %s", has, out)
			}
			if want := `href="` + html.EscapeString(tc.link) + `" rel="noopener noreferrer nofollow"`; tc.link != "" && !strings.Contains(out, want) {
				t.Errorf("%s lacks %s", out, want)
			}
		})
	}
}

func TestX24_SummarySpeaksInWords(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		summary       components.Summary
		spoken, shown string
	}{
		"all":     {components.Summary{Create: 2, Modify: 1, Delete: 1, Referenced: 1, Dependent: 2}, "2 to create, 1 to modify, 1 to delete, 1 referenced, 2 dependent", "+2 ~1 −1 · 1 referenced · 2 dependent"},
		"one":     {components.Summary{Delete: 1200}, "1,200 to delete", "−1,200"},
		"nothing": {components.Summary{}, "no changes", "no changes"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.summary.Words(); got != tc.spoken {
				t.Errorf("Words() = %q, want %q", got, tc.spoken)
			}
			out := render(t, components.SummaryChips(tc.summary, "/queue?"))
			if got := strings.Join(strings.Fields(words(out)), " "); got != tc.shown {
				t.Errorf("shows %q, want %q", got, tc.shown)
			}
		})
	}
}

func TestX23_EveryStateHasGlyphAndWord(t *testing.T) {
	t.Parallel()
	var badges []string
	for _, state := range engine.States {
		badges = append(badges, render(t, components.StateBadge(state)))
	}
	for _, state := range engine.RuntimeStates {
		badges = append(badges, render(t, components.RuntimeBadge(state)))
	}
	for _, state := range engine.ChangeStates {
		badges = append(badges, render(t, components.ChangeStateBadge(state)))
	}
	for _, state := range engine.ServiceStates {
		badges = append(badges, render(t, components.ServiceStateBadge(state)))
	}
	for i, badge := range badges {
		if !strings.Contains(badge, `<path d="M`) || strings.TrimSpace(words(badge)) == "" {
			t.Errorf("badge %d lacks its glyph or word: %s", i, badge)
		}
	}
}

func TestX23_CauseSaysWhy(t *testing.T) {
	t.Parallel()
	tests := map[string]components.Cause{
		"direct":                   {Kind: engine.Basic},
		"↪ referenced: CoreVM1":    {Kind: engine.Referenced, Of: "CoreVM1", Href: "/changes/3"},
		"⚭ dependent: NPOwnerTeam": {Kind: engine.Dependent, Of: "NPOwnerTeam"},
		"↻ retry of #31":           {Kind: engine.Basic, RetryOf: 31},
	}
	for want, cause := range tests {
		if got := strings.Join(strings.Fields(words(render(t, components.CauseMark(cause)))), " "); got != want {
			t.Errorf("CauseMark says %q, want %q", got, want)
		}
	}
}
