package web

import (
	"errors"
	"io"
	"net"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/portolan/portolan/fault"
)

type bodyKey struct{}

// Body returns the request's body as it was sent (trust H5). It is the only
// way to a body: it counts, decompresses nothing, and what it returns stays.
func Body(c *fiber.Ctx) ([]byte, error) {
	if body, ok := c.Locals(bodyKey{}).([]byte); ok {
		return body, nil
	}
	body, err := readBody(c.Request(), limitOf(c))
	if err == nil {
		c.Locals(bodyKey{}, body)
	}
	return body, err
}

// limitOf returns how much whoever sends the request may send.
func limitOf(c *fiber.Ctx) int {
	if Actor(c).Known() {
		return BodyLimit
	}
	return StrangerLimit
}

func readBody(request *fasthttp.Request, limit int) ([]byte, error) {
	if !request.IsBodyStream() {
		return nil, nil // only requests without a body are not streams
	}
	if request.Header.ContentLength() > limit {
		return nil, tooLarge(limit)
	}
	body, err := io.ReadAll(io.LimitReader(request.BodyStream(), int64(limit)+1))
	if err != nil {
		return nil, broken(err)
	}
	if len(body) > limit {
		return nil, tooLarge(limit)
	}
	request.SetBodyRaw(body)
	return body, nil
}

func tooLarge(limit int) error {
	if limit >= 1<<20 {
		return fault.New(fault.TooLarge, "The request is larger than %d MiB.", limit>>20)
	}
	return fault.New(fault.TooLarge, "The request is larger than %d KiB.", limit>>10)
}

// broken tells a client that was too slow from one that stopped half-way.
func broken(err error) error {
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return fiber.NewError(fiber.StatusRequestTimeout)
	}
	return errMalformed
}
