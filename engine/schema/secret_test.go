package schema

import (
	"testing"

	"github.com/portolan/portolan/engine/value"
)

// Everything secret in an item is replaced, and nothing else; the item itself
// stays as it is (lifecycle K4).
func TestK4_Hide(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, value, want string }{
		"nothing secret":  {`{"type":"string"}`, `"hunter2"`, `"hunter2"`},
		"x-secret":        {`{"x-secret":true}`, `"hunter2"`, `"(sensitive value)"`},
		"x-secret off":    {`{"x-secret":false}`, `"hunter2"`, `"hunter2"`},
		"writeOnly":       {`{"writeOnly":true}`, `"hunter2"`, `"(sensitive value)"`},
		"a whole object":  {`{"x-secret":true}`, `{"a":"hunter2"}`, `"(sensitive value)"`},
		"inside":          {`{"properties":{"a":{"x-secret":true}}}`, `{"a":"hunter2","b":1.50}`, `{"a":"(sensitive value)","b":1.50}`},
		"in elements":     {`{"items":{"properties":{"a":{"x-secret":true}}}}`, `[{"a":"hunter2"},{"b":1}]`, `[{"a":"(sensitive value)"},{"b":1}]`},
		"one element":     {`{"prefixItems":[true,{"x-secret":true}]}`, `["a","hunter2"]`, `["a","(sensitive value)"]`},
		"by any name":     {`{"additionalProperties":{"x-secret":true}}`, `{"k":"hunter2"}`, `{"k":"(sensitive value)"}`},
		"through $ref":    {`{"$ref":"#/$defs/s"}`, `{"pin":4242}`, `{"pin":"(sensitive value)"}`},
		"below anyOf too": {`{"anyOf":[{"properties":{"a":{"x-secret":true}}},true]}`, `{"a":"hunter2"}`, `{"a":"(sensitive value)"}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, with(`"p":`+tc.schema, `"$defs":{"s":{"properties":{"pin":{"x-secret":true}}}}`))
			item := read(t, `{"name":"x","p":`+tc.value+`}`)
			before := string(value.AppendJSON(nil, item))
			shown := s.Hide(nil, item)
			if got, want := string(value.AppendJSON(nil, &shown)), `{"name":"x","p":`+tc.want+`}`; got != want {
				t.Errorf("Hide() = %s, want %s", got, want)
			}
			if after := string(value.AppendJSON(nil, item)); after != before {
				t.Errorf("the item became %s", after)
			}
		})
	}
}
