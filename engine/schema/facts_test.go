package schema

import (
	"testing"

	"github.com/portolan/portolan/engine/value"
	"pgregory.net/rapid"
)

func TestS1_Facts(t *testing.T) {
	t.Parallel()
	s := compiled(t, with("", `"description":"A disk.","metadata":{"approval_required":false,"monthly_cost":12.50,"cost_per_change":1e1,
		"compare":{"arrays":"unordered"},"delivery":{"supersede":"unfetched"}}`))
	if s.Title() != "Disk" || s.Description() != "A disk." {
		t.Errorf("Title() = %q, Description() = %q", s.Title(), s.Description())
	}
	m := s.Metadata()
	if m.ApprovalRequired == nil || *m.ApprovalRequired || !m.SupersedeUnfetched || !m.UnorderedArrays || m.MonthlyCost != "12.50" || m.CostPerChange != "1e1" {
		t.Errorf("Metadata() = %+v", m)
	}
}

func TestS1_FactsOfAPlainSchema(t *testing.T) {
	t.Parallel()
	s := compiled(t, with("", ""))
	if m := s.Metadata(); m != (Metadata{}) || s.Description() != "" || s.HasReferences() || len(s.Warnings()) > 0 {
		t.Errorf("Metadata() = %+v, Warnings() = %s", m, said(s.Warnings()))
	}
}

// Unchanged schema: no new version (marketplace S1).
func TestS1_Equal(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		other string
		equal bool
	}{
		"itself":              {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":10}}}`, true},
		"keys in other order": {`{"properties":{"name":{"maxLength":10,"type":"string"}},"required":["name"],"type":"object","title":"D"}`, true},
		"numbers as written":  {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":1e1}}}`, true},
		"another number":      {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":11}}}`, false},
		"a description":       {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":10}},"description":""}`, false},
	}
	base := compiled(t, tests["itself"].other)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if other := compiled(t, tc.other); base.Equal(other) != tc.equal || other.Equal(base) != tc.equal {
				t.Errorf("Equal(%s) is not %v", tc.other, tc.equal)
			}
		})
	}
}

// Two values have one key exactly if JSON Schema calls them equal.
func TestUniqueItems_KeyIsEquality(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyValue(2).Draw(t, "a"), anyValue(2).Draw(t, "b")
		same := string(appendKey(nil, plain(&a))) == string(appendKey(nil, plain(&b)))
		if same != value.Equal(&a, &b, nil) {
			t.Fatalf("key says %v for %s and %s", same, value.AppendJSON(nil, &a), value.AppendJSON(nil, &b))
		}
	})
}

// anyValue draws values that are often nearly equal.
func anyValue(depth int) *rapid.Generator[value.Value] {
	leaf := rapid.OneOf(
		rapid.Just(value.Value{Kind: value.Null}),
		rapid.Map(rapid.SampledFrom([]string{"true", "false"}), func(text string) value.Value { return value.Value{Kind: value.Bool, Text: text} }),
		rapid.Map(rapid.SampledFrom([]string{"0", "-0", "0.0", "1", "1.0", "10e-1", "-1", "257", "1e400", "9007199254740993"}), func(text string) value.Value {
			return value.Value{Kind: value.Number, Text: text}
		}),
		rapid.Map(rapid.SampledFrom([]string{"", "1", "a", "a\x04b", "\x01"}), func(text string) value.Value { return value.Value{Kind: value.String, Text: text} }),
	)
	if depth == 0 {
		return leaf
	}
	array := rapid.Map(rapid.SliceOfN(anyValue(depth-1), 0, 3), func(items []value.Value) value.Value { return value.Value{Kind: value.Array, Items: items} })
	object := rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"", "a", "b"}), anyValue(depth-1), 0, 3), func(members map[string]value.Value) value.Value {
		out := value.Value{Kind: value.Object}
		for name, v := range members {
			out.Members = append(out.Members, value.Member{Name: name, Value: v})
		}
		return out
	})
	return rapid.OneOf(leaf, array, object)
}
