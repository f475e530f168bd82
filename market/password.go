package market

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/portolan/portolan/fault"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// cost is how hard argon2id works on a password.
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

// today is the cost of new hashes (trust U1); older ones are renewed at sign-in.
var today = cost{memory: 19 * 1024, passes: 2, threads: 1}

const (
	saltBytes    = 16
	hashBytes    = 32
	hashingWait  = 5 * time.Second // for a place to hash in
	passwordText = 8 * 1024        // bytes that are looked at; more is no password
)

// newHashing has a place for each password that may be hashed at once, so that
// many sign-ins take no more memory than GOMAXPROCS hashes (trust U1).
func newHashing() chan struct{} { return make(chan struct{}, runtime.GOMAXPROCS(0)) }

// takePlace waits for a place to hash in; who waits for long is sent away.
func (m *Market) takePlace(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(hashingWait)
	defer timer.Stop()
	select {
	case m.hashing <- struct{}{}:
		return func() { <-m.hashing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, tooMany(hashingWait, "Too many people sign in right now.")
	}
}

// tooMany asks to come back later.
func tooMany(retry time.Duration, text string) *fault.Error {
	retry = max(time.Second, (retry + time.Second - 1).Truncate(time.Second))
	return &fault.Error{Kind: fault.TooMany, Retry: retry,
		Text: fmt.Sprintf("%s Try again in %d seconds.", text, retry/time.Second)}
}

// hashPassword is what is kept of a password: argon2id as a PHC string.
func (m *Market) hashPassword(ctx context.Context, password string) (string, error) {
	leave, err := m.takePlace(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails: it would end the process
	return phc(today, salt, today.hash(password, salt)), nil
}

// checkPassword reports whether a password is the one that was hashed, and
// whether its hash costs less than today's. It takes one hash whatever was kept,
// also if nothing was (trust U3).
func (m *Market) checkPassword(ctx context.Context, password, kept string) (right, outdated bool, err error) {
	leave, err := m.takePlace(ctx)
	if err != nil {
		return false, false, err
	}
	defer leave()
	c, salt, want, ok := parsePHC(kept)
	if !ok {
		c, salt, want = today, make([]byte, saltBytes), nil
	}
	same := subtle.ConstantTimeCompare(c.hash(password, salt), want) == 1
	return same && len(password) <= passwordText, c != today, nil
}

func (c cost) hash(password string, salt []byte) []byte {
	if len(password) > passwordText {
		password = ""
	}
	return argon2.IDKey(norm.NFC.AppendString(nil, password), salt, c.passes, c.memory, c.threads, hashBytes)
}

// phc writes a hash the way that says how it was made.
func phc(c cost, salt, hash []byte) string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.threads, encode(salt), encode(hash))
}

func parsePHC(text string) (c cost, salt, hash []byte, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.threads)
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	hash, hashErr := base64.RawStdEncoding.DecodeString(parts[5])
	return c, salt, hash, err == nil && saltErr == nil && hashErr == nil && c.passes > 0 && c.threads > 0 && len(hash) == hashBytes
}
