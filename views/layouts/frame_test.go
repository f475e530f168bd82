package layouts_test

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/portolan/portolan/views/layouts"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestX28_NavigationShowsWhatOneMayUse(t *testing.T) {
	t.Parallel()
	team := layouts.TeamChoice{ID: 3, Name: "VMOwnerTeam"}
	tests := map[string]struct {
		frame           layouts.Frame
		present, absent []string
	}{
		"in no team":     {layouts.Frame{}, []string{"/catalogue"}, []string{"/queue", "/teams/", "/audit", "/admin"}},
		"member":         {layouts.Frame{Team: team, Role: "GENERAL"}, []string{"/queue", "/declare", "/teams/3"}, []string{"/audit", "/admin"}},
		"admin":          {layouts.Frame{Team: team, Role: "ADMIN"}, []string{"/teams/3"}, []string{"/admin", "/audit"}},
		"platform admin": {layouts.Frame{PlatformAdmin: true}, []string{"/admin/users"}, []string{"/queue"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := render(t, layouts.Page(tc.frame, templ.NopComponent))
			for _, path := range tc.present {
				if !strings.Contains(page, `href="`+path) {
					t.Errorf("%s is missing", path)
				}
			}
			for _, path := range tc.absent {
				if strings.Contains(page, `href="`+path) {
					t.Errorf("%s is offered", path)
				}
			}
		})
	}
}

func TestX28_NavigationMarksThePlace(t *testing.T) {
	t.Parallel()
	marked := regexp.MustCompile(`href="([^"]*)" aria-current="page"`)
	for path, want := range map[string]string{"/": "/", "/queue": "/queue", "/changes/17": "/changes", "/admin/audit": "/admin/users", "/setup": ""} {
		frame := layouts.Frame{Path: path, Team: layouts.TeamChoice{ID: 3}, PlatformAdmin: true}
		var got string
		if found := marked.FindStringSubmatch(render(t, layouts.Page(frame, templ.NopComponent))); found != nil {
			got = found[1]
		}
		if got != want {
			t.Errorf("at %s the mark is on %q, want %q", path, got, want)
		}
	}
}

func TestA4_HtmxKeepsWithinThePolicy(t *testing.T) {
	t.Parallel()
	page := render(t, layouts.Door(layouts.Frame{Nonce: "n0"}, templ.NopComponent))
	found := regexp.MustCompile(`name="htmx-config" content="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("there is no htmx-config")
	}
	var config map[string]any
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &config); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"allowEval": false, "includeIndicatorStyles": false, "selfRequestsOnly": true, "allowScriptTags": false, "historyCacheSize": 0.0, "refreshOnHistoryMiss": true}
	for key, value := range want {
		if config[key] != value {
			t.Errorf("%s is %v, want %v", key, config[key], value)
		}
	}
	if !strings.Contains(page, `name="csp-nonce" content="n0"`) {
		t.Error("the nonce is missing")
	}
}

func TestX27_ThemeAndDensityAreClosedWords(t *testing.T) {
	t.Parallel()
	page := render(t, layouts.Door(layouts.Frame{Theme: "pink", Density: `"><b>`}, templ.NopComponent))
	if !strings.Contains(page, `data-theme="system" data-density="comfortable" data-keys="on"`) {
		t.Error(page[:200])
	}
}
