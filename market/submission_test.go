package market_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

const first = `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":8,"memory":2},{"name":"CoreVM2","cpu":16,"memory":4}]}}}}`

// The story of the seed's tables 1 to 5, nothing processed in between.
func TestSubmit_SeedTables(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, lb, consumer := w.team("VMOwnerTeam"), w.team("LBOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		w.publish(lb, lbSchema)
		for _, step := range []struct {
			document string
			want     []string
		}{
			{first, []string{"CREATE VM/CoreVM1 VMOwnerTeam PENDING basic", "CREATE VM/CoreVM2 VMOwnerTeam PENDING basic"}},
			{first, []string{}},
			{`{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8},{"name":"CoreVM2","cpu":16,"memory":4}],"LoadBalancer":[{"name":"CoreLB1","algorithm":"RoundRobin"}]}}}}`,
				[]string{"MODIFY VM/CoreVM1 VMOwnerTeam PENDING basic", "CREATE LoadBalancer/CoreLB1 LBOwnerTeam PENDING basic"}},
			{`{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16,"memory":8}]}}}}`,
				[]string{"DELETE LoadBalancer/CoreLB1 LBOwnerTeam PENDING basic", "DELETE VM/CoreVM2 VMOwnerTeam PENDING basic"}},
		} {
			if diff := cmp.Diff(step.want, w.submit(consumer, step.document)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		}
	})
}

// A preview shows what its submission does; after another submission it is refused (lifecycle T6).
func TestT6_StalePreviewIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		preview, plan, err := w.Preview(t.Context(), consumer, proposal(first))
		if err != nil || len(plan.Changes) != 2 {
			t.Fatalf("Preview: %d changes, %v", len(plan.Changes), err)
		}
		w.submit(consumer, `{"AwesomeConsumer":{"Other":{"services":{"VM":[{"name":"x"}]}}}}`)

		before := w.count(everything...)
		_, err = w.Submit(t.Context(), consumer, market.Proposal{Preview: preview.ID})
		if e := fault.Of(err); e == nil || e.Code != "stale_preview" {
			t.Fatalf("Submit of a stale preview: %v", err)
		}
		if after := w.count(everything...); after != before {
			t.Errorf("a refused preview stored %d rows", after-before)
		}

		fresh, _, err := w.Preview(t.Context(), consumer, proposal(first, func(p *market.Proposal) { p.Partial = true }))
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := w.Submit(t.Context(), consumer, market.Proposal{Preview: fresh.ID})
		if err != nil || len(outcome.ChangeIDs) != 2 {
			t.Fatalf("Submit of a fresh preview: %d changes, %v", len(outcome.ChangeIDs), err)
		}
		if _, err = w.Submit(t.Context(), consumer, market.Proposal{Preview: fresh.ID}); !fault.Is(err, fault.Conflict) {
			t.Errorf("T7: the same preview twice: %v", err)
		}
	})
}

// Two people decide one change at once: exactly one wins (marketplace C6).
func TestC6_ExactlyOneWins(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		w.submit(consumer, first)
		change := w.change(vm, "CoreVM1")

		const deciders = 8
		errs := make(chan error, deciders)
		for i := range deciders {
			state := []engine.State{engine.Approved, engine.Rejected}[i%2]
			go func() {
				_, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{State: state, Version: change.Version})
				errs <- err
			}()
		}
		won := 0
		for range deciders {
			switch err := <-errs; {
			case err == nil:
				won++
			case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Invalid):
				t.Errorf("a loser got %v", err)
			}
		}
		if won != 1 {
			t.Errorf("%d deciders won, want 1", won)
		}
		history, err := w.History(t.Context(), vm, market.AsServiceOwner, change.ID)
		if err != nil || len(history) != 2 {
			t.Errorf("%d history rows, want the birth and one move: %v", len(history), err)
		}
	})
}

// The base kept beside each item is the one that its changes say (marketplace G1).
func TestG1_KeptBaseFollowsTheChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		one := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":1}]}}}}`
		two := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":2}]}}}}`
		w.submit(consumer, one)
		w.submit(consumer, two)
		w.move(vm, "x", engine.Rejected)
		if got := w.submit(consumer, one); len(got) != 0 {
			t.Errorf("the rejected wish still counts: %q", got)
		}
		if got := w.submit(consumer, two); !slices.Equal(got, []string{"MODIFY VM/x VMOwnerTeam PENDING basic"}) {
			t.Errorf("the rejected wish declared again gives %q", got)
		}
	})
}
