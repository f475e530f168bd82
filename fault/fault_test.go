package fault_test

import (
	"fmt"
	"testing"

	"github.com/portolan/portolan/fault"
)

// An expected failure is found however deep it is wrapped.
func TestOf(t *testing.T) {
	t.Parallel()
	cause := fault.Field("name", "The name %q is taken.", "VM")
	err := fmt.Errorf("publish: %w", fmt.Errorf("create: %w", cause))
	if fault.Of(err) != cause || !fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		t.Errorf("Of() = %v", fault.Of(err))
	}
	if got := cause.Fields["name"]; len(got) != 1 || got[0] != `The name "VM" is taken.` || cause.Error() != got[0] {
		t.Errorf("fields %v, text %q", got, cause)
	}
	if plain := fmt.Errorf("disk full"); fault.Of(plain) != nil || fault.Is(plain, fault.Invalid) {
		t.Error("an unexpected failure passes for an expected one")
	}
	if !fault.Is(fault.Missing(), fault.NotFound) {
		t.Error("Missing is not NotFound")
	}
}
