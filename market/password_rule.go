package market

import (
	"strings"
	"unicode/utf8"

	"github.com/portolan/portolan/fault"
	"golang.org/x/text/unicode/norm"
)

const (
	passwordLeast = 15
	passwordMost  = 256
	restLeast     = 6 // what a password must have besides words that everybody tries
)

// triedFirst are words that guessing begins with. It is a short list of our own,
// not one of the commonest passwords: of those, the length alone refuses nearly
// all, and the shapes below most of what remains.
var triedFirst = []string{
	"correcthorsebatterystaple", "correct horse battery staple", "administrator", "password", "passwort", "passw0rd",
	"p@ssw0rd", "p@ssword", "portolan", "netorca", "marketplace", "admin", "welcome", "willkommen", "letmein", "changeme", "change me",
	"iloveyou", "qwertz", "qwerty", "azerty", "secret", "geheim", "login", "default", "trustno1", "dragon", "monkey", "football", "baseball",
	"sunshine", "princess", "superman", "master", "test", "guest", "root",
}

// keyboard has the keys in the order in which lazy fingers press them.
const keyboard = "1234567890qwertyuiopasdfghjklzxcvbnm"

// checkNewPassword refuses passwords that are too short, too long or among the
// first that anybody would try (trust U2): sequences, repetitions, the user's
// own name, and well-known words with little beside them. Any character may be
// used and none must be.
func checkNewPassword(password, user string) error {
	if n := utf8.RuneCountInString(norm.NFC.String(password[:min(len(password), passwordText)])); n < passwordLeast || n > passwordMost || len(password) > passwordText {
		return fault.Field("password", "A password has %d to %d characters.", passwordLeast, passwordMost)
	}
	lower := strings.ToLower(norm.NFC.String(password))
	rest := strip(lower, append([]string{strings.ToLower(norm.NFC.String(user))}, triedFirst...))
	if len(rest) < restLeast || shapeless(rest) || shapeless([]rune(lower)) {
		return fault.Field("password", "This password is too easy to guess. Take several words that have nothing to do with each other or with you.")
	}
	return nil
}

// strip takes words out of a text; of a very short word nothing can be learnt.
func strip(text string, words []string) []rune {
	for _, word := range words {
		if utf8.RuneCountInString(word) > 2 {
			text = strings.ReplaceAll(text, word, "")
		}
	}
	return []rune(text)
}

// shapeless reports whether a text says the same thing again and again or just
// walks along the alphabet, the digits or the keyboard.
func shapeless(text []rune) bool {
	steps := 0
	for i := 1; i < len(text); i++ {
		if neighbours(text[i-1], text[i]) {
			steps++
		}
	}
	return steps*4 >= (len(text)-1)*3 || repeats(text)
}

func neighbours(a, b rune) bool {
	if d := a - b; d >= -1 && d <= 1 {
		return true
	}
	i, j := strings.IndexRune(keyboard, a), strings.IndexRune(keyboard, b)
	return i >= 0 && j >= 0 && i-j >= -1 && i-j <= 1
}

// repeats reports whether a text is one short piece over and over.
func repeats(text []rune) bool {
	for period := 1; period <= len(text)/2 && period < passwordLeast; period++ {
		same := period
		for same < len(text) && text[same] == text[same-period] {
			same++
		}
		if same == len(text) {
			return true
		}
	}
	return false
}
