package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// A submission that only alters metadata is recorded, 201 with an empty list; one
// that alters nothing is recorded only when that is asked for (marketplace G9, G12, lifecycle T1).
func TestG12_Metadata(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		consumer := w.team("AwesomeConsumer")
		version := func() int64 {
			team, err := w.Team(t.Context(), consumer, consumer.TeamID)
			if err != nil {
				t.Fatal(err)
			}
			return team.DeclarationVersion
		}
		for _, step := range []struct {
			what, document string
			keep           bool
			recorded       bool
			version        int64
		}{
			{"nothing at all", `{"AwesomeConsumer":{}}`, false, false, 0},
			{"nothing, kept", `{"AwesomeConsumer":{}}`, true, true, 0},
			{"an empty application", `{"AwesomeConsumer":{"A":{"services":{}}}}`, false, false, 0},
			{"metadata of an application", `{"AwesomeConsumer":{"A":{"services":{},"metadata":{"cost":4711}}}}`, false, true, 1},
			{"the same in other words", `{"AwesomeConsumer":{"A":{"metadata":{"cost":4711.0},"services":{}}}}`, false, false, 1},
			{"left out", `{"AwesomeConsumer":{"A":{"services":{}}}}`, false, false, 1},
			{"metadata of the team", `{"AwesomeConsumer":{"metadata":{"mail":"a@example.org"}}}`, false, true, 2},
			{"both taken back", `{"AwesomeConsumer":{"metadata":{},"A":{"services":{},"metadata":{}}}}`, false, true, 3},
		} {
			outcome, err := w.Submit(t.Context(), consumer, proposal(step.document, func(p *market.Proposal) { p.Keep = step.keep }))
			if err != nil || outcome.Recorded != step.recorded || len(outcome.ChangeIDs) != 0 {
				t.Errorf("%s: recorded %t, %d changes, %v", step.what, outcome.Recorded, len(outcome.ChangeIDs), err)
			}
			if got := version(); got != step.version || step.recorded && outcome.Submission.DeclarationVersion != got {
				t.Errorf("%s: version %d, want %d", step.what, got, step.version)
			}
		}
		if n := len(w.audited("submission.create")); n != 4 {
			t.Errorf("%d submissions recorded in the audit log, want 4", n)
		}
		if _, err := w.Submit(t.Context(), consumer, proposal(`{"AwesomeConsumer":{}}`, func(p *market.Proposal) { p.BaseVersion = ptr(int64(2)) })); !fault.Is(err, fault.Outdated) {
			t.Errorf("T8: an old version: %v", err)
		}
	})
}

// The declaration as it is read can be submitted again, and its version says
// when it is another one, also when an admin alters the metadata (lifecycle T8).
func TestT8_DeclarationReadAndSubmitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, admin := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		consumer := w.person(admin, "ann", models.Admin)
		document := `{"AwesomeConsumer":{"metadata":{"b":1,"a":9007199254740993},"a/b~c \"d\"":{"metadata":{"x":null},"services":{"VM":[{"name":"ü ✓","cpu":1.0e1}]}},"non_field_errors":{"services":{"VM":[{"name":"VM"}]}}}}`
		w.submit(consumer, document)
		read, version, err := w.Declaration(t.Context(), consumer, nil)
		text := string(value.AppendJSON(nil, &read))
		if err != nil || version != 1 || !strings.Contains(text, "9007199254740993") || !strings.Contains(text, "1.0e1") {
			t.Errorf("version %d, %s, %v", version, text, err)
		}
		if got := w.submit(consumer, text); len(got) != 0 {
			t.Errorf("submitted again: %q", got)
		}
		if n := w.count("submissions"); n != 1 {
			t.Errorf("%d submissions", n)
		}
		for i, metadata := range []string{`{"b":2}`, `{"b": 2.0}`} {
			if _, err := w.ChangeTeam(t.Context(), consumer, consumer.TeamID, market.TeamPatch{Metadata: &metadata}); err != nil {
				t.Fatal(err)
			}
			if _, version, err := w.Declaration(t.Context(), consumer, nil); err != nil || version != 2 {
				t.Errorf("metadata changed by an admin, %d: version %d, %v", i, version, err)
			}
		}
	})
}

// Metadata of many applications is written in a constant number of statements,
// and each application gets its own.
func TestG12_ManyApplications(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		consumer := w.team("AwesomeConsumer")
		document := func(n int) string {
			var list []string
			for i := range 1_200 {
				list = append(list, fmt.Sprintf(`"A%d":{"services":{},"metadata":{"n":%d}}`, i, i*n))
			}
			return `{"AwesomeConsumer":{` + strings.Join(list, ",") + `}}`
		}
		for _, n := range []int{1, 2} {
			w.submit(consumer, document(n))
			applications, _, err := w.Applications(t.Context(), consumer)
			if err != nil || len(applications) != 1_200 {
				t.Fatalf("%d applications, %v", len(applications), err)
			}
			for _, a := range applications {
				var i int
				fmt.Sscanf(a.Name, "A%d", &i)
				if want := fmt.Sprintf(`{"n":%d}`, i*n); i > 0 && a.Metadata != want {
					t.Fatalf("%s has %s, want %s", a.Name, a.Metadata, want)
				}
			}
		}
	})
}

// The deletion guard asks for the number of all deletions, where it asks at all
// (marketplace G11).
func TestG11_DeletionGuard(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		who := w.person(consumer, "ann", models.Admin)
		w.submit(consumer, `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"a"},{"name":"b"}]}},"B":{"services":{"VM":[{"name":"c"},{"name":"d"}]}}}}`)
		one, all := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"a"}]}},"B":{"services":{"VM":[{"name":"c"},{"name":"d"}]}}}}`, `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"a"}]}}}}`
		renamed := `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"a"},{"name":"b"}]}},"B":{"services":{"VM":[{"name":"e"}]}}}}`
		for _, tc := range []struct {
			guard    models.DeletionGuard
			document string
			count    int
			asks     bool
		}{
			{models.GuardAny, one, 1, true}, {models.GuardAny, renamed, 2, true}, {models.GuardApplication, one, 1, false},
			{models.GuardApplication, renamed, 2, false}, {models.GuardApplication, all, 3, true}, {models.GuardOff, all, 3, false},
		} {
			if _, err := w.ChangeTeam(t.Context(), who, who.TeamID, market.TeamPatch{DeletionGuard: &tc.guard}); err != nil {
				t.Fatal(err)
			}
			for n := range 5 {
				_, err := w.TrySubmit(consumer, tc.document, n)
				if refused := tc.asks && n != tc.count; refused != (err != nil) || refused && fault.Of(err).Code != "confirm_deletes" {
					t.Errorf("guard %s, %s, confirmed %d: %v", tc.guard, tc.document, n, err)
				}
			}
		}
	})
}

// TrySubmit submits with a number of confirmed deletions and takes it back.
func (w *world) TrySubmit(who market.Actor, document string, confirm int) (market.Outcome, error) {
	w.Helper()
	before, _, err := w.Declaration(w.Context(), who, nil)
	if err != nil {
		w.Fatal(err)
	}
	outcome, err := w.Submit(w.Context(), who, proposal(document, func(p *market.Proposal) { p.ConfirmDeletes = &confirm }))
	if err == nil {
		all := 1
		w.submit(who, string(value.AppendJSON(nil, &before)), func(p *market.Proposal) { p.ConfirmDeletes = &all })
	}
	return outcome, err
}
