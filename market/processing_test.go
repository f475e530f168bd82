package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Each dependent team gets one copy of each change, the owner and a team named
// twice none more; the list holds for later changes only (marketplace D1, D3).
func TestD1_CopiesOfDependentTeams(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		np, service := w.team("NPOwnerTeam"), w.change(vm, "CoreVM1").ServiceID
		w.must2(w.ChangeService(t.Context(), vm, service, market.ServicePatch{DependantTeams: &[]int64{np.TeamID, vm.TeamID, np.TeamID, consumer.TeamID}}))
		got := w.submit(consumer, strings.Replace(first, `"cpu":8`, `"cpu":9`, 1))
		want := []string{"MODIFY VM/CoreVM1 VMOwnerTeam PENDING basic", "MODIFY VM/CoreVM1 AwesomeConsumer PENDING dependent", "MODIFY VM/CoreVM1 NPOwnerTeam PENDING dependent"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		own, copied := w.change(vm, "CoreVM1"), w.change(np, "CoreVM1")
		if *copied.OriginID != own.ID || copied.ServiceOwnerTeamID != vm.TeamID || !copied.IsDependant() || *copied.NewDeclaration != *own.NewDeclaration {
			t.Errorf("the copy: %+v", copied)
		}
		w.move(np, "CoreVM1", engine.Rejected)
		if item := w.item(consumer, "CoreVM1"); item.Base() != own.ID || item.DeclarationVersion != 2 {
			t.Errorf("D2: a rejected copy moves the base: %+v", item)
		}
		if _, err := w.MoveChange(t.Context(), np, copied.ID, market.Move{DeployedItem: []byte("{}")}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("I2: a dependent team deploys: %v", err)
		}
		w.must2(w.ChangeService(t.Context(), vm, service, market.ServicePatch{DependantTeams: &[]int64{}}))
		if got := w.submit(consumer, first); len(got) != 1 {
			t.Errorf("after the list was emptied: %q", got)
		}
	})
}

// The history holds each move and each log, the newest first, and nothing when
// nothing happened (marketplace C2, C5, C7).
func TestC7_History(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, _ := stocked(t, db)
		bo, id := w.person(vm, "bo", models.General), w.change(vm, "CoreVM1").ID
		for _, step := range []struct {
			who  market.Actor
			move market.Move
			want fault.Kind
		}{
			{bo, market.Move{}, fault.Invalid},
			{bo, market.Move{Log: ptr("looking")}, ""},
			{bo, market.Move{Log: ptr("looking")}, ""},
			{bo, market.Move{State: engine.Pending}, ""},
			{vm, market.Move{State: engine.Approved, Log: ptr("fine")}, ""},
			{vm, market.Move{State: engine.Approved, Log: ptr("very fine")}, ""},
			{bo, market.Move{State: engine.Completed, Log: ptr(strings.Repeat("x", market.MaxLog+1))}, fault.Invalid},
			{bo, market.Move{State: engine.Closed, Log: ptr("no")}, fault.Invalid},
			{bo, market.Move{State: engine.Completed}, ""},
		} {
			if _, err := w.MoveChange(t.Context(), step.who, id, step.move); (err != nil) != (step.want != "") || step.want != "" && !fault.Is(err, step.want) {
				t.Errorf("%+v: %v", step.move, err)
			}
		}
		history, err := w.History(t.Context(), vm, market.AsServiceOwner, id)
		var got []string
		for _, h := range history {
			got = append(got, fmt.Sprintf("%s %q %s by %s of %s via %s", h.State, h.Log, h.Reason, h.ChangedBy, h.ChangedByTeam, h.Via))
		}
		want := []string{
			`COMPLETED "" state by bo of VMOwnerTeam via portal`, `APPROVED "very fine" log by robot (Api Key) of VMOwnerTeam via api`,
			`APPROVED "fine" state by robot (Api Key) of VMOwnerTeam via api`, `PENDING "looking" log by bo of VMOwnerTeam via portal`,
			`PENDING "" state by robot (Api Key) of AwesomeConsumer via api`,
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("history (-want +got):\n%s %v", diff, err)
		}
		if n := len(w.audited("change_instance.state")) + len(w.audited("change_instance.log")); n != 4 {
			t.Errorf("trust L1: %d entries in the audit log, want 4", n)
		}
	})
}

