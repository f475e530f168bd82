package schema

import (
	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is one accepted service schema, ready to validate items and to be
// asked about. It never changes, so it may be shared freely.
type Schema struct {
	root     *value.Value
	graph    *graph
	shape    *shape
	compiled *jsonschema.Schema
	refs     references
	order    *value.Ordering
	effort   effort
	secrets  bool
	example  value.Value
	warnings []value.Problem
}

// Compile accepts a service's schema or says everything that speaks against
// its publication (marketplace S1, S2). text is what root was read from; it
// gives the problems their lines and may be nil.
func Compile(root *value.Value, text []byte) (*Schema, []value.Problem) {
	var found findings
	s := accept(root, &found)
	if len(found.problems) > 0 {
		return nil, placed(text, found.problems)
	}
	s.warnings = placed(text, found.warnings)
	return s, nil
}

// Warnings tells what is legal but will not do what it may seem to do.
func (s *Schema) Warnings() []value.Problem { return s.warnings }

// Title is the name of the service.
func (s *Schema) Title() string { return s.fact("title") }

// Description is what the schema says about the service, "" if nothing.
func (s *Schema) Description() string { return s.fact("description") }

func (s *Schema) fact(keyword string) string {
	text, _ := s.graph.root().text(keyword)
	return text
}

// Equal reports whether both are the same schema; the order of keys and the
// way numbers are written do not matter.
func (s *Schema) Equal(other *Schema) bool { return value.Equal(s.root, other.root, nil) }

// accept checks and builds in the order in which each step may rely on the
// ones before; what does not fit the budget is looked at no further.
func accept(root *value.Value, found *findings) *Schema {
	if root.Kind != value.Object {
		found.refuse("S1", "", root.At, "a service's schema must be a JSON object")
		return nil
	}
	if !withinText(root, found) {
		return nil
	}
	g := newGraph(root, draftOf(root))
	if !withinGraph(g, found) {
		return nil
	}
	checkDialect(g, found)
	checkMeta(g, found)
	checkReferences(g, found)
	checkRoot(g, found)
	if len(found.problems) > 0 {
		checkKeywords(g, found)
		return nil
	}
	s := &Schema{root: root, graph: g, shape: newShape(g, found)}
	checkKeywords(g, found)
	checkShape(s.shape, found)
	if len(found.problems) > 0 {
		return nil
	}
	return s.finish(found)
}

// finish prepares what items will be asked of; nothing here can be the fault
// of the publisher but what the library refuses.
func (s *Schema) finish(found *findings) *Schema {
	s.compiled = compile(s.graph, found)
	if s.compiled == nil {
		return nil
	}
	s.secrets = hasSecrets(s.graph)
	s.refs = newReferences(s.graph)
	s.order = newOrdering(s)
	s.effort = newEffort(s.graph)
	s.example = makeExample(s, found)
	return s
}
