package web

import (
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// drain is how long requests under way may take to end (trust O4).
const drain = 25 * time.Second

// Serve answers on a listener until ctx ends; then it stops being ready,
// lets the grace pass so that proxies notice, takes no more connections and
// waits for what is under way.
func (a *App) Serve(ctx context.Context, listener net.Listener, grace time.Duration) error {
	server := a.server()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(lineListener{listener}) }()
	select {
	case err := <-ended:
		return cmp.Or(err, net.ErrClosed) // nobody asked it to end
	case <-ctx.Done():
	}
	close(a.closing)
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
	}
	last, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	return errors.Join(server.ShutdownWithContext(last), ignoreClosed(listener.Close()))
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// server is Fiber's own server, but bodies are left on the socket until
// somebody asks for them: strangers cannot fill the memory.
func (a *App) server() *fasthttp.Server {
	handler := a.Handler()
	cfg := a.Config()
	return &fasthttp.Server{
		Handler:                      handler,
		ErrorHandler:                 func(ctx *fasthttp.RequestCtx, err error) { unreadable(ctx, err, handler) },
		ConnState:                    lineState,
		ReadTimeout:                  a.readTimeout,
		WriteTimeout:                 a.writeTimeout,
		IdleTimeout:                  cfg.IdleTimeout,
		ReadBufferSize:               cfg.ReadBufferSize,
		MaxRequestBodySize:           cfg.BodyLimit,
		StreamRequestBody:            true,
		DisablePreParseMultipartForm: true,
		NoDefaultServerHeader:        true,
		SecureErrorLogMessage:        true,
		CloseOnShutdown:              true,
		Logger:                       serverLog{a.cfg.Log},
	}
}

// unreadable answers what is not an HTTP request. It is most likely a program
// that sent it.
func unreadable(ctx *fasthttp.RequestCtx, err error, handler fasthttp.RequestHandler) {
	ctx.Request.Reset()
	ctx.Response.Reset()
	ctx.Request.SetRequestURI("/v1")
	ctx.SetUserValue(unreadableKey{}, statusOf(err))
	handler(ctx)
	ctx.SetConnectionClose()
}

type unreadableKey struct{}

func statusOf(err error) error {
	var small *fasthttp.ErrSmallBuffer
	var network net.Error
	switch {
	case errors.As(err, &small):
		return fiber.NewError(fiber.StatusRequestHeaderFieldsTooLarge)
	case errors.As(err, &network) && network.Timeout():
		return fiber.NewError(fiber.StatusRequestTimeout)
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return tooLarge(BodyLimit)
	}
	return errMalformed
}
