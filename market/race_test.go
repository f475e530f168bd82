package market_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// An owner decides a DELETE while the consumer declares the item again: a CREATE
// comes only for an item that is gone or was never there, in a row of its own
// (marketplace G8, trust D3).
func TestG8_DeclaredAgainWhileTheOwnerDecides(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		const others = 300 // that make planning last
		var list strings.Builder
		for i := range others {
			fmt.Fprintf(&list, `,{"name":"other%d"}`, i)
		}
		with := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x"}` + list.String() + `]}}}}`
		without := `{"AwesomeConsumer":{"A":{"services":{"VM":[` + list.String()[1:] + `]}}}}`
		w.submit(consumer, with)
		w.move(vm, "x", engine.Approved)
		for round := range 12 {
			w.submit(consumer, without)
			deletion := w.change(vm, "x")
			decision := []engine.State{engine.Approved, engine.Rejected}[round%2]
			var both sync.WaitGroup
			both.Go(func() {
				_, err := w.MoveChange(t.Context(), vm, deletion.ID, market.Move{State: decision})
				if err != nil && !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Conflict) {
					t.Errorf("%s: %v", decision, err)
				}
			})
			both.Go(func() {
				if _, err := w.Submit(t.Context(), consumer, proposal(with)); err != nil {
					t.Errorf("submit: %v", err)
				}
			})
			both.Wait()
			w.soundItems()
			if newest := w.change(vm, "x"); newest.ChangeType == engine.Create && newest.State == engine.Pending {
				w.move(vm, "x", engine.Approved)
			}
		}
	})
}

// soundItems fails if a CREATE was generated for an item that was there, or
// anything for one that was gone.
func (w *world) soundItems() {
	w.Helper()
	var changes []models.ChangeInstance
	if err := w.db.Read(w.Context()).Order("id").Find(&changes).Error; err != nil {
		w.Fatal(err)
	}
	there, gone := map[int64]bool{}, map[int64]bool{}
	for _, c := range changes {
		if gone[c.ServiceItemID] {
			w.Errorf("change %d %s is about an item that is gone", c.ID, c.ChangeType)
		}
		if c.ChangeType == engine.Create && there[c.ServiceItemID] {
			w.Errorf("change %d creates an item that is there", c.ID)
		}
		approved := c.State == engine.Approved || c.State == engine.Completed || c.ClosedReason == models.ClosedErrored
		there[c.ServiceItemID] = there[c.ServiceItemID] || approved && c.ChangeType == engine.Create
		gone[c.ServiceItemID] = approved && c.ChangeType == engine.Delete
	}
}

// A service is decommissioned while somebody orders it: one of them comes too
// late (marketplace V4).
func TestV4_DecommissionedWhileOrdered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		for round := range 5 {
			name := fmt.Sprintf("VM%d", round)
			service := w.publish(vm, strings.Replace(vmSchema, `"VM"`, `"`+name+`"`, 1))
			var ordered, ended error
			var both sync.WaitGroup
			both.Go(func() {
				_, ordered = w.Submit(t.Context(), consumer, proposal(`{"AwesomeConsumer":{"A":{"services":{"`+name+`":[{"name":"x"}]}}}}`, partial))
			})
			both.Go(func() {
				_, ended = w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{State: ptr(engine.ServiceDecommissioned)})
			})
			both.Wait()
			if (ordered == nil) == (ended == nil) {
				t.Errorf("round %d: ordered: %v, decommissioned: %v", round, ordered, ended)
			}
		}
	})
}

// A schema is published while somebody submits: what was accepted is valid by
// the version that it is said to be of (marketplace V2, lifecycle T6).
func TestV2_PublishedWhileSubmitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		strict := strings.Replace(vmSchema, `"required":["name"]`, `"required":["name","cpu"]`, 1)
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				_, err := w.Submit(t.Context(), consumer, proposal(fmt.Sprintf(`{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x%d"}]}}}}`, i), partial))
				if err != nil && !fault.Is(err, fault.Invalid) {
					t.Errorf("submit: %v", err)
				}
			})
		}
		all.Go(func() {
			if _, err := w.Publish(t.Context(), vm, []byte(strict), false); err != nil {
				t.Errorf("publish: %v", err)
			}
		})
		all.Wait()
		changes, _, err := w.Changes(t.Context(), vm, market.AsServiceOwner, models.ChangeQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			if c.SchemaVersion != 1 {
				t.Errorf("%s was accepted by version %d", *c.NewDeclaration, c.SchemaVersion)
			}
		}
	})
}

// Two people ask again for the same change, while the consumer submits: one new
// change comes of it (marketplace G7).
func TestG7_RetriedTwiceWhileSubmitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		id := w.move(vm, "CoreVM1", engine.Approved, engine.Errored).ID
		var all sync.WaitGroup
		again := make([]error, 4)
		for i := range again {
			all.Go(func() {
				if i%2 == 0 {
					_, again[i] = w.Retry(t.Context(), vm, market.AsServiceOwner, id)
				} else {
					_, again[i] = w.Retry(t.Context(), consumer, market.AsConsumer, id)
				}
			})
		}
		all.Go(func() {
			if _, err := w.Submit(t.Context(), consumer, proposal(first)); err != nil {
				t.Errorf("submit: %v", err)
			}
		})
		all.Wait()
		won := 0
		for _, err := range again {
			if err == nil {
				won++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("a loser got %v", err)
			}
		}
		if n := w.count("change_instances"); won != 1 || n != 3 {
			t.Errorf("%d of %d won, %d changes", won, len(again), n)
		}
	})
}

// The last two admins demote each other: one stays (marketplace A4).
func TestA4_TwoDemotions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		team := w.team("VMOwnerTeam")
		ann, bo := w.person(team, "ann", models.Admin), w.person(team, "bo", models.Admin)
		members, err := w.Members(t.Context(), ann)
		if err != nil || len(members) != 2 {
			t.Fatal(members, err)
		}
		errs := make([]error, 2)
		var both sync.WaitGroup
		for i, who := range []market.Actor{bo, ann} {
			both.Go(func() { _, errs[i] = w.ChangeMember(t.Context(), who, members[i].ID, models.General) })
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("demotions: %v, %v", errs[0], errs[1])
		}
	})
}
