package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
)

// The owners of the test's services.
var (
	vmTeam  = Team{1, "VMOwnerTeam"}
	lbTeam  = Team{2, "LBOwnerTeam"}
	npTeam  = Team{3, "NPOwnerTeam"}
	auTeam  = Team{4, "AuditTeam"}
	myTeam  = Team{9, "Me"}
	guarded = schema.NewGuard()
)

const (
	vmText = `{"title":"VM","type":"object","required":["name"],"properties":{"name":{"type":"string"},"cpu":{"type":"integer"}}}`
	lbText = `{"title":"LB","type":"object","required":["name"],"properties":{"name":{"type":"string"},"algorithm":{"type":"string"},
		"vms":{"type":"array","format":"reference_list","reference_method":"list","service_reference":"VM","items":{"type":"string"}},
		"spare":{"type":"string","format":"reference","service_reference":"VM","propagate":false},
		"peer":{"type":"string","format":"reference","service_reference":"LB","reference_scope":"team"}}}`
)

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	root, problems := value.ParseJSON([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s, problems := schema.Compile(&root, []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return s
}

// catalogue is a fresh copy of the test's services, so that a test may alter it.
func catalogue(t testing.TB) map[string]*Service {
	t.Helper()
	return map[string]*Service{
		"VM": {ID: 1, Name: "VM", Owner: vmTeam, State: ServiceInService, SchemaVersion: 1, ApprovalRequired: true, Open: true, Schema: compile(t, vmText)},
		"LB": {ID: 2, Name: "LB", Owner: lbTeam, State: ServiceInService, SchemaVersion: 1, ApprovalRequired: true, Open: true, Schema: compile(t, lbText)},
	}
}

// stage is a consumer team's side of the marketplace, kept in memory: it
// carries plans out as simply as can be, to hold the engine against.
type stage struct {
	testing.TB
	now  Situation
	next int64
}

func newStage(t testing.TB) *stage {
	return &stage{TB: t, now: Situation{Team: myTeam, Services: catalogue(t), Applications: map[string]string{}, Guard: guarded}}
}

// plan computes what a document would do, which must be legal.
func (s *stage) plan(text string, scope Scope) Plan {
	s.Helper()
	plan, problems := s.try(text, scope)
	if len(problems) > 0 {
		s.Fatalf("%s\nproblems: %+v", text, problems)
	}
	return plan
}

func (s *stage) try(text string, scope Scope) (Plan, []Problem) {
	s.Helper()
	doc, problems := Read([]byte(text), false)
	if len(problems) > 0 {
		return Plan{}, problems
	}
	return Compute(doc, scope, s.now)
}

// submit plans a document and carries the plan out; all changes stay PENDING.
func (s *stage) submit(text string) Plan {
	s.Helper()
	plan := s.plan(text, Scope{})
	for _, w := range plan.Withdrawals {
		s.forget(w)
	}
	for i := range plan.Changes {
		s.carry(&plan.Changes[i])
	}
	return plan
}

func (s *stage) item(key Key) *Item {
	for i := range s.now.Items {
		if s.now.Items[i].Key == key {
			return &s.now.Items[i]
		}
	}
	s.next++
	s.now.Items = append(s.now.Items, Item{ID: s.next, Key: key})
	return &s.now.Items[len(s.now.Items)-1]
}

// forget takes a withdrawn deletion back: what was declared before counts again.
func (s *stage) forget(w Withdrawal) {
	item := s.item(w.Key)
	item.Open = slices.DeleteFunc(item.Open, func(o OpenChange) bool { return o.ID == w.Change })
	if item.Deletion != nil && item.Deletion.Change == w.Change {
		item.Deletion, item.Declared = nil, item.Declaration != ""
	}
}

func (s *stage) carry(c *Change) {
	s.next++
	item := s.item(c.Key)
	item.Open = append(item.Open, OpenChange{ID: s.next, Owner: c.Owner, Own: !c.Dependent(), Type: c.Type, Kind: c.Kind, State: c.State, Untouched: true, New: c.New, Old: c.Old})
	if c.Dependent() {
		if item.Deletion != nil && c.Type == Delete {
			item.Deletion.Copies = append(item.Deletion.Copies, Copy{Change: s.next, Owner: c.Owner, State: c.State})
		}
		return
	}
	item.BaseChange = s.next
	if c.Type == Delete {
		item.Declared, item.Deletion = false, &Deletion{Change: s.next}
		return
	}
	item.Declared, item.Declaration, item.Hash, item.Version = true, c.New.Declaration, c.Hash, c.New.Number
	item.LastVersion = max(item.LastVersion, c.New.Number)
}

// lines writes a plan's changes for comparison: "MODIFY A/VM/x referenced VMOwnerTeam".
func lines(plan Plan) []string {
	list := []string{}
	for i := range plan.Changes {
		c := &plan.Changes[i]
		list = append(list, fmt.Sprintf("%s %s/%s/%s %s %s", c.Type, c.Key.Application, c.Key.Service, c.Key.Name, c.Kind, c.Owner.Name))
	}
	return list
}

// document writes a document of one application A from items by service.
func document(services ...string) string {
	return `{"Me":{"A":{"services":{` + strings.Join(services, ",") + `}}}}`
}
