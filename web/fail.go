package web

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// statuses is what each kind of expected failure becomes.
var statuses = map[fault.Kind]int{
	fault.Invalid:     http.StatusBadRequest,
	fault.Unknown:     http.StatusUnauthorized,
	fault.Forbidden:   http.StatusForbidden,
	fault.NotFound:    http.StatusNotFound,
	fault.NoMethod:    http.StatusMethodNotAllowed,
	fault.Conflict:    http.StatusConflict,
	fault.Gone:        http.StatusGone,
	fault.Outdated:    http.StatusPreconditionFailed,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.Unsupported: http.StatusUnsupportedMediaType,
	fault.TooMany:     http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable,
}

// sentences are for failures that the router and the server know by number.
var sentences = map[int]string{
	http.StatusBadRequest:                  "The request could not be read.",
	http.StatusNotFound:                    "Not found.",
	http.StatusMethodNotAllowed:            "This method is not allowed here.",
	http.StatusRequestTimeout:              "The request took too long to arrive.",
	http.StatusRequestEntityTooLarge:       "The request is too large.",
	http.StatusRequestHeaderFieldsTooLarge: "The headers of the request are too large. Clearing the cookies of this site may help.",
}

const ours = "Something went wrong on our side."

// Fail is the one place where an error becomes an answer (trust H9): JSON for
// programs, a page for people, a fragment for htmx. Failures that nobody
// expected are logged here, once, and keep their text to themselves.
func Fail(c *fiber.Ctx, err error) error {
	status, e := explain(err)
	if e == nil {
		status, e = http.StatusInternalServerError, &fault.Error{Text: ours}
		blame(c, err)
	}
	c.Response().ResetBody()
	c.Response().Header.Del(fiber.HeaderContentEncoding)
	harden(c)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Status(status)
	if e.Retry > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(e.Retry.Seconds()))))
	}
	if forProgram(c) {
		return failJSON(c, status, e)
	}
	return failPage(c, status, e)
}

// explain returns what may be told about an error, nil if it is not expected.
func explain(err error) (int, *fault.Error) {
	if e := fault.Of(err); e != nil {
		return statuses[e.Kind], e
	}
	var known *fiber.Error
	if errors.As(err, &known) {
		if text, ok := sentences[known.Code]; ok {
			return known.Code, &fault.Error{Text: text}
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return http.StatusServiceUnavailable, &fault.Error{Text: "The portal took too long. Try again.", Retry: time.Second}
	}
	return 0, nil
}

// blame logs a failure of ours.
func blame(c *fiber.Ctx, err error) {
	attributes := []any{"error", err.Error(), "request_id", RequestID(c), "method", methodOf(c), "route", routeOf(c)}
	var p panicked
	if errors.As(err, &p) {
		attributes = append(attributes, "places", strings.Join(p.places, " "))
	}
	of(c).cfg.Log.Error("failure", attributes...)
}

func forProgram(c *fiber.Ctx) bool {
	path, _ := target(c.Context())
	return of(c).cfg.IsProgram(path)
}

func isVersioned(path string) bool { return path == "/v1" || strings.HasPrefix(path, "/v1/") }

func failJSON(c *fiber.Ctx, status int, e *fault.Error) error {
	if status == http.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, "Api-Key")
	}
	if err := c.JSON(bodyOf(c, status, e)); err != nil {
		return c.Status(http.StatusInternalServerError).JSON(fiber.Map{"detail": ours, "request_id": RequestID(c)})
	}
	return nil
}

// bodyOf builds the shape that api.md gives to errors: sentences by field for
// invalid input, one detail for everything else.
func bodyOf(c *fiber.Ctx, status int, e *fault.Error) any {
	body := map[string]any{}
	if e.Detail != nil && !merge(body, e.Detail) {
		return e.Detail
	}
	for name, problems := range e.Fields {
		body[name] = problems
	}
	if len(body) == 0 || status != http.StatusBadRequest {
		body["detail"] = e.Text
	}
	if e.Code != "" {
		body["code"] = e.Code
	}
	if status >= http.StatusInternalServerError {
		body["request_id"] = RequestID(c)
	}
	return body
}

// merge puts the members of a detail into the body; false if it has none.
func merge(body map[string]any, detail any) bool {
	text, err := json.Marshal(detail)
	if err != nil {
		return true
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	for name, member := range members {
		body[name] = member
	}
	return true
}

func failPage(c *fiber.Ctx, status int, e *fault.Error) error {
	trouble := Trouble{Status: status, Text: e.Text, Fields: e.Fields, Retry: e.Retry, Path: c.Path(), Actor: Actor(c)}
	if status >= http.StatusInternalServerError {
		trouble.RequestID = RequestID(c)
	}
	if err := Render(c, http.StatusText(status), of(c).cfg.Failure(c.UserContext(), trouble)); err != nil {
		of(c).cfg.Log.Error("failure page", "error", err.Error(), "request_id", RequestID(c))
		c.Response().ResetBody()
		return c.SendString(e.Text)
	}
	return nil
}
