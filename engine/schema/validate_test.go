package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
)

// Each value misses its schema; the sentence is for people.
func TestV2_Sentences(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, value, want string }{
		"type":                  {`{"type":"integer"}`, `"eight"`, `p must be an integer, got "eight"`},
		"integer with fraction": {`{"type":"integer"}`, `8.5`, `p must be an integer, got 8.5`},
		"integer as 8.0":        {`{"type":"integer"}`, `8.0`, ``},
		"integer as 1e2":        {`{"type":"integer"}`, `1e2`, ``},
		"null":                  {`{"type":"string"}`, `null`, `p must be a string, got null`},
		"bool":                  {`{"type":"boolean"}`, `"true"`, `p must be true or false, got "true"`},
		"several types":         {`{"type":["string","null","number"]}`, `[]`, `p must be null, a number or a string, got an array`},
		"object":                {`{"type":"array"}`, `{"a":1}`, `p must be an array, got an object`},
		"enum":                  {`{"enum":["gold",1,null]}`, `"tin"`, `p must be one of "gold", 1 or null, got "tin"`},
		"enum of one":           {`{"enum":["gold"]}`, `"tin"`, `p must be "gold", got "tin"`},
		"long enum":             {`{"enum":[1,2,3,4,5,6,7,8,9,10,11,12]}`, `13`, `p must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 2 more, got 13`},
		"enum by number":        {`{"enum":[1]}`, `1.0`, ``},
		"const":                 {`{"const":5}`, `6`, `p must be 5, got 6`},
		"const object":          {`{"const":{"a":1}}`, `6`, `p must be a certain object, got 6`},
		"minimum":               {`{"minimum":1}`, `0`, `p must be at least 1, got 0`},
		"exact minimum":         {`{"minimum":9007199254740993}`, `9007199254740992`, `p must be at least 9007199254740993, got 9007199254740992`},
		"maximum":               {`{"maximum":0.1}`, `0.1000000000000000055`, `p must be at most 0.1, got 0.1000000000000000055`},
		"exclusive minimum":     {`{"exclusiveMinimum":1}`, `1`, `p must be greater than 1, got 1`},
		"exclusive maximum":     {`{"exclusiveMaximum":1}`, `1.0`, `p must be less than 1, got 1.0`},
		"multiple":              {`{"multipleOf":0.01}`, `1.005`, `p must be a multiple of 0.01, got 1.005`},
		"huge number":           {`{"maximum":5}`, `1e400`, `p must be at most 5, got 1e400`},
		"short":                 {`{"minLength":2}`, `"é"`, `p must have at least 2 characters, has 1`},
		"long":                  {`{"maxLength":1}`, `"ab"`, `p must have at most 1 character, has 2`},
		"pattern":               {`{"pattern":"^[a-z]+$"}`, `"A"`, `p must match the pattern ^[a-z]+$, got "A"`},
		"few elements":          {`{"minItems":1}`, `[]`, `p must have at least 1 element, has 0`},
		"many elements":         {`{"maxItems":1}`, `[1,2]`, `p must have at most 1 element, has 2`},
		"twice":                 {`{"uniqueItems":true}`, `[1,2,1.0]`, `p must not hold an element twice; those at 0 and 2 are equal`},
		"twice, objects":        {`{"uniqueItems":true}`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `p must not hold an element twice; those at 0 and 1 are equal`},
		"not twice":             {`{"uniqueItems":true}`, `[1,"1",true,[1],["1"],{"1":1},null,-0,-1]`, ``},
		"not twice, cut apart":  {`{"uniqueItems":true}`, `[["as","b"],["a","sb"],[["a"],"b"],[["a","b"]]]`, ``},
		"uniqueItems off":       {`{"uniqueItems":false}`, `[1,1]`, ``},
		"few properties":        {`{"minProperties":2}`, `{"a":1}`, `p must have at least 2 properties, has 1`},
		"many properties":       {`{"maxProperties":1}`, `{"a":1,"b":1}`, `p must have at most 1 property, has 2`},
		"required":              {`{"required":["a","b"]}`, `{"a":1}`, `p.b is required`},
		"unknown property":      {`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"b":2}`, `p.b is not a known property`},
		"unevaluated property":  {`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `p.b is not allowed`},
		"false schema":          {`{"properties":{"a":false}}`, `{"a":1}`, `p.a is not allowed`},
		"depends":               {`{"dependentRequired":{"a":["b","c"]}}`, `{"a":1}`, `p.b, p.c are required when a is given`},
		"not":                   {`{"not":{"type":"string"}}`, `"a"`, `p has a value that the schema excludes`},
		"contains":              {`{"contains":{"const":1}}`, `[2]`, `p must have an element that meets "contains"`},
		"min contains":          {`{"contains":{"const":1},"minContains":2}`, `[1]`, `p must have at least 2 elements that meet "contains", has 1`},
		"max contains":          {`{"contains":{"const":1},"maxContains":1}`, `[1,1]`, `p must have at most 1 elements that meet "contains", has 2`},
		"names":                 {`{"propertyNames":{"pattern":"^[a-z]$"}}`, `{"a":1,"B":2}`, `p cannot have a property called "B": its name must match the pattern ^[a-z]$`},
		"elements":              {`{"items":{"type":"object","properties":{"a":{"type":"string"}}}}`, `[{"a":"x"},{"a":1}]`, `p[1].a must be a string, got 1`},
		"prefix":                {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, `p[1] is not allowed`},
		"odd names":             {`{"additionalProperties":{"type":"string"}}`, `{"a b":1,"c/d":"x"}`, `p["a b"] must be a string, got 1`},
		"all of":                {`{"allOf":[{"minimum":5},{"maximum":1}]}`, `3`, "p must be at most 1, got 3\np must be at least 5, got 3"},
		"told once":             {`{"allOf":[{"minimum":5},{"minimum":5}]}`, `3`, `p must be at least 5, got 3`},
		"any of types":          {`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `5`, `p must be a string or null, got 5`},
		"any of, one meant":     {`{"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]}`, `{}`, `p.a is required`},
		"one of by a constant":  {`{"oneOf":[{"properties":{"k":{"const":"a"},"x":{"type":"string"}}},{"properties":{"k":{"const":"b"},"x":{"type":"integer"}}}]}`, `{"k":"b","x":"1"}`, `p.x must be an integer, got "1"`},
		"any of, none meant":    {`{"anyOf":[{"minimum":5},{"maximum":1}]}`, `3`, `p takes none of its 2 allowed forms: p must be at least 5, got 3; or p must be at most 1, got 3`},
		"two of one":            {`{"oneOf":[{"minimum":1},{"type":"string"},{"minimum":2}]}`, `3`, `p meets more than one of the allowed forms (numbers 1 and 3), but must meet exactly one`},
		"if and then":           {`{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]}}`, `{"a":1}`, `p.b is required`},
		"long text is cut":      {`{"type":"integer"}`, `"` + strings.Repeat("é", 500) + `"`, `p must be an integer, got "` + strings.Repeat("é", 60) + `…"`},
		"control characters":    {`{"type":"integer"}`, `"a\n\u001b[31m"`, `p must be an integer, got "a\n\x1b[31m"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := compiled(t, property(tc.schema)).Validate(read(t, `{"name":"x","p":`+tc.value+`}`))
			if got := messages(found); got != tc.want {
				t.Errorf("Validate() says\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestV2_Draft7(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, value, want string }{
		"items as a list":       {`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, `p has 1 elements too many`},
		"items as a list, type": {`{"items":[{"type":"string"}]}`, `[1]`, `p[0] must be a string, got 1`},
		"depends":               {`{"dependencies":{"a":["b"]}}`, `{"a":1}`, `p.b is required when a is given`},
		"depends on a schema":   {`{"dependencies":{"a":{"required":["b"]}}}`, `{"a":1}`, `p.b is required`},
		"beside $ref":           {`{"$ref":"#/properties/name","minLength":5}`, `"a"`, ``},
		"no prefixItems":        {`{"prefixItems":[{"type":"string"}]}`, `[1]`, ``},
		"format":                {`{"format":"date"}`, `"today"`, `p must be a date such as 2026-11-22, got "today"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, with(`"p":`+tc.schema, `"$schema":"http://json-schema.org/draft-07/schema#"`))
			if got := messages(s.Validate(read(t, `{"name":"x","p":`+tc.value+`}`))); got != tc.want {
				t.Errorf("Validate() says %q, want %q", got, tc.want)
			}
		})
	}
}

// The formats that the package says it asserts are asserted, others are not.
func TestV2_Formats(t *testing.T) {
	t.Parallel()
	tests := []struct{ format, good, bad string }{
		{"date", "2026-02-28", "2026-02-30"},
		{"time", "10:30:00Z", "25:00:00Z"},
		{"date-time", "2026-11-22T10:30:00+01:00", "2026-11-22 10:30"},
		{"duration", "P1DT12H", "1 day"},
		{"period", "2026-11-22T10:30:00Z/P1D", "2026"},
		{"email", "a@example.org", "a@"},
		{"hostname", "host.example.org", "-host"},
		{"ipv4", "192.0.2.1", "192.0.2.256"},
		{"ipv4", "0.0.0.0", "+1.2.3.4"},
		{"ipv6", "2001:db8::1", "2001::db8::1"},
		{"uri", "https://example.org/", "/path"},
		{"uri-reference", "/path", "http://[::1"},
		{"iri", "https://example.org/é", "/é"},
		{"iri-reference", "/é", `\é`},
		{"uri-template", "/{id}", "/{{id}"},
		{"uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"},
		{"regex", "^a+$", "(?=a)"},
		{"json-pointer", "/a/~0", "a"},
		{"relative-json-pointer", "1/a", "/a"},
		{"semver", "1.0.0", "1.0"},
		{"colour", "anything", ""},
		{"reference", "anything", ""},
	}
	for _, draft := range []string{draft2020, draft7} {
		for _, tc := range tests {
			t.Run(draft+" "+tc.format, func(t *testing.T) {
				t.Parallel()
				more := ""
				if tc.format == "reference" {
					more = `,"service_reference":"VM"`
				}
				s := compiled(t, with(`"p":{"type":"string","format":"`+tc.format+`"`+more+`}`, `"$schema":"`+draft+`"`))
				check := func(text string) []Violation {
					return s.Validate(&value.Value{Kind: value.Object, Members: []value.Member{
						{Name: "name", Value: value.Value{Kind: value.String, Text: "x"}},
						{Name: "p", Value: value.Value{Kind: value.String, Text: text}},
					}})
				}
				if found := check(tc.good); found != nil {
					t.Errorf("%q: %v", tc.good, found)
				}
				if found := check(tc.bad); tc.bad != "" && (len(found) != 1 || found[0].Keyword != "format") {
					t.Errorf("%q: %v", tc.bad, found)
				}
			})
		}
	}
}

// Path and offset lead to the offending value; for a name that is wrong, to
// the name; for a missing property, to the object around it.
func TestV2_Places(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"net":{"type":"object","properties":{"mtu":{"type":"integer"}},"required":["vlan"],"additionalProperties":false},
		"tags":{"items":{"type":"string"}}`, `"additionalProperties":false`))
	text := `{"name":"x","colour":"red","net":{"mtu":"big","extra":1},"tags":["a",7]}`
	type place struct{ path, at, keyword string }
	var got []place
	for _, v := range s.Validate(read(t, text)) {
		got = append(got, place{strings.Join(v.Path, "/"), (text + "  ")[v.At : v.At+5], v.Keyword})
	}
	want := []place{
		{"colour", `"colo`, "additionalProperties"},
		{"net", `{"mtu`, "required"},
		{"net/mtu", `"big"`, "type"},
		{"net/extra", `"extr`, "additionalProperties"},
		{"tags/1", `7]}  `, "type"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("places are %q, want %q", got, want)
	}
}

