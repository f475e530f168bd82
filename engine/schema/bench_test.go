package schema

import (
	"fmt"
	"testing"
)

// A declaration of 10,000 items must be validated in well under 150 ms.
func BenchmarkValidate10000(b *testing.B) {
	s := compiled(b, `{"title":"VM","type":"object","required":["name","cpu"],"additionalProperties":false,"properties":{
		"name":{"type":"string","minLength":1,"pattern":"^[A-Za-z0-9-]+$"},"cpu":{"type":"integer","minimum":1,"maximum":64},
		"memory":{"type":"integer"},"tier":{"enum":["gold","silver"]},
		"disks":{"type":"array","items":{"type":"string"},"format":"reference_list","reference_method":"list","service_reference":"Disk"}}}`)
	jobs := make([]Job, 10_000)
	for i := range jobs {
		item := read(b, fmt.Sprintf(`{"name":"vm-%d","cpu":8,"memory":32,"tier":"gold","disks":["a","b"]}`, i))
		jobs[i] = Job{s, item}
	}
	b.Run("Validate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, j := range jobs {
				if found := j.Schema.Validate(j.Item); found != nil {
					b.Fatal(found)
				}
			}
		}
	})
	b.Run("Guard", func(b *testing.B) {
		g := NewGuard()
		for b.Loop() {
			g.Validate(jobs)
		}
	})
	b.Run("References", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, j := range jobs {
				if len(s.References(j.Item)) != 2 {
					b.Fatal("two names are held")
				}
			}
		}
	})
}
