package market_test

import (
	"sync"
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// One key is one execution: its mark is kept with the work and only with it, and
// its answer comes back to who asked (trust C1, C2, P9).
func TestP9_OneKeyOneExecution(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, consumer := stocked(t, db)
		ctx := t.Context()
		once := func(who market.Actor, key, request string) market.Actor {
			who.Once = &market.Once{Key: key, Fingerprint: []byte(request)}
			return who
		}
		more := `{"AwesomeConsumer":{"B":{"services":{"VM":[{"name":"y"}]}}}}`
		who := once(consumer, "k1", "r1")
		var all sync.WaitGroup
		errs := make([]error, 5)
		for i := range errs {
			all.Go(func() { _, errs[i] = w.Submit(ctx, who, proposal(more, partial, keep)) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if e := fault.Of(err); e == nil || e.Code != "in_progress" || e.Retry == 0 {
				t.Errorf("a repetition at the same moment: %v", err)
			}
		}
		if n := w.count("submissions"); won != 1 || n != 2 {
			t.Errorf("%d of 5 were carried out, %d submissions", won, n)
		}
		if _, err := w.Replay(ctx, who); !fault.Is(err, fault.Conflict) {
			t.Errorf("before its answer is kept: %v", err)
		}
		if err := w.Keep(ctx, who, market.Answer{Status: 201, Body: []byte("done")}); err != nil {
			t.Fatal(err)
		}
		if answer, err := w.Replay(ctx, who); err != nil || answer == nil || answer.Status != 201 || string(answer.Body) != "done" {
			t.Errorf("the answer: %+v, %v", answer, err)
		}
		if _, err := w.Replay(ctx, once(consumer, "k1", "r2")); fault.Of(err) == nil || fault.Of(err).Code != "idempotency_mismatch" {
			t.Errorf("another request with the key: %v", err)
		}
		for name, other := range map[string]market.Actor{"another key": once(consumer, "k2", "r1"), "another team": once(lb, "k1", "r1")} {
			if answer, err := w.Replay(ctx, other); answer != nil || err != nil {
				t.Errorf("%s: %+v, %v", name, answer, err)
			}
		}

		refused := once(consumer, "k3", "r3")
		if _, err := w.Submit(ctx, refused, proposal(`{"AwesomeConsumer":{"A":{}}}`)); !fault.Is(err, fault.Invalid) {
			t.Errorf("a refusal: %v", err)
		}
		if answer, err := w.Replay(ctx, refused); answer != nil || err != nil {
			t.Errorf("C2: a refusal is kept: %+v, %v", answer, err)
		}
		again := once(vm, "k4", "r4")
		if _, err := w.Publish(ctx, again, []byte(vmSchema), false); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Replay(ctx, again); !fault.Is(err, fault.Conflict) {
			t.Errorf("work that changed nothing leaves no mark: %v", err)
		}
	})
}

// keep has a submission recorded even if it changes nothing.
func keep(p *market.Proposal) { p.Keep = true }
