package market

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/fault"
)

func TestU2_PasswordRule(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		password string
		good     bool
	}{
		"several words":                    {"seven grey lanterns", true},
		"15 characters":                    {"abkrz lmwq uiyt", true},
		"14 characters":                    {"abkrz lmwq uiy", false},
		"characters, not bytes":            {"ÄÖÜßéèêñçøåæœðþ", true},
		"one character in two code points": {"gre\u0301y lanterns x", true},
		"14 in NFC":                        {"gre\u0301y lanterns!", false},
		"256 characters":                   {strings.Repeat("seven grey lanterns, ", 12) + "abcd", true},
		"257 characters":                   {strings.Repeat("seven grey lanterns, ", 12) + "abcde", false},
		"megabytes":                        {strings.Repeat("seven grey lanterns, ", 1e5), false},
		"no rules of composition":          {"lowercaseletters without more", true},
		"white space":                      {"tab\tand\nline breaks", true},
		"one character":                    {"aaaaaaaaaaaaaaaa", false},
		"two characters":                   {"abababababababab", false},
		"a repeated word":                  {"lantern lantern lantern", false},
		"digits in order":                  {"1234567890123456", false},
		"the alphabet":                     {"abcdefghijklmnopq", false},
		"the alphabet backwards":           {"zyxwvutsrqponmlk", false},
		"the keyboard":                     {"qwertyuiopasdfghj", false},
		"a common word and a sequence":     {"password123456789", false},
		"common words":                     {"Welcome Admin Password!", false},
		"the product":                      {"portolan-portolan-1", false},
		"a famous one":                     {"correct horse battery staple", false},
		"the own name":                     {"Johanna.Miller", false},
		"the own name and little more":     {"johanna.miller-2026", false},
		"the own name in much more":        {"johanna.miller grows lanterns", true},
	}
	for name, tc := range tests {
		err := checkNewPassword(tc.password, "Johanna.Miller")
		if tc.good != (err == nil) || err != nil && len(fault.Of(err).Fields["password"]) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
