package schema

import (
	"fmt"
	"strings"
	"testing"
)

// S3: each change is told and marked as safe or breaking (!).
func TestS3_Impact(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ old, new, want string }{
		"nothing":                {`{"type":"string"}`, `{"type":"string"}`, ``},
		"keys in other order":    {`{"type":"string","minLength":1}`, `{"minLength":1.0,"type":"string"}`, ``},
		"type":                   {`{"type":"string"}`, `{"type":"integer"}`, `!p type string -> integer`},
		"type widened":           {`{"type":"string"}`, `{"type":["string","null"]}`, `p type string -> string or null`},
		"type narrowed":          {`{"type":["string","null"]}`, `{"type":"string"}`, `!p type string or null -> string`},
		"integer to number":      {`{"type":"integer"}`, `{"type":"number"}`, `p type integer -> number`},
		"number to integer":      {`{"type":"number"}`, `{"type":"integer"}`, `!p type number -> integer`},
		"type said":              {`{}`, `{"type":"string"}`, `!p type any -> string`},
		"type no longer said":    {`{"type":"string"}`, `{}`, `p type string -> any`},
		"enum narrowed":          {`{"enum":["a","b","c"]}`, `{"enum":["c"]}`, `!p no longer allows a, b`},
		"enum widened":           {`{"enum":[1]}`, `{"enum":[1.0,2]}`, `p also allows 2`},
		"enum replaced":          {`{"enum":["a"]}`, `{"enum":["b"]}`, "!p no longer allows a\np also allows b"},
		"enum added":             {`{}`, `{"enum":["a","b"]}`, `!p limited to one of a, b`},
		"enum removed":           {`{"enum":["a"]}`, `{}`, `p no longer limited to one of a`},
		"enum to const":          {`{"enum":["a","b"]}`, `{"const":"a"}`, `!p no longer allows b`},
		"minimum raised":         {`{"minimum":1}`, `{"minimum":2}`, `!p minimum 1 -> 2`},
		"minimum lowered":        {`{"minimum":2}`, `{"minimum":1}`, `p minimum 2 -> 1`},
		"minimum written other":  {`{"minimum":10}`, `{"minimum":1e1}`, ``},
		"maximum raised":         {`{"maximum":1}`, `{"maximum":2}`, `p maximum 1 -> 2`},
		"maximum lowered":        {`{"maximum":2}`, `{"maximum":1}`, `!p maximum 2 -> 1`},
		"length added":           {`{}`, `{"maxLength":5}`, `!p maxLength 5 added`},
		"length removed":         {`{"maxLength":5}`, `{}`, `p maxLength 5 removed`},
		"pattern added":          {`{}`, `{"pattern":"^a"}`, `!p pattern added`},
		"pattern changed":        {`{"pattern":"^b"}`, `{"pattern":"^a"}`, `!p pattern changed`},
		"pattern removed":        {`{"pattern":"^b"}`, `{}`, `p pattern removed`},
		"format changed":         {`{"format":"ipv4"}`, `{"format":"ipv6"}`, `!p format changed`},
		"form added":             {`{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `!p anyOf changed`},
		"default":                {`{}`, `{"default":1}`, `p default added`},
		"secret":                 {`{}`, `{"x-secret":true}`, `p x-secret added`},
		"reference":              {`{"type":"string","format":"reference","service_reference":"VM"}`, `{"type":"string","format":"reference","service_reference":"Disk"}`, `!p service_reference changed`},
		"optional property":      {`{"properties":{}}`, `{"properties":{"a":{}}}`, `p.a added, optional`},
		"required property":      {`{"properties":{}}`, `{"properties":{"a":{}},"required":["a"]}`, `!p.a added, required`},
		"required of the owner":  {`{"properties":{}}`, `{"properties":{"a":{"readOnly":true}},"required":["a"]}`, `p.a added, optional`},
		"now required":           {`{"properties":{"a":{}}}`, `{"properties":{"a":{}},"required":["a"]}`, `!p.a now required`},
		"no longer required":     {`{"properties":{"a":{}},"required":["a"]}`, `{"properties":{"a":{}}}`, `p.a no longer required`},
		"removed, still allowed": {`{"properties":{"a":{}}}`, `{"properties":{}}`, `p.a removed`},
		"removed, not allowed":   {`{"properties":{"a":{}},"additionalProperties":false}`, `{"properties":{},"additionalProperties":false}`, `!p.a removed`},
		"closed":                 {`{}`, `{"additionalProperties":false}`, `!p.* no longer allowed`},
		"opened":                 {`{"additionalProperties":false}`, `{"additionalProperties":true}`, `p.* now allowed`},
		"elements described":     {`{}`, `{"items":{"type":"string"}}`, `!p[] now described`},
		"elements left alone":    {`{"items":{"type":"string"}}`, `{}`, `p[] no longer described`},
		"elements":               {`{"items":{"type":"string"}}`, `{"items":{"type":"integer"}}`, `!p[] type string -> integer`},
		"through $ref":           {`{"$ref":"#/$defs/d"}`, `{"type":"string"}`, `!p type integer -> string`},
		"the same through $ref":  {`{"$ref":"#/$defs/d"}`, `{"type":"integer"}`, ``},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const defs = `"$defs":{"d":{"type":"integer"}}`
			changes := Impact(compiled(t, with(`"p":`+tc.old, defs)), compiled(t, with(`"p":`+tc.new, defs)))
			lines := make([]string, len(changes))
			for i, c := range changes {
				lines[i] = map[bool]string{true: "!"}[c.Breaking] + c.Path + " " + c.What
			}
			if got := strings.Join(lines, "\n"); got != tc.want {
				t.Errorf("Impact() says\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// A schema compared with itself changes nothing, recursive or not.
func TestS3_ImpactOfItself(t *testing.T) {
	t.Parallel()
	for _, text := range []string{rich, with(`"kids":{"items":{"$ref":"#"}}`, "")} {
		if changes := Impact(compiled(t, text), compiled(t, text)); len(changes) > 0 {
			t.Errorf("Impact() = %v", changes)
		}
	}
}

// What Impact calls safe refuses no item that was valid.
func TestS3_SafeMeansValid(t *testing.T) {
	t.Parallel()
	schemas := []string{
		`{"type":"integer"}`, `{"type":"number"}`, `{"type":["number","string"]}`, `{"enum":[1,2]}`, `{"enum":[1,2,"a"]}`, `{"const":1}`,
		`{"minimum":1}`, `{"minimum":2}`, `{"maximum":5}`, `{"maxLength":2}`, `{"maxLength":3}`, `{"pattern":"^a"}`, `{"multipleOf":2}`, `{}`, `true`,
		`{"properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"properties":{"a":{"type":"integer"}},"additionalProperties":false}`,
		`{"items":{"type":"integer"}}`, `{"items":{"type":"number"}}`, `{"items":{"type":"integer"},"minItems":1}`, `{"items":{"type":"integer"},"uniqueItems":true}`,
		`{"not":{"const":2}}`, `{"anyOf":[{"type":"string"},{"minimum":3}]}`, `{"allOf":[{"minimum":1},{"maximum":3}]}`,
	}
	values := []string{`1`, `2`, `1.5`, `7`, `"a"`, `"abc"`, `"ab"`, `null`, `[]`, `[1]`, `[1,1]`, `[1.5]`, `{}`, `{"a":1}`, `{"a":"x"}`, `{"a":1,"b":2}`}
	made := make([]*Schema, len(schemas))
	for i, text := range schemas {
		made[i] = compiled(t, property(text))
	}
	for i, old := range made {
		for j, next := range made {
			breaking := false
			for _, c := range Impact(old, next) {
				breaking = breaking || c.Breaking
			}
			for _, v := range values {
				item := read(t, fmt.Sprintf(`{"name":"x","p":%s}`, v))
				if !breaking && old.Validate(item) == nil && next.Validate(item) != nil && !newlyDescribed(schemas[i], schemas[j]) {
					t.Errorf("from %s to %s is safe, but %s is not valid any more: %v", schemas[i], schemas[j], v, Impact(old, next))
				}
			}
		}
	}
}

// newlyDescribed reports whether a property gets its first description: that
// counts as an added one, whatever items held there before.
func newlyDescribed(old, next string) bool {
	return !strings.Contains(old, `"a":`) && strings.Contains(next, `"a":`)
}
