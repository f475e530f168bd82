package schema

import "github.com/portolan/portolan/engine/value"

// Ordering tells which arrays of the service's items are multisets
// (marketplace G3, delivery E2), nil if the order of all arrays matters. It is
// the same value at each call and must not be changed.
func (s *Schema) Ordering() *value.Ordering { return s.order }

// newOrdering mirrors the shapes of a schema. The service's option holds where
// no property says otherwise.
func newOrdering(s *Schema) *value.Ordering {
	all := s.Metadata().UnorderedArrays
	said := map[bool]bool{}
	s.shape.each(func(s *shape) {
		if v := s.first("x-unordered"); v != nil {
			said[v.Text == "true"] = true
		}
	})
	switch {
	case all && !said[false]:
		return &value.Ordering{Unordered: true, Everywhere: true}
	case !all && !said[true]:
		return nil
	}
	m := mirror{all: all, made: map[*shape]*value.Ordering{}}
	return m.of(s.shape)
}

// mirror makes the ordering of each shape once.
type mirror struct {
	all  bool // the service's option
	made map[*shape]*value.Ordering
}

func (m mirror) of(s *shape) *value.Ordering {
	if s == nil {
		return m.unsaid()
	}
	if o, ok := m.made[s]; ok {
		return o
	}
	o := &value.Ordering{Unordered: m.all}
	m.made[s] = o
	if v := s.first("x-unordered"); v != nil {
		o.Unordered = v.Text == "true"
	}
	o.Members = make(map[string]*value.Ordering, len(s.props))
	for _, p := range s.props {
		o.Members[p.name] = m.of(p.shape)
	}
	o.Others, o.Items = m.of(s.others), m.of(s.items)
	return o
}

// unsaid is the ordering of what the schema does not describe.
func (m mirror) unsaid() *value.Ordering {
	if !m.all {
		return nil
	}
	return &value.Ordering{Unordered: true, Everywhere: true}
}
