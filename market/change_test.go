package market_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// stocked is a world with VM and LoadBalancer published and the first document submitted.
func stocked(t *testing.T, db *models.DB) (w *world, vm, lb, consumer market.Actor) {
	w = newWorld(t, db)
	vm, lb, consumer = w.team("VMOwnerTeam"), w.team("LBOwnerTeam"), w.team("AwesomeConsumer")
	w.publish(vm, vmSchema)
	w.publish(lb, lbSchema)
	w.submit(consumer, first)
	return w, vm, lb, consumer
}

// All 36 pairs of states: six moves, six no-ops, twenty-four refusals that change nothing (marketplace C1, C2).
func TestC1_EveryPairOfStates(t *testing.T) {
	ways := map[engine.State][]engine.State{
		engine.Pending: {}, engine.Approved: {engine.Approved}, engine.Rejected: {engine.Rejected},
		engine.Errored: {engine.Approved, engine.Errored}, engine.Completed: {engine.Approved, engine.Completed},
		engine.Closed: {engine.Rejected, engine.Closed},
	}
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		for from, way := range ways {
			for _, to := range engine.States {
				name := fmt.Sprintf("%s-%s", from, to)
				w.submit(consumer, fmt.Sprintf(`{"AwesomeConsumer":{"App":{"services":{"VM":[{"name":%q}]}}}}`, name), func(p *market.Proposal) { p.Partial = true })
				change := w.move(vm, name, way...)
				before := w.count("change_history", "audit", "deployed_items")
				moved, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{State: to, DeployedItem: []byte(`{"a":1}`)})
				after := w.count("change_history", "audit", "deployed_items")
				switch {
				case from == to:
					if err != nil || after-before != 2 {
						t.Errorf("%s: the same state: %v, %d rows", name, err, after-before)
					}
				case from.CanBecome(to):
					if err != nil || moved.State != to {
						t.Errorf("%s: %v, state %s", name, err, moved.State)
					}
				default:
					if e := fault.Of(err); e == nil || e.Kind != fault.Invalid || e.Fields["state"][0] != fmt.Sprintf("A change instance cannot go from %s to %s.", from, to) {
						t.Errorf("%s: %v", name, err)
					}
					if after != before {
						t.Errorf("%s: a refusal stored %d rows", name, after-before)
					}
				}
			}
		}
	})
}

// runtime_state follows the owner's lane alone (marketplace C4, D2).
func TestC4_RuntimeState(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, np, consumer := w.team("VMOwnerTeam"), w.team("NPOwnerTeam"), w.team("AwesomeConsumer")
		service := w.publish(vm, vmSchema)
		if _, err := w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{DependantTeams: &[]int64{np.TeamID}}); err != nil {
			t.Fatal(err)
		}
		document := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x"}]}}}}`
		w.submit(consumer, document)
		expect := func(when string, want engine.RuntimeState) {
			t.Helper()
			items, _, err := w.ServiceItems(t.Context(), consumer, market.AsConsumer, models.ServiceItemQuery{})
			if err != nil || len(items) != 1 || items[0].RuntimeState != want {
				t.Errorf("%s: %+v, want %s (%v)", when, items, want, err)
			}
		}
		expect("generated", engine.Requested)
		w.move(np, "x", engine.Approved, engine.Completed)
		expect("the copy is completed", engine.Requested)
		w.move(vm, "x", engine.Approved)
		expect("approved", engine.InService)
		w.move(vm, "x", engine.Errored)
		expect("errored", engine.InService)
		w.submit(consumer, `{"AwesomeConsumer":{}}`)
		expect("deletion pending", engine.InService)
		w.move(vm, "x", engine.Approved)
		expect("deletion approved", engine.Decommissioned)
	})
}

// Deployed items: versions count up, an equal one is none, values stay exact (marketplace I1).
func TestI1_DeployedVersions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		change := w.change(vm, "CoreVM1")
		for i, data := range []string{`{"n":9007199254740993}`, `{ "n" : 9007199254740993 }`, `{"n":0.1000000000000000055}`} {
			if _, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{DeployedItem: []byte(data)}); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
		}
		versions, err := w.Deployments(t.Context(), consumer, change.ServiceItemID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range versions {
			got = append(got, fmt.Sprintf("%d %s", v.Version, v.Data))
		}
		if diff := cmp.Diff([]string{`2 {"n":0.1000000000000000055}`, `1 {"n":9007199254740993}`}, got); diff != "" {
			t.Errorf("versions (-want +got):\n%s", diff)
		}
		for name, bad := range map[string]string{"a list": `[]`, "null": `null`, "a comment": "{}//", "too large": `{"x":"` + strings.Repeat("a", market.MaxDeployed) + `"}`} {
			if _, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{DeployedItem: []byte(bad)}); fault.Of(err) == nil {
				t.Errorf("%s is accepted: %v", name, err)
			}
		}
	})
}

