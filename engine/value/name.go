package value

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is how many characters a name has at most.
const MaxName = 255

// CheckName returns which rule for names of teams, applications, services and
// items (marketplace M3) name breaks, "" if none.
func CheckName(name string) string {
	if count := utf8.RuneCountInString(name); count < 1 || count > MaxName {
		return fmt.Sprintf("must be 1 to %d characters long (has %d)", MaxName, count)
	}
	if !utf8.ValidString(name) {
		return "must be valid UTF-8"
	}
	for _, r := range name {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return fmt.Sprintf("must not contain control or format characters (has U+%04X)", r)
		}
	}
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	switch {
	case unicode.IsSpace(first) || unicode.IsSpace(last):
		return "must not begin or end with white space"
	case !norm.NFC.IsNormalString(name):
		return "must be in Unicode normal form NFC"
	}
	return ""
}
