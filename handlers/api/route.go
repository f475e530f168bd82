package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/web"
)

// route is one way in, with what the document says about it.
type route struct {
	web.Route
	summary   string
	query     []string    // filters that it knows
	request   any         // a body of this shape, nil for none
	document  bool        // the body is a declaration or a schema, as JSON or YAML
	responses map[int]any // shapes by status
}

// Routes lists every route of the API, ready to be mounted.
func (a API) Routes() []web.Route {
	return each(a.routes(), func(r route) web.Route {
		if r.Method != fiber.MethodGet && r.Door == web.Program {
			r.Handle = a.once(r.Handle)
		}
		return r.Route
	})
}

// IsProgram reports whether programs ask for a path, so that failures are JSON.
func IsProgram(path string) bool {
	path = strings.TrimSuffix(path, "/")
	return path == "/v1" || path == "/api-token-auth" || strings.HasPrefix(path, "/v1/")
}

func way(method, path string, handle fiber.Handler, summary string) route {
	pov := web.None
	for _, side := range []string{"consumer", "serviceowner"} {
		if strings.HasPrefix(path, "/v1/orcabase/"+side+"/") {
			pov = side
		}
	}
	return route{
		Route:   web.Route{Method: method, Path: path, Door: web.Program, Pov: pov, Role: web.None, Loads: web.None, Handle: handle},
		summary: summary, responses: map[int]any{},
	}
}

func get(path string, handle fiber.Handler, summary string) route {
	return way(fiber.MethodGet, path, handle, summary)
}

func post(path string, handle fiber.Handler, summary string) route {
	return way(fiber.MethodPost, path, handle, summary)
}

func patch(path string, handle fiber.Handler, summary string) route {
	return way(fiber.MethodPatch, path, handle, summary)
}

func put(path string, handle fiber.Handler, summary string) route {
	return way(fiber.MethodPut, path, handle, summary)
}

func remove(path string, handle fiber.Handler, summary string) route {
	return way(fiber.MethodDelete, path, handle, summary).answers(fiber.StatusNoContent, nil)
}

// as says which role the route asks for, and what finds its objects for the asker.
func (r route) as(role, loads string) route {
	r.Role, r.Loads = role, loads
	return r
}

// forStrangers opens the route to everybody.
func (r route) forStrangers() route {
	r.Door = web.Stranger
	if r.Method == fiber.MethodPost {
		r.Before = append(r.Before, web.PaceSignIn)
	}
	return r
}

// filters are the filters of a list; paging comes along.
func (r route) filters(names ...string) route {
	return r.filtersOnly(slices.Concat(names, pageFilters)...)
}

// filtersOnly are the parameters of a route that is no list.
func (r route) filtersOnly(names ...string) route {
	r.query = names
	return r
}

// takes is the shape of the body.
func (r route) takes(shape any) route {
	r.Takes, r.request = []string{web.JSON}, shape
	return r
}

// takesSchema says that the body is a JSON Schema.
func (r route) takesSchema() route {
	r.Takes, r.document = []string{web.JSON, web.YAML}, true
	return r
}

// declares says that the body is a declaration.
func (r route) declares() route {
	r.Before = append(r.Before, web.PaceSubmit)
	return r.takesSchema().filtersOnly(submitFilters...)
}

// answers is the shape of the answer with a status.
func (r route) answers(status int, shape any) route {
	r.responses = maps.Clone(r.responses)
	r.responses[status] = shape
	return r
}
