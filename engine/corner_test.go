package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// apps writes a document of several applications, each with its services.
func apps(pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fmt.Sprintf(`%q:{"services":{%s}}`, pairs[i], pairs[i+1]))
	}
	return `{"Me":{` + strings.Join(list, ",") + `}}`
}

// A document of two teams is wrong whichever team sends it, so it names none.
func TestM1_TwoTeamsNameNone(t *testing.T) {
	t.Parallel()
	if doc, problems := Read([]byte(`{"You":{},"Me":{}}`), false); doc.Team != "" || len(problems) != 1 {
		t.Errorf("team %q, problems %+v", doc.Team, problems)
	}
}

// References of items that a document does not name are kept from breaking.
func TestR3_StoredReferences(t *testing.T) {
	t.Parallel()
	const peer, user = `"LB":[{"name":"p"}]`, `"LB":[{"name":"l","peer":"p"}]`
	tests := map[string]struct {
		before, text string
		scope        Scope
		want         string
	}{
		"R2 a second of that name": {before: apps("A", peer, "C", user), text: apps("B", peer), scope: Scope{Partial: true},
			want: `/Me/B/services/LB/0 R2: A second LB "p" makes ambiguous what LB "l" of C refers to in peer: the applications B and A have it.`},
		"R3 the nearest goes, two are left": {before: apps("A", peer, "B", peer, "C", `"LB":[{"name":"l","peer":"p"},{"name":"p"}]`),
			text: apps("A", peer, "B", peer, "C", user), want: `/Me/C/services/LB/0/peer R2: peer names the LB "p", which is ambiguous: the applications A and B have it.`},
		"R3 named like one elsewhere": {before: apps("A", vmX1+","+lbOnX, "B", vmX1), text: apps("A", lbOnX, "B", vmX1),
			want: `/Me/A/services/LB/0/vms/0 R3: The VM "x" of A cannot be deleted: LB "l" of A still refers to it in vms[0].`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.submit(tc.before)
			_, problems := s.try(tc.text, tc.scope)
			if len(problems) != 1 {
				t.Fatalf("%d problems: %+v", len(problems), problems)
			}
			if got := fmt.Sprintf("%s %s: %s", problems[0].Pointer, problems[0].Rule, problems[0].Message); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// A change is merged only with the newest of its lane: what was done after it
// would be undone otherwise (delivery S1).
func TestS1_OnlyTheNewestIsMerged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.now.Services["VM"].Supersede, s.now.Services["VM"].ApprovalRequired = true, false
	s.submit(document(vmX1))
	s.item(Key{"A", "VM", "x"}).BaseChange = 99 // a MODIFY that is completed already
	plan := s.plan(document(), Scope{})
	if diff := cmp.Diff([]string{"DELETE A/VM/x basic VMOwnerTeam"}, lines(plan)); diff != "" || len(plan.Supersessions) != 0 {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// A referenced change needs a MODIFY of the owner's lane; a copy for a dependent
// team alone wakes nobody (marketplace R4, delivery S7).
func TestS7_CopiesWakeNobody(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.now.Services["VM"].Supersede, s.now.Services["VM"].Dependants = true, []Team{npTeam}
	s.submit(document(vmX1, lbOnX))
	x := s.item(Key{"A", "VM", "x"})
	x.Open = nil
	s.submit(document(vmX2, lbOnX))
	x = s.item(Key{"A", "VM", "x"})
	x.Open = x.Open[:1] // the dependent team has done its copy
	want := []string{"MODIFY A/VM/x dependent NPOwnerTeam"}
	if diff := cmp.Diff(want, lines(s.plan(document(vmX1, lbOnX), Scope{}))); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// A text of nothing but mistakes is refused without filling the memory, and
// long lists within a sentence are cut.
func TestManyProblemsAreBounded(t *testing.T) {
	t.Parallel()
	_, problems := Read([]byte(document(`"VM":[`+strings.Repeat("{},", 3*mostProblems)+`{}]`)), false)
	if len(problems) != mostProblems {
		t.Errorf("%d problems", len(problems))
	}
	if got := someOf([]string{"A", "B", "C", "D", "E"}); got != "A, B, C and 2 more" {
		t.Errorf("some of five: %s", got)
	}
}

// A log of many lines stays one line of a plan (lifecycle N6).
func TestN6_LogsStayOnOneLine(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.submit(document(vmX1))
	x := s.item(Key{"A", "VM", "x"})
	x.Declared, x.Rejection = false, &Rejection{Log: "no\r\nA / VM / y: \x1b[2Jdestroy"}
	plan := s.plan(document(vmX1), Scope{})
	if got, _, _ := strings.Cut(plan.Text(), "\n"); got != "A / VM / x: create (rejected before: no A / VM / y: [2Jdestroy)" {
		t.Errorf("first line %q", got)
	}
}

// Programs are told no more reasons than lifecycle N7 lists, and every key is there.
func TestN7_Keys(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.submit(document(vmX1))
	plan := s.plan(`{"Me":{}}`, Scope{})
	view := plan.View("Me", 1)
	if reason := view.Changes[0].ActionReason; reason == nil || *reason != NotDeclared {
		t.Errorf("action_reason %v", reason)
	}
	got := string(marshal(t, view.Changes[0]))
	for _, key := range []string{`"after_unknown":{}`, `"before_sensitive":{}`, `"after_sensitive":{}`, `"replace_paths":[]`, `"kept":[]`, `"ignored":[]`, `"importing":null`, `"after":null`} {
		if !strings.Contains(got, key) {
			t.Errorf("%s is not in %s", key, got)
		}
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
