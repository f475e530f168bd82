package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
	"pgregory.net/rapid"
)

const (
	oneVM   = `{"type":"string","format":"reference","service_reference":"VM"}`
	manyVMs = `{"type":"array","items":{"type":"string"},"format":"reference_list","reference_method":"list","service_reference":"VM"}`
)

// written writes references as path=service:name, with ! for team scope and ~ for
// no propagation.
func written(found []Reference) string {
	out := make([]string, len(found))
	for i, r := range found {
		out[i] = strings.Join(r.Path, ".") + "=" + r.Service + ":" + r.Name
		if r.Team {
			out[i] += "!"
		}
		if !r.Propagate {
			out[i] += "~"
		}
	}
	return strings.Join(out, " ")
}

// Names are found wherever the rules say that a reference may stand (R1, K1).
func TestR1_FindsNamesAtAnyDepth(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ properties, more, item, want string }{
		"none":               {`"p":{"type":"string"}`, "", `"p":"a"`, ""},
		"one":                {`"p":` + oneVM, "", `"p":"a"`, "p=VM:a"},
		"many":               {`"p":` + manyVMs, "", `"p":["a","b"]`, "p.0=VM:a p.1=VM:b"},
		"the same twice, R6": {`"p":` + manyVMs, "", `"p":["a","a"]`, "p.0=VM:a p.1=VM:a"},
		"absent":             {`"p":` + oneVM, "", ``, ""},
		"null":               {`"p":` + oneVM, "", `"p":null`, ""},
		"of a wrong type":    {`"p":` + manyVMs, "", `"p":[1,{"a":"b"},"c"]`, "p.2=VM:c"},
		"in the order of the text": {
			`"p":` + oneVM + `,"q":` + oneVM, "", `"q":"a","p":"b"`, "q=VM:a p=VM:b",
		},
		"team scope, R2":     {`"p":{"type":"string","format":"reference","service_reference":"VM","reference_scope":"team"}`, "", `"p":"a"`, "p=VM:a!"},
		"own scope":          {`"p":{"type":"string","format":"reference","service_reference":"VM","reference_scope":"application"}`, "", `"p":"a"`, "p=VM:a"},
		"no propagation, R5": {`"p":{"type":"string","format":"reference","service_reference":"VM","propagate":false}`, "", `"p":"a"`, "p=VM:a~"},
		"propagation said":   {`"p":{"type":"string","format":"reference","service_reference":"VM","propagate":true}`, "", `"p":"a"`, "p=VM:a"},
		"nested":             {`"p":{"properties":{"q":` + oneVM + `}}`, "", `"p":{"q":"a"}`, "p.q=VM:a"},
		"items":              {`"p":{"items":` + oneVM + `}`, "", `"p":["a","b"]`, "p.0=VM:a p.1=VM:b"},
		"prefix items":       {`"p":{"prefixItems":[true,` + oneVM + `]}`, "", `"p":["a","b","c"]`, "p.1=VM:b"},
		"items after prefix": {`"p":{"prefixItems":[true],"items":` + oneVM + `}`, "", `"p":["a","b","c"]`, "p.1=VM:b p.2=VM:c"},
		"any name":           {`"p":{"properties":{"x":true},"additionalProperties":` + oneVM + `}`, "", `"p":{"x":"no","y":"a"}`, "p.y=VM:a"},
		"by pattern":         {`"p":{"patternProperties":{"^vm":` + oneVM + `}}`, "", `"p":{"x":"no","vm1":"a"}`, "p.vm1=VM:a"},
		"pattern or any": {
			`"p":{"patternProperties":{"^x":true},"additionalProperties":` + oneVM + `}`, "", `"p":{"x":"no","y":"a"}`, "p.y=VM:a",
		},
		"through $defs":       {`"p":{"$ref":"#/$defs/vm"}`, `"$defs":{"vm":` + oneVM + `}`, `"p":"a"`, "p=VM:a"},
		"through definitions": {`"p":{"$ref":"#/definitions/vm"}`, `"definitions":{"vm":` + oneVM + `}`, `"p":"a"`, "p=VM:a"},
		"beside $ref":         {`"p":{"$ref":"#/properties/name","format":"reference","service_reference":"VM"}`, "", `"p":"a"`, "p=VM:a"},
		"all of":              {`"p":{"allOf":[{"properties":{"q":` + oneVM + `}}]}`, "", `"p":{"q":"a"}`, "p.q=VM:a"},
		"at the root":         {``, `"allOf":[{"properties":{"p":` + oneVM + `}}]`, `"p":"a"`, "p=VM:a"},
		"said twice":          {`"p":` + oneVM, `"allOf":[{"properties":{"p":` + oneVM + `}}]`, `"p":"a"`, "p=VM:a"},
		"any of: no, K1":      {`"p":{"anyOf":[` + oneVM + `]}`, "", `"p":"a"`, ""},
		"if: no, K1":          {`"p":{"if":` + oneVM + `}`, "", `"p":"a"`, ""},
		"recursive": {
			`"tree":{"$ref":"#/$defs/t"}`, `"$defs":{"t":{"properties":{"vm":` + oneVM + `,"kids":{"items":{"$ref":"#/$defs/t"}}}}}`,
			`"tree":{"vm":"a","kids":[{"vm":"b"},{"kids":[{"vm":"c"}]}]}`, "tree.vm=VM:a tree.kids.0.vm=VM:b tree.kids.1.kids.0.vm=VM:c",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, with(tc.properties, tc.more))
			item := `{"name":"x"`
			if tc.item != "" {
				item += "," + tc.item
			}
			if got := written(s.References(read(t, item+"}"))); got != tc.want {
				t.Errorf("References() = %q, want %q", got, tc.want)
			}
			if s.HasReferences() != (len(s.ReferencedServices()) == 1) || tc.want != "" && !s.HasReferences() {
				t.Errorf("HasReferences() = %v, ReferencedServices() = %q", s.HasReferences(), s.ReferencedServices())
			}
		})
	}
}

