package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
)

// bomb is the schema of 1.5 KB that takes seconds to apply to one value: each
// definition applies the one before twice.
func bomb(keyword string, levels int) string {
	var out strings.Builder
	out.WriteString(`"d0":{"type":"integer"}`)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&out, `,"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i-1, i-1)
	}
	return fmt.Sprintf(`{"$defs":{%s},"$ref":"#/$defs/d%d"}`, out.String(), levels)
}

// Each hostile schema is refused at once with a reason, as it stands and as a
// part of a schema that is otherwise good (trust A2, S1 to S6).
func TestTrustS3_RefusesHostileSchemas(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, rule string }{
		"ref-file":             {`{"$ref":"file:///etc/passwd"}`, "trust S1"},
		"ref-two-cycle":        {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, "trust S4"},
		"ref-itself":           {`{"$ref":"#"}`, "trust S4"},
		"cycle through allOf":  {`{"$defs":{"a":{"allOf":[{"anyOf":[{"not":{"$ref":"#/$defs/a"}}]}]}}}`, "trust S4"},
		"cycle through if":     {`{"$defs":{"a":{"if":true,"then":{"else":{"$ref":"#/$defs/a"}}}}}`, "trust S4"},
		"cycle through depend": {`{"$defs":{"a":{"dependentSchemas":{"x":{"$ref":"#/$defs/a"}}}}}`, "trust S4"},
		"schema-dollar-remote": {`{"$schema":"http://evil.example/meta"}`, "trust S1"},
		"redos":                {`{"pattern":"^(?=(a+)+$)"}`, "trust S6"},
		"repeat":               {`{"pattern":"(x{1000}){1000}"}`, "trust S6"},
		"allof-bomb":           {bomb("allOf", 22), "trust S3"},
		"anyof-bomb":           {bomb("anyOf", 22), "trust S3"},
		"bomb beyond numbers":  {bomb("oneOf", 300), "trust S3"},
		"many sub-schemas":     {`{"anyOf":[` + strings.Repeat(`{},`, 5_001) + `{}]}`, "trust S3"},
		"long text":            {`{"description":"` + strings.Repeat("a", 300_000) + `"}`, "trust S3"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectRefusal(t, tc.text, tc.rule)
			part := strings.ReplaceAll(property(tc.text), "#/$defs", "#/properties/p/$defs")
			expectRefusal(t, strings.ReplaceAll(part, `"$ref":"#"`, `"$ref":"#/properties/p"`), tc.rule)
		})
	}
}

func expectRefusal(t *testing.T, text, rule string) {
	t.Helper()
	s, problems := Compile(read(t, text), []byte(text))
	if s != nil || !strings.Contains(said(problems), ": "+rule) {
		t.Errorf("problems are %s, want one of %s", said(problems), rule)
	}
}

// The parser never lets such a depth through; a value made otherwise is safe too.
func TestTrustS3_Depth(t *testing.T) {
	t.Parallel()
	v := value.Value{Kind: value.Object}
	for range 10_000 {
		v = value.Value{Kind: value.Object, Members: []value.Member{{Name: "not", Value: v}}}
	}
	_, problems := Compile(&v, nil)
	if len(problems) != 1 || problems[0].Pointer != strings.Repeat("/not", maxDepth) {
		t.Errorf("problems are %s", said(problems))
	}
}

func TestTrustS3_NamesTheDearestPath(t *testing.T) {
	t.Parallel()
	_, problems := Compile(read(t, property(`{"$ref":"#/properties/q/$defs/d17"}`)[:len(property(`{"$ref":"#/properties/q/$defs/d17"}`))-2]+`,"q":`+
		strings.ReplaceAll(bomb("allOf", 17), "#/", "#/properties/q/")+`}}`), nil)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "#/properties/q/$defs/d17 → #/properties/q/$defs/d17/allOf/0 → #/properties/q/$defs/d16") {
		t.Errorf("problems are %s", said(problems))
	}
}

// Right below the budget a schema is accepted and still quick to apply.
func TestTrustS3_WithinBudget(t *testing.T) {
	t.Parallel()
	s := compiled(t, strings.ReplaceAll(property(bomb("allOf", 14)), "#/", "#/properties/p/"))
	if found := s.Validate(read(t, `{"name":"a","p":"x"}`)); len(found) == 0 || found[0].Keyword == Costly {
		t.Errorf("Validate() = %v", found)
	}
}

// What the budget of a schema cannot foresee, for it needs a deep value, is
// refused when the item comes (trust S5).
func TestTrustS5_RefusesCostlyItems(t *testing.T) {
	t.Parallel()
	twice := `{"allOf":[{"properties":{"a":{"$ref":"#/$defs/d"}}},{"properties":{"a":{"$ref":"#/$defs/d"}}}]}`
	tests := map[string]struct{ text, item string }{
		"doubling at each level": {
			with(`"a":{"$ref":"#/$defs/d"}`, `"$defs":{"d":`+twice+`}`),
			`{"name":"x"` + strings.Repeat(`,"a":{"b":1`, 60) + strings.Repeat(`}`, 61),
		},
		"many patterns for many names": {
			with("", `"patternProperties":{`+patterns(1000)+`}`),
			`{"name":"x",` + memberList(2000) + `}`,
		},
		"a long text for a wide pattern": {
			property(`{"pattern":"^([a-z]+[a-y]{1,500}){1,2}$"}`),
			`{"name":"x","p":"` + strings.Repeat("a", 1_000_000) + `"}`,
		},
		"many numbers for a long enum": {
			property(`{"items":{"enum":[` + strings.TrimSuffix(numbers(2000), ",") + `]}}`),
			`{"name":"x","p":[` + strings.TrimSuffix(numbers(1000), ",") + `]}`,
		},
		"more values than anybody reads": {
			property(`{"items":{"type":"string"}}`),
			`{"name":"x","p":[` + strings.TrimSuffix(strings.Repeat("1,", 600_000), ",") + `]}`,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := compiled(t, tc.text).Validate(read(t, tc.item))
			if len(found) != 1 || found[0].Keyword != Costly {
				t.Errorf("Validate() = %.300v, want one of %s", found, Costly)
			}
		})
	}
}

func patterns(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"^x%d$":{}`, i))
	}
	return strings.Join(out, ",")
}