// The library tells names at a place that it has moved on from; we do not.
func TestV2_PlaceOfNames(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"a":{"propertyNames":{"maxLength":1}},"b":{"propertyNames":{"maxLength":1}},"c":{"type":"integer"}`, ""))
	for range 20 { // the order of a map is behind it
		got := messages(s.Validate(read(t, `{"name":"x","a":{"aa":1},"b":{"bb":1},"c":{}}`)))
		want := `a cannot have a property called "aa": its name must have at most 1 character, has 2
b cannot have a property called "bb": its name must have at most 1 character, has 2
c must be an integer, got an object`
		if got != want {
			t.Fatalf("Validate() says\n%s\nwant\n%s", got, want)
		}
	}
}

// At most 200 violations are told, the first ones of the text (trust S7).
func TestTrustS7_CutAndOrdered(t *testing.T) {
	t.Parallel()
	s := compiled(t, with("", `"additionalProperties":{"type":"string"}`))
	item := read(t, `{"name":"x",`+memberList(5_000)+`}`)
	for range 3 {
		found := s.Validate(item)
		if len(found) != value.MaxProblems {
			t.Fatalf("%d violations", len(found))
		}
		for i, v := range found {
			if v.Path[0] != fmt.Sprintf("m%d", i) {
				t.Fatalf("violation %d is about %s", i, v.Path[0])
			}
		}
	}
}

// No value of x-secret or writeOnly is told, wherever the keyword stands.
func TestTrustS7_KeepsSecrets(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, value string }{
		"type":                   {`{"type":"integer","x-secret":true}`, `"hunter2"`},
		"writeOnly":              {`{"type":"integer","writeOnly":true}`, `"hunter2"`},
		"number":                 {`{"maximum":5,"x-secret":true}`, `4242`},
		"enum":                   {`{"enum":["a"],"x-secret":true}`, `"hunter2"`},
		"const":                  {`{"const":"a","x-secret":true}`, `"hunter2"`},
		"pattern":                {`{"pattern":"^a$","x-secret":true}`, `"hunter2"`},
		"format":                 {`{"format":"date","x-secret":true}`, `"hunter2"`},
		"below a secret":         {`{"x-secret":true,"properties":{"a":{"type":"integer"}}}`, `{"a":"hunter2"}`},
		"element of a secret":    {`{"x-secret":true,"items":{"type":"integer"}}`, `["hunter2"]`},
		"name in a secret":       {`{"x-secret":true,"additionalProperties":false}`, `{"hunter2":1}`},
		"bad name in a secret":   {`{"x-secret":true,"propertyNames":{"pattern":"^a$"}}`, `{"hunter2":1}`},
		"through $ref":           {`{"$ref":"#/$defs/s"}`, `"hunter2"`},
		"through allOf":          {`{"type":"integer","allOf":[{"x-secret":true}]}`, `"hunter2"`},
		"in anyOf":               {`{"anyOf":[{"type":"integer"},{"minLength":50,"x-secret":true}]}`, `"hunter2"`},
		"types of anyOf":         {`{"x-secret":true,"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"hunter2"`},
		"by pattern of the name": {`{"patternProperties":{"^k":{"x-secret":true,"type":"integer"}}}`, `{"key":"hunter2"}`},
		"by any name":            {`{"additionalProperties":{"x-secret":true,"type":"integer"}}`, `{"key":"hunter2"}`},
		"one of two":             {`{"x-secret":true,"oneOf":[{"minLength":1},{"minLength":2}]}`, `"hunter2"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, with(`"p":`+tc.schema, `"$defs":{"s":{"type":"integer","x-secret":true}}`))
			found := s.Validate(read(t, `{"name":"x","p":`+tc.value+`}`))
			if len(found) == 0 {
				t.Fatal("the value was accepted")
			}
			if text := messages(found); strings.Contains(text, "hunter2") || strings.Contains(text, "4242") {
				t.Errorf("Validate() tells the secret: %s", text)
			}
		})
	}
}

// required does not demand of consumers what only the owner sets (lifecycle M2).
func TestM2_ReadOnlyIsNotRequired(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"title":"D","type":"object","required":["name","vm_id","tier","ip"],"properties":{
		"name":{"type":"string"},"vm_id":{"type":"integer","readOnly":true},"tier":{"type":"string"},"ip":{"$ref":"#/$defs/ip"}},
		"$defs":{"ip":{"readOnly":true}}}`)
	if got := messages(s.Validate(read(t, `{"name":"x"}`))); got != "tier is required" {
		t.Errorf("Validate() says %s", got)
	}
}

// Whatever a validation does, it comes back with an answer.
func TestA13_Recovers(t *testing.T) {
	t.Parallel()
	s := compiled(t, with("", ""))
	s.compiled = nil
	if found := s.Validate(read(t, `{"name":"x"}`)); len(found) != 1 {
		t.Errorf("Validate() = %v", found)
	}
}
