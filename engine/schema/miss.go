package schema

import (
	"slices"
	"strconv"

	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// miss is one thing that keeps a value from meeting a schema.
type miss struct {
	path  []string
	kind  jsonschema.ErrorKind
	value *value.Value // the offending one
	at    int
	forms [][]miss // what keeps it from each alternative, if the kind is one of alternatives
}

func (m miss) keyword() string {
	if path := m.kind.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return "false"
}

func (m miss) pointer() string { return value.Pointer(m.path...) }

// misses flattens the library's tree of errors into what people can act on.
func misses(err error, find *finder) []miss {
	tree, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return nil
	}
	f := flattener{find: find}
	f.flatten(tree)
	return f.out
}

type flattener struct {
	find *finder
	out  []miss
}

func (f *flattener) flatten(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			f.flatten(cause)
		}
	case *kind.PropertyNames: // told by badName, at the right place
	case *kind.Required:
		for _, name := range k.Missing {
			f.add(e, &kind.Required{Missing: []string{name}})
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			f.member(e, name, &kind.AdditionalProperties{Properties: []string{name}})
		}
	case *badName:
		f.member(e, k.name, k)
	case *kind.AnyOf:
		f.alternatives(e)
	case *kind.OneOf:
		if k.Subschemas == nil {
			f.alternatives(e)
			return
		}
		f.add(e, k)
	default:
		f.add(e, k)
	}
}

func (f *flattener) add(e *jsonschema.ValidationError, k jsonschema.ErrorKind) *miss {
	v := f.find.value(e.InstanceLocation)
	f.out = append(f.out, miss{path: e.InstanceLocation, kind: k, value: v, at: v.At})
	return &f.out[len(f.out)-1]
}

// member adds a miss about the name of a member, so at its key.
func (f *flattener) member(e *jsonschema.ValidationError, name string, k jsonschema.ErrorKind) {
	m := f.find.member(f.find.value(e.InstanceLocation), name)
	f.out = append(f.out, miss{path: slices.Concat(e.InstanceLocation, []string{name}), kind: k, value: &m.Value, at: m.At})
}

// alternatives tells why a value takes none of several forms. If it clearly
// meant one of them, only what that one misses is told.
func (f *flattener) alternatives(e *jsonschema.ValidationError) {
	var forms, near [][]miss
	for _, cause := range e.Causes {
		g := flattener{find: f.find}
		g.flatten(cause)
		forms = append(forms, g.out)
		if !foreign(g.out, len(e.InstanceLocation)) {
			near = append(near, g.out)
		}
	}
	switch {
	case len(near) == 1:
		f.out = append(f.out, near[0]...)
	case len(forms) == 1:
		f.out = append(f.out, forms[0]...)
	case len(near) > 1:
		f.add(e, e.ErrorKind).forms = near
	default:
		f.add(e, e.ErrorKind).forms = forms
	}
}

// foreign reports whether the misses of one form show that another was meant:
// the type of the value itself is wrong, or a constant of it or of its members.
func foreign(ms []miss, depth int) bool {
	for _, m := range ms {
		switch m.kind.(type) {
		case *kind.Type:
			if len(m.path) == depth {
				return true
			}
		case *kind.Const:
			if len(m.path) <= depth+1 {
				return true
			}
		}
	}
	return false
}

// finder finds values by their path; objects with many members get an index.
type finder struct {
	root    *value.Value
	indexes map[*value.Value]map[string]*value.Member
}

func newFinder(root *value.Value) *finder {
	return &finder{root: root, indexes: map[*value.Value]map[string]*value.Member{}}
}

func (f *finder) value(path []string) *value.Value {
	v := f.root
	for _, step := range path {
		switch v.Kind {
		case value.Object:
			v = &f.member(v, step).Value
		case value.Array:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v.Items) {
				return v
			}
			v = &v.Items[i]
		}
	}
	return v
}

func (f *finder) member(v *value.Value, name string) *value.Member {
	index, ok := f.indexes[v]
	if !ok {
		index = make(map[string]*value.Member, len(v.Members))
		for i := range v.Members {
			index[v.Members[i].Name] = &v.Members[i]
		}
		f.indexes[v] = index
	}
	if m, ok := index[name]; ok {
		return m
	}
	return &value.Member{Name: name, At: v.At, Value: *v}
}
