package api

import (
	"bytes"
	"html/template"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// readable is the document as a page; it has no script and no style of its own.
var readable = template.Must(template.New("api").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Portolan</title>{{if .Styles}}<link rel="stylesheet" href="{{.Styles}}">{{end}}</head>
<body><main><h1>API</h1><p>{{.Intro}}</p>
<p>The same for machines: <a href="/v1/openapi.json">/v1/openapi.json</a></p>
{{range .Operations}}<section id="{{.OperationID}}">
<h2><code>{{.Method}} {{.Path}}</code></h2><p>{{.Summary}}</p>
{{with .Parameters}}<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead>
<tbody>{{range .}}<tr><td><code>{{.Name}}</code></td><td>{{.In}}</td><td>{{.Description}}</td></tr>{{end}}</tbody></table>{{end}}
<p>Answers: {{range $status, $answer := .Responses}}<span title="{{$answer.Description}}">{{$status}} </span>{{end}}</p>
</section>{{end}}</main></body></html>
`))

// readablePage serves the page, which is made when it is first asked for.
func (a API) readablePage() fiber.Handler {
	page := sync.OnceValues(func() ([]byte, error) {
		var out bytes.Buffer
		doc := a.document()
		err := readable.Execute(&out, map[string]any{"Styles": a.Styles, "Intro": doc.Info.Description, "Operations": operations(doc)})
		return out.Bytes(), err
	})
	return func(c *fiber.Ctx) error {
		body, err := page()
		if err != nil {
			return err
		}
		return send(c, fiber.StatusOK, fiber.MIMETextHTMLCharsetUTF8, body)
	}
}

// operations lists the operations of a document in the order of their paths.
func operations(doc *huma.OpenAPI) (list []*huma.Operation) {
	for _, path := range sortedPaths(doc) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Put, item.Delete} {
			if op != nil {
				list = append(list, op)
			}
		}
	}
	return list
}
