package components

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Link leads somewhere under a text.
type Link struct{ Text, Href string }

// Notice is a sentence and how good the news is; without text there is none.
type Notice struct {
	Tone Tone
	Text string
}

// Lateness says how a wait compares with what its service promises (portal QUE6).
type Lateness int

// The degrees of lateness.
const (
	OnTime Lateness = iota
	Late
	Overdue
)

// utc writes a moment in full, for readers without script.
func utc(at time.Time) string { return at.UTC().Format("2 Jan 2006 15:04 UTC") }

// machine writes a moment for the datetime attribute.
func machine(at time.Time) string { return at.UTC().Format(time.RFC3339) }

var webAddress = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `]+`)

// run is a stretch of people's text, with an address where it is a link.
type run struct{ text, href string }

// runs splits text at its web addresses; a full stop or bracket that ends a
// sentence is not part of the address before it.
func runs(text string) []run {
	var out []run
	from := 0
	for _, at := range webAddress.FindAllStringIndex(text, -1) {
		address := strings.TrimRight(text[at[0]:at[1]], ".,;:!?)]}")
		if at[0] > from {
			out = append(out, run{text: text[from:at[0]]})
		}
		out = append(out, run{text: address, href: address})
		from = at[0] + len(address)
	}
	if from < len(text) {
		out = append(out, run{text: text[from:]})
	}
	return out
}

// counted writes a number with its noun: "1 change", "2 changes".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped writes a number with a comma before each three digits.
func grouped(n int) string {
	if n < 0 {
		return "−" + grouped(-n)
	}
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