func TestR1_Draft7Lists(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"p":{"items":[true,`+oneVM+`],"additionalItems":`+strings.Replace(oneVM, "VM", "Disk", 1)+`},
		"q":{"$ref":"#/properties/name","format":"reference","service_reference":"VM"}`, `"$schema":"http://json-schema.org/draft-07/schema#"`))
	got := written(s.References(read(t, `{"name":"x","p":["a","b","c"],"q":"d"}`)))
	if want := "p.1=VM:b p.2=Disk:c q=VM:d"; got != want {
		t.Errorf("References() = %q, want %q", got, want)
	}
	if want := []string{"VM", "Disk"}; !slices.Equal(s.ReferencedServices(), want) {
		t.Errorf("ReferencedServices() = %q, want %q", s.ReferencedServices(), want)
	}
}

func TestReferences_PointAtTheNames(t *testing.T) {
	t.Parallel()
	s := compiled(t, property(manyVMs))
	text := `{"name":"x","p":["a","bb"]}`
	for i, r := range s.References(read(t, text)) {
		if want := []string{`"a"`, `"bb"`}[i]; !strings.HasPrefix(text[r.At:], want) {
			t.Errorf("reference %d is at %s, want %s", i, text[r.At:], want)
		}
	}
}

// Names are found in linear time where parts of a schema repeat each other.
func TestReferences_RepeatedPartsAreVisitedOnce(t *testing.T) {
	t.Parallel()
	twice := `{"allOf":[{"properties":{"a":{"$ref":"#/$defs/d"},"vm":` + oneVM + `}},{"properties":{"a":{"$ref":"#/$defs/d"}}}]}`
	s := compiled(t, with(`"a":{"$ref":"#/$defs/d"}`, `"$defs":{"d":`+twice+`}`))
	item := `{"name":"x"` + strings.Repeat(`,"a":{"vm":"b"`, 60) + strings.Repeat(`}`, 61)
	if got := len(s.References(read(t, item))); got != 60 {
		t.Errorf("%d names found, want 60", got)
	}
}

// Which arrays are multisets is found like references (G3, delivery E2, E4).
func TestG3_Ordering(t *testing.T) {
	t.Parallel()
	const unordered = `{"type":"array","x-unordered":true}`
	tests := map[string]struct {
		properties, more, a, b string
		equal                  bool
	}{
		"ordered":                  {`"p":{"type":"array"}`, "", `[1,2]`, `[2,1]`, false},
		"unordered":                {`"p":` + unordered, "", `[1,2]`, `[2,1.0]`, true},
		"a multiset":               {`"p":` + unordered, "", `[1,1,2]`, `[1,2,2]`, false},
		"not its elements":         {`"p":` + unordered, "", `[[1,2]]`, `[[2,1]]`, false},
		"both levels":              {`"p":{"type":"array","x-unordered":true,"items":` + unordered + `}`, "", `[[1,2],[3]]`, `[[3],[2,1]]`, true},
		"nested":                   {`"p":{"properties":{"q":` + unordered + `}}`, "", `{"q":[1,2],"r":[1]}`, `{"r":[1],"q":[2,1]}`, true},
		"nested, other array":      {`"p":{"properties":{"q":` + unordered + `}}`, "", `{"r":[1,2]}`, `{"r":[2,1]}`, false},
		"any name":                 {`"p":{"additionalProperties":` + unordered + `}`, "", `{"q":[1,2]}`, `{"q":[2,1]}`, true},
		"through $ref":             {`"p":{"$ref":"#/$defs/s"}`, `"$defs":{"s":` + unordered + `}`, `[1,2]`, `[2,1]`, true},
		"beside $ref":              {`"p":{"$ref":"#/$defs/s","x-unordered":true}`, `"$defs":{"s":{"type":"array"}}`, `[1,2]`, `[2,1]`, true},
		"through allOf":            {`"p":{"allOf":[{"x-unordered":true}]}`, "", `[1,2]`, `[2,1]`, true},
		"merged at one property":   {`"p":{"allOf":[{"properties":{"q":` + unordered + `}},{"properties":{"r":` + unordered + `}}]}`, "", `{"q":[1,2],"r":[1,2]}`, `{"q":[2,1],"r":[2,1]}`, true},
		"not through anyOf, K1":    {`"p":{"anyOf":[{"x-unordered":true}]}`, "", `[1,2]`, `[2,1]`, false},
		"recursive":                {`"p":{"$ref":"#/$defs/t"}`, `"$defs":{"t":{"type":"array","x-unordered":true,"items":{"$ref":"#/$defs/t"}}}`, `[[[1],[]],[]]`, `[[],[[],[1]]]`, true},
		"the service's option":     {``, `"metadata":{"compare":{"arrays":"unordered"}}`, `[[1,2],[3]]`, `[[3],[2,1]]`, true},
		"the option says ordered":  {``, `"metadata":{"compare":{"arrays":"ordered"}}`, `[1,2]`, `[2,1]`, false},
		"a property overrides":     {`"p":{"type":"array","x-unordered":false}`, `"metadata":{"compare":{"arrays":"unordered"}}`, `[1,2]`, `[2,1]`, false},
		"overridden above":         {`"p":{"type":"array","x-unordered":false}`, `"metadata":{"compare":{"arrays":"unordered"}}`, `[[1,2]]`, `[[2,1]]`, true},
		"beside one that differs":  {`"q":{"type":"array","x-unordered":false}`, `"metadata":{"compare":{"arrays":"unordered"}}`, `{"a":[1,2]}`, `{"a":[2,1]}`, true},
		"off without any other on": {`"p":{"type":"array","x-unordered":false}`, "", `[1,2]`, `[2,1]`, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := compiled(t, with(tc.properties, tc.more)).Ordering()
			a, b := read(t, `{"name":"x","p":`+tc.a+`}`), read(t, `{"p":`+tc.b+`,"name":"x"}`)
			if got := value.Equal(a, b, o); got != tc.equal {
				t.Errorf("Equal(%s, %s) = %v, want %v", tc.a, tc.b, got, tc.equal)
			}
		})
	}
}

func TestOrdering_IsNilWithoutNeed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{with("", ""), property(`{"type":"array","x-unordered":false}`), property(`{"anyOf":[{"x-unordered":true}]}`)} {
		if o := compiled(t, text).Ordering(); o != nil {
			t.Errorf("Ordering() of %s = %+v", text, o)
		}
	}
}

// However deep a reference is wrapped, it is found, once, at its place.
func TestR1_FoundThroughAnyWrapping(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schema, item, path := oneVM, `"target"`, []string{}
		var defs []string
		for i := range rapid.IntRange(0, 8).Draw(t, "depth") {
			switch rapid.IntRange(0, 6).Draw(t, "wrapping") {
			case 0:
				schema, item, path = `{"properties":{"a/b":`+schema+`}}`, `{"a/b":`+item+`}`, append(path, "a/b")
			case 1:
				schema, item, path = `{"items":`+schema+`}`, `[null,`+item+`]`, append(path, "1")
			case 2:
				schema, item, path = `{"additionalProperties":`+schema+`}`, `{"z":`+item+`}`, append(path, "z")
			case 3:
				schema, item, path = `{"patternProperties":{"^k":`+schema+`}}`, `{"k~":`+item+`,"o":1}`, append(path, "k~")
			case 4:
				schema = `{"allOf":[{},` + schema + `]}`
			case 5:
				defs = append(defs, fmt.Sprintf(`"d%d":%s`, i, schema))
				schema = fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i)
			case 6:
				schema, item, path = `{"prefixItems":[true,`+schema+`]}`, `[0,`+item+`]`, append(path, "1")
			}
		}
		slices.Reverse(path)
		text := with(`"p":`+schema, `"$defs":{`+strings.Join(defs, ",")+`}`)
		v, _ := value.ParseJSON([]byte(text))
		s, problems := Compile(&v, []byte(text))
		if s == nil {
			t.Fatalf("%s: %s", text, said(problems))
		}
		i, _ := value.ParseJSON([]byte(`{"name":"x","p":` + item + `}`))
		found := s.References(&i)
		if len(found) != 1 || !slices.Equal(found[0].Path, append([]string{"p"}, path...)) {
			t.Fatalf("References() = %+v, want one at %q", found, path)
		}
	})
}
