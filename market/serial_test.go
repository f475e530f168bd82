package market_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Submissions of one team are serial: each partial document is applied once,
// and the team's version counts them all (trust P3, lifecycle T1, T9).
func TestP3_SubmissionsOfOneTeamAreSerial(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		const writers = 12
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				document := fmt.Sprintf(`{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":%d},{"name":"y%d"}]}}}}`, i, i)
				if _, err := w.Submit(t.Context(), consumer, market.Proposal{Text: []byte(document), Partial: true}); err != nil {
					t.Errorf("submission %d: %v", i, err)
				}
			})
		}
		all.Wait()
		team, err := w.Team(t.Context(), consumer, consumer.TeamID)
		if err != nil || team.DeclarationVersion != writers {
			t.Errorf("declaration version %d, want %d (%v)", team.DeclarationVersion, writers, err)
		}
		if n := w.count("service_items"); n != writers+1 {
			t.Errorf("%d items, want %d", n, writers+1)
		}
		changes, count, err := w.Changes(t.Context(), vm, market.AsServiceOwner, models.ChangeQuery{Search: "x"})
		if err != nil || count != writers {
			t.Fatalf("%d changes of x, want %d (%v)", count, writers, err)
		}
		for i := 1; i < len(changes); i++ { // newest first
			if *changes[i-1].OldDeclaration != *changes[i].NewDeclaration {
				t.Errorf("change %d starts from %s, the one before ended at %s", changes[i-1].ID, *changes[i-1].OldDeclaration, *changes[i].NewDeclaration)
			}
		}
	})
}

// An owner who rejects while the consumer submits leaves the base that the
// changes say, whoever comes first.
func TestG1_BaseUnderConcurrency(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		declare := func(cpu int) string {
			return fmt.Sprintf(`{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":%d}]}}}}`, cpu)
		}
		w.submit(consumer, declare(0))
		for round := 1; round <= 10; round++ {
			change := w.change(vm, "x")
			var both sync.WaitGroup
			both.Go(func() {
				_, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{State: engine.Rejected})
				if err != nil && !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Conflict) {
					t.Errorf("reject: %v", err)
				}
			})
			both.Go(func() {
				if _, err := w.Submit(t.Context(), consumer, market.Proposal{Text: []byte(declare(round))}); err != nil {
					t.Errorf("submit: %v", err)
				}
			})
			both.Wait()
			if kept, said := w.bases(); kept != said {
				t.Fatalf("round %d: the item keeps base %s, its changes say %s", round, kept, said)
			}
		}
	})
}

// bases tells the base that is kept beside the only item, and the one that its changes say.
func (w *world) bases() (kept, said string) {
	w.Helper()
	var item models.ServiceItem
	if err := w.db.Read(w.Context()).Take(&item).Error; err != nil {
		w.Fatal(err)
	}
	kept, said = "none", "none"
	if item.Declared() {
		kept = item.Declaration
	}
	var changes []models.ChangeInstance
	if err := w.db.Read(w.Context()).Order("id DESC").Find(&changes).Error; err != nil {
		w.Fatal(err)
	}
	for _, c := range changes {
		rejected := c.State == engine.Rejected || c.Lapsed
		if rejected {
			continue
		}
		if c.ChangeType != engine.Delete {
			said = *c.NewDeclaration
		}
		break
	}
	return kept, said
}
