// Package fault holds the one error type for failures that people can expect:
// each has a kind that decides the status, and a sentence that says what to do.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what went wrong in a way that a status code can be derived from.
type Kind string

// The kinds of expected failures, with the status they become.
const (
	Invalid     Kind = "invalid"     // 400: the input breaks a rule
	Unknown     Kind = "unknown"     // 401: nobody we know
	Forbidden   Kind = "forbidden"   // 403: known, but not allowed to
	NotFound    Kind = "not found"   // 404: not there, or not yours to see
	NoMethod    Kind = "no method"   // 405
	Conflict    Kind = "conflict"    // 409: somebody was faster
	Gone        Kind = "gone"        // 410: expired
	Outdated    Kind = "outdated"    // 412: If-Match does not hold
	TooLarge    Kind = "too large"   // 413
	Unsupported Kind = "unsupported" // 415: not a media type we read
	TooMany     Kind = "too many"    // 429: come back later
	Unavailable Kind = "unavailable" // 503: the database is away
)

// Error is an expected failure.
type Error struct {
	Kind   Kind
	Text   string              // a sentence for people
	Code   string              // machine-readable reason of a conflict, such as "stale_preview"
	Fields map[string][]string // sentences by the field they are about
	Detail any                 // further members of the answer, such as an error tree; encoded as JSON
	Retry  time.Duration       // when to come back, 0 if there is no telling
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Text }

// New makes an expected failure of a kind with a sentence for people.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// Field makes an Invalid failure about one field of the input.
func Field(name, format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	return &Error{Kind: Invalid, Text: text, Fields: map[string][]string{name: {text}}}
}

// Missing makes the one NotFound failure: what is not there and what is not
// yours are told apart by nothing (trust Z3).
func Missing() *Error { return New(NotFound, "Not found.") }

// Of returns the expected failure in err's chain, nil if there is none.
func Of(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Is reports whether err is an expected failure of this kind.
func Is(err error, kind Kind) bool {
	e := Of(err)
	return e != nil && e.Kind == kind
}
