package schema

import (
	"slices"
	"strconv"

	"github.com/portolan/portolan/engine/value"
)

// isSecret reports whether n says that its values are not to be shown
// (lifecycle K4).
func isSecret(n *node) bool { return n.yes("x-secret") || n.yes("writeOnly") }

func hasSecrets(g *graph) bool { return slices.ContainsFunc(g.nodes, isSecret) }

// secretAt reports whether the value at path, or one around it, is secret. It
// looks below every keyword: whatever may describe a secret hides it.
func (s *Schema) secretAt(path []string) bool {
	if !s.secrets {
		return false
	}
	here := closure([]*node{s.graph.root()}, every)
	for _, step := range path {
		if slices.ContainsFunc(here, isSecret) {
			return true
		}
		here = closure(below(here, step), every)
	}
	return slices.ContainsFunc(here, isSecret)
}

// below lists what may describe one member or element of a value.
func below(ns []*node, step string) []*node {
	var out []*node
	for _, n := range ns {
		for _, l := range n.links {
			if leads(l, step) {
				out = append(out, l.to)
			}
		}
	}
	return out
}

func leads(l link, step string) bool {
	switch p := l.place(); {
	case l.keyword == "properties":
		return l.name == step
	case l.pattern != nil:
		return l.pattern.MatchString(step)
	case p.reach == elements:
		_, err := strconv.Atoi(step)
		return err == nil && (l.name == "" || l.name == step)
	default:
		return p.reach == members
	}
}

// Hidden is what is shown in the place of a secret value.
const Hidden = "(sensitive value)"

// Hide returns the value at a path of an item as it may be shown: each secret
// in it is replaced (lifecycle K4).
func (s *Schema) Hide(path []string, v *value.Value) value.Value {
	if !s.secrets {
		return *v
	}
	if s.secretAt(path) {
		return value.Value{Kind: value.String, Text: Hidden}
	}
	shown := *v
	shown.Members = slices.Clone(v.Members)
	for i := range shown.Members {
		shown.Members[i].Value = s.Hide(append(slices.Clip(path), shown.Members[i].Name), &shown.Members[i].Value)
	}
	shown.Items = slices.Clone(v.Items)
	for i := range shown.Items {
		shown.Items[i] = s.Hide(append(slices.Clip(path), strconv.Itoa(i)), &shown.Items[i])
	}
	return shown
}
