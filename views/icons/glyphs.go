// Package icons draws the portal's small signs as inline SVG.
package icons

// The states of changes and items (portal X23).
const (
	Pending        Glyph = "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 4.75V8h3"
	Approved       Glyph = "M3 8.5 6.5 12 13 4.5"
	Rejected       Glyph = "M4 4l8 8M12 4l-8 8"
	Errored        Glyph = "M8 2.5v7.25M8 13.25h.01"
	Completed      Glyph = "M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9Z"
	Closed         Glyph = "M8 2.75a5.25 5.25 0 1 0 0 10.5a5.25 5.25 0 1 0 0-10.5"
	Requested      Glyph = "M8 2h.01M12.24 3.76h.01M14 8h.01M12.24 12.24h.01M8 14h.01M3.76 12.24h.01M2 8h.01M3.76 3.76h.01"
	InService      Glyph = "M8 2.25a5.75 5.75 0 1 0 0 11.5a5.75 5.75 0 1 0 0-11.5M8 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4M8 7.75v.5"
	Decommissioned Glyph = "M8 2.25a5.75 5.75 0 1 0 0 11.5a5.75 5.75 0 1 0 0-11.5M4 4l8 8"
)

// The places of the navigation.
const (
	Home         Glyph = "M2.5 7.5 8 2.75l5.5 4.75M4 6.5v6.75h8V6.5M6.75 13v-3.25h2.5V13"
	Declare      Glyph = "M3 13l.6-2.8L11 2.8a1.2 1.2 0 0 1 1.7 0l.5.5a1.2 1.2 0 0 1 0 1.7l-7.4 7.4ZM9.75 4.25l2 2"
	Applications Glyph = "M2.75 2.75h4.5v4.5h-4.5ZM8.75 2.75h4.5v4.5h-4.5ZM2.75 8.75h4.5v4.5h-4.5ZM8.75 8.75h4.5v4.5h-4.5Z"
	Items        Glyph = "M8 1.75l5.5 3v6.5l-5.5 3l-5.5-3v-6.5ZM2.75 5 8 7.75 13.25 5M8 7.75v6.25"
	Submissions  Glyph = "M14 2 7.25 8.75M14 2 9.5 14 7.25 8.75 2 6.5Z"
	Changes      Glyph = "M2.5 5h10M10 2.5 12.5 5 10 7.5M13.5 11h-10M6 8.5 3.5 11 6 13.5"
	Queue        Glyph = "M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.5M2.5 8h.5M2.5 12h.5"
	Services     Glyph = "M2.5 2.75h11v4h-11ZM2.5 9.25h11v4h-11ZM5 4.75h.5M5 11.25h.5"
	Catalogue    Glyph = "M8 3.75C6.5 2.75 4.5 2.5 2.25 2.75v9.5C4.5 12 6.5 12.25 8 13.25c1.5-1 3.5-1.25 5.75-1v-9.5C11.5 2.5 9.5 2.75 8 3.75ZM8 3.75v9.5"
	Team         Glyph = "M6 2.75a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M1.5 13.25c.25-2.5 2-4 4.5-4s4.25 1.5 4.5 4M10.75 3a2.4 2.4 0 0 1 0 4.5M12 9.75c1.5.5 2.25 1.75 2.5 3.5"
	Audit        Glyph = "M3.75 1.75h8.5v12.5h-8.5ZM6 5h4M6 8h4M6 11h2.5"
	Admin        Glyph = "M8 1.75l5.25 2v4c0 3-2 5.25-5.25 6.5c-3.25-1.25-5.25-3.5-5.25-6.5v-4ZM5.75 8l1.6 1.6L10.5 6.5"
	Inbox        Glyph = "M2.25 9.25 4 3h8l1.75 6.25v3.5H2.25ZM2.25 9.25h3.5c.25 1.25 1 2 2.25 2s2-.75 2.25-2h3.5"
	User         Glyph = "M8 2.5a2.75 2.75 0 1 0 0 5.5a2.75 2.75 0 1 0 0-5.5M2.75 13.5c.5-2.75 2.5-4 5.25-4s4.75 1.25 5.25 4"
)

// Things to press and signs beside a sentence.
const (
	Search   Glyph = "M7 2.25a4.75 4.75 0 1 0 0 9.5a4.75 4.75 0 1 0 0-9.5M10.5 10.5 14 14"
	Menu     Glyph = "M2.5 4h11M2.5 8h11M2.5 12h11"
	Filter   Glyph = "M2.5 4h11M4.5 8h7M6.5 12h3"
	Down     Glyph = "M4 6l4 4l4-4"
	Up       Glyph = "M4 10l4-4l4 4"
	UpDown   Glyph = "M5 6l3-3l3 3M5 10l3 3l3-3"
	Left     Glyph = "M10 4 6 8l4 4"
	Right    Glyph = "M6 4l4 4l-4 4"
	Close    Glyph = "M4 4l8 8M12 4l-8 8"
	Check    Glyph = "M3 8.5 6.5 12 13 4.5"
	More     Glyph = "M3.5 8h.01M8 8h.01M12.5 8h.01"
	Copy     Glyph = "M5.75 5.75h7.5v7.5h-7.5ZM3 10.25v-7.5h7.25"
	Info     Glyph = "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 7.25v3.75M8 4.75v.01"
	Warning  Glyph = "M8 2 14.5 13.5h-13ZM8 6.5v3.25M8 11.6v.01"
	Clock    Glyph = Pending
	Comment  Glyph = "M2.25 3h11.5v8H7l-3 2.75V11H2.25Z"
	SignOut  Glyph = "M6.25 2.75h-3.5v10.5h3.5M6.5 8h7.25M11 5.25 13.75 8 11 10.75"
	External Glyph = "M6.5 3.25H3.25v9.5h9.5V9.5M9 2.75h4.25V7M13 3 7.5 8.5"
)

// fill is the colour inside a glyph: only what is completed is solid.
func (g Glyph) fill() string {
	if g == Completed {
		return "currentColor"
	}
	return "none"
}
