package schema

import (
	"strings"

	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The drafts of JSON Schema that a service may use (marketplace V2).
const (
	draft7    = "http://json-schema.org/draft-07/schema"
	draft2020 = "https://json-schema.org/draft/2020-12/schema"
)

// metas holds the meta-schemas of both drafts, as the library embeds them.
var metas = map[string]*jsonschema.Schema{
	draft7:    jsonschema.NewCompiler().MustCompile(draft7),
	draft2020: jsonschema.NewCompiler().MustCompile(draft2020),
}

// draftOf tells the draft of a schema; without $schema, or with one that is
// refused elsewhere, it is 2020-12.
func draftOf(root *value.Value) string {
	if v, ok := root.Get("$schema"); ok && trimmed(v.Text) == trimmed(draft7) {
		return draft7
	}
	return draft2020
}

// trimmed drops the parts of a meta-schema's address that people write either way.
func trimmed(address string) string {
	address = strings.TrimSuffix(address, "#")
	return strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
}

// checkDialect refuses what would take a schema beyond its own text (trust S1, S4).
func checkDialect(g *graph, found *findings) {
	for _, n := range g.nodes {
		checkDraft(n, found)
		checkID(n, found)
		for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, ok := n.get(keyword); ok {
				found.keyword("trust S4", n, keyword, "%s is not supported; use $ref", keyword)
			}
		}
	}
}

func checkDraft(n *node, found *findings) {
	v, ok := n.get("$schema")
	if !ok {
		return
	}
	if n.id != 0 {
		found.keyword("trust S1", n, "$schema", "$schema is allowed at the root only")
		return
	}
	if t := trimmed(v.Text); t != trimmed(draft7) && t != trimmed(draft2020) {
		found.keyword("trust S1", n, "$schema", "$schema must be %s or %s", draft2020, draft7+"#")
	}
}

func checkID(n *node, found *findings) {
	id, ok := n.text("$id")
	switch {
	case !ok:
	case strings.HasPrefix(trimmed(id), "json-schema.org/"):
		found.keyword("trust S1", n, "$id", "$id must not be the address of a meta-schema")
	case n.id != 0 && !strings.HasPrefix(id, "#"):
		found.keyword("trust S1", n, "$id", "$id is allowed at the root only; use $defs and a $ref that begins with #")
	}
}

// checkMeta holds a schema against the meta-schema of its draft. Patterns are
// left out: checkPatterns says more about them.
func checkMeta(g *graph, found *findings) {
	root := g.root().value
	for _, m := range misses(metas[g.draft].Validate(plain(root)), newFinder(root)) {
		if m.keyword() != "format" {
			found.refuse("S2", m.pointer(), m.at, "%s", m.sentence(false))
		}
	}
}