// The states of an item and of its application sum up what is open (marketplace C9).
func TestC9_ChangeState(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		expect := func(when string, item engine.ChangeState, runtime engine.RuntimeState, application engine.ChangeState) {
			t.Helper()
			if got := w.item(consumer, "CoreVM1").ChangeState; got != item {
				t.Errorf("%s: the item is %s, want %s", when, got, item)
			}
			rows, states, err := w.Applications(t.Context(), consumer)
			if err != nil || states[rows[0].ID].ChangeState != application || states[rows[0].ID].RuntimeState != runtime {
				t.Errorf("%s: the application is %+v, want %s %s, %v", when, states[rows[0].ID], runtime, application, err)
			}
		}
		expect("at first", engine.ChangesPending, engine.Requested, engine.ChangesPending)
		w.move(vm, "CoreVM1", engine.Approved)
		expect("one approved", engine.ChangesApproved, engine.InService, engine.ChangesPending)
		w.move(vm, "CoreVM2", engine.Approved)
		expect("both approved", engine.ChangesApproved, engine.InService, engine.ChangesApproved)
		w.move(vm, "CoreVM1", engine.Completed)
		expect("one completed", engine.ChangesCompleted, engine.InService, engine.ChangesApproved)
		w.move(vm, "CoreVM2", engine.Errored)
		expect("the other errored", engine.ChangesCompleted, engine.InService, engine.ChangesErrored)
		w.move(vm, "CoreVM2", engine.Closed)
		expect("closed", engine.ChangesCompleted, engine.InService, engine.ChangesCompleted)
		w.submit(consumer, `{"AwesomeConsumer":{}}`)
		w.move(vm, "CoreVM1", engine.Rejected)
		w.move(vm, "CoreVM2", engine.Approved, engine.Completed)
		expect("a deletion refused", engine.ChangesRejected, engine.InService, engine.ChangesRejected)
		w.move(vm, "CoreVM1", engine.Closed)
		w.submit(consumer, `{"AwesomeConsumer":{}}`)
		w.move(vm, "CoreVM1", engine.Approved, engine.Completed)
		expect("all gone", engine.ChangesCompleted, engine.Decommissioned, engine.ChangesCompleted)
	})
}

// One person works on a change at a time (marketplace C12).
func TestC12_Assignment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, _ := stocked(t, db)
		ann, bo, cy := w.person(vm, "ann", models.General), w.person(vm, "bo", models.General), w.person(vm, "cy", models.ReadOnly)
		id, ctx := w.change(vm, "CoreVM1").ID, t.Context()
		for name, tc := range map[string]struct {
			who  market.Actor
			want fault.Kind
		}{"a key": {vm, fault.Forbidden}, "a reader": {cy, fault.Forbidden}, "another team": {w.person(lb, "dee", models.Admin), fault.NotFound}} {
			if _, err := w.Take(ctx, tc.who, id, false); !fault.Is(err, tc.want) {
				t.Errorf("%s takes it: %v", name, err)
			}
		}
		if change, err := w.Take(ctx, ann, id, false); err != nil || *change.AssigneeID != ann.UserID {
			t.Fatalf("%+v, %v", change, err)
		}
		if _, err := w.Take(ctx, bo, id, false); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "ann") {
			t.Errorf("taken twice: %v", err)
		}
		if change, err := w.Take(ctx, bo, id, true); err != nil || *change.AssigneeID != bo.UserID {
			t.Errorf("taken over: %v", err)
		}
		mine, _, err := w.Changes(ctx, vm, market.AsServiceOwner, models.ChangeQuery{Assignee: []int64{bo.UserID}})
		free, _, err2 := w.Changes(ctx, vm, market.AsServiceOwner, models.ChangeQuery{Unassigned: true})
		if err != nil || err2 != nil || len(mine) != 1 || len(free) != 1 || len(w.audited("change_instance.assign")) != 2 {
			t.Errorf("%d taken by bo, %d by nobody, %v, %v", len(mine), len(free), err, err2)
		}
		if change, err := w.Release(ctx, ann, id); err != nil || change.AssigneeID != nil {
			t.Errorf("released: %v", err)
		}
		w.move(vm, "CoreVM1", engine.Approved, engine.Completed)
		if _, err := w.Take(ctx, ann, id, false); !fault.Is(err, fault.Invalid) {
			t.Errorf("a completed change: %v", err)
		}
	})
}

// Deployed items on their own: the owner of the service writes, the consumer and
// dependent teams read, nobody else knows (marketplace I1, I2).
func TestI2_WhoDeploysAndReads(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, consumer := stocked(t, db)
		change, ctx := w.change(vm, "CoreVM1"), t.Context()
		deployed, made, err := w.Deploy(ctx, vm, change.ServiceItemID, 0, []byte(`{"ip":"192.0.2.1"}`))
		if err != nil || !made || deployed.Version != 1 || deployed.ChangeID != nil {
			t.Fatalf("%+v, %t, %v", deployed, made, err)
		}
		if again, made, err := w.Deploy(ctx, vm, 0, change.ID, []byte(`{"ip": "192.0.2.1"}`)); err != nil || made || again.ID != deployed.ID {
			t.Errorf("the same again: %+v, %t, %v", again, made, err)
		}
		if second, made, err := w.Deploy(ctx, vm, 0, change.ID, []byte(`{"ip":"192.0.2.2"}`)); err != nil || !made || second.Version != 2 || *second.ChangeID != change.ID {
			t.Errorf("by its change: %+v, %t, %v", second, made, err)
		}
		for name, tc := range map[string]struct {
			who         market.Actor
			write, read fault.Kind
		}{
			"the consumer": {consumer, fault.NotFound, ""}, "another owner": {lb, fault.NotFound, fault.NotFound},
			"a reader": {w.person(vm, "cy", models.ReadOnly), fault.Forbidden, ""},
		} {
			if _, _, err := w.Deploy(ctx, tc.who, change.ServiceItemID, 0, []byte(`{}`)); !fault.Is(err, tc.write) {
				t.Errorf("%s writes: %v", name, err)
			}
			_, one := w.DeployedItem(ctx, tc.who, deployed.ID)
			_, all := w.Deployments(ctx, tc.who, change.ServiceItemID)
			for _, err := range []error{one, all} {
				if (tc.read == "") != (err == nil) || tc.read != "" && !fault.Is(err, tc.read) {
					t.Errorf("%s reads: %v", name, err)
				}
			}
		}
	})
}
