package value

import (
	"testing"

	"pgregory.net/rapid"
)

// Differences are found exactly where values differ, and each of them is one (X25).
func TestX25_DiffIsEmptyWhenEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOrdering(3).Draw(t, "ordering")
		a := anyValue(3).Draw(t, "a")
		b := changed(t, a)
		found := Diff(&a, &b, o)
		if Equal(&a, &b, o) != (len(found) == 0) {
			t.Fatalf("Equal = %v, Diff = %v", Equal(&a, &b, o), found)
		}
		for _, d := range found {
			checkDifference(t, &b, d)
		}
	})
}

func checkDifference(t *rapid.T, after *Value, d Difference) {
	if d.Before != nil && d.After != nil && Equal(d.Before, d.After, nil) {
		t.Fatalf("%s: no difference", d.Pointer)
	}
	if want := map[string][2]bool{Add: {false, true}, Remove: {true, false}, Change: {true, true}}[d.Op]; want != [2]bool{d.Before != nil, d.After != nil} {
		t.Fatalf("%s: %s with before %v, after %v", d.Pointer, d.Op, d.Before, d.After)
	}
	if d.After != nil && at(after, d.Pointer) != d.After {
		t.Fatalf("%s does not lead to the value after", d.Pointer)
	}
}

// Without what the differences tell of, before and after are the same: no
// difference is left out (X25).
func TestX25_DiffTellsEverything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOrdering(3).Draw(t, "ordering")
		a := anyValue(4).Draw(t, "a")
		b := changed(t, changed(t, a))
		told := map[*Value]string{}
		for _, d := range Diff(&a, &b, o) {
			for _, side := range []*Value{d.Before, d.After} {
				if side != nil && told[side] != "" {
					t.Fatalf("%s is told of twice", d.Pointer)
				}
				if side != nil {
					told[side] = d.Op
				}
			}
		}
		restA, restB := without(&a, told), without(&b, told)
		if !Equal(&restA, &restB, o) {
			t.Fatalf("left are %s and %s", AppendJSON(nil, &restA), AppendJSON(nil, &restB))
		}
	})
}

// without copies v without what was added or removed, and with null in the
// place of what was changed.
func without(v *Value, told map[*Value]string) Value {
	if told[v] != "" {
		return Value{Kind: Null}
	}
	rest := Value{Kind: v.Kind, Text: v.Text}
	for i := range v.Items {
		if item := &v.Items[i]; told[item] == "" || told[item] == Change {
			rest.Items = append(rest.Items, without(item, told))
		}
	}
	for i := range v.Members {
		if m := &v.Members[i]; told[&m.Value] == "" || told[&m.Value] == Change {
			rest.Members = append(rest.Members, Member{Name: m.Name, Value: without(&m.Value, told)})
		}
	}
	return rest
}

// What appears and what disappears are mirror images (X25).
func TestX25_DiffIsAMirror(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "v")
		created, deleted := Diff(nil, &v, nil), Diff(&v, nil, nil)
		if len(created) != len(deleted) || len(created) != max(1, len(v.Members)) {
			t.Fatalf("%d appear, %d disappear", len(created), len(deleted))
		}
		for i := range created {
			if created[i].Pointer != deleted[i].Pointer || created[i].After != deleted[i].Before || created[i].Op != Add || deleted[i].Op != Remove {
				t.Fatalf("%v and %v", created[i], deleted[i])
			}
		}
	})
}

// The fields that differ and those that do not are all fields (X25).
func TestX25_UnchangedCountsTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOrdering(2).Draw(t, "ordering")
		a := anyValue(2).Filter(func(v Value) bool { return v.Kind == Object }).Draw(t, "a")
		b := changed(t, a)
		if b.Kind != Object {
			return
		}
		differing := map[string]bool{}
		for i := range b.Members {
			m := &b.Members[i]
			old, _ := a.Get(m.Name)
			if old == nil || len(Diff(old, &m.Value, o.member(m.Name))) > 0 {
				differing[m.Name] = true
			}
		}
		if got, want := Unchanged(&a, &b, o), len(b.Members)-len(differing); got != want {
			t.Fatalf("%d unchanged, want %d", got, want)
		}
	})
}
