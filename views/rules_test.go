// Package views_test holds what is true of all templates.
package views_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// markdownFile is the one template that may write HTML as it is (trust B5).
const markdownFile = "components/markdown.templ"

// forbidden names what no template may hold (portal X32): a policy forbids it,
// htmx evaluates it, or it fails open.
var forbidden = map[string]*regexp.Regexp{
	"an inline style":                 regexp.MustCompile(`(?i)[\s"]style\??=`),
	"an inline event handler":         regexp.MustCompile(`(?i)[\s"]on[a-z]+\??=["{]`),
	"hx-on":                           regexp.MustCompile(`(?i)\bhx-on[:=-]`),
	"a filter in hx-trigger":          regexp.MustCompile("(?i)hx-trigger\"?\\s*[:=]\\s*[\\{]?\\s*[\"`][^\"`]*\\["),
	"script in hx-vals or hx-headers": regexp.MustCompile("(?i)hx-(vals|headers)\"?\\s*[:=][^>]{0,4}[\"`'](js|javascript):"),
	"htmx that inherits or asks":      regexp.MustCompile(`(?i)\bhx-(boost|vars|params|prompt)\b`),
}

var unescaped = regexp.MustCompile(`templ\.Raw\(|@unsafe|templ\.JSUnsafe`)

var (
	comment  = regexp.MustCompile(`(?m)^\s*//.*$`)
	element  = regexp.MustCompile(`<[a-zA-Z](?:[^<>{"']|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*>`)
	request  = regexp.MustCompile(`\bhx-(get|post|put|patch|delete)\b`)
	postForm = regexp.MustCompile(`(?is)<form\b[^>]*method="post".*?</form>`)
	// A form that only reads a file into the editor changes nothing.
	reading = regexp.MustCompile(`(?is)^<form\b[^>]*\bdata-reading\b[^>]*enctype="multipart/form-data"|^<form\b[^>]*enctype="multipart/form-data"[^>]*\bdata-reading\b`)
	keyed   = regexp.MustCompile(`forms\.Hidden\(|name="idempotency_key"`)
)

// lint returns what a template does against the rules.
func lint(path, text string) []string {
	text = comment.ReplaceAllString(text, "")
	var faults []string
	for name, pattern := range forbidden {
		if found := pattern.FindString(text); found != "" {
			faults = append(faults, name+": "+strings.TrimSpace(found))
		}
	}
	if path != markdownFile && unescaped.MatchString(text) {
		faults = append(faults, "unescaped HTML")
	}
	for _, tag := range element.FindAllString(text, -1) {
		if request.MatchString(tag) && (!strings.Contains(tag, "hx-target") || !strings.Contains(tag, "hx-swap")) {
			faults = append(faults, "a request without hx-target and hx-swap: "+tag)
		}
	}
	for _, form := range postForm.FindAllString(text, -1) {
		if !keyed.MatchString(form) && !reading.MatchString(form) {
			faults = append(faults, "a form that changes something without idempotency_key: "+form)
		}
	}
	return faults
}

func TestX32_TemplatesKeepTheRules(t *testing.T) {
	t.Parallel()
	seen := 0
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		seen++
		for _, fault := range lint(path, string(text)) {
			t.Errorf("%s: %s", path, fault)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d templates read: %v", seen, err)
	}
}

func TestX32_LintFindsEachFault(t *testing.T) {
	t.Parallel()
	bad := map[string]string{
		"inline style":        `<p style="color:red">x</p>`,
		"computed style":      `<p style={ colour }>x</p>`,
		"handler":             `<button onclick="go()">x</button>`,
		"computed handler":    `<button onclick={ go() }>x</button>`,
		"hx-on":               `<p hx-on:click="go()">x</p>`,
		"trigger filter":      `<p hx-trigger="click[ctrlKey]">x</p>`,
		"trigger attribute":   `templ.Attributes{"hx-trigger": "click[ctrlKey]"}`,
		"script in vals":      `<p hx-vals="js:{a: b()}">x</p>`,
		"script in headers":   `<p hx-headers='javascript:{a: b()}'>x</p>`,
		"boost":               `<a hx-boost="true">x</a>`,
		"raw":                 `@templ.Raw(text)`,
		"request, no target":  `<a hx-get="/x" hx-swap="outerHTML">x</a>`,
		"request, no swap":    `<a hx-get={ href() } hx-target="#list">x</a>`,
		"request over lines":  "<form\n\thx-post={ u }\n\thx-target=\"#x\"\n>x</form>",
		"form without key":    `<form method="post" action="/x"><input name="a"/></form>`,
		"reading, no file":    `<form method="post" action="/x" data-reading></form>`,
		"second form, no key": `<form method="post">@forms.Hidden(k)</form><form method="post"></form>`,
	}
	for name, text := range bad {
		if len(lint("pages/x.templ", text)) == 0 {
			t.Errorf("%s passes: %s", name, text)
		}
	}
	good := map[string]string{
		"request":      `<a hx-get={ f(a > b) } hx-target="#list" hx-swap="outerHTML">one version</a>`,
		"keyed form":   `<form method="post" action="/x">@forms.Hidden(key)</form>`,
		"reading form": `<form method="get" action="/x"></form>`,
		"file reader":  `<form method="post" enctype="multipart/form-data" data-reading></form>`,
		"delayed":      `<input hx-trigger="input changed delay:300ms from:find input"/>`,
		"words":        `<p>Version one = the first; style = free.</p>`,
		"comment":      `// never style="…" here`,
	}
	for name, text := range good {
		if faults := lint("pages/x.templ", text); len(faults) > 0 {
			t.Errorf("%s: %q", name, faults)
		}
	}
	if faults := lint(markdownFile, `@templ.Raw(text)`); len(faults) > 0 {
		t.Errorf("sanitised Markdown may be written as it is: %q", faults)
	}
}
