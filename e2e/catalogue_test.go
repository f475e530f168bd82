package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// offered are the services of the demo, each with the file of its schema.
var offered = map[string]string{"VM": "vm", "LoadBalancer": "loadbalancer"}

func TestCATa_EveryExamplePreviewsWithoutProblems(t *testing.T) {
	each(t, func(t *testing.T, open func(*testing.T, *portal) *tab) {
		p := sharedDemo.get(t)
		for service := range offered {
			b := open(t, p).signIn("tim").visit("/catalogue").in("main").follow("link", service).follow("link", "Example")
			b.fill("Application", "Shop").follow("button", "Use in application")
			if !strings.Contains(b.in("").value("Declaration"), `"`+service+`"`) {
				t.Errorf("the editor does not hold the example of %s: %s", service, b.in("").value("Declaration"))
			}
			b.click("button", "Preview").sees("What submitting this text would do").in("#plan").sees("Create", service)
			if problems := eval[int](b, `document.querySelectorAll("#problems li").length`); problems != 0 {
				t.Errorf("the example of %s has problems: %s", service, b.in("#problems-box").text())
			}
		}
	})
}

func TestCATb_TheReferenceHasARowPerProperty(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("tim")
	for service, file := range offered {
		b.visit("/catalogue").in("main").follow("link", service).follow("link", "Reference")
		shown := eval[[]string](b, `[...document.querySelectorAll("#panel tbody tr td:first-child code")].map(c => c.textContent)`)
		want := propertiesOf(t, file)
		if strings.Join(shown, " ") != strings.Join(want, " ") {
			t.Errorf("the reference of %s has rows for %v, the schema properties %v", service, shown, want)
		}
	}
}

// propertiesOf lists the properties of a schema of the demo in their order,
// nested ones as disks[].size.
func propertiesOf(t *testing.T, file string) (paths []string) {
	t.Helper()
	text, err := os.ReadFile("../cmd/portolan/demo/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var root json.RawMessage = text
	return properties(t, "", root)
}

func properties(t *testing.T, below string, schema json.RawMessage) (paths []string) {
	t.Helper()
	var node struct {
		Properties json.RawMessage
		Items      json.RawMessage
	}
	if err := json.Unmarshal(schema, &node); err != nil {
		t.Fatal(err)
	}
	for _, name := range keysInOrder(t, node.Properties) {
		path := strings.TrimPrefix(below+"."+name, ".")
		paths = append(paths, path)
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(node.Properties, &inner); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, properties(t, path, inner[name])...)
	}
	if node.Items != nil {
		paths = append(paths, properties(t, below+"[]", node.Items)...)
	}
	return paths
}

func keysInOrder(t *testing.T, object json.RawMessage) (keys []string) {
	t.Helper()
	if object == nil {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(object)))
	for depth := 0; decoder.More() || depth > 0; {
		token, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case json.Delim:
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[token]
		case string:
			if depth == 1 {
				keys = append(keys, token)
				var skip json.RawMessage
				if err := decoder.Decode(&skip); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return keys
}

func TestCATc_CopyGivesTheExactText(t *testing.T) {
	t.Parallel()
	b := open(t, sharedDemo.get(t)).signIn("tim")
	for _, permission := range []string{"clipboard-read", "clipboard-write"} {
		b.allow(permission)
	}
	b.visit("/catalogue").in("main").follow("link", "VM").follow("link", "Example")
	for _, form := range []string{"JSON", "YAML"} {
		b.follow("link", form).click("button", "Copy")
		b.until("it says so", `document.querySelector("copy-button").innerText.includes("Copied") || document.getElementById("live").textContent.includes("opied")`)
		want := eval[string](b, `document.getElementById("example-text").textContent`)
		if copied := eval[string](b, `navigator.clipboard.readText()`); copied != want || !strings.Contains(want, "AwesomeConsumer") && !strings.Contains(want, "TeamBlue") {
			t.Errorf("%s: Copy gives %q, the page shows %q", form, copied, want)
		}
	}
}

// allow grants what a browser asks people for.
func (b *tab) allow(permission string) {
	b.t.Helper()
	ctx, cancel := b.soon()
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
		Permission: &cdpbrowser.PermissionDescriptor{Name: permission}, Setting: cdpbrowser.PermissionSettingGranted,
		Origin: b.at, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID})
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestCATd_APrivateServiceIsNobodysBusiness(t *testing.T) {
	t.Parallel()
	p := demo(t)
	lea := open(t, p).signIn("lea").visit("/services").in("main").follow("link", "LoadBalancer").follow("link", "Settings")
	lea.click("checkbox", "Private").follow("button", "Save settings")
	id := strings.Split(lea.path(), "/")[2]

	b := open(t, p).expect(404).signIn("tim")
	b.visit("/catalogue").in("main").sees("VM").seesNot("LoadBalancer")
	b.visit("/catalogue?q=LoadBalancer").in("main").sees("No service matches").seesNot("Spreads requests")
	tim := p.person(t, "tim")
	private, missing := tim.get("/catalogue/"+id), tim.get("/catalogue/999999")
	if private.status != http.StatusNotFound || missing.status != http.StatusNotFound {
		t.Errorf("the private service answers %d, a missing one %d", private.status, missing.status)
	}
	if a, b := withoutIds(private), withoutIds(missing); a != b {
		t.Errorf("Z3: the pages differ:\n%s\n%s", a, b)
	}
	declared := tim.post("/declare/preview", "declaration", `{"TeamBlue":{"A":{"services":{"LoadBalancer":[{"name":"x","algorithm":"RoundRobin"}]}}}}`, "format", "json")
	unknown := tim.post("/declare/preview", "declaration", `{"TeamBlue":{"A":{"services":{"LoadBalanceR":[{"name":"x","algorithm":"RoundRobin"}]}}}}`, "format", "json")
	if declared.status != http.StatusUnprocessableEntity || unknown.status != declared.status {
		t.Errorf("declaring it answers %d, an unknown service %d", declared.status, unknown.status)
	}

	ana := open(t, p).signIn("ana").visit("/catalogue").in("main") // she has one
	ana.sees("LoadBalancer")
}
