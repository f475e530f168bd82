package pages

import (
	"fmt"
	"time"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/views/components"
)

// counted writes a number with its noun: 1 change, 2 changes.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func plus(n int) string { return fmt.Sprintf("and %d more", n) }

// on writes a day as people say it: 14 Nov, with the year where it is another.
func on(at time.Time) string {
	if at.Year() == models.Now().Year() {
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// The ages at which a pending change is late and overdue (portal QUE6).
const (
	warnAge   = 24 * time.Hour
	breachAge = 72 * time.Hour
)

// lateness says how a wait compares with what people may expect.
func lateness(since time.Time) components.Lateness {
	switch age := models.Now().Sub(since); {
	case age >= breachAge:
		return components.Overdue
	case age >= warnAge:
		return components.Late
	}
	return components.OnTime
}

// rejectedBefore says who refused the wish before, when and why (portal DEC5, QUE1).
func rejectedBefore(at time.Time, by, log string) string {
	text := fmt.Sprintf("rejected before on %s by %s", on(at), by)
	if log != "" {
		text += ": " + log
	}
	return text
}
