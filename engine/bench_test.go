package engine

import (
	"fmt"
	"strings"
	"testing"
)

// big declares n VMs of which every hundredth differs between generations.
func big(n, generation int) string {
	items := make([]string, n)
	for i := range items {
		cpu := 1
		if i%100 == 0 {
			cpu += generation
		}
		items[i] = fmt.Sprintf(`{"name":"vm-%06d","cpu":%d}`, i, cpu)
	}
	return document(`"VM":[` + strings.Join(items, ",") + `]`)
}

func benchmarkPlan(b *testing.B, n int) {
	s := newStage(b)
	plan := s.plan(big(n, 1), Scope{})
	for i := range plan.Changes {
		c := &plan.Changes[i]
		s.now.Items = append(s.now.Items, Item{ID: int64(i + 1), Key: c.Key, Declared: true, Declaration: c.New.Declaration, Hash: c.Hash, Version: 1, LastVersion: 1})
	}
	text := big(n, 2)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if got := len(s.plan(text, Scope{}).Changes); got != n/100 {
			b.Fatalf("%d changes", got)
		}
	}
}

func BenchmarkPlan1000(b *testing.B)  { benchmarkPlan(b, 1_000) }
func BenchmarkPlan10000(b *testing.B) { benchmarkPlan(b, 10_000) }
