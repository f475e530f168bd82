package market_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

// A preview is refused when anything that it shows has moved, and says why (lifecycle T6).
func TestT6_WhyAPreviewIsStale(t *testing.T) {
	type meddling func(w *world, vm, lb, consumer market.Actor)
	const both = `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":2}],"LoadBalancer":[{"name":"l","related_vms":["x"]}]}}}}`
	tests := map[string]struct {
		meddle meddling
		want   []market.StaleItem
	}{
		"nothing": {func(*world, market.Actor, market.Actor, market.Actor) {}, nil},
		"a another submission": {func(w *world, _, _, consumer market.Actor) {
			w.submit(consumer, `{"AwesomeConsumer":{"B":{"services":{"VM":[{"name":"y"}]}}}}`, partial)
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "declared"}, {Application: "A", Service: "LoadBalancer", Name: "l", Why: "declared"}}},
		"b a new schema": {func(w *world, vm, _, _ market.Actor) {
			w.publish(vm, strings.Replace(vmSchema, `"cpu"`, `"disk":{"type":"integer"},"cpu"`, 1))
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "schema"}}},
		"b a new schema that it breaks": {func(w *world, vm, _, _ market.Actor) {
			w.publish(vm, strings.Replace(vmSchema, `"required":["name"]`, `"required":["name","memory"]`, 1))
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "schema"}}},
		"c an open change": {func(w *world, vm, _, _ market.Actor) {
			w.must(w.Retry(w.Context(), vm, market.AsServiceOwner, w.move(vm, "x", engine.Approved, engine.Errored).ID))
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "open_change"}}},
		"d a wish was rejected": {func(w *world, vm, _, _ market.Actor) {
			w.move(vm, "x", engine.Rejected)
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "plan"}, {Application: "A", Service: "LoadBalancer", Name: "l", Why: "plan"}}},
		"d a change was done": {func(w *world, vm, _, _ market.Actor) {
			w.move(vm, "x", engine.Approved, engine.Completed)
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "plan"}}},
		"d the service takes no changes": {func(w *world, vm, _, _ market.Actor) {
			w.must2(w.ChangeService(w.Context(), vm, w.change(vm, "x").ServiceID, market.ServicePatch{State: ptr(engine.ServiceNoModify)}))
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "plan"}, {Application: "A", Service: "LoadBalancer", Name: "l", Why: "plan"}}},
		"d there is a dependent team": {func(w *world, vm, lb, _ market.Actor) {
			w.must2(w.ChangeService(w.Context(), vm, w.change(vm, "x").ServiceID, market.ServicePatch{DependantTeams: &[]int64{lb.TeamID}}))
		}, []market.StaleItem{{Application: "A", Service: "VM", Name: "x", Why: "plan"}}},
	}
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		for name, tc := range tests {
			w := newWorld(t, db)
			clear(w)
			vm, lb, consumer := w.team("VMOwnerTeam"), w.team("LBOwnerTeam"), w.team("AwesomeConsumer")
			w.publish(vm, vmSchema)
			w.publish(lb, lbSchema)
			w.submit(consumer, strings.Replace(both, `"cpu":2`, `"cpu":1`, 1))
			preview, _, err := w.Preview(t.Context(), consumer, proposal(both, partial))
			if err != nil {
				t.Fatal(err)
			}
			tc.meddle(w, vm, lb, consumer)
			before := w.count(everything...)
			_, err = w.Submit(t.Context(), consumer, market.Proposal{Preview: preview.ID})
			if tc.want == nil {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			stale, ok := detail(err).(market.Stale)
			if !ok {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(tc.want, stale.Items); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if after := w.count(everything...); after != before {
				t.Errorf("%s: a refused preview stored %d rows", name, after-before)
			}
		}
	})
}

func detail(err error) any {
	if e := fault.Of(err); e != nil {
		return e.Detail
	}
	return nil
}

