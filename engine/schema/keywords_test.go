package schema

import (
	"strings"
	"testing"
)

// R1 tells how references are written; everything else is malformed.
func TestR1_Notation(t *testing.T) {
	t.Parallel()
	const list = `"format":"reference_list","reference_method":"list","service_reference":"VM"`
	tests := map[string]struct{ schema, keyword, says string }{
		"list":                          {`{"type":"array",` + list + `}`, "", ""},
		"list of strings":               {`{"type":"array","items":{"type":"string"},` + list + `}`, "", ""},
		"list or null":                  {`{"type":["array","null"],` + list + `}`, "", ""},
		"one":                           {`{"type":"string","format":"reference","service_reference":"VM"}`, "", ""},
		"scope and propagate":           {`{"type":"string","format":"reference","service_reference":"VM","reference_scope":"team","propagate":false}`, "", ""},
		"type through a reference":      {`{"$ref":"#/properties/name","format":"reference","service_reference":"VM"}`, "", ""},
		"list on a string":              {`{"type":"string",` + list + `}`, "format", `"type": "array"`},
		"list of any type":              {`{` + list + `}`, "format", `"type": "array"`},
		"list of numbers":               {`{"type":"array","items":{"type":"integer"},` + list + `}`, "items/type", "names"},
		"one on an array":               {`{"type":"array","format":"reference","service_reference":"VM"}`, "format", `"type": "string"`},
		"no method":                     {`{"type":"array","format":"reference_list","service_reference":"VM"}`, "", `"reference_method": "list"`},
		"unknown method":                {`{"type":"array","format":"reference_list","reference_method":"map","service_reference":"VM"}`, "reference_method", `"list"`},
		"no service":                    {`{"type":"string","format":"reference"}`, "format", "service_reference"},
		"service is a list":             {`{"type":"string","format":"reference","service_reference":["VM"]}`, "service_reference", "name of a service"},
		"service without a name":        {`{"type":"string","format":"reference","service_reference":""}`, "service_reference", "name of a service"},
		"service with a control":        {`{"type":"string","format":"reference","service_reference":"V\u0007M"}`, "service_reference", "name of a service"},
		"no format":                     {`{"type":"string","service_reference":"VM"}`, "service_reference", `"format"`},
		"other format":                  {`{"type":"string","format":"uuid","service_reference":"VM"}`, "service_reference", `"format"`},
		"unknown scope":                 {`{"type":"string","format":"reference","service_reference":"VM","reference_scope":"world"}`, "reference_scope", `"team"`},
		"propagate as text":             {`{"type":"string","format":"reference","service_reference":"VM","propagate":"no"}`, "propagate", "true or false"},
		"propagate alone":               {`{"type":"string","propagate":false}`, "propagate", "beside service_reference"},
		"scope alone":                   {`{"type":"string","reference_scope":"team"}`, "reference_scope", "beside service_reference"},
		"method alone":                  {`{"type":"array","reference_method":"list"}`, "reference_method", "beside service_reference"},
		"parts that name two services":  {`{"type":"string","format":"reference","service_reference":"VM","allOf":[{"type":"string","format":"reference","service_reference":"Disk"}]}`, "allOf/0/service_reference", "contradicts"},
		"parts that name one service":   {`{"type":"string","format":"reference","service_reference":"VM","allOf":[{"type":"string","format":"reference","service_reference":"VM"}]}`, "", ""},
		"x-reference means nothing, K3": {`{"type":"string","x-reference":"VM"}`, "", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectProblem(t, property(tc.schema), "/properties/p", tc.keyword, tc.says)
		})
	}
}

// expectProblem compiles text and expects one problem, or none if says is "".
func expectProblem(t *testing.T, text, pointer, keyword, says string) {
	t.Helper()
	s, problems := Compile(read(t, text), []byte(text))
	if says == "" {
		if s == nil {
			t.Errorf("problems are %s, want none", said(problems))
		}
		return
	}
	if keyword != "" {
		pointer += "/" + keyword
	}
	if len(problems) != 1 || problems[0].Pointer != pointer || !strings.Contains(problems[0].Message, says) {
		t.Errorf("problems are %s, want one at %s that says %s", said(problems), pointer, says)
	}
}

