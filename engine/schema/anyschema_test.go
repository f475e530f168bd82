package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// drawSchema draws a schema of any keywords, some of them in places where they
// make no sense. Its names and values are those of drawValue.
func drawSchema(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 9).Draw(t, "leaf") == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "schema")
	}
	var parts []string
	for i := range rapid.IntRange(1, 3).Draw(t, "keywords") {
		keyword := rapid.SampledFrom(append([]string{"leaf"}, applicators...)).Draw(t, "keyword")
		if strings.Contains(strings.Join(parts, ","), `"`+keyword+`":`) {
			continue
		}
		if keyword == "leaf" {
			if leaf := rapid.SampledFrom(leaves[2:]).Draw(t, "part"); i == 0 && leaf != "{}" {
				parts = append(parts, leaf[1:len(leaf)-1])
			}
			continue
		}
		parts = append(parts, fmt.Sprintf("%q:%s", keyword, drawBelow(t, keyword, depth-1)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

var applicators = []string{
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "properties", "patternProperties", "additionalProperties", "propertyNames",
	"items", "prefixItems", "contains", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "$ref",
}

// leaves are schemas without schemas below; from the third on they are objects.
var leaves = []string{
	`true`, `false`, `{}`, `{"type":"string"}`, `{"type":["integer","null"]}`, `{"type":"array"}`, `{"type":"object"}`, `{"enum":[1,"a",null]}`, `{"const":1.0}`,
	`{"minimum":1}`, `{"exclusiveMaximum":2}`, `{"multipleOf":0.5}`, `{"minLength":1}`, `{"maxLength":1}`, `{"pattern":"^a"}`, `{"uniqueItems":true}`,
	`{"minItems":1}`, `{"maxItems":1}`, `{"required":["a"]}`, `{"minProperties":1}`, `{"dependentRequired":{"a":["b"]}}`, `{"format":"date"}`,
	`{"type":"array","x-unordered":true}`, `{"x-secret":true}`, `{"type":"string","default":"a"}`, `{"examples":[1]}`,
	`{"type":"string","format":"reference","service_reference":"VM"}`,
}

func drawBelow(t *rapid.T, keyword string, depth int) string {
	switch keyword {
	case "$ref":
		return rapid.SampledFrom([]string{`"#/$defs/a"`, `"#/$defs/b"`}).Draw(t, "ref")
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return "[" + drawSchema(t, depth) + "," + drawSchema(t, depth) + "]"
	case "properties", "dependentSchemas":
		return fmt.Sprintf(`{"a":%s,"b":%s}`, drawSchema(t, depth), drawSchema(t, depth))
	case "patternProperties":
		return fmt.Sprintf(`{"^a|c$":%s}`, drawSchema(t, depth))
	}
	return drawSchema(t, depth)
}

func drawItem(t *rapid.T) *value.Value {
	p := anyValue(3).Draw(t, "value")
	return &value.Value{Kind: value.Object, Members: []value.Member{
		{Name: "name", Value: value.Value{Kind: value.String, Text: "x"}}, {Name: "p", Value: p},
	}}
}

// drawText draws a schema of a service that describes its property p anyhow.
func drawText(t *rapid.T) string {
	return with(`"p":`+drawSchema(t, 3), fmt.Sprintf(`"$defs":{"a":%s,"b":%s}`, drawSchema(t, 2), drawSchema(t, 2)))
}

// Whatever is accepted can be asked everything, and what is refused has a reason.
func TestS2_AnySchema(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		root, problems := value.ParseJSON([]byte(text))
		if len(problems) > 0 {
			t.Fatalf("%s: %+v", text, problems)
		}
		s, problems := Compile(&root, []byte(text))
		if s == nil && len(problems) == 0 {
			t.Fatalf("%s is refused without a reason", text)
		}
		if s == nil {
			return
		}
		accepted++
		for range 3 {
			ask(t, s, value.AppendJSON(nil, drawItem(t)))
		}
	})
	if accepted < 10 {
		t.Errorf("only %d schemas were accepted", accepted)
	}
}

// What the portal changes in what the library gets changes no verdict.
func TestV2_VerdictIsTheLibrarys(t *testing.T) {
	t.Parallel()
	valid, invalid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		root, _ := value.ParseJSON([]byte(text))
		s, _ := Compile(&root, nil)
		if s == nil {
			return
		}
		plainly := jsonschema.NewCompiler()
		plainly.AssertFormat()
		if err := plainly.AddResource("schema:plain", plain(&root)); err != nil {
			t.Fatal(err)
		}
		library, err := plainly.Compile("schema:plain")
		if err != nil {
			t.Fatalf("the library refuses %s: %v", text, err)
		}
		for range 5 {
			item := drawItem(t)
			err, found := library.Validate(plain(item)), s.Validate(item)
			if (err == nil) != (found == nil) {
				t.Fatalf("%s and %s: the library says %v, the portal says %q", text, value.AppendJSON(nil, item), err, messages(found))
			}
			if found == nil {
				valid++
			} else {
				invalid++
			}
		}
	})
	if valid < 10 || invalid < 10 {
		t.Errorf("%d valid and %d invalid items prove little", valid, invalid)
	}
}

// A schema is the same whatever the order of its keys.
func TestS1_OrderOfKeysDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		root, _ := value.ParseJSON([]byte(text))
		turned := reversed(root)
		a, problems := Compile(&root, nil)
		b, others := Compile(&turned, nil)
		if (a == nil) != (b == nil) {
			t.Fatalf("%s: %s, but turned round %s", text, said(problems), said(others))
		}
		if a == nil {
			return
		}
		if !a.Equal(b) || len(Impact(a, b)) > 0 || len(a.Rows()) != len(b.Rows()) {
			t.Fatalf("%s differs from itself turned round: %v", text, Impact(a, b))
		}
		item := drawItem(t)
		if messages(a.Validate(item)) != messages(b.Validate(item)) {
			t.Fatalf("%s: %q and %q", text, messages(a.Validate(item)), messages(b.Validate(item)))
		}
	})
}

// reversed turns the order of all members round.
func reversed(v value.Value) value.Value {
	out := value.Value{Kind: v.Kind, Text: v.Text}
	for i := range v.Items {
		out.Items = append(out.Items, reversed(v.Items[i]))
	}
	for i := len(v.Members) - 1; i >= 0; i-- {
		out.Members = append(out.Members, value.Member{Name: v.Members[i].Name, Value: reversed(v.Members[i].Value)})
	}
	return out
}
