package web

import (
	"bufio"
	"context"
	"net"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// Event is one message of a live stream. Its data name things and say no more:
// the page fetches what it may see (portal.md X19).
type Event struct {
	ID   string
	Name string
	Data string
}

const (
	streamLife = 30 * time.Minute
	heartbeat  = 15 * time.Second
	streamWait = 30 * time.Second // for a client to take one event
)

// Stream sends events until their channel closes, the client goes away, half
// an hour is over or the app stops (trust H4). follow is called once, with a
// context that ends with the stream.
func Stream(c *fiber.Ctx, follow func(ctx context.Context) <-chan Event) error {
	a := of(c)
	leave, ok := a.slots.stream.enter(nameOf(Actor(c)))
	if !ok {
		return busy(fault.TooMany, "Too many pages are listening. Close some.")
	}
	c.Set(fiber.HeaderContentType, "text/event-stream")
	c.Set("X-Accel-Buffering", "no")
	conn := c.Context().Conn()
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer leave()
		defer survive(a.cfg.Log, "stream")
		ctx, cancel := context.WithTimeout(context.Background(), streamLife)
		defer cancel()
		a.pump(ctx, follow(ctx), func(text string) error { return push(conn, w, text) })
	})
	return nil
}

// pump sends what comes, and a heartbeat when nothing does.
func (a *App) pump(ctx context.Context, events <-chan Event, send func(string) error) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for err := send("retry: 3000\n\n"); err == nil; {
		select {
		case event, more := <-events:
			if !more {
				return
			}
			err = send(event.text())
		case <-beat.C:
			err = send(": \n\n")
		case <-ctx.Done():
			return
		case <-a.closing:
			return
		}
	}
}

// push moves the connection's deadline on, for the server sets it once per
// answer, and flushes.
func push(conn net.Conn, w *bufio.Writer, text string) error {
	if err := conn.SetWriteDeadline(time.Now().Add(streamWait)); err != nil {
		return err
	}
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	return w.Flush()
}

// text writes an event as the browser reads it.
func (e Event) text() string {
	var b strings.Builder
	for _, field := range [][2]string{{"id", e.ID}, {"event", e.Name}} {
		if field[1] != "" {
			b.WriteString(field[0] + ": " + oneLine.Replace(field[1]) + "\n")
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(e.Data, "\r", "") + "\n") {
		b.WriteString("data: " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String() + "\n"
}

var oneLine = strings.NewReplacer("\r", "", "\n", "")
