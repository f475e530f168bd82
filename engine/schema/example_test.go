package schema

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
	"pgregory.net/rapid"
)

func exampleOf(s *Schema) string {
	v := s.Example()
	return string(value.AppendJSON(nil, &v))
}

// S5: the example shows what a consumer may set and meets the schema.
func TestS5_ExampleOfEverything(t *testing.T) {
	t.Parallel()
	s := compiled(t, rich)
	got := exampleOf(s)
	want := `{"name":"my-web-shop","tier":"silver","host":"host","cpu":8,"ratio":0.5,"password":"passwordxxxx","ports":[1024,1025],"vms":["my-vm"],` +
		`"tiers":[{"level":"top","code":"code"}],"labels":{},"zones":{},"point":[{"x":1}],"store":{"disk":1},"mail":"someone@example.org"}`
	if got != want {
		t.Errorf("Example() = %s\nwant        %s", got, want)
	}
	if len(s.Warnings()) > 0 {
		t.Errorf("Warnings() = %s", said(s.Warnings()))
	}
}

func TestS5_ExampleMeetsTheSchema(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, want string }{
		"minimum":                {`{"type":"integer","minimum":5}`, `5`},
		"exclusive minimum":      {`{"type":"integer","exclusiveMinimum":5}`, `6`},
		"negative maximum":       {`{"type":"integer","maximum":-5}`, `-6`},
		"multiple":               {`{"type":"integer","multipleOf":7,"minimum":15}`, `21`},
		"between":                {`{"type":"number","exclusiveMinimum":0.1,"exclusiveMaximum":0.2}`, `0.15`},
		"big":                    {`{"type":"integer","minimum":9007199254740993}`, `9007199254740993`},
		"pattern":                {`{"type":"string","pattern":"^[A-Z]{3}-\\d+(foo|bar)?$"}`, `"AAA-1"`},
		"pattern and length":     {`{"type":"string","pattern":"^[a-z]+$","minLength":5}`, `"pxxxx"`},
		"length":                 {`{"type":"string","maxLength":3,"minLength":3}`, `"pxx"`},
		"format":                 {`{"type":"string","format":"date-time"}`, `"2026-11-22T10:30:00Z"`},
		"an example that fits":   {`{"type":"integer","examples":[7]}`, `7`},
		"an example that is bad": {`{"type":"integer","examples":["seven"]}`, `1`},
		"a second example":       {`{"type":"integer","examples":["seven",7]}`, `7`},
		"default":                {`{"type":"integer","default":9}`, `9`},
		"a default that is bad":  {`{"type":"integer","default":null}`, `1`},
		"enum":                   {`{"enum":["a","b"]}`, `"a"`},
		"different elements":     {`{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"string"}}`, `["p","p-2","p-3"]`},
		"different choices":      {`{"type":"array","minItems":2,"uniqueItems":true,"items":{"enum":["a","b"]}}`, `["a","b"]`},
		"contains":               {`{"type":"array","contains":{"type":"string"}}`, `["p"]`},
		"null only":              {`{"type":"null"}`, `null`},
		"bool":                   {`{"type":"boolean"}`, `true`},
		"second form":            {`{"oneOf":[{"type":"string","minLength":5,"maxLength":2},{"type":"integer"}]}`, `1`},
		"false":                  {`{"properties":{"a":false}}`, `{}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, property(tc.schema))
			if got := exampleOf(s); got != `{"name":"my-disk","p":`+tc.want+`}` {
				t.Errorf("Example() = %s, want p of %s", got, tc.want)
			}
			expectExample(t, s)
		})
	}
}

func expectExample(t *testing.T, s *Schema) {
	t.Helper()
	v := s.Example()
	if found := s.Validate(&v); found != nil {
		t.Errorf("the example %s does not meet its schema: %s", exampleOf(s), messages(found))
	}
	if hasLine(said(s.Warnings()), ": S5: ", "example") {
		t.Errorf("Warnings() = %s", said(s.Warnings()))
	}
}

// What is not required is left out where it cannot be filled in.
func TestS5_ExampleFallsBackToTheLeast(t *testing.T) {
	t.Parallel()
	s := compiled(t, property(`{"type":"string","minLength":5,"maxLength":2}`))
	if got := exampleOf(s); got != `{"name":"my-disk"}` {
		t.Errorf("Example() = %s", got)
	}
	expectExample(t, s)
}

// Where nothing meets the schema, a warning says so.
func TestS5_WarnsWithoutExample(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"p":{"type":"string","minLength":5,"maxLength":2}`, `"allOf":[{"required":["p"]}]`))
	if !hasLine(said(s.Warnings()), ": S5: ", "examples") {
		t.Errorf("Warnings() = %s", said(s.Warnings()))
	}
}

