package market

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/portolan/portolan/fault"
)

func TestU1_HashIsArgon2idWithItsCost(t *testing.T) {
	t.Parallel()
	m := &Market{hashing: newHashing()}
	kept, err := m.hashPassword(t.Context(), "seven gre\u0301y lanterns")
	if err != nil || !strings.HasPrefix(kept, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hashPassword() = %q, %v", kept, err)
	}
	if other, _ := m.hashPassword(t.Context(), "seven gre\u0301y lanterns"); other == kept {
		t.Error("two hashes of a password are equal: where is the salt?")
	}
	for password, want := range map[string]bool{
		"seven gr\u00e9y lanterns": true, // U2: the same in NFC
		"seven grey lanterns":      false,
		"":                         false,
	} {
		if right, outdated, err := m.checkPassword(t.Context(), password, kept); right != want || outdated || err != nil {
			t.Errorf("checkPassword(%q) = %v, %v, %v", password, right, outdated, err)
		}
	}
}

func TestU3_NoHashMatchesNothing(t *testing.T) {
	t.Parallel()
	m := &Market{hashing: newHashing()}
	for _, kept := range []string{"", "none", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$"} {
		if right, _, err := m.checkPassword(t.Context(), "", kept); right || err != nil {
			t.Errorf("checkPassword against %q = %v, %v", kept, right, err)
		}
	}
}

func TestU1_OnlySoManyHashesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &Market{hashing: newHashing()}
		for range cap(m.hashing) {
			m.hashing <- struct{}{}
		}
		_, err := m.hashPassword(t.Context(), "seven grey lanterns")
		if f := fault.Of(err); f == nil || f.Kind != fault.TooMany || f.Retry <= 0 {
			t.Errorf("without a free place: %v", err)
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, _, err := m.checkPassword(left, "seven grey lanterns", ""); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who left: %v", err)
		}
	})
}
