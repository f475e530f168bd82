package web

import (
	"errors"
	"io"
	"net"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// Body returns a copy of the request's body as it was sent (trust H5). It is
// the only way to a body: it counts, and decompresses nothing.
func Body(c *fiber.Ctx) ([]byte, error) {
	body, err := receive(c)
	return slices.Clone(body), err
}

// receive reads the body once, up to the limit of whoever sends it.
func receive(c *fiber.Ctx) ([]byte, error) {
	limit := StrangerLimit
	if Actor(c).Known() {
		limit = BodyLimit
	}
	request := c.Request()
	if !request.IsBodyStream() {
		if body := c.BodyRaw(); len(body) <= limit {
			return body, nil
		}
		return nil, tooLarge(limit)
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
