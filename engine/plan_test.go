package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	vmX1  = `"VM":[{"name":"x","cpu":1}]`
	vmX2  = `"VM":[{"name":"x","cpu":2}]`
	lbOnX = `"LB":[{"name":"l","vms":["x"]}]`
)

// What a second document does after a first one, by rule.
func TestCompute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before, after string
		scope         Scope
		want          []string
	}{
		"G2 an item that is new":           {before: `{"Me":{}}`, after: document(vmX1), want: []string{"CREATE A/VM/x basic VMOwnerTeam"}},
		"G2 an item that differs":          {before: document(vmX1), after: document(vmX2), want: []string{"MODIFY A/VM/x basic VMOwnerTeam"}},
		"G2 an item left out":              {before: document(vmX1), after: document(), want: []string{"DELETE A/VM/x basic VMOwnerTeam"}},
		"G2 an item as before":             {before: document(vmX1), after: document(`"VM":[{"cpu":1.0,"name":"x"}]`), want: []string{}},
		"G4 an application left out":       {before: document(vmX1), after: `{"Me":{}}`, want: []string{"DELETE A/VM/x basic VMOwnerTeam"}},
		"G4 partial never deletes":         {before: document(vmX1), after: document(`"VM":[{"name":"y"}]`), scope: Scope{Partial: true}, want: []string{"CREATE A/VM/y basic VMOwnerTeam"}},
		"G4 another application stays":     {before: document(vmX1), after: `{"Me":{}}`, scope: Scope{Applications: []string{"B"}}, want: []string{}},
		"R4 an unchanged user is woken":    {before: document(vmX1, lbOnX), after: document(vmX2, lbOnX), want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l referenced LBOwnerTeam"}},
		"R4 a changed user is not":         {before: document(vmX1, lbOnX), after: document(vmX2, `"LB":[{"name":"l","vms":["x"],"algorithm":"new"}]`), want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l basic LBOwnerTeam"}},
		"R4 outside a partial document":    {before: document(vmX1, lbOnX), after: document(vmX2), scope: Scope{Partial: true}, want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l referenced LBOwnerTeam"}},
		"R4 does not cascade":              {before: document(vmX1, `"LB":[{"name":"l","vms":["x"]},{"name":"m","peer":"l"}]`), after: document(vmX2, `"LB":[{"name":"l","vms":["x"]},{"name":"m","peer":"l"}]`), want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l referenced LBOwnerTeam"}},
		"R5 propagate false wakes nobody":  {before: document(vmX1, `"LB":[{"name":"l","spare":"x"}]`), after: document(vmX2, `"LB":[{"name":"l","spare":"x"}]`), want: []string{"MODIFY A/VM/x basic VMOwnerTeam"}},
		"R6 twice in a list wakes once":    {before: document(vmX1, `"LB":[{"name":"l","vms":["x","x"]}]`), after: document(vmX2, `"LB":[{"name":"l","vms":["x","x"]}]`), want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l referenced LBOwnerTeam"}},
		"R6 an item may refer to itself":   {before: `{"Me":{}}`, after: document(`"LB":[{"name":"l","peer":"l"}]`), want: []string{"CREATE A/LB/l basic LBOwnerTeam"}},
		"R3 user and used go together":     {before: document(vmX1, lbOnX), after: document(), want: []string{"DELETE A/LB/l basic LBOwnerTeam", "DELETE A/VM/x basic VMOwnerTeam"}},
		"G10 deletions come last, by name": {before: document(`"VM":[{"name":"b"},{"name":"a"}]`), after: document(`"VM":[{"name":"z"}]`), want: []string{"CREATE A/VM/z basic VMOwnerTeam", "DELETE A/VM/a basic VMOwnerTeam", "DELETE A/VM/b basic VMOwnerTeam"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.submit(tc.before)
			if diff := cmp.Diff(tc.want, lines(s.plan(tc.after, tc.scope))); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// G8: declared again while the DELETE is PENDING.
func TestG8_DeclaredAgain(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		again     string
		alter     func(*Item)
		want      []string
		withdrawn int
	}{
		"unchanged":               {again: vmX1, want: []string{}, withdrawn: 3},
		"changed":                 {again: vmX2, want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/VM/x dependent AuditTeam", "MODIFY A/VM/x dependent NPOwnerTeam"}, withdrawn: 3},
		"a copy was approved":     {again: vmX1, alter: copyState(npTeam, Approved, false), want: []string{"CREATE A/VM/x dependent NPOwnerTeam"}, withdrawn: 2},
		"approved, and changed":   {again: vmX2, alter: copyState(npTeam, Errored, false), want: []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/VM/x dependent AuditTeam", "CREATE A/VM/x dependent NPOwnerTeam"}, withdrawn: 2},
		"a copy was rejected":     {again: vmX1, alter: copyState(npTeam, Rejected, true), want: []string{}, withdrawn: 2},
		"its CREATE was rejected": {again: vmX1, alter: func(i *Item) { i.Declaration = "" }, want: []string{"CREATE A/VM/x basic VMOwnerTeam", "CREATE A/VM/x dependent AuditTeam", "CREATE A/VM/x dependent NPOwnerTeam"}, withdrawn: 3},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.now.Services["VM"].Dependants = []Team{auTeam, npTeam}
			s.submit(document(vmX1))
			s.submit(document())
			if tc.alter != nil {
				tc.alter(s.item(Key{"A", "VM", "x"}))
			}
			plan := s.plan(document(tc.again), Scope{})
			if diff := cmp.Diff(tc.want, lines(plan)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if len(plan.Withdrawals) != tc.withdrawn {
				t.Errorf("%d withdrawals, want %d", len(plan.Withdrawals), tc.withdrawn)
			}
		})
	}
}

func copyState(team Team, state State, lapsed bool) func(*Item) {
	return func(i *Item) {
		for n := range i.Deletion.Copies {
			if c := &i.Deletion.Copies[n]; c.Owner == team {
				c.State, c.Lapsed = state, lapsed
			}
		}
	}
}

// D1: each dependent team gets a copy of each change, referenced ones included.
func TestD1_Copies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.now.Services["LB"].Dependants = []Team{npTeam}
	s.submit(document(vmX1, lbOnX))
	plan := s.plan(document(vmX2, lbOnX), Scope{})
	want := []string{"MODIFY A/VM/x basic VMOwnerTeam", "MODIFY A/LB/l referenced LBOwnerTeam", "MODIFY A/LB/l dependent NPOwnerTeam"}
	if diff := cmp.Diff(want, lines(plan)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if got := plan.Summary().Text; got != "Plan: 0 to add, 1 to change, 0 to destroy, 1 referenced, 1 dependent." {
		t.Errorf("N2 summary: %s", got)
	}
}

// Delivery S2: unfetched changes are merged where the service wants that.
func TestS2_Supersede(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		first, second, third string
		alter                func(*Item)
		want                 []string
		superseded           int
		old                  string
	}{
		"CREATE and MODIFY are one CREATE":   {first: document(vmX1), second: document(vmX2), want: []string{"CREATE A/VM/x basic VMOwnerTeam"}},
		"CREATE and DELETE are nothing":      {first: document(vmX1), second: document(), want: []string{}, superseded: 1},
		"approved by hand stays":             {first: document(vmX1), second: document(vmX2), alter: func(i *Item) { i.Open[0].State, i.Open[0].Untouched = Approved, false }, want: []string{"MODIFY A/VM/x basic VMOwnerTeam"}, old: `{"name":"x","cpu":1}`},
		"MODIFY and MODIFY are one":          {first: document(vmX1), alter: completed, second: document(vmX2), third: document(`"VM":[{"name":"x","cpu":3}]`), want: []string{"MODIFY A/VM/x basic VMOwnerTeam"}, old: `{"name":"x","cpu":1}`},
		"MODIFY and back again are nothing":  {first: document(vmX1), alter: completed, second: document(vmX2), third: document(vmX1), want: []string{}, superseded: 1},
		"MODIFY and DELETE are one DELETE":   {first: document(vmX1), alter: completed, second: document(vmX2), third: document(), want: []string{"DELETE A/VM/x basic VMOwnerTeam"}, old: `{"name":"x","cpu":1}`},
		"a pending DELETE is only withdrawn": {first: document(vmX1), alter: completed, second: document(), third: document(vmX1), want: []string{}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.now.Services["VM"].Supersede = true
			s.submit(tc.first)
			if tc.alter != nil {
				tc.alter(s.item(Key{"A", "VM", "x"}))
			}
			last := tc.second
			if tc.third != "" {
				s.submit(tc.second)
				last = tc.third
			}
			plan := s.plan(last, Scope{})
			if diff := cmp.Diff(tc.want, lines(plan)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if len(plan.Supersessions) != tc.superseded {
				t.Errorf("%d supersessions, want %d", len(plan.Supersessions), tc.superseded)
			}
			if tc.old != "" && plan.Changes[0].Old.Declaration != tc.old {
				t.Errorf("S5: old declaration %s, want %s", plan.Changes[0].Old.Declaration, tc.old)
			}
		})
	}
}

func completed(i *Item) { i.Open = nil }

// C3: changes of a service without approval are born APPROVED.
func TestC3_BornApproved(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.now.Services["VM"].ApprovalRequired = false
	if got := s.plan(document(vmX1), Scope{}).Changes[0].State; got != Approved {
		t.Errorf("state %s", got)
	}
}

// N6: a plan as text for a terminal.
func TestN6_Text(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.submit(document(`"VM":[{"name":"x","cpu":8},{"name":"old"}]`, lbOnX))
	got := s.plan(document(`"VM":[{"name":"x","cpu":16}]`, lbOnX), Scope{})
	want := strings.Join([]string{
		"A / VM / x: change", "  ~ cpu: 8 -> 16", "    # 1 unchanged hidden",
		"A / LB / l: change (because x changes)",
		"A / VM / old: destroy (because it is not in the declaration)", `  - name: "old" -> removed`,
		"Plan: 0 to add, 1 to change, 1 to destroy, 1 referenced.", ""}, "\n")
	if diff := cmp.Diff(want, got.Text()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
