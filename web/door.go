package web

import (
	"bytes"
	"io"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/portolan/portolan/fault"
)

type (
	refusalKey struct{} // why the door refuses a request
	methodKey  struct{} // the method it came with
)

// Handler is the front door (trust H3): it makes the path canonical before
// routing, so that each resource has one spelling and its optional trailing
// slash. What it refuses walks through the app all the same, and so is logged
// and answered like everything else.
func (a *App) Handler() fasthttp.RequestHandler {
	route := a.App.Handler()
	return func(ctx *fasthttp.RequestCtx) {
		refusal := check(ctx)
		if refusal != nil {
			turnDown(ctx, refusal)
		}
		route(ctx)
		finishBody(ctx, refusal)
	}
}

// check says why a request cannot be let in, and cleans its path if it can.
func check(ctx *fasthttp.RequestCtx) error {
	if err, ok := ctx.UserValue(unreadableKey{}).(error); ok {
		return err
	}
	if err := soundFraming(&ctx.Request.Header); err != nil {
		return err
	}
	if !knownMethods[string(ctx.Method())] {
		return fault.New(fault.NoMethod, "This method is not allowed here.")
	}
	path, query := target(ctx)
	if !strings.HasPrefix(path, "/") {
		return errMalformed
	}
	if !canonical(path) {
		return fault.Missing()
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	ctx.URI().SetPath(path)
	ctx.URI().SetQueryString(query)
	return nil
}

var (
	knownMethods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true}
	errMalformed = fiber.NewError(fiber.StatusBadRequest)
)

// target splits what the client asked for, every byte as it was sent.
func target(ctx *fasthttp.RequestCtx) (path, query string) {
	path, query, _ = strings.Cut(string(ctx.Request.Header.RequestURI()), "?")
	return path, query
}

// turnDown leads a refused request to the middleware that answers it.
func turnDown(ctx *fasthttp.RequestCtx, refusal error) {
	ctx.SetUserValue(refusalKey{}, refusal)
	ctx.SetUserValue(methodKey{}, string(ctx.Method()))
	ctx.Request.Header.SetMethod(fasthttp.MethodGet)
}

// refuse answers what the door did not let in.
func refuse(c *fiber.Ctx) error {
	if refusal, ok := c.Locals(refusalKey{}).(error); ok {
		return refusal
	}
	return c.Next()
}

// methodOf returns the method that the client sent.
func methodOf(c *fiber.Ctx) string {
	if method, ok := c.Locals(methodKey{}).(string); ok {
		return method
	}
	return c.Method()
}

// canonical reports whether a path is spelled in the one way that we route:
// no empty or dot segments, nothing that becomes a slash, a dot or the end of
// a string once decoded.
func canonical(path string) bool {
	for segment := range strings.SplitSeq(strings.TrimSuffix(path[1:], "/"), "/") {
		if segment == "." || segment == ".." || segment == "" && path != "/" {
			return false
		}
	}
	for i := 0; i < len(path); i++ {
		b := path[i]
		if b == '%' {
			var ok bool
			if b, ok = unhex(path[i+1:]); !ok || b == '/' || b == '.' {
				return false
			}
			i += 2
		}
		if b < ' ' || b == 0x7f || b == '\\' || b == '#' {
			return false
		}
	}
	return true
}

// soundFraming refuses a request if two readers could disagree where it ends.
func soundFraming(h *fasthttp.RequestHeader) error {
	var lengths, encodings int
	for line := range bytes.Lines(h.RawHeaders()) {
		name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{':'})
		if len(name) == 0 {
			break
		}
		if !ok || bytes.ContainsAny(name, " \t") {
			return errMalformed
		}
		switch strings.ToLower(string(name)) {
		case "content-length":
			lengths++
		case "transfer-encoding":
			encodings++
			if !strings.EqualFold(string(bytes.TrimSpace(value)), "chunked") {
				return errMalformed
			}
		}
	}
	if lengths+encodings > 1 || encodings > 0 && !h.IsHTTP11() {
		return errMalformed
	}
	return nil
}

// patience is how much of a refused body is read before the answer goes out:
// clients that are still sending would not see it otherwise.
const patience = 32 << 20

// finishBody deals with a body that nobody read: left alone, its bytes would
// be taken for the next request.
func finishBody(ctx *fasthttp.RequestCtx, refusal error) {
	if refusal == errMalformed { // nobody knows where it ends
		ctx.SetConnectionClose()
		return
	}
	if !ctx.Request.IsBodyStream() || ctx.Request.Header.ContentLength() == 0 {
		return
	}
	if n, err := io.CopyN(io.Discard, ctx.Request.BodyStream(), patience); n == patience || err != io.EOF {
		ctx.SetConnectionClose()
	}
}
