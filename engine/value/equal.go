package value

import "bytes"

// everywhere is the Ordering of all that lies below an Everywhere.
var everywhere = &Ordering{Unordered: true, Everywhere: true}

// member returns the Ordering of an object's member.
func (o *Ordering) member(name string) *Ordering {
	switch {
	case o == nil:
		return nil
	case o.Everywhere:
		return everywhere
	}
	if below, ok := o.Members[name]; ok {
		return below
	}
	return o.Others
}

// items returns the Ordering of an array's elements.
func (o *Ordering) items() *Ordering {
	switch {
	case o == nil:
		return nil
	case o.Everywhere:
		return everywhere
	}
	return o.Items
}

// Equal reports whether a and b are the same value (marketplace G3). An absent
// value, which is nil, equals only another absent one.
func Equal(a, b *Value, o *Ordering) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Number:
		return a.Text == b.Text || equalNumbers(a.Text, b.Text)
	case Array:
		return equalArrays(a, b, o)
	case Object:
		return equalObjects(a, b, o)
	}
	return a.Text == b.Text
}

func equalNumbers(a, b string) bool {
	var bufferA, bufferB [64]byte
	return bytes.Equal(appendNumber(bufferA[:0], a), appendNumber(bufferB[:0], b))
}

func equalArrays(a, b *Value, o *Ordering) bool {
	if len(a.Items) != len(b.Items) {
		return false
	}
	if o != nil && o.Unordered {
		return bytes.Equal(Canonical(a, o), Canonical(b, o))
	}
	below := o.items()
	for i := range a.Items {
		if !Equal(&a.Items[i], &b.Items[i], below) {
			return false
		}
	}
	return true
}

func equalObjects(a, b *Value, o *Ordering) bool {
	if len(a.Members) != len(b.Members) {
		return false
	}
	find := finder(b)
	for i := range a.Members {
		m := &a.Members[i]
		other := find(m.Name, i)
		if other == nil || !Equal(&m.Value, other, o.member(m.Name)) {
			return false
		}
	}
	return true
}

// finder returns a function that finds members of v by name, nil if there is
// none, given the index where a member is likely to be. It stays quick for
// objects of any size.
func finder(v *Value) func(name string, likely int) *Value {
	const few = 16
	var index map[string]int
	return func(name string, likely int) *Value {
		if likely < len(v.Members) && v.Members[likely].Name == name {
			return &v.Members[likely].Value
		}
		if len(v.Members) <= few {
			found, _ := v.Get(name)
			return found
		}
		if index == nil {
			index = make(map[string]int, len(v.Members))
			for i := range v.Members {
				index[v.Members[i].Name] = i
			}
		}
		if i, ok := index[name]; ok {
			return &v.Members[i].Value
		}
		return nil
	}
}
