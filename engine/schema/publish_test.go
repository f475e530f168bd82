package schema

import (
	"fmt"
	"strings"
	"testing"
)

// Each schema breaks one rule; the problem names its place, its rule and what
// to do (marketplace S1, S2).
func TestS2_RefusesWithPlaceAndReason(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, pointer, rule, says string }{
		"not an object":              {`[]`, "", "S1", "must be a JSON object"},
		"false":                      {`false`, "", "S1", "must be a JSON object"},
		"no type":                    {`{"title":"D","properties":{"name":{"type":"string"}},"required":["name"]}`, "", "S1", `"type": "object"`},
		"type array":                 {`{"title":"D","type":"array","properties":{"name":{"type":"string"}},"required":["name"]}`, "/type", "S1", "an item is an object"},
		"no name property":           {`{"title":"D","type":"object","required":["name"]}`, "", "S1", `property "name"`},
		"name is a number":           {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"integer"}}}`, "/properties/name/type", "S1", "of type string"},
		"name may be null":           {`{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":["string","null"]}}}`, "/properties/name/type", "S1", "of type string"},
		"name of any type":           {`{"title":"D","type":"object","required":["name"],"properties":{"name":{}}}`, "/properties/name", "S1", "of type string"},
		"name not required":          {`{"title":"D","type":"object","properties":{"name":{"type":"string"}},"required":["x"]}`, "/required", "S1", `list "name"`},
		"nothing required":           {`{"title":"D","type":"object","properties":{"name":{"type":"string"}}}`, "", "S1", `list "name"`},
		"no title":                   {`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, "", "S1", `"title"`},
		"title with spaces around":   {`{"title":" D","type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, "/title", "M3", "service's name"},
		"title is a number":          {`{"title":7,"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, "/title", "S2", "a string"},
		"unknown type":               {property(`{"type":"int"}`), "/properties/p/type", "S2", `"integer"`},
		"minimum is text":            {property(`{"minimum":"1"}`), "/properties/p/minimum", "S2", "must be a number"},
		"required is no list":        {property(`{"required":true}`), "/properties/p/required", "S2", "must be an array"},
		"property is text":           {with(`"p":"string"`, ""), "/properties/p", "S2", "must be true or false or an object"},
		"empty allOf":                {property(`{"allOf":[]}`), "/properties/p/allOf", "S2", "at least 1 element"},
		"old draft":                  {with("", `"$schema":"http://json-schema.org/draft-04/schema#"`), "/$schema", "trust S1", "2020-12"},
		"remote meta-schema":         {with("", `"$schema":"http://evil.example/meta"`), "/$schema", "trust S1", "2020-12"},
		"$schema inside":             {property(`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`), "/properties/p/$schema", "trust S1", "at the root only"},
		"file reference":             {property(`{"$ref":"file:///etc/passwd"}`), "/properties/p/$ref", "trust S1", "must begin with #"},
		"remote reference":           {property(`{"$ref":"https://evil.example/s#"}`), "/properties/p/$ref", "trust S1", "must begin with #"},
		"relative reference":         {property(`{"$ref":"other.json"}`), "/properties/p/$ref", "trust S1", "must begin with #"},
		"reference to the meta":      {property(`{"$ref":"http://json-schema.org/draft-07/schema#"}`), "/properties/p/$ref", "trust S1", "must begin with #"},
		"dangling reference":         {property(`{"$ref":"#/$defs/none"}`), "/properties/p/$ref", "S2", "does not lead to a schema"},
		"dangling anchor":            {property(`{"$ref":"#none"}`), "/properties/p/$ref", "S2", "does not lead to a schema"},
		"reference to no schema":     {property(`{"$ref":"#/required"}`), "/properties/p/$ref", "S2", "does not lead to a schema"},
		"reference into an example":  {with(`"p":{"$ref":"#/examples/0"}`, `"examples":[{"type":"string"}]`), "/properties/p/$ref", "S2", "does not lead to a schema"},
		"broken escape":              {property(`{"$ref":"#/%zz"}`), "/properties/p/$ref", "S2", "does not lead to a schema"},
		"reference is a number":      {property(`{"$ref":1}`), "/properties/p/$ref", "S2", "must be a string"},
		"id of a meta-schema":        {with("", `"$id":"https://json-schema.org/draft/2020-12/schema"`), "/$id", "trust S1", "meta-schema"},
		"id of a meta-schema inside": {property(`{"$id":"http://json-schema.org/draft-07/schema#"}`), "/properties/p/$id", "trust S1", "meta-schema"},
		"id inside":                  {property(`{"$id":"https://example.org/p"}`), "/properties/p/$id", "trust S1", "at the root only"},
		"dynamic reference":          {property(`{"$dynamicRef":"#x"}`), "/properties/p/$dynamicRef", "trust S4", "use $ref"},
		"recursive reference":        {property(`{"$recursiveRef":"#"}`), "/properties/p/$recursiveRef", "trust S4", "use $ref"},
		"look-ahead":                 {property(`{"pattern":"^(?=a)b"}`), "/properties/p/pattern", "trust S6", "look-ahead"},
		"negative look-ahead":        {property(`{"pattern":"^(?!a)b"}`), "/properties/p/pattern", "trust S6", "look-ahead"},
		"look-behind":                {property(`{"pattern":"(?<=a)b"}`), "/properties/p/pattern", "trust S6", "look-behind"},
		"back-reference":             {property(`{"pattern":"(a)\\1"}`), "/properties/p/pattern", "trust S6", "back-reference"},
		"unknown escape":             {property(`{"pattern":"\\cA"}`), "/properties/p/pattern", "trust S6", "RE2"},
		"too many repetitions":       {property(`{"pattern":"(x{1000}){1000}"}`), "/properties/p/pattern", "trust S6", "1000 repetitions"},
		"unclosed group":             {property(`{"pattern":"(a"}`), "/properties/p/pattern", "trust S6", "not a regular expression"},
		"long pattern":               {property(`{"pattern":"` + strings.Repeat("a", 1001) + `"}`), "/properties/p/pattern", "trust S6", "1001 characters"},
		"pattern of names":           {property(`{"patternProperties":{"(?=a)":{}}}`), "/properties/p/patternProperties/(?=a)", "trust S6", "look-ahead"},
		"long enum":                  {property(`{"enum":[` + strings.TrimSuffix(numbers(2001), ",") + `]}`), "/properties/p/enum", "trust S3", "2001 values"},
		"count beyond reason":        {property(`{"maxLength":1e300}`), "/properties/p/maxLength", "trust S3", "too big"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, problems := Compile(read(t, tc.text), []byte(tc.text))
			if s != nil {
				t.Fatal("the schema was accepted")
			}
			if line := tc.pointer + ": " + tc.rule + ": "; !hasLine(said(problems), line, tc.says) {
				t.Errorf("problems are\n%s\nwant %s… %s", said(problems), line, tc.says)
			}
		})
	}
}

// The meta-schema of draft 7 speaks of patterns, too; one sentence is enough.
func TestTrustS6_ToldOnce(t *testing.T) {
	t.Parallel()
	for _, draft := range []string{draft7, draft2020} {
		expectProblem(t, with(`"p":{"pattern":"(?=a)"}`, `"$schema":"`+draft+`"`), "/properties/p", "pattern", "look-ahead")
	}
}

func hasLine(text, begin, contain string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, begin) && strings.Contains(line, contain) {
			return true
		}
	}
	return false
}

func numbers(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%d,", i)
	}
	return out.String()
}

// All problems come at once, in the order of the text, with line and column.
func TestS2_TellsAllProblemsInOrder(t *testing.T) {
	t.Parallel()
	text := `{
  "type": "array",
  "properties": {
    "name": {"type": "string"},
    "é": {"type": "int"},   "cpu": {"minimum": "1", "pattern": "(?=x)"},
    "vm": {"type": "integer", "format": "reference", "service_reference": "VM"}
  },
  "metadata": {"approval_required": "yes"}
}`
	_, problems := Compile(read(t, text), []byte(text))
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Pointer))
	}
	want := []string{
		"1:1 ", "1:1 ", "2:11 /type", "5:19 /properties/é/type", "5:48 /properties/cpu/minimum", "5:64 /properties/cpu/pattern",
		"6:41 /properties/vm/format", "8:37 /metadata/approval_required",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("places are %q, want %q\n%s", got, want, said(problems))
	}
}

// What the rules allow is accepted, in both drafts.
func TestS1_Accepts(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"the least":                    with("", ""),
		"draft 7":                      with("", `"$schema":"http://json-schema.org/draft-07/schema#"`),
		"draft 7 without the hash":     with("", `"$schema":"http://json-schema.org/draft-07/schema"`),
		"draft 2020-12":                with("", `"$schema":"https://json-schema.org/draft/2020-12/schema"`),
		"an address of its own":        with("", `"$id":"https://example.org/disk"`),
		"definitions":                  with(`"p":{"$ref":"#/definitions/a~1b%25"}`, `"definitions":{"a/b%":{"type":"integer"}}`),
		"an anchor":                    with(`"p":{"$ref":"#here"}`, `"$defs":{"a":{"$anchor":"here"}}`),
		"an anchor of draft 7":         with(`"p":{"$ref":"#here"}`, `"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"$id":"#here"}}`),
		"a recursive tree":             with(`"kids":{"type":"array","items":{"$ref":"#"}}`, ""),
		"a reference to a property":    with(`"p":{"$ref":"#/properties/name"}`, ""),
		"bool schemas":                 with(`"p":true,"q":false`, ""),
		"name through a reference":     `{"title":"D","type":"object","properties":{"name":{"$ref":"#/$defs/n"}},"required":["name"],"$defs":{"n":{"type":"string","minLength":1}}}`,
		"name through allOf":           `{"title":"D","type":"object","allOf":[{"properties":{"name":{"type":"string"}},"required":["name"]}]}`,
		"properties called as keyword": with(`"$ref":{"type":"string"},"pattern":{"type":"string"},"$id":{},"uniqueItems":true,"enum":{"type":"array"},"x-secret":{}`, ""),
		"keywords in a constant":       property(`{"const":{"$ref":"http://evil.example/","pattern":"(?=a)"}}`),
		"unknown format":               property(`{"type":"string","format":"colour"}`),
		"free metadata":                with("", `"metadata":{"cost_centre":"4711","monthly_cost":12.50,"cost_per_change":0,"approval_required":false}`),
		"delivery options":             with("", `"metadata":{"delivery":{"order":"item","strict_order":true,"supersede":"unfetched","modify_as":"replace","wait_for_references":true,"redeliver_after":"10m","timeout":null}}`),
		"many types":                   property(`{"type":["string","null"]}`),
		"a big number":                 property(`{"maximum":1e400,"minimum":-1e-400}`),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, text)
			if found := s.Validate(read(t, `{"name":"a"}`)); strings.HasPrefix(name, "draft") && found != nil {
				t.Errorf("Validate() = %v", found)
			}
		})
	}
}

