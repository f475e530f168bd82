package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/web"
)

// Failure is the answer to everything that fails but invalid input.
type Failure struct {
	_ struct{} `additionalProperties:"true" json:"-"` // a stale preview names the items that moved

	Detail    string `json:"detail"`
	Code      string `json:"code,omitempty" doc:"Machine-readable reason of a conflict."`
	RequestID string `json:"request_id,omitempty" doc:"To be named when the failure is ours."`
}

// Invalid is the answer to invalid input: sentences by the field they are about.
type Invalid map[string]any

// failures are the failures that an answer can be, by status.
var failures = map[int]string{
	400: "Invalid input: sentences by field; for declarations the error tree and the problems with their places.",
	401: "Nobody we know.", 403: "Not allowed to.", 404: "Not there, or not yours to see.", 409: "Somebody was faster, or it does not fit.",
	412: "If-Match names an older version.", 413: "Too large.", 415: "Not a media type that is read here.",
	429: "Too many requests; see Retry-After.", 500: "Our mistake.", 503: "The database is away; see Retry-After.",
}

// intro is what the document says first.
const intro = `Everything that service owners and consumers do, for programs. Limits: 16 MiB per request, 100,000 service items per declaration,
200 problems per answer, 500 ids per bulk request, 10,000 rows per page, 64 requests of one team at the same time.
Paths work with and without a trailing slash. Writes take an Idempotency-Key: repeated within 24 hours they get the first answer again.`

// document builds the OpenAPI document from the table of routes.
func (a API) document() *huma.OpenAPI {
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: "Portolan", Version: "1", Description: intro},
		Servers: []*huma.Server{{URL: a.base()}},
		Components: &huma.Components{
			Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"key":   {Type: "apiKey", In: "header", Name: "Authorization", Description: "Api-Key and the key of a team."},
				"token": {Type: "apiKey", In: "header", Name: "Authorization", Description: "Token and the token of a user."},
			},
		},
		Paths: map[string]*huma.PathItem{},
	}
	for _, r := range a.routes() {
		doc.AddOperation(r.operation(doc.Components.Schemas))
	}
	for name, s := range doc.Components.Schemas.Map() {
		fillArrays(s)
		admitNulls(s, doc.Components.Schemas.TypeFromRef("#/components/schemas/"+name))
	}
	return doc
}

// fillArrays says that lists may be empty but are never null.
func fillArrays(s *huma.Schema) {
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	for _, property := range s.Properties {
		fillArrays(property)
	}
	if s.Items != nil {
		fillArrays(s.Items)
	}
}

// admitNulls says which members of a struct may be null: pointers that are
// never left out. References cannot say so by themselves.
func admitNulls(s *huma.Schema, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			admitNulls(s, field.Type)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if field.Type.Kind() == reflect.Pointer && options != "omitempty" && property != nil && !property.Nullable {
			s.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{property, {Type: "null"}}}
		}
	}
}

// variables are the parts of a path that stand for something.
var variables = regexp.MustCompile(`:(\w+)`)

func (r route) operation(registry huma.Registry) *huma.Operation {
	path := variables.ReplaceAllString(r.Path, "{$1}")
	if path != "/docs/api" && !strings.HasSuffix(path, ".json") {
		path += "/"
	}
	op := &huma.Operation{
		Method: r.Method, Path: path, Summary: r.summary, OperationID: r.operationID(), Tags: []string{r.tag()},
		Responses: map[string]*huma.Response{}, Parameters: r.parameters(), RequestBody: r.body(registry),
	}
	if r.Door == web.Program {
		op.Security = []map[string][]string{{"key": {}}, {"token": {}}}
	}
	for status, shape := range r.responses {
		op.Responses[strconv.Itoa(status)] = response(registry, fiberText(status), shape)
	}
	for _, status := range r.fails() {
		shape := any(Failure{})
		if status == fiber.StatusBadRequest {
			shape = Invalid{}
		}
		op.Responses[strconv.Itoa(status)] = response(registry, failures[status], shape)
	}
	return op
}

