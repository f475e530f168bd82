package market_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// What the state of a service lets through (marketplace V3, V4).
func TestV4_ServiceStates(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		service, ctx := w.change(vm, "CoreVM1").ServiceID, t.Context()
		created := strings.Replace(first, `[{`, `[{"name":"new"},{`, 1)
		modified := strings.Replace(first, `"cpu":8`, `"cpu":9`, 1)
		deleted := `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM2","cpu":16,"memory":4}]}}}}`
		private, stranger := market.ServicePatch{Private: ptr(true)}, market.ServicePatch{Private: ptr(false)}
		for _, tc := range []struct {
			name                         string
			patch                        market.ServicePatch
			creates, modifies, unchanged string
		}{
			{"IN_SERVICE", stranger, "", "", ""},
			{"NO_NEW_SERVICE_ITEM", market.ServicePatch{State: ptr(engine.ServiceNoNew)}, "V4", "", ""},
			{"NO_MODIFY_EXISTING_SERVICE_ITEM", market.ServicePatch{State: ptr(engine.ServiceNoModify)}, "V4", "V4", ""},
			{"private by now", private, "V3", "", ""},
		} {
			w.must2(w.ChangeService(ctx, vm, service, market.ServicePatch{State: ptr(engine.ServiceInService), Private: ptr(false)}))
			w.must2(w.ChangeService(ctx, vm, service, tc.patch))
			for document, rule := range map[string]string{created: tc.creates, modified: tc.modifies, first: tc.unchanged, deleted: ""} {
				verdict, err := w.Validate(ctx, consumer, proposal(document))
				if err != nil || verdict.IsValid != (rule == "") || rule != "" && verdict.Problems[0].Rule != rule {
					t.Errorf("%s: %s: %+v, %v, want %q", tc.name, document, verdict.Problems, err, rule)
				}
			}
		}
		w.must2(w.ChangeService(ctx, vm, service, market.ServicePatch{State: ptr(engine.ServiceInService), Private: ptr(false)}))
		w.submit(consumer, `{"AwesomeConsumer":{}}`)
		for _, name := range []string{"CoreVM1", "CoreVM2"} {
			if _, err := w.ChangeService(ctx, vm, service, market.ServicePatch{State: ptr(engine.ServiceDecommissioned)}); !fault.Is(err, fault.Invalid) {
				t.Errorf("decommissioned before %s is gone: %v", name, err)
			}
			w.move(vm, name, engine.Approved)
		}
		w.must2(w.ChangeService(ctx, vm, service, market.ServicePatch{State: ptr(engine.ServiceDecommissioned)}))
		if verdict, err := w.Validate(ctx, consumer, proposal(first)); err != nil || verdict.IsValid || verdict.Problems[0].Rule != "V1" {
			t.Errorf("DECOMMISSIONED: %+v, %v", verdict, err)
		}
		if verdict, err := w.Validate(ctx, consumer, proposal(`{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[]}}}}`)); err != nil || !verdict.IsValid {
			t.Errorf("none of a decommissioned service: %+v, %v", verdict, err)
		}
	})
}

// An unchanged item is not judged by a later schema; a changed one is (marketplace V2, S1).
func TestV2_LaterSchemas(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		w.publish(vm, strings.Replace(vmSchema, `"required":["name"]`, `"required":["name","disk"]`, 1))
		if got := w.submit(consumer, first); len(got) != 0 {
			t.Errorf("an unchanged declaration: %q", got)
		}
		verdict, err := w.Validate(t.Context(), consumer, proposal(strings.Replace(first, `"cpu":8`, `"cpu":9`, 1)))
		want := map[string]any{"AwesomeConsumer": map[string]any{"NewApp1": map[string]any{"VM": map[string]any{"CoreVM1": map[string]any{"non_field_errors": []string{verdict.Problems[0].Message}}}}}}
		if diff := cmp.Diff(want, verdict.Errors); err != nil || len(verdict.Problems) != 1 || diff != "" {
			t.Errorf("V7: error tree (-want +got):\n%s%+v %v", diff, verdict.Problems, err)
		}
	})
}

// A schema's own wish for approval counts when it is published and when it
// changes; in between the owner's setting does (marketplace S1, C3).
func TestS1_ApprovalBySchema(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm := w.team("VMOwnerTeam")
		schema := func(approval, extra string) string {
			return strings.Replace(vmSchema, `{"title"`, `{`+approval+`"description":"`+extra+`","title"`, 1)
		}
		const yes, no = `"metadata":{"approval_required":true},`, `"metadata":{"approval_required":false},`
		service := w.publish(vm, schema(no, "one"))
		if service.ApprovalRequired {
			t.Error("a new service asks for approval though its schema does not")
		}
		w.must2(w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{ApprovalRequired: ptr(true)}))
		for _, step := range []struct {
			schema string
			want   bool
		}{{schema(no, "two"), true}, {schema(yes, "three"), true}, {schema(no, "four"), false}, {schema("", "five"), false}} {
			if got := w.publish(vm, step.schema); got.ApprovalRequired != step.want {
				t.Errorf("version %d: approval required %t", got.SchemaVersion, got.ApprovalRequired)
			}
		}
		versions, err := w.SchemaVersions(t.Context(), vm, service.ID)
		if err != nil || len(versions) != 5 || versions[0].Version != 5 || len(w.audited("service.publish")) != 5 {
			t.Errorf("%d versions, %v", len(versions), err)
		}
	})
}

// Of a readme, the audit log keeps the size only; of the rest, what was set (trust L1).
func TestL1_SettingsInTheAuditLog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm := w.team("VMOwnerTeam")
		service := w.publish(vm, vmSchema)
		w.must2(w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{Readme: ptr(strings.Repeat("# a\n", 10_000)), Private: ptr(true)}))
		entries := w.audited("service.change")
		if len(entries) != 1 || len(entries[0].Summary) > 500 || !strings.Contains(entries[0].Summary, `"Private":true`) || !strings.Contains(entries[0].Summary, "40000 bytes") {
			t.Errorf("%+v", entries)
		}
		last, err := w.SettingsChanged(t.Context(), vm, service.ID)
		if err != nil || last["Private"].ID != entries[0].ID || last["Readme"].ID != entries[0].ID || last["Tags"].ID != 0 {
			t.Errorf("SettingsChanged() = %+v, %v", last, err)
		}
	})
}
