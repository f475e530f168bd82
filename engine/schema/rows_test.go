package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rich is a schema with something of everything.
const rich = `{"title":"Web Shop","type":"object","required":["name","tier","vm_id"],
"properties":{
 "name":{"type":"string","minLength":1,"maxLength":20,"pattern":"^[a-z-]+$","description":"Its name."},
 "tier":{"enum":["gold","silver"],"default":"silver"},
 "host":{"type":"string","x-unique":"team","x-immutable":true},
 "cpu":{"type":"integer","minimum":2,"maximum":64,"examples":[8]},
 "ratio":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"example":0.5},
 "ip":{"type":"string","format":"ipv4","x-owner-default":true},
 "vm_id":{"type":"integer","readOnly":true},
 "password":{"type":"string","x-secret":true,"minLength":12},
 "ports":{"type":"array","items":{"type":"integer","minimum":1024},"minItems":2,"uniqueItems":true,"x-unordered":true},
 "vms":{"type":"array","items":{"type":"string"},"format":"reference_list","reference_method":"list","service_reference":"VM"},
 "tiers":{"type":"array","items":{"$ref":"#/$defs/tier"}},
 "labels":{"type":"object","additionalProperties":{"type":"string"}},
 "zones":{"type":"object","patternProperties":{"^z[0-9]$":{"type":"object","properties":{"weight":{"type":"integer","multipleOf":5}}}}},
 "point":{"type":"array","prefixItems":[{"type":"object","properties":{"x":{"type":"number"}}}]},
 "store":{"oneOf":[{"required":["disk"],"properties":{"disk":{"type":"integer"}}},{"required":["bucket"],"properties":{"bucket":{"type":"string"}}}]},
 "old":{"type":"string","deprecated":true},
 "mail":{"type":["string","null"],"format":"email"}},
"additionalProperties":false,
"$defs":{"tier":{"type":"object","required":["level"],"properties":{"level":{"const":"top"},"inner":{"$ref":"#/$defs/tier"},"code":{"type":"string","x-ignore-change":true}}}}}`

// CAT-b: a row per property, nested ones too, with what a reader must know.
func TestCAT2_Rows(t *testing.T) {
	t.Parallel()
	var got []string
	for _, r := range compiled(t, rich).Rows() {
		required := map[bool]string{true: "!"}[r.Required]
		got = append(got, fmt.Sprintf("%s%s %s (%s) default=%s example=%s ->%s", r.Path, required, r.Type, r.Constraints, r.Default, r.Example, r.References))
	}
	want := []string{
		`name! string (characters: at least 1; characters: at most 20; matches ^[a-z-]+$) default= example= ->`,
		`tier! any (one of gold, silver) default="silver" example= ->`,
		`host string (cannot be changed later; unique in the team) default= example= ->`,
		`cpu integer (at least 2; at most 64) default= example=8 ->`,
		`ratio number (more than 0; less than 1) default= example=0.5 ->`,
		`ip string (format ipv4; chosen by the owner if left out) default= example= ->`,
		`vm_id integer (set by the owner) default= example= ->`,
		`password string (characters: at least 12; secret) default= example= ->`,
		`ports array of integer (elements: at least 2; no element twice; the order of elements does not matter) default= example= ->`,
		`vms array of string () default= example= ->VM`,
		`tiers array of object () default= example= ->`,
		`tiers[].level! any (always top) default= example= ->`,
		`tiers[].inner object () default= example= ->`,
		`tiers[].code string (its change alone raises nothing) default= example= ->`,
		`labels object () default= example= ->`,
		`labels.* string () default= example= ->`,
		`zones object () default= example= ->`,
		`zones./^z[0-9]$/ object () default= example= ->`,
		`zones./^z[0-9]$/.weight integer (a multiple of 5) default= example= ->`,
		`point array of object () default= example= ->`,
		`point[0].x number () default= example= ->`,
		`store any () default= example= ->`,
		`store.disk integer (only in some forms) default= example= ->`,
		`store.bucket string (only in some forms) default= example= ->`,
		`old string (deprecated) default= example= ->`,
		`mail string or null (format email) default= example= ->`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if d := compiled(t, rich).Rows()[0].Description; d != "Its name." {
		t.Errorf("description is %q", d)
	}
}

// A recursive schema has a table, too, and one that repeats itself ends.
func TestCAT2_RowsEnd(t *testing.T) {
	t.Parallel()
	s := compiled(t, with(`"kids":{"type":"array","items":{"$ref":"#"}}`, ""))
	if rows := s.Rows(); len(rows) != 2 {
		t.Errorf("rows are %v", rows)
	}
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	s = compiled(t, with(`"p":{"$ref":"#/$defs/d0"}`, `"$defs":{`+strings.Join(defs, ",")+`,"d40":{}}`))
	if rows := s.Rows(); len(rows) > 2*maxRows {
		t.Errorf("%d rows", len(rows))
	}
}