func fiberText(status int) string {
	return map[int]string{200: "Done, or nothing to do.", 201: "Made.", 204: "Gone."}[status]
}

func response(registry huma.Registry, text string, shape any) *huma.Response {
	r := &huma.Response{Description: text}
	if shape != nil {
		r.Content = map[string]*huma.MediaType{web.JSON: {Schema: schemaFor(registry, shape)}}
	}
	return r
}

func schemaFor(registry huma.Registry, shape any) *huma.Schema {
	s := registry.Schema(reflect.TypeOf(shape), true, "")
	fillArrays(s)
	return s
}

// operationID is the method with the words of the path.
func (r route) operationID() string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/:_-.", c) })
	return strings.ToLower(r.Method) + "_" + strings.Join(words, "_")
}

// tag is the concept that a route is about.
func (r route) tag() string {
	parts := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
	switch {
	case len(parts) > 3 && parts[1] == "orcabase":
		return parts[3]
	case len(parts) > 2 && parts[1] == "account":
		return "account"
	}
	return "door"
}

// fails lists the failures that a route can answer with.
func (r route) fails() []int {
	statuses := []int{400, 429, 500, 503}
	if r.Door == web.Program || r.Method == fiber.MethodPost {
		statuses = append(statuses, 401, 403)
	}
	if strings.Contains(r.Path, ":") || r.Loads != web.None {
		statuses = append(statuses, 404)
	}
	if r.Method != fiber.MethodGet {
		statuses = append(statuses, 409, 413, 415)
	}
	if r.Method != fiber.MethodGet && r.Role != known {
		statuses = append(statuses, 412)
	}
	return statuses
}

func (r route) parameters() []*huma.Param {
	var list []*huma.Param
	for _, name := range variables.FindAllStringSubmatch(r.Path, -1) {
		s := &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
		if strings.Contains(r.Path, "previews") {
			s = &huma.Schema{Type: huma.TypeString, Format: "uuid"}
		}
		list = append(list, &huma.Param{Name: name[1], In: "path", Required: true, Schema: s})
	}
	for _, name := range r.query {
		list = append(list, &huma.Param{Name: name, In: "query", Description: parameterTexts[name], Schema: parameterSchema(name)})
	}
	if r.Method != fiber.MethodGet && r.Door == web.Program {
		list = append(list, &huma.Param{Name: web.KeyHeader, In: "header", Description: "Makes the write safe to repeat for 24 hours.", Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(255)}})
	}
	return list
}

func parameterSchema(name string) *huma.Schema {
	switch name {
	case "limit":
		return &huma.Schema{Type: huma.TypeInteger, Minimum: ptr(1.0), Maximum: ptr(float64(mostRows)), Default: usualPage}
	case "offset", "confirm_deletes":
		return &huma.Schema{Type: huma.TypeInteger, Minimum: ptr(0.0)}
	case "keep", "exclude_referenced", "dry_run":
		return &huma.Schema{Type: huma.TypeBoolean}
	}
	return &huma.Schema{Type: huma.TypeString}
}

func (r route) body(registry huma.Registry) *huma.RequestBody {
	if r.document {
		anything := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeObject}}
		return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{web.JSON: anything, web.YAML: anything}}
	}
	if r.request == nil {
		return nil
	}
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{web.JSON: {Schema: schemaFor(registry, r.request)}}}
}

// readDocument serves the document, which is built when it is first asked for.
func (a API) readDocument() fiber.Handler {
	text := sync.OnceValues(func() ([]byte, error) { return json.Marshal(a.document()) })
	return func(c *fiber.Ctx) error {
		body, err := text()
		if err != nil {
			return fmt.Errorf("OpenAPI document: %w", err)
		}
		return send(c, fiber.StatusOK, web.JSON, body)
	}
}

// sortedPaths lists the paths of a document in order.
func sortedPaths(doc *huma.OpenAPI) []string { return slices.Sorted(maps.Keys(doc.Paths)) }