func TestK2_Keywords(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, keyword, says string }{
		"unordered":                    {`{"type":"array","x-unordered":true}`, "", ""},
		"unordered of unsaid type":     {`{"x-unordered":true}`, "", ""},
		"unordered as text":            {`{"type":"array","x-unordered":"yes"}`, "x-unordered", "true or false"},
		"unordered as number":          {`{"type":"array","x-unordered":1}`, "x-unordered", "true or false"},
		"unordered on a string":        {`{"type":"string","x-unordered":true}`, "x-unordered", "type array"},
		"unordered off on a string":    {`{"type":"string","x-unordered":false}`, "", ""},
		"unordered through $ref":       {`{"$ref":"#/properties/name","x-unordered":true}`, "x-unordered", "type array"},
		"secret":                       {`{"type":"string","x-secret":true}`, "", ""},
		"secret as text":               {`{"type":"string","x-secret":"true"}`, "x-secret", "true or false"},
		"read-only as text":            {`{"readOnly":"true"}`, "readOnly", "true or false"},
		"owner default":                {`{"x-owner-default":true}`, "", ""},
		"owner default and read-only":  {`{"x-owner-default":true,"readOnly":true}`, "x-owner-default", "exclude"},
		"immutable and read-only":      {`{"x-immutable":true,"readOnly":true}`, "x-immutable", "exclude"},
		"unique and read-only":         {`{"type":"string","x-unique":"team","readOnly":true}`, "x-unique", "exclude"},
		"unique and secret, K6":        {`{"type":"string","x-unique":"team","x-secret":true}`, "x-unique", "exclude"},
		"unique anywhere":              {`{"type":"string","x-unique":"world"}`, "x-unique", `"service"`},
		"unique on an object":          {`{"type":"object","x-unique":"team"}`, "x-unique", "type string"},
		"immutable in a list":          {`{"type":"array","items":{"type":"object","properties":{"a":{"x-immutable":true}}}}`, "items/properties/a/x-immutable", "below an array"},
		"computed inside":              {`{"x-computed":{}}`, "x-computed", "at the root"},
		"life cycle inside":            {`{"x-lifecycle":{}}`, "x-lifecycle", "at the root"},
		"page":                         {`{"x-page":{"n":2},"x-order":3}`, "", ""},
		"page inside":                  {`{"type":"object","properties":{"a":{"x-page":{"n":1}}}}`, "properties/a/x-page", "item itself"},
		"order of a fraction":          {`{"x-order":1.5}`, "x-order", "whole number"},
		"required in a phase":          {`{"x-required-in":["DEPLOYED"]}`, "", ""},
		"required in no phase":         {`{"x-required-in":["SOON"]}`, "x-required-in", "IN_SERVICE"},
		"title on a string":            {`{"type":"string","x-title":"a"}`, "x-title", "type object"},
		"contradiction through allOf":  {`{"x-secret":true,"allOf":[{"x-secret":false}]}`, "allOf/0/x-secret", "contradicts"},
		"contradiction at a property":  {`{"allOf":[{"properties":{"a":{"x-owner-default":true}}},{"properties":{"a":{"x-owner-default":false}}}]}`, "allOf/1/properties/a/x-owner-default", "contradicts"},
		"agreement through allOf":      {`{"x-secret":true,"allOf":[{"x-secret":true}]}`, "", ""},
		"unknown keyword":              {`{"x-colour":"red"}`, "", ""},
		"malformed below anyOf counts": {`{"anyOf":[{"x-secret":"a"}]}`, "anyOf/0/x-secret", "true or false"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectProblem(t, property(tc.schema), "/properties/p", tc.keyword, tc.says)
		})
	}
}

func TestK2_LifecyclePhases(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`{"mode":"warn","IN_SERVICE":{},"DEPLOYED":{"required":["deployed_item"]}}`: "",
		`{"mode":"loose"}`: "strict or warn", `{"SOON":{}}`: "IN_SERVICE", `{"DEPLOYED":true}`: "DEPLOYED", `[]`: "an object",
	} {
		expectProblem(t, with("", `"x-lifecycle":`+text), "", "x-lifecycle", says)
	}
}

// Nothing hides or changes the name by which an item is known (lifecycle K2).
func TestK2_NameStaysPlain(t *testing.T) {
	t.Parallel()
	for _, keyword := range []string{"readOnly", "x-owner-default", "x-immutable", "x-ignore-change", "x-secret"} {
		t.Run(keyword, func(t *testing.T) {
			t.Parallel()
			text := `{"title":"D","type":"object","required":["name"],"properties":{"name":{"type":"string","` + keyword + `":true}}}`
			expectProblem(t, text, "/properties/name", keyword, "cannot stand on name")
		})
	}
}

// Below anyOf and its like only validation counts (lifecycle K1); an unknown
// x- keyword is accepted (K2).
func TestK1_Warnings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, pointer string }{
		"anyOf":            {`{"anyOf":[{"type":"array","x-unordered":true}]}`, "/properties/p/anyOf/0/x-unordered"},
		"oneOf":            {`{"oneOf":[{"type":"string","format":"reference","service_reference":"VM"}]}`, "/properties/p/oneOf/0/service_reference"},
		"not":              {`{"not":{"x-secret":true}}`, "/properties/p/not/x-secret"},
		"then":             {`{"if":{},"then":{"properties":{"a":{"x-secret":true}}}}`, "/properties/p/then/properties/a/x-secret"},
		"contains":         {`{"contains":{"x-secret":true}}`, "/properties/p/contains/x-secret"},
		"unknown keyword":  {`{"x-colour":"red"}`, "/properties/p/x-colour"},
		"x-reference (K3)": {`{"x-reference":"VM"}`, "/properties/p/x-reference"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, property(tc.schema))
			if !hasLine(said(s.Warnings()), tc.pointer+": K", "no effect") {
				t.Errorf("warnings are %s, want one at %s", said(s.Warnings()), tc.pointer)
			}
		})
	}
	s := compiled(t, with(`"p":{"$ref":"#/$defs/d"},"q":{"anyOf":[{"$ref":"#/$defs/d"}]}`, `"$defs":{"d":{"x-secret":true},"unused":{"x-secret":true}}`))
	if len(s.Warnings()) > 0 {
		t.Errorf("a definition that also counts gives %s", said(s.Warnings()))
	}
}
