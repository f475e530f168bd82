package market

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// The beginnings by which secrets are told apart, by people and by scanners.
const (
	keyMark   = "ptl_" // of API keys
	tokenMark = "ptu_" // of user tokens
)

const (
	publicBytes = 6  // 8 characters that name a secret
	secretBytes = 32 // 43 characters that nobody guesses
	prefixSize  = len(keyMark) + 8
	credentials = prefixSize + 1 + 43
)

// IsAPIKey reports whether a text looks like an API key.
func IsAPIKey(text string) bool { return strings.HasPrefix(text, keyMark) }

// IsUserToken reports whether a text looks like a user token.
func IsUserToken(text string) bool { return strings.HasPrefix(text, tokenMark) }

// newCredential makes a key or a token, mark<8 public>.<43 secret>, and the
// public part that finds it again (trust U5).
func newCredential(mark string) (text, prefix string) {
	prefix = mark + random(publicBytes)
	return prefix + "." + random(secretBytes), prefix
}

// random is that many random bytes as text for cookies and headers.
func random(bytes int) string {
	drawn := make([]byte, bytes)
	rand.Read(drawn) // never fails: it would end the process
	return base64.RawURLEncoding.EncodeToString(drawn)
}

// publicPart cuts the part by which a credential is found out of it.
func publicPart(text, mark string) (prefix string, ok bool) {
	if len(text) != credentials || !strings.HasPrefix(text, mark) || text[prefixSize] != '.' {
		return "", false
	}
	return text[:prefixSize], readable(text)
}

// readable reports whether a text is plain ASCII, which databases take as it is.
func readable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// hashOf is what is kept of a random secret: a fast hash is right for 256 bits.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// matches compares a secret with a kept hash in constant time.
func matches(secret string, hash []byte) bool {
	return subtle.ConstantTimeCompare(hashOf(secret), hash) == 1
}