func memberList(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"m%d":1`, i))
	}
	return strings.Join(out, ",")
}

// Big items that a schema handles well are not refused.
func TestTrustS5_AcceptsBigItems(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, element string }{
		"texts with a pattern":   {`{"items":{"type":"string","pattern":"^[0-9a-f]{8}$"}}`, `"0123abcd"`},
		"a recursive tree":       {`{"items":{"$ref":"#/properties/p"}}`, `[[[]]]`},
		"numbers within limits":  {`{"items":{"type":"number","minimum":1,"maximum":9}}`, `1.5`},
		"objects with many keys": {`{"items":{"type":"object","additionalProperties":{"type":"integer"}}}`, `{"a":1,"b":2}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := `{"name":"x","p":[` + strings.TrimSuffix(strings.Repeat(tc.element+",", 20_000), ",") + `]}`
			if found := compiled(t, property(tc.schema)).Validate(read(t, item)); found != nil {
				t.Errorf("Validate() = %.300v", found)
			}
		})
	}
}

// Equal hashes cannot be made: 30,000 arrays that differ only in where their
// texts are cut are told apart in linear time (trust S4).
func TestTrustS4_UniqueItemsResistsCollisions(t *testing.T) {
	t.Parallel()
	var elements []string
	for i := range 30_000 {
		var parts strings.Builder
		for bit := range 15 {
			parts.WriteString([]string{`\u0004`, `","`}[i>>bit&1] + "a")
		}
		elements = append(elements, `["a`+parts.String()+`"]`)
	}
	s := compiled(t, property(`{"type":"array","uniqueItems":true}`))
	if found := s.Validate(read(t, `{"name":"x","p":[`+strings.Join(elements, ",")+`]}`)); found != nil {
		t.Errorf("Validate() = %v", found)
	}
	elements = append(elements, elements[17])
	found := s.Validate(read(t, `{"name":"x","p":[`+strings.Join(elements, ",")+`]}`))
	if messages(found) != "p must not hold an element twice; those at 17 and 30000 are equal" {
		t.Errorf("Validate() = %v", found)
	}
}
