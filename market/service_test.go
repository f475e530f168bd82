package market_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Publishing: new, unchanged, next version, another team's title (marketplace S1).
func TestS1_Publish(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, lb := w.team("VMOwnerTeam"), w.team("LBOwnerTeam")
		reader := w.person(vm, "gil", models.General)
		if _, err := w.Publish(t.Context(), reader, []byte(vmSchema), false); !fault.Is(err, fault.Forbidden) {
			t.Errorf("A1: GENERAL publishes: %v", err)
		}
		service := w.publish(vm, vmSchema)
		again, err := w.Publish(t.Context(), vm, []byte(`{"type":"object", "title":"VM","required":["name"],"properties":{"memory":{"type":"integer"},"cpu":{"type":"integer"},"name":{"type":"string"}}}`), false)
		if err != nil || again.Changed || again.Service.SchemaVersion != 1 {
			t.Errorf("the same schema in another order: %+v, %v", again, err)
		}
		next, err := w.Publish(t.Context(), vm, []byte(strings.Replace(vmSchema, `"cpu"`, `"cores"`, 1)), false)
		if err != nil || !next.Changed || next.Service.ID != service.ID || next.Service.SchemaVersion != 2 {
			t.Errorf("a new version: %+v, %v", next, err)
		}
		_, err = w.Publish(t.Context(), lb, []byte(vmSchema), false)
		if e := fault.Of(err); e == nil || e.Code != "title_taken" {
			t.Errorf("another team's title: %v", err)
		}
	})
}

// All problems of a schema at once, with pointers; nothing is stored (marketplace S2).
func TestS2_ValidateSchema(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm := w.team("VMOwnerTeam")
		bad := `{"title":"X","type":"object","properties":{"name":{"type":"string"},"a":{"type":"strin"},"b":{"$ref":"http://example.org/x"}}}`
		verdict, err := w.ValidateSchema(t.Context(), vm, []byte(bad), false)
		if err != nil || verdict.IsValid || len(verdict.Problems) < 3 {
			t.Fatalf("%+v, %v", verdict, err)
		}
		for _, p := range verdict.Problems {
			if p.Line == 0 || p.Message == "" || p.Rule == "" {
				t.Errorf("a problem without place or sentence: %+v", p)
			}
		}
		unknown := `{"title":"X","type":"object","required":["name"],"properties":{"name":{"type":"string"},"vm":{"type":"string","format":"reference","service_reference":"VM"}}}`
		if verdict, err = w.ValidateSchema(t.Context(), vm, []byte(unknown), false); err != nil || verdict.IsValid || !strings.Contains(verdict.Problems[0].Message, `"VM"`) {
			t.Errorf("a reference to an unknown service: %+v, %v", verdict, err)
		}
		if n := w.count("services", "service_versions"); n != 0 {
			t.Errorf("validation stored %d rows", n)
		}
	})
}

// Settings affect later changes only; each refusal leaves them (marketplace C3, D3, V4, S6).
func TestS6_Settings(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, _ := stocked(t, db)
		change, off := w.change(vm, "CoreVM1"), false
		service, err := w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{ApprovalRequired: &off})
		if err != nil || service.ApprovalRequired {
			t.Fatal(err)
		}
		if after := w.change(vm, "CoreVM1"); after.State != engine.Pending {
			t.Errorf("C3: an open change became %s", after.State)
		}
		for name, tc := range map[string]struct {
			who   market.Actor
			patch market.ServicePatch
			want  fault.Kind
		}{
			"decommissioned with live items": {vm, market.ServicePatch{State: ptr(engine.ServiceDecommissioned)}, fault.Invalid},
			"a state that is none":           {vm, market.ServicePatch{State: ptr(engine.ServiceState("GONE"))}, fault.Invalid},
			"a team that is none":            {vm, market.ServicePatch{DependantTeams: &[]int64{4711}}, fault.Invalid},
			"a version that is none":         {vm, market.ServicePatch{MinimumSchemaVersion: ptr(2)}, fault.Invalid},
			"settings shown before":          {vm, market.ServicePatch{ApprovalRequired: &off, Version: service.Version - 1}, fault.Conflict},
			"another team":                   {lb, market.ServicePatch{ApprovalRequired: &off}, fault.Forbidden},
		} {
			if _, err := w.ChangeService(t.Context(), tc.who, service.ID, tc.patch); !fault.Is(err, tc.want) {
				t.Errorf("%s: %v, want %s", name, err, tc.want)
			}
		}
		if after, err := w.Service(t.Context(), vm, service.ID); err != nil || after.Version != service.Version {
			t.Errorf("a refusal changed the settings: %+v, %v", after, err)
		}
	})
}

// A private service is not there for teams that may not order it (marketplace A2, V3).
func TestA2_PrivateService(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, friend, stranger := w.team("VMOwnerTeam"), w.team("Friend"), w.team("Stranger")
		service := w.publish(vm, vmSchema)
		if _, err := w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{AllowedTeams: &[]int64{friend.TeamID}}); err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			who  market.Actor
			want int
		}{{vm, 1}, {friend, 1}, {stranger, 0}} {
			list, count, err := w.Services(t.Context(), tc.who, market.AsConsumer, models.ServiceQuery{})
			if err != nil || len(list) != tc.want || int(count) != tc.want {
				t.Errorf("%s sees %d (%d) services, want %d: %v", tc.who.TeamName, len(list), count, tc.want, err)
			}
		}
		if _, err := w.Service(t.Context(), stranger, service.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("a stranger reads it: %v", err)
		}
		none := w.refusal(stranger, `{"Stranger":{"A":{"services":{"VM":[{"name":"x"}]}}}}`)
		unknown := w.refusal(stranger, `{"Stranger":{"A":{"services":{"QQ":[{"name":"x"}]}}}}`)
		if strings.ReplaceAll(none, "VM", "QQ") != unknown {
			t.Errorf("a private service shows:\n%s\n%s", none, unknown)
		}
	})
}

// refusal is the sentence that a document is refused with.
func (w *world) refusal(who market.Actor, document string) string {
	w.Helper()
	_, err := w.Submit(w.Context(), who, proposal(document))
	verdict, ok := fault.Of(err).Detail.(market.Verdict)
	if !ok || len(verdict.Problems) == 0 {
		w.Fatalf("not refused: %v", err)
	}
	return verdict.Problems[0].Message
}
