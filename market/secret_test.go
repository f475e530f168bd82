package market

import (
	"regexp"
	"strings"
	"testing"
)

func TestU5_CredentialsHaveAPublicAndASecretPart(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^ptl_[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{43}$`)
	seen := map[string]bool{}
	for range 100 {
		text, prefix := newCredential(keyMark)
		if !form.MatchString(text) || seen[text] || seen[prefix] {
			t.Fatalf("newCredential() = %q", text)
		}
		seen[text], seen[prefix] = true, true
		if found, ok := publicPart(text, keyMark); !ok || found != prefix {
			t.Fatalf("publicPart(%q) = %q, %v", text, found, ok)
		}
		if !matches(text, hashOf(text)) || matches(text+"x", hashOf(text)) {
			t.Fatal("a secret must match its own hash only")
		}
	}
}

func TestU5_OtherTextsAreNoCredentials(t *testing.T) {
	t.Parallel()
	good, _ := newCredential(keyMark)
	token, _ := newCredential(tokenMark)
	for _, text := range []string{"", "ptl_", good[:len(good)-1], good + "x", token, strings.Replace(good, ".", "-", 1),
		good[:6] + "\x00" + good[7:], good[:6] + "\xff" + good[7:], strings.ToUpper(good)} {
		if prefix, ok := publicPart(text, keyMark); ok {
			t.Errorf("publicPart(%q) = %q", text, prefix)
		}
	}
}
