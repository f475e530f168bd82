package components

import (
	"bytes"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads Markdown with tables and bare links; raw HTML is left out.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(tamer{}, 500))),
)

const foreign = "noopener noreferrer nofollow"

// allowed is all that a readme may contain (trust B6).
var allowed = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "em", "strong", "del", "ul", "ol", "li",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|right|center)$`)).OnElements("th", "td")
	p.AllowAttrs("rel").Matching(regexp.MustCompile("^" + foreign + "$")).OnElements("a")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^/[^/\\]`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.AllowURLSchemes("http", "https", "mailto")
	return p
}()

// tamer moves headings below the page's own, and keeps links from telling
// where they were followed from.
type tamer struct{}

// Transform works on a document that was read.
func (tamer) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			node.Level = min(node.Level+1, 6)
		case *ast.Link, *ast.AutoLink:
			node.SetAttributeString("rel", []byte(foreign))
		}
		return ast.WalkContinue, nil
	})
}

// safe makes HTML of Markdown that anybody may have written.
func safe(source string) string {
	var html bytes.Buffer
	if err := markdown.Convert([]byte(source), &html); err != nil {
		return ""
	}
	return allowed.Sanitize(html.String())
}