// Who may move a change: the owning team's ADMIN and GENERAL; READ_ONLY is 403, everybody else 404 (marketplace C1, A2).
func TestA2_WhoMayMove(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, consumer := stocked(t, db)
		id := w.change(vm, "CoreVM1").ID
		for name, tc := range map[string]struct {
			who  market.Actor
			want fault.Kind
		}{
			"reader":         {w.person(vm, "cy", models.ReadOnly), fault.Forbidden},
			"another owner":  {lb, fault.NotFound},
			"the consumer":   {consumer, fault.NotFound},
			"nobody at all":  {market.Actor{}, fault.NotFound},
			"general member": {w.person(vm, "gil", models.General), ""},
		} {
			_, err := w.MoveChange(t.Context(), tc.who, id, market.Move{Log: ptr("looked at by " + name)})
			if (tc.want == "" && err != nil) || (tc.want != "" && !fault.Is(err, tc.want)) {
				t.Errorf("%s: %v, want %q", name, err, tc.want)
			}
		}
	})
}

// A switch off allows only automation (marketplace C8).
func TestC8_AutomationOnly(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, _ := stocked(t, db)
		change, off := w.change(vm, "CoreVM1"), false
		if _, err := w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{AllowManualApproval: &off, AllowManualCompletion: &off}); err != nil {
			t.Fatal(err)
		}
		bo := w.person(vm, "bo", models.Admin)
		for _, state := range []engine.State{engine.Approved, engine.Completed} {
			if _, err := w.MoveChange(t.Context(), bo, change.ID, market.Move{State: state}); !fault.Is(err, fault.Forbidden) {
				t.Errorf("a person moves to %s: %v", state, err)
			}
			if _, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{State: state}); err != nil {
				t.Errorf("a key moves to %s: %v", state, err)
			}
		}
	})
}

// Bulk: each succeeds or fails on its own (marketplace C10).
func TestC10_Bulk(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, _ := stocked(t, db)
		one, two := w.change(vm, "CoreVM1"), w.change(vm, "CoreVM2")
		w.move(vm, "CoreVM2", engine.Rejected)
		results, err := w.MoveChanges(t.Context(), vm, []market.BulkTarget{{ID: one.ID, Version: one.Version}, {ID: two.ID, Version: two.Version}, {ID: 999}}, market.Move{State: engine.Approved})
		if err != nil {
			t.Fatal(err)
		}
		if results[0].Err != nil || !fault.Is(results[1].Err, fault.Conflict) || !fault.Is(results[2].Err, fault.NotFound) {
			t.Errorf("results: %v, %v, %v", results[0].Err, results[1].Err, results[2].Err)
		}
		history, err := w.History(t.Context(), vm, market.AsServiceOwner, one.ID)
		if err != nil || history[0].Via != "bulk" {
			t.Errorf("C7: via %q, %v", history[0].Via, err)
		}
	})
}

// A consumer withdraws an own PENDING change: SYSTEM closes it, the wish lapses (marketplace C11).
func TestC11_Withdraw(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		id := w.change(vm, "CoreVM1").ID
		if _, err := w.Withdraw(t.Context(), vm, id, "no"); !fault.Is(err, fault.NotFound) {
			t.Errorf("the owner withdraws: %v", err)
		}
		change, err := w.Withdraw(t.Context(), consumer, id, "changed our mind")
		if err != nil || change.State != engine.Closed || !change.Lapsed {
			t.Fatalf("%+v, %v", change, err)
		}
		history, err := w.History(t.Context(), consumer, market.AsConsumer, id)
		var got []string
		for _, h := range history {
			got = append(got, fmt.Sprintf("%s %s %s", h.State, h.ChangedBy, h.Log))
		}
		want := []string{"CLOSED SYSTEM withdrawn by robot (Api Key): changed our mind", "REJECTED SYSTEM withdrawn by robot (Api Key): changed our mind", "PENDING robot (Api Key) "}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("history (-want +got):\n%s %v", diff, err)
		}
		if got := w.submit(consumer, first); !slices.Equal(got, []string{"CREATE VM/CoreVM1 VMOwnerTeam PENDING basic"}) {
			t.Errorf("declared again: %q", got)
		}
		if _, err := w.Withdraw(t.Context(), consumer, id, "again"); !fault.Is(err, fault.Invalid) {
			t.Errorf("withdrawn twice: %v", err)
		}
	})
}

func ptr[T any](v T) *T { return &v }
