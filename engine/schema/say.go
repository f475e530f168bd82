package schema

import (
	"fmt"
	"strings"

	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// sentence tells a miss to people. Of a secret value it tells nothing but what
// is wrong with it (trust S7).
func (m miss) sentence(secret bool) string {
	what := subject(m.path)
	switch k := m.kind.(type) {
	case *kind.Required:
		return subject(append(m.path[:len(m.path):len(m.path)], k.Missing[0])) + " is required"
	case *kind.Dependency:
		return needs(m.path, k.Missing, k.Prop)
	case *kind.DependentRequired:
		return needs(m.path, k.Missing, k.Prop)
	case *kind.AdditionalProperties:
		if secret {
			return subject(m.path[:len(m.path)-1]) + " has a property that is not known"
		}
		return what + " is not a known property"
	case *badName:
		return m.nameSentence(k, secret)
	case *kind.AnyOf, *kind.OneOf:
		return what + " " + m.choice(secret)
	}
	demand, tellsValue := m.demand()
	if tellsValue && !secret {
		return what + " " + demand + ", got " + show(m.value)
	}
	return what + " " + demand
}

func needs(path, missing []string, because string) string {
	names := make([]string, len(missing))
	for i, name := range missing {
		names[i] = subject(append(path[:len(path):len(path)], name))
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	return strings.Join(names, ", ") + verb + " required when " + because + " is given"
}

func (m miss) nameSentence(k *badName, secret bool) string {
	holder := subject(m.path[:len(m.path)-1])
	name := value.Value{Kind: value.String, Text: k.name}
	inner := misses(k.err, newFinder(&name))
	why := "is not allowed"
	if len(inner) > 0 {
		why, _ = inner[0].demand()
	}
	if secret {
		return holder + " has a property whose name " + why
	}
	return fmt.Sprintf("%s cannot have a property called %s: its name %s", holder, quote(k.name), why)
}

// choice tells about several forms of a value.
func (m miss) choice(secret bool) string {
	if k, ok := m.kind.(*kind.OneOf); ok && len(k.Subschemas) == 2 {
		return fmt.Sprintf("meets more than one of the allowed forms (numbers %d and %d), but must meet exactly one", k.Subschemas[0]+1, k.Subschemas[1]+1)
	}
	if types := m.wantedTypes(); types != nil {
		demand := "must be " + kinds(types)
		if secret {
			return demand
		}
		return demand + ", got " + show(m.value)
	}
	var forms []string
	for _, form := range m.forms {
		if len(form) > 0 && len(forms) < 3 {
			forms = append(forms, form[0].sentence(secret))
		}
	}
	return fmt.Sprintf("takes none of its %d allowed forms: %s", len(m.forms), strings.Join(forms, "; or "))
}

// wantedTypes tells the types of all forms if each is missed by its type alone.
func (m miss) wantedTypes() []string {
	var types []string
	for _, form := range m.forms {
		if len(form) != 1 || len(form[0].path) != len(m.path) {
			return nil
		}
		k, ok := form[0].kind.(*kind.Type)
		if !ok {
			return nil
		}
		types = append(types, k.Want...)
	}
	return types
}

// demand tells what is asked of the value, and whether it helps to add the value.
func (m miss) demand() (demand string, tellsValue bool) {
	switch k := m.kind.(type) {
	case *kind.Type:
		return "must be " + kinds(k.Want), true
	case *kind.Enum:
		return "must be " + among(k.Want), true
	case *kind.Const:
		return "must be " + showAny(k.Want), true
	case *kind.Format:
		return "must be " + formatWord(k.Want), true
	case *kind.Pattern:
		return "must match the pattern " + k.Want, true
	case *kind.FalseSchema:
		return "is not allowed", false
	case *kind.Not:
		return "has a value that the schema excludes", false
	case *kind.Contains:
		return "must have an element that meets \"contains\"", false
	case *kind.MinContains:
		return fmt.Sprintf("must have at least %d elements that meet \"contains\", has %d", k.Want, len(k.Got)), false
	case *kind.MaxContains:
		return fmt.Sprintf("must have at most %d elements that meet \"contains\", has %d", k.Want, len(k.Got)), false
	case *notDistinct:
		return fmt.Sprintf("must not hold an element twice; those at %d and %d are equal", k.first, k.second), false
	}
	if demand := m.bound(); demand != "" {
		return demand, true
	}
	return m.size(), false
}

// bound tells the limits of numbers.
func (m miss) bound() string {
	switch k := m.kind.(type) {
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be greater than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	}
	return ""
}

// size tells the limits of lengths and counts.
func (m miss) size() string {
	switch k := m.kind.(type) {
	case *kind.MinLength:
		return sized("at least", k.Want, "character", k.Got)
	case *kind.MaxLength:
		return sized("at most", k.Want, "character", k.Got)
	case *kind.MinItems:
		return sized("at least", k.Want, "element", k.Got)
	case *kind.MaxItems:
		return sized("at most", k.Want, "element", k.Got)
	case *kind.MinProperties:
		return sized("at least", k.Want, "property", k.Got)
	case *kind.MaxProperties:
		return sized("at most", k.Want, "property", k.Got)
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %d elements too many", k.Count)
	}
	return "does not meet the schema's " + m.keyword()
}

func sized(limit string, want int, thing string, got int) string {
	if want != 1 {
		thing = strings.TrimSuffix(thing+"s", "ys") + map[bool]string{true: "ies"}[strings.HasSuffix(thing, "y")]
	}
	return fmt.Sprintf("must have %s %d %s, has %d", limit, want, thing, got)
}
