package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every refusal of marketplace sections 3, 4 and 6 with its place and sentence:
// "line:column pointer rule: sentence".
func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before, text string
		scope        Scope
		alter        func(s *stage)
		want         string
	}{
		"M1 no team":                   {text: `{}`, want: `1:1  M1: The document must be an object with one key`},
		"M1 a list":                    {text: `[]`, want: `1:1  M1: The document must be an object with one key`},
		"M1 two teams":                 {text: "{\"Me\":{},\n\"You\":{}}", want: `2:1 /You M1: One team per document: "You" stands beside "Me".`},
		"M1 team is no object":         {text: `{"Me":[]}`, want: `1:7 /Me M1: The team "Me" must be an object of applications.`},
		"M1 application is no object":  {text: `{"Me":{"A":3}}`, want: `1:12 /Me/A M1: The application "A" must be an object`},
		"M1 services missing":          {text: `{"Me":{"A":{"metadata":{}}}}`, want: `1:8 /Me/A M1: The application "A" has no "services".`},
		"M1 unknown key":               {text: `{"Me":{"A":{"services":{},"service":{}}}}`, want: `1:27 /Me/A/service M1: An application has the keys "services" and "metadata"; "service" is neither.`},
		"M1 metadata is a list":        {text: `{"Me":{"A":{"services":{},"metadata":[]}}}`, want: `1:38 /Me/A/metadata M1: "metadata" must be an object.`},
		"M1 team metadata is a string": {text: `{"Me":{"metadata":"x"}}`, want: `1:19 /Me/metadata M1: "metadata" must be an object.`},
		"M2 services is a list":        {text: `{"Me":{"A":{"services":[]}}}`, want: `1:24 /Me/A/services M1: "services" must be an object`},
		"M2 an item is a string":       {text: document(`"VM":["x"]`), want: `1:31 /Me/A/services/VM/0 M2: An item must be an object with a "name".`},
		"V1 service is no list":        {text: document(`"VM":{}`), want: `1:30 /Me/A/services/VM V1: The service "VM" must be a list of items`},
		"V1 no name":                   {text: document(`"VM":[{"cpu":1}]`), want: `1:31 /Me/A/services/VM/0 V1: This item has no "name".`},
		"V1 name is a number":          {text: document(`"VM":[{"name":7}]`), want: `1:39 /Me/A/services/VM/0/name V1: The "name" of an item must be a string.`},
		"V1 twice":                     {text: document("\"VM\":[{\"name\":\"x\"},\n{\"name\":\"x\"}]"), want: `2:9 /Me/A/services/VM/1/name V1: "x" is declared twice among the VM items of A.`},
		"V1 unknown service":           {text: document(`"Nope":[{"name":"x"}]`), want: `1:25 /Me/A/services/Nope V1: There is no service "Nope" that your team may order.`},
		"V1 decommissioned":            {text: document(vmX1), alter: state(ServiceDecommissioned), want: `1:25 /Me/A/services/VM V1: The service "VM" is decommissioned`},
		"M3 item name empty":           {text: document(`"VM":[{"name":""}]`), want: `1:39 /Me/A/services/VM/0/name M3: The item name must be 1 to 255 characters long`},
		"M3 item name ends in space":   {text: document(`"VM":[{"name":"x "}]`), want: `1:39 /Me/A/services/VM/0/name M3: The item name must not begin or end with white space`},
		"M3 application not NFC":       {text: `{"Me":{"e\u0301":{"services":{}}}}`, want: "1:8 /Me/e\u0301 M3: The application name must be in"},
		"M4 comment":                   {text: "{\"Me\":{\n// no\n}}", want: `2:1`},
		"V2 wrong type":                {text: document(`"VM":[{"name":"x","cpu":"eight"}]`), want: `1:49 /Me/A/services/VM/0/cpu V2: cpu must be an integer, got "eight"`},
		"V3 private and new":           {text: document(vmX1), alter: func(s *stage) { s.now.Services["VM"].Open = false }, want: `1:31 /Me/A/services/VM/0 V3: The service "VM" is private`},
		"V4 takes nothing new":         {text: document(vmX1), alter: state(ServiceNoNew), want: `1:31 /Me/A/services/VM/0 V4: The service "VM" takes no new service items`},
		"V4 takes no change":           {before: document(vmX1), text: document(vmX2), alter: state(ServiceNoModify), want: `1:31 /Me/A/services/VM/0 V4: The service "VM" allows only deletions`},
		"G12 outside the scope":        {text: `{"Me":{"B":{"services":{}}}}`, scope: Scope{Applications: []string{"A"}}, want: `1:8 /Me/B G12: The application "B" is in the document, but ?application= does not name it.`},
		"R2 dangling in a list":        {text: document(`"LB":[{"name":"l","vms":["ghost"]}]`), want: `1:50 /Me/A/services/LB/0/vms/0 R2: vms[0] names the VM "ghost", which does not exist after this submission in the application A.`},
		"R2 dangling, one name":        {text: document(`"LB":[{"name":"l","spare":"ghost"}]`), want: `1:51 /Me/A/services/LB/0/spare R2: spare names the VM "ghost"`},
		"R2 ambiguous": {text: `{"Me":{"A":{"services":{"LB":[{"name":"p"}]}},"B":{"services":{"LB":[{"name":"p"}]}},"C":{"services":{"LB":[{"name":"l","peer":"p"}]}}}}`,
			want: `/Me/C/services/LB/0/peer R2: peer names the LB "p", which is ambiguous: the applications A and B have it.`},
		"R3 the user is in the document": {before: document(vmX1, lbOnX), text: document(lbOnX), want: `R3: The VM "x" of A cannot be deleted: LB "l" of A still refers to it in vms[0].`},
		"R3 the user is elsewhere": {before: `{"Me":{"A":{"services":{"LB":[{"name":"p"}]}},"B":{"services":{"LB":[{"name":"l","peer":"p"}]}}}}`, text: `{"Me":{"A":{"services":{"LB":[]}}}}`,
			scope: Scope{Applications: []string{"A"}}, want: `1:25 /Me/A/services/LB R3: The LB "p" of A cannot be deleted: LB "l" of B still refers to it in peer.`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			if tc.before != "" {
				s.submit(tc.before)
			}
			if tc.alter != nil {
				tc.alter(s)
			}
			_, problems := s.try(tc.text, tc.scope)
			if len(problems) != 1 {
				t.Fatalf("%d problems: %+v", len(problems), problems)
			}
			p := problems[0]
			if got := fmt.Sprintf("%d:%d %s %s: %s", p.Line, p.Column, p.Pointer, p.Rule, p.Message); !strings.Contains(got, tc.want) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func state(state ServiceState) func(*stage) {
	return func(s *stage) { s.now.Services["VM"].State = state }
}

// All problems are told at once, in the order of the text (marketplace section 4).
func TestEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, problems := s.try(document(`"VM":[{"name":"a","cpu":"x"},{"name":"b","cpu":true}]`, `"LB":[{"name":"l","vms":["c"]}]`, `"Nope":[]`), Scope{})
	var rules []string
	for _, p := range problems {
		rules = append(rules, p.Rule)
	}
	if diff := cmp.Diff([]string{"V2", "V2", "R2", "V1"}, rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// An item that dangled before is not this document's fault.
func TestR2_OldDanglingElsewhereDoesNotBlock(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.submit(document(vmX1, lbOnX))
	x := s.item(Key{"A", "VM", "x"})
	x.Declared, x.Declaration = false, "" // its CREATE was rejected
	if got := lines(s.plan(document(`"VM":[{"name":"y"}]`), Scope{Partial: true})); len(got) != 1 {
		t.Errorf("plan %q", got)
	}
}