func (w *world) must(_ models.ChangeInstance, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) must2(_ models.Service, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// clear empties the marketplace, so that tests can share a database.
func clear(w *world) {
	w.Helper()
	w.do(func(tx *gorm.DB) error {
		for _, table := range []string{"outbox", "previews", "change_causes", "change_history", "deployed_items", "change_instances", "service_items", "submission_texts",
			"submissions", "applications", "service_versions", "service_dependants", "service_allowed_teams", "services", "memberships", "teams"} {
			if err := tx.Exec("DELETE FROM " + table).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// A preview is submitted as it was made: its mode, its scope, its bytes; nothing
// that comes along may contradict it (lifecycle T2, T5, T7; marketplace M6).
func TestT5_SubmittedAsPreviewed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		ctx := t.Context()
		yaml := "AwesomeConsumer:\n  Other:\n    services:\n      VM:\n        - {name: x, cpu: 1}  # one\n"
		preview, plan, err := w.Preview(ctx, consumer, market.Proposal{Text: []byte(yaml), YAML: true, Applications: []string{"Other"}})
		if err != nil || len(plan.Changes) != 1 {
			t.Fatalf("%d changes, %v", len(plan.Changes), err)
		}
		if entries := w.audited("preview.create"); len(entries) != 1 || *entries[0].TeamID != consumer.TeamID {
			t.Errorf("trust L1: recorded %+v", entries)
		}
		for name, bad := range map[string]market.Proposal{
			"another document": {Preview: preview.ID, Text: []byte(first)},
			"PATCH":            {Preview: preview.ID, Partial: true},
			"a scope":          {Preview: preview.ID, Applications: []string{"Other"}},
			"no such preview":  {Preview: "0"},
		} {
			if _, err := w.Submit(ctx, consumer, bad); !fault.Is(err, fault.Invalid) || fault.Of(err).Fields["preview"] == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.Submit(ctx, vm, market.Proposal{Preview: preview.ID}); !fault.Is(err, fault.Invalid) {
			t.Errorf("another team submits it: %v", err)
		}
		if _, err := w.StoredPreview(ctx, vm, preview.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("T4: another team reads it: %v", err)
		}
		outcome, err := w.Submit(ctx, consumer, market.Proposal{Preview: preview.ID, Text: []byte(yaml), CommitID: "c1"})
		if err != nil || outcome.Submission.Applications != `["Other"]` || !outcome.Submission.Yaml || *outcome.Submission.PreviewID != preview.ID || outcome.Submission.CommitID != "c1" {
			t.Fatalf("%+v, %v", outcome.Submission, err)
		}
		if _, text, err := w.Submission(ctx, consumer, outcome.Submission.ID); err != nil || string(text) != yaml {
			t.Errorf("M6: the text is %q, %v", text, err)
		}
		if kept := w.item(consumer, "CoreVM1"); !kept.Declared() {
			t.Error("G4: an application out of scope lost its items")
		}
		w.do(func(tx *gorm.DB) error {
			return tx.Model(&models.Preview{}).Where("id = ?", preview.ID).Update("expires", models.Now().AddDate(0, 0, -1)).Error
		})
		if _, err := w.StoredPreview(ctx, consumer, preview.ID); !fault.Is(err, fault.Gone) {
			t.Errorf("T4: expired: %v", err)
		}
		if _, err := w.Submit(ctx, consumer, market.Proposal{Preview: preview.ID}); !fault.Is(err, fault.Gone) {
			t.Errorf("expired: %v", err)
		}
	})
}

// A preview without changes gives the same answer each time; the same question
// gives the same bytes (lifecycle T3, T7).
func TestT7_PreviewWithoutChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, _, _, consumer := stocked(t, db)
		preview, plan, err := w.Preview(t.Context(), consumer, proposal(first))
		if err != nil || !plan.Empty() {
			t.Fatal(plan, err)
		}
		for range 2 {
			if outcome, err := w.Submit(t.Context(), consumer, market.Proposal{Preview: preview.ID}); err != nil || outcome.Recorded {
				t.Errorf("%+v, %v", outcome, err)
			}
		}
		changed := strings.Replace(first, `"cpu":8`, `"cpu":9`, 1)
		preview, _, err = w.Preview(t.Context(), consumer, proposal(changed))
		verdict, err2 := w.Validate(t.Context(), consumer, proposal(changed))
		if err != nil || err2 != nil || verdict.Plan.PreviewID != nil {
			t.Fatal(err, err2)
		}
		var shown engine.PlanView
		if err := json.Unmarshal([]byte(preview.Plan), &shown); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(shown.Changes)
		b, _ := json.Marshal(verdict.Plan.Changes)
		if string(a) != string(b) {
			t.Errorf("preview and validation differ:\n%s\n%s", a, b)
		}
	})
}

// audited lists the entries of the audit log with an action.
func (w *world) audited(action string) (entries []models.Audit) {
	w.Helper()
	if err := w.db.Read(w.Context()).Where("action = ?", action).Order("id").Find(&entries).Error; err != nil {
		w.Fatal(err)
	}
	return entries
}
