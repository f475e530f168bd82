package value

import "strconv"

// What a Difference does to the value before.
const (
	Add    = "add"
	Remove = "remove"
	Change = "change"
)

// Difference is one place where two values differ. Its pointer leads into the
// value after; only the last part of a removal's is an index or key of the
// value before.
type Difference struct {
	Pointer string
	Op      string
	Before  *Value // nil for an addition
	After   *Value // nil for a removal
}

// Diff returns the differences that lead from before to after, as deep inside
// as they can be told and in the order of after, removals of an object's
// members last. An absent value is nil; one that appears or disappears differs
// in each of its top-level members.
func Diff(before, after *Value, o *Ordering) []Difference {
	d := differ{budget: maxAlignment}
	if before == nil || after == nil {
		d.whole(before, after)
	} else {
		d.compare(before, after, o)
	}
	return d.found
}

// Unchanged counts the top-level members that before and after have in common.
func Unchanged(before, after *Value, o *Ordering) (count int) {
	if before == nil || after == nil {
		return 0
	}
	find := finder(before)
	for i := range after.Members {
		m := &after.Members[i]
		if old := find(m.Name, i); old != nil && Equal(old, &m.Value, o.member(m.Name)) {
			count++
		}
	}
	return count
}

// differ collects differences while it walks through two values.
type differ struct {
	found  []Difference
	path   []byte // JSON Pointer of the place where the walk is
	budget int    // cells that may still be spent on aligning arrays
}

// whole tells of a value that appears or disappears.
func (d *differ) whole(before, after *Value) {
	v := after
	if after == nil {
		v = before
	}
	if v == nil {
		return
	}
	if len(v.Members) == 0 {
		d.tell(before, after)
	}
	for i := range v.Members {
		m := &v.Members[i]
		path := d.enter(m.Name)
		if after == nil {
			d.tell(&m.Value, nil)
		} else {
			d.tell(nil, &m.Value)
		}
		d.path = d.path[:path]
	}
}

// compare tells of the differences between two values at the same place.
func (d *differ) compare(before, after *Value, o *Ordering) {
	switch {
	case before.Kind == Object && after.Kind == Object:
		d.objects(before, after, o)
	case before.Kind == Array && after.Kind == Array && o != nil && o.Unordered:
		d.multisets(before.Items, after.Items, o.items())
	case before.Kind == Array && after.Kind == Array:
		d.arrays(before.Items, after.Items, o.items())
	case !Equal(before, after, o):
		d.tell(before, after)
	}
}

func (d *differ) objects(before, after *Value, o *Ordering) {
	find := finder(before)
	for i := range after.Members {
		m := &after.Members[i]
		path := d.enter(m.Name)
		if old := find(m.Name, i); old != nil {
			d.compare(old, &m.Value, o.member(m.Name))
		} else {
			d.tell(nil, &m.Value)
		}
		d.path = d.path[:path]
	}
	find = finder(after)
	for i := range before.Members {
		m := &before.Members[i]
		if find(m.Name, i) == nil {
			path := d.enter(m.Name)
			d.tell(&m.Value, nil)
			d.path = d.path[:path]
		}
	}
}

// enter lengthens the path by a member's name and returns its length before.
func (d *differ) enter(name string) int {
	length := len(d.path)
	d.path = appendPointer(d.path, name)
	return length
}

// element does the same for an index.
func (d *differ) element(index int) int {
	length := len(d.path)
	d.path = strconv.AppendInt(append(d.path, '/'), int64(index), 10)
	return length
}

// tell adds a difference at the place where the walk is.
func (d *differ) tell(before, after *Value) {
	op := Change
	switch {
	case before == nil:
		op = Add
	case after == nil:
		op = Remove
	}
	d.found = append(d.found, Difference{Pointer: string(d.path), Op: op, Before: before, After: after})
}
