package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// What people type is text: neither database may see anything else (trust D7).
func TestD7_TextsThatAreNone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		change := w.change(vm, "CoreVM1")
		for name, bad := range map[string]string{"NUL": "a\x00b", "half a character": "a\xc3", "a lone surrogate": "\xed\xa0\x80"} {
			for what, err := range map[string]error{
				"log":         second(w.MoveChange(t.Context(), vm, change.ID, market.Move{Log: &bad})),
				"reason":      second(w.Withdraw(t.Context(), consumer, change.ID, bad)),
				"commit_id":   second(w.Submit(t.Context(), consumer, market.Proposal{Text: []byte(first), Keep: true, CommitID: bad})),
				"comment":     second(w.Submit(t.Context(), consumer, market.Proposal{Text: []byte(first), Keep: true, Comment: bad})),
				"readme":      second(w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{Readme: &bad})),
				"description": second(w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{Description: &bad})),
				"tags":        second(w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{Tags: &[]string{bad}})),
			} {
				if e := fault.Of(err); e == nil || e.Kind != fault.Invalid || e.Fields[what] == nil {
					t.Errorf("%s with %s: %v", what, name, err)
				}
			}
		}
		if _, err := w.ChangeService(t.Context(), vm, change.ServiceID, market.ServicePatch{Tags: &[]string{strings.Repeat("x", 300)}}); !fault.Is(err, fault.Invalid) {
			t.Errorf("a tag of 300 characters: %v", err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

// A document of more services than a statement has parameters is refused like
// one of a single unknown service (marketplace V1).
func TestV1_VeryManyServices(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		consumer := w.team("AwesomeConsumer")
		var services strings.Builder
		for i := range 70_000 {
			fmt.Fprintf(&services, `"s%d":[],`, i)
		}
		verdict, err := w.Validate(t.Context(), consumer, proposal(`{"AwesomeConsumer":{"A":{"services":{`+strings.TrimSuffix(services.String(), ",")+`}}}}`))
		if err != nil || verdict.ProblemCount != 70_000 || len(verdict.Problems) != 200 {
			t.Errorf("%d of %d problems, %v", len(verdict.Problems), verdict.ProblemCount, err)
		}
	})
}
