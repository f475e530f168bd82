package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// Door says how a route finds out who asks.
type Door string

// The doors.
const (
	Anyone   Door = "anyone"   // nobody has to be known; a session is looked at
	Person   Door = "person"   // a session
	Program  Door = "program"  // a key or a token
	Stranger Door = "stranger" // a program that nobody has to know; no session is looked at
)

// None declares that a route has no point of view, role or loader of its own.
const None = "none"

// Platform is the role that only platform admins have.
const Platform = "PLATFORM"

// ranks orders the roles; None asks for none.
var ranks = map[string]int{None: 0, "READ_ONLY": 1, "GENERAL": 2, "ADMIN": 3, Platform: 4}

// Route declares one way in (trust Z1). All its fields but Takes and Before
// have to be filled.
type Route struct {
	Method string
	Path   string
	Door   Door
	Pov    string          // consumer, serviceowner, both or None
	Role   string          // the least role: ADMIN, GENERAL, READ_ONLY, Platform or None
	Loads  string          // what finds the object for the actor, None if there is none
	Takes  []string        // media types of the body; none means that there is no body
	Before []fiber.Handler // paces, such as PaceSubmit
	Handle fiber.Handler
}

// Guards returns what stands between the client and the route's handler, in
// the order of trust H7.
func (r Route) Guards() []fiber.Handler {
	takes := r.Takes
	guards := []fiber.Handler{anyone, sameOrigin}
	switch r.Door {
	case Person:
		guards[0] = person
	case Program:
		guards = []fiber.Handler{program}
		if len(takes) == 0 {
			takes = []string{JSON} // clients send {} where nothing is asked for
		}
	case Stranger:
		guards = []fiber.Handler{stranger}
	}
	guards = append(guards, needs(r.Role))
	guards = append(guards, r.Before...)
	return append(guards, Takes(takes...), occupy)
}

// Mount hangs routes on the app; one that does not declare everything is an
// error, and the portal does not start.
func (a *App) Mount(routes ...Route) error {
	for _, route := range routes {
		if missing := route.undeclared(); missing != "" {
			return fmt.Errorf("route %s %s does not declare its %s", route.Method, route.Path, missing)
		}
		a.routes = append(a.routes, route)
		handlers := append(route.Guards(), route.Handle)
		if route.Method == fiber.MethodGet {
			a.Get(route.Path, handlers...)
		} else {
			a.Add(route.Method, route.Path, handlers...)
		}
	}
	return nil
}

// Routes lists what was mounted, for the matrix of trust Z2.
func (a *App) Routes() []Route { return slices.Clone(a.routes) }

// Undeclared lists the routes that came onto the app in another way.
func (a *App) Undeclared() []string {
	var strays []string
	for _, route := range a.GetRoutes(true) {
		declared := func(r Route) bool {
			return r.Path == route.Path && (r.Method == route.Method || r.Method == fiber.MethodGet && route.Method == fiber.MethodHead)
		}
		if !slices.ContainsFunc(a.routes, declared) {
			strays = append(strays, route.Method+" "+route.Path)
		}
	}
	return strays
}

func (r Route) undeclared() string {
	_, ranked := ranks[r.Role]
	switch {
	case r.Method == "" || !strings.HasPrefix(r.Path, "/"):
		return "method and path"
	case r.Door != Anyone && r.Door != Person && r.Door != Program && r.Door != Stranger:
		return "door"
	case r.Pov == "":
		return "point of view"
	case !ranked:
		return "role"
	case r.Loads == "":
		return "loader"
	case r.Handle == nil:
		return "handler"
	}
	return ""
}

// needs lets pass whoever has at least this role in the team acted for.
func needs(least string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		actor := Actor(c)
		has := ranks[string(actor.Role)]
		if actor.PlatformAdmin && least == Platform {
			has = ranks[Platform]
		}
		if has < ranks[least] {
			return fault.New(fault.Forbidden, "Your role does not allow this.")
		}
		return c.Next()
	}
}
