package web

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
)

type (
	fiberCtx  = fiber.Ctx
	ctx       = context.Context
	component = templ.Component
)

func itoa(n int) string { return strconv.Itoa(n) }

// halfway is a component that cannot be rendered.
type halfway struct{}

func (halfway) Render(_ ctx, w io.Writer) error {
	io.WriteString(w, "half a page")
	return errors.New("no more")
}
