package schema

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

func jobs(t testing.TB, n int) []Job {
	s := compiled(t, with(`"n":{"type":"integer"}`, ""))
	out := make([]Job, n)
	for i := range out {
		text := fmt.Sprintf(`{"name":"x","n":%d}`, i)
		if i%2 == 1 {
			text = fmt.Sprintf(`{"name":"x","n":"%d"}`, i)
		}
		out[i] = Job{s, read(t, text)}
	}
	return out
}

// Each job is answered in its place, whoever does it.
func TestTrustS5_GuardAnswersInOrder(t *testing.T) {
	t.Parallel()
	for i, found := range NewGuard().Validate(jobs(t, 2_000)) {
		want := ""
		if i%2 == 1 {
			want = fmt.Sprintf(`n must be an integer, got "%d"`, i)
		}
		if messages(found) != want {
			t.Fatalf("job %d: %q, want %q", i, messages(found), want)
		}
	}
	if got := NewGuard().Validate(nil); len(got) != 0 {
		t.Errorf("no jobs give %v", got)
	}
}

// An item that does not come back is given up; those before and after it are
// answered. Its worker counts until it ends.
func TestTrustS5_AbandonsWhatHangs(t *testing.T) {
	t.Parallel()
	g := &Guard{slots: make(chan struct{}, 2), limit: 20 * time.Millisecond}
	hang := make(chan struct{})
	var ended atomic.Int32
	batch := jobs(t, 3*answersAhead)
	do := func(j Job) []Violation {
		if j.Item == batch[1].Item {
			<-hang
			defer ended.Add(1)
		}
		return nil
	}
	out := g.run(batch, do)
	if len(out) != len(batch) || len(out[1]) != 1 || out[1][0].Keyword != Costly {
		t.Fatalf("%d answers, the second is %v", len(out), out[1])
	}
	for i, found := range out {
		if i != 1 && found != nil {
			t.Fatalf("answer %d is %v", i, found)
		}
	}
	if len(g.slots) == 0 {
		t.Error("an abandoned worker does not count")
	}
	close(hang)
	g.slots <- struct{}{} // fills up: both slots are free once the workers have ended
	g.slots <- struct{}{}
	if ended.Load() != 1 {
		t.Error("the hanging worker did not end")
	}
}

// When abandoned workers hold every slot, the rest is refused, not kept waiting.
func TestTrustS5_RefusesWhenAllSlotsHang(t *testing.T) {
	t.Parallel()
	g := &Guard{slots: make(chan struct{}, 1), limit: 20 * time.Millisecond}
	hang := make(chan struct{})
	defer close(hang)
	out := g.run(jobs(t, 3), func(Job) []Violation { <-hang; return nil })
	if len(out) != 3 {
		t.Fatalf("%d answers", len(out))
	}
	for _, found := range out {
		if len(found) != 1 || found[0].Keyword != Costly {
			t.Errorf("answer is %v", found)
		}
	}
}

// Many batches at once share the slots.
func TestTrustS5_SharedByBatches(t *testing.T) {
	t.Parallel()
	g := &Guard{slots: make(chan struct{}, 2), limit: time.Minute}
	var running, most atomic.Int32
	do := func(j Job) []Violation {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		return j.validate()
	}
	batch := jobs(t, 100)
	done := make(chan int)
	for range 8 {
		go func() { done <- len(g.run(batch, do)) }()
	}
	for range 8 {
		if n := <-done; n != len(batch) {
			t.Errorf("%d answers", n)
		}
	}
	if most.Load() > 2 {
		t.Errorf("%d items were validated at once, 2 slots", most.Load())
	}
}
