package components

import (
	"strings"
	"testing"
)

func TestB6_MarkdownKeepsNothingThatActs(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"# Title":                            "<h2>Title</h2>\n",
		"<img src=x onerror=alert(1)>":       "",
		"a <b onclick=x>b</b>":               "<p>a b</p>\n",
		"[x](javascript:alert(1))":           `<p><a rel="noopener noreferrer nofollow">x</a></p>`,
		"[x](https://a.example)":             `<p><a href="https://a.example" rel="noopener noreferrer nofollow">x</a></p>` + "\n",
		"https://a.example/b":                `<p><a href="https://a.example/b" rel="noopener noreferrer nofollow">https://a.example/b</a></p>` + "\n",
		"![x](https://evil.example/p.png)":   `<p><img alt="x"></p>` + "\n",
		"![x](//evil.example/p.png)":         `<p><img alt="x"></p>` + "\n",
		"![x](/static/p.png)":                `<p><img src="/static/p.png" alt="x"></p>` + "\n",
		"```html\n<p hx-get=\"/x\">\n```":    "<pre><code>&lt;p hx-get=&#34;/x&#34;&gt;\n</code></pre>\n",
		"<div class=\"banner\" style=\"x\">": "",
	} {
		if got := safe(source); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("safe(%q) = %q, want %q", source, got, want)
		}
	}
}