func TestS5_ExampleOfTheWholeItem(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"p":{}`, `"examples":[{"name":"shop","p":[1.50]}]`))
	if got := exampleOf(s); got != `{"name":"shop","p":[1.50]}` {
		t.Errorf("Example() = %s", got)
	}
}

// Recursive schemas have small examples, made quickly.
func TestS5_ExampleEnds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		with(`"kids":{"type":"array","items":{"$ref":"#"}}`, ""),
		with(`"l":{"$ref":"#/$defs/t"}`, `"$defs":{"t":{"type":"object","required":["l","r"],"properties":{"l":{"$ref":"#/$defs/t"},"r":{"$ref":"#/$defs/t"}}}}`),
		with(`"l":{"$ref":"#/$defs/t"}`, `"$defs":{"t":{"type":"array","minItems":50,"items":{"$ref":"#/$defs/t"}}}`),
		property(`{"type":"array","minItems":1000000}`),
	} {
		if got := exampleOf(compiled(t, text)); len(got) > 100_000 {
			t.Errorf("the example of %s has %d bytes", text, len(got))
		}
	}
}

// A text made for a pattern matches it.
func TestS5_MatchingPatterns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		atom := rapid.SampledFrom([]string{"a", "[b-d]", `\d`, `\w`, ".", "[^a]", "(x|y)", "é", `\.`, "(?i:q)"})
		repeat := rapid.SampledFrom([]string{"", "*", "+", "?", "{3}", "{2,}", "{0,4}"})
		var pattern strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "atoms") {
			pattern.WriteString(atom.Draw(t, "atom") + repeat.Draw(t, "repeat"))
		}
		text := matching("^"+pattern.String()+"$", rapid.IntRange(0, 10).Draw(t, "shortest"))
		if !regexp.MustCompile("^" + pattern.String() + "$").MatchString(text) {
			t.Fatalf("%q does not match %s", text, pattern.String())
		}
	})
}

// Whatever limits a schema sets, its example meets them.
func TestS5_ExampleMeetsRandomLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(-50, 50).Draw(t, "low")
		high := low + rapid.IntRange(20, 40).Draw(t, "room")
		step := rapid.IntRange(1, 9).Draw(t, "step")
		least := rapid.IntRange(0, 8).Draw(t, "least")
		text := property(fmt.Sprintf(`{"type":"object","required":["n","s","l"],"properties":{
			"n":{"type":"integer","minimum":%d,"maximum":%d,"multipleOf":%d},
			"s":{"type":"string","minLength":%d,"maxLength":%d},
			"l":{"type":"array","minItems":%d,"uniqueItems":true,"items":{"type":"number","exclusiveMinimum":%d}}}}`,
			low, high, step, least, least+1, least, low))
		v, _ := value.ParseJSON([]byte(text))
		s, problems := Compile(&v, []byte(text))
		if s == nil {
			t.Fatal(said(problems))
		}
		example := s.Example()
		if found := s.Validate(&example); found != nil || !strings.Contains(exampleOf(s), `"l"`) {
			t.Fatalf("Example() of %s = %s: %s", text, exampleOf(s), messages(found))
		}
	})
}
