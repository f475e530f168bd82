package market_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Asking again makes one new change of the same type and declarations that
// points back, only for what ERRORED, only for the newest, and not for an item
// that is gone (marketplace G7, C3, C7).
func TestG7_Retry(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		np, ctx := w.team("NPOwnerTeam"), t.Context()
		retry := func(who market.Actor, pov market.Pov, id int64) (models.ChangeInstance, error) {
			return w.Retry(ctx, who, pov, id)
		}
		pending := w.change(vm, "CoreVM1")
		if _, err := retry(vm, market.AsServiceOwner, pending.ID); !fault.Is(err, fault.Invalid) {
			t.Errorf("a PENDING change: %v", err)
		}
		errored := w.move(vm, "CoreVM1", engine.Approved, engine.Errored)
		if _, err := retry(w.person(vm, "cy", models.ReadOnly), market.AsServiceOwner, errored.ID); !fault.Is(err, fault.Forbidden) {
			t.Errorf("a reader: %v", err)
		}
		if _, err := retry(np, market.AsServiceOwner, errored.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("another team: %v", err)
		}
		if got := w.submit(consumer, first); len(got) != 0 {
			t.Errorf("G7: an errored wish declared again: %q", got)
		}
		again, err := retry(consumer, market.AsConsumer, errored.ID)
		if err != nil || again.State != engine.Pending || *again.RetryOf != errored.ID || again.ChangeType != engine.Create || again.NewVersion != errored.NewVersion ||
			*again.NewDeclaration != *errored.NewDeclaration || again.SubmissionID != nil || again.Version != 1 {
			t.Fatalf("%+v, %v", again, err)
		}
		history, err := w.History(ctx, vm, market.AsServiceOwner, errored.ID)
		if err != nil || history[0].State != engine.Closed || history[0].ChangedBy != "robot (Api Key)" || history[0].ChangedByTeam != "AwesomeConsumer" {
			t.Errorf("the old one's history: %+v, %v", history, err)
		}
		if _, err := retry(vm, market.AsServiceOwner, errored.ID); !fault.Is(err, fault.Conflict) || fault.Of(err).Code != "newer_change" {
			t.Errorf("twice: %v", err)
		}
		if item := w.item(consumer, "CoreVM1"); item.Base() != again.ID || !item.Declared() || item.ChangeState != engine.ChangesPending {
			t.Errorf("the item: %+v", item)
		}

		// A copy that errored, of an item that is gone by now.
		service := w.change(vm, "CoreVM2").ServiceID
		w.must2(w.ChangeService(ctx, vm, service, market.ServicePatch{DependantTeams: &[]int64{np.TeamID}, ApprovalRequired: ptr(false)}))
		w.submit(consumer, `{"AwesomeConsumer":{"B":{"services":{"VM":[{"name":"y"}]}}}}`, partial)
		copied := w.move(np, "y", engine.Errored)
		w.must2(w.ChangeService(ctx, vm, service, market.ServicePatch{DependantTeams: &[]int64{}}))
		w.submit(consumer, `{"AwesomeConsumer":{"B":{"services":{}}}}`, func(p *market.Proposal) { p.Applications = []string{"B"} })
		if _, err := retry(np, market.AsServiceOwner, copied.ID); !fault.Is(err, fault.Conflict) {
			t.Errorf("a CREATE of an item that is gone: %v", err)
		}
		ended := w.move(vm, "y", engine.Errored)
		if again, err := retry(vm, market.AsServiceOwner, ended.ID); err != nil || again.ChangeType != engine.Delete || again.State != engine.Approved || again.NewDeclaration != nil {
			t.Errorf("a DELETE of an item that is gone: %+v, %v", again, err)
		}
	})
}

// A withdrawn wish lapses for everybody who has not begun: the PENDING copies of
// dependent teams go with the owner's change; a copy withdrawn alone goes alone
// (marketplace C11, D2).
func TestC11_WithdrawnCopies(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		np, au, ctx := w.team("NPOwnerTeam"), w.team("AuditTeam"), t.Context()
		w.must2(w.ChangeService(ctx, vm, w.change(vm, "CoreVM1").ServiceID, market.ServicePatch{DependantTeams: &[]int64{np.TeamID, au.TeamID}}))
		w.submit(consumer, `{"AwesomeConsumer":{"B":{"services":{"VM":[{"name":"y"},{"name":"z"}]}}}}`, partial)
		w.move(au, "y", engine.Approved)
		reader := w.person(consumer, "cy", models.ReadOnly)
		if _, err := w.Withdraw(ctx, reader, w.change(vm, "y").ID, ""); !fault.Is(err, fault.Forbidden) {
			t.Errorf("a reader: %v", err)
		}
		if _, err := w.Withdraw(ctx, consumer, w.change(vm, "y").ID, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Withdraw(ctx, consumer, w.change(np, "z").ID, "no need"); err != nil {
			t.Fatal(err)
		}
		got := map[string]engine.State{}
		for _, owner := range []market.Actor{vm, np, au} {
			for _, name := range []string{"y", "z"} {
				got[owner.TeamName+" "+name] = w.change(owner, name).State
			}
		}
		want := map[string]engine.State{
			"VMOwnerTeam y": engine.Closed, "NPOwnerTeam y": engine.Closed, "AuditTeam y": engine.Approved,
			"VMOwnerTeam z": engine.Pending, "NPOwnerTeam z": engine.Closed, "AuditTeam z": engine.Pending,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("states (-want +got):\n%s", diff)
		}
		if log := w.change(np, "y").Log; log != "withdrawn by robot (Api Key)" {
			t.Errorf("log without a reason: %q", log)
		}
		if item := w.item(consumer, "y"); item.Declared() || item.RuntimeState != engine.Requested {
			t.Errorf("the item: %+v", item)
		}
	})
}
