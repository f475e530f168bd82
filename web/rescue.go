package web

import (
	"fmt"
	"log/slog"
	"runtime"

	"github.com/gofiber/fiber/v2"
)

// rescue turns a panic below it into one 500 with an id (trust H6, A13).
func (a *App) rescue(c *fiber.Ctx) (err error) {
	c.Locals(appKey{}, a)
	defer func() {
		if r := recover(); r != nil {
			err = Fail(c, panicked{fmt.Sprint(r), places()})
		}
	}()
	return c.Next()
}

// panicked is a panic on its way to the log.
type panicked struct {
	text   string
	places []string
}

func (p panicked) Error() string { return "panic: " + p.text }

// places names the lines that led to a panic, the nearest first.
func places() []string {
	pc := make([]uintptr, 24)
	frames := runtime.CallersFrames(pc[:runtime.Callers(4, pc)])
	var lines []string
	for {
		frame, more := frames.Next()
		lines = append(lines, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		if !more {
			return lines
		}
	}
}

// Go starts work in a goroutine of its own; a panic in it is logged and ends
// only this work.
func Go(log *slog.Logger, name string, work func()) {
	go func() {
		defer survive(log, name)
		work()
	}()
}

func survive(log *slog.Logger, name string) {
	if r := recover(); r != nil {
		log.Error("panic", "work", name, "error", fmt.Sprint(r), "places", places())
	}
}