// Metadata is free, but what the portal reads of it must make sense (delivery P0).
func TestP0_MetadataOptions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ metadata, pointer string }{
		"metadata is a list":   {`[]`, "/metadata"},
		"approval as text":     {`{"approval_required":"true"}`, "/metadata/approval_required"},
		"cost as text":         {`{"monthly_cost":"12"}`, "/metadata/monthly_cost"},
		"cost of a change":     {`{"cost_per_change":null}`, "/metadata/cost_per_change"},
		"compare as text":      {`{"compare":"unordered"}`, "/metadata/compare"},
		"unknown comparison":   {`{"compare":{"arrays":"sets"}}`, "/metadata/compare/arrays"},
		"unknown supersede":    {`{"delivery":{"supersede":"always"}}`, "/metadata/delivery/supersede"},
		"supersede as bool":    {`{"delivery":{"supersede":true}}`, "/metadata/delivery/supersede"},
		"strict order as text": {`{"delivery":{"strict_order":"yes"}}`, "/metadata/delivery/strict_order"},
		"duration of nothing":  {`{"delivery":{"timeout":"0s"}}`, "/metadata/delivery/timeout"},
		"duration as number":   {`{"delivery":{"redeliver_after":300}}`, "/metadata/delivery/redeliver_after"},
		"duration of weeks":    {`{"delivery":{"redeliver_after":"1w"}}`, "/metadata/delivery/redeliver_after"},
		"life cycle as list":   {`{"lifecycle":[]}`, "/metadata/lifecycle"},
		"variants as object":   {`{"variants":{}}`, "/metadata/variants"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := with("", `"metadata":`+tc.metadata)
			s, problems := Compile(read(t, text), []byte(text))
			if s != nil || len(problems) != 1 || problems[0].Pointer != tc.pointer {
				t.Errorf("problems are %s, want one at %s", said(problems), tc.pointer)
			}
		})
	}
}

func TestP0_UnknownOptionsAreWarnings(t *testing.T) {
	t.Parallel()
	s := compiled(t, with("", `"metadata":{"delivery":{"speed":"high"},"compare":{"numbers":"loose"}}`))
	got := said(s.Warnings())
	if !hasLine(got, "/metadata/delivery/speed: P0: ", "no effect") || !hasLine(got, "/metadata/compare/numbers: P0: ", "no effect") {
		t.Errorf("warnings are %s", got)
	}
	s = compiled(t, with("", `"metadata":{"delivery":"fast"}`))
	if !hasLine(said(s.Warnings()), "/metadata/delivery: P0: ", "no object") {
		t.Errorf("warnings are %s", said(s.Warnings()))
	}
}

func TestCompile_NeedsNoText(t *testing.T) {
	t.Parallel()
	_, problems := Compile(read(t, `{}`), nil)
	for _, p := range problems {
		if p.Line != 0 || p.Column != 0 {
			t.Errorf("%+v has a place in no text", p)
		}
	}
	if len(problems) == 0 {
		t.Error("an empty schema was accepted")
	}
}
