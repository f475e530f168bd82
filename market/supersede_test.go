package market_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

var superseding = strings.Replace(vmSchema, `{"title"`, `{"metadata":{"delivery":{"supersede":"unfetched"}},"title"`, 1)

func one(cpu int) string {
	return fmt.Sprintf(`{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":%d}]}}}}`, cpu)
}

// What SYSTEM writes when it merges changes (delivery S2, S3, S5).
func TestS3_SupersededChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, superseding)
		w.submit(consumer, one(1))
		first := w.change(vm, "x")
		w.submit(consumer, one(2))
		second := w.change(vm, "x")
		if second.ChangeType != engine.Create || second.ID == first.ID || second.OldDeclaration != nil {
			t.Fatalf("the survivor: %+v", second)
		}
		outcome, err := w.Submit(t.Context(), consumer, proposal(`{"AwesomeConsumer":{}}`))
		if err != nil || !outcome.Recorded || len(outcome.ChangeIDs) != 0 || !cmp.Equal(outcome.Superseded, []int64{second.ID}) {
			t.Errorf("S7: recorded %t, changes %v, superseded %v, %v", outcome.Recorded, outcome.ChangeIDs, outcome.Superseded, err)
		}
		for _, tc := range []struct {
			id       int64
			survivor *int64
			log      string
		}{{first.ID, &second.ID, fmt.Sprintf("superseded by #%d", second.ID)}, {second.ID, nil, "superseded: nothing left to do"}} {
			change, err := w.Change(t.Context(), consumer, market.AsConsumer, tc.id)
			if err != nil || change.State != engine.Closed || change.ClosedReason != models.ClosedSuperseded || !cmp.Equal(change.SupersededBy, tc.survivor) || change.Log != tc.log {
				t.Errorf("#%d: %s %s by %v, log %q, %v", tc.id, change.State, change.ClosedReason, change.SupersededBy, change.Log, err)
			}
			history, err := w.History(t.Context(), consumer, market.AsConsumer, tc.id)
			if err != nil || len(history) != 3 || history[0].Log != tc.log || history[1].Log != tc.log || history[0].ChangedBy != "SYSTEM" || history[0].Via != "system" {
				t.Errorf("#%d: history %+v, %v", tc.id, history, err)
			}
		}
		if item := w.item(consumer, "x"); item.RuntimeState != engine.Decommissioned {
			t.Errorf("the item is %s", item.RuntimeState)
		}
	})
}

// What an owner approves by hand is never taken back, however close the next
// submission comes (delivery S1, S6).
func TestS1_ApprovedByHandStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, superseding)
		w.submit(consumer, one(0))
		for round := 1; round <= 12; round++ {
			change := w.change(vm, "x")
			var approved error
			var both sync.WaitGroup
			both.Go(func() {
				_, approved = w.MoveChange(t.Context(), vm, change.ID, market.Move{State: engine.Approved})
			})
			both.Go(func() {
				if _, err := w.Submit(t.Context(), consumer, proposal(one(round))); err != nil {
					t.Errorf("submit: %v", err)
				}
			})
			both.Wait()
			after, err := w.Change(t.Context(), vm, market.AsServiceOwner, change.ID)
			if err != nil || approved == nil && after.State != engine.Approved {
				t.Fatalf("round %d: an approved change became %s, %s: %v", round, after.State, after.Log, err)
			}
			if approved != nil && !fault.Is(approved, fault.Conflict) && !fault.Is(approved, fault.Invalid) {
				t.Errorf("round %d: approve: %v", round, approved)
			}
		}
	})
}

// The causes of a merged change live on in its survivor (delivery S2).
func TestS2_CausesAreJoined(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, lb, consumer := w.team("VMOwnerTeam"), w.team("LBOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		w.publish(lb, strings.Replace(lbSchema, `{"title"`, `{"metadata":{"delivery":{"supersede":"unfetched"}},"title"`, 1))
		document := func(a, b int) string {
			return fmt.Sprintf(`{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"a","cpu":%d},{"name":"b","cpu":%d}],"LoadBalancer":[{"name":"l","related_vms":["a","b"]}]}}}}`, a, b)
		}
		w.submit(consumer, document(1, 1))
		w.move(lb, "l", engine.Approved, engine.Completed)
		w.submit(consumer, document(2, 1))
		w.submit(consumer, document(2, 2))
		survivor := w.change(lb, "l")
		related, err := w.OfChanges(t.Context(), []models.ChangeInstance{survivor})
		if err != nil || survivor.Kind != engine.Referenced || len(related.Causes[survivor.ID]) != 2 {
			t.Errorf("%s with %d causes, %v", survivor.Kind, len(related.Causes[survivor.ID]), err)
		}
	})
}
