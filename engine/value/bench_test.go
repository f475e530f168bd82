package value

import (
	"fmt"
	"strings"
	"testing"
)

// declaration is the text of a document with many small items.
func declaration(items int) []byte {
	var b strings.Builder
	b.WriteString(`{"Orchard":{"Shop":{"services":{"VM":[`)
	for i := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n{\"name\":\"vm-%05d\",\"cpu\":%d,\"memory\":16.0,\"zone\":\"eu-west\",\"tags\":[\"a\",\"b\"]}", i, i%64)
	}
	b.WriteString("]}}}}")
	return []byte(b.String())
}

func itemsOf(b *testing.B, text []byte) []Value {
	return at(must(b, string(text)), "/Orchard/Shop/services/VM").Items
}

func BenchmarkParseJSON10k(b *testing.B) {
	text := declaration(10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ParseJSON(text)
	}
}

func BenchmarkParseYAML10k(b *testing.B) {
	text := YAML(must(b, string(declaration(10_000))))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ParseYAML(text)
	}
}

func BenchmarkHash10k(b *testing.B) {
	items := itemsOf(b, declaration(10_000))
	b.ReportAllocs()
	for b.Loop() {
		for i := range items {
			Hash(&items[i], nil)
		}
	}
}

func BenchmarkAppendCanonical10k(b *testing.B) {
	items := itemsOf(b, declaration(10_000))
	var buffer []byte
	b.ReportAllocs()
	for b.Loop() {
		for i := range items {
			buffer = AppendCanonical(buffer[:0], &items[i], nil)
		}
	}
}

func BenchmarkEqual10k(b *testing.B) {
	before, after := itemsOf(b, declaration(10_000)), itemsOf(b, declaration(10_000))
	b.ReportAllocs()
	for b.Loop() {
		for i := range before {
			Equal(&before[i], &after[i], nil)
		}
	}
}

func BenchmarkAppendJSON10k(b *testing.B) {
	v := must(b, string(declaration(10_000)))
	var buffer []byte
	b.ReportAllocs()
	for b.Loop() {
		buffer = AppendJSON(buffer[:0], v)
	}
}

func BenchmarkDiff1000x1000(b *testing.B) {
	before := must(b, "["+strings.Repeat(`1,2,3,4,`, 249)+"1]")
	after := must(b, "["+strings.Repeat(`2,4,3,1,`, 249)+"2]")
	b.ReportAllocs()
	for b.Loop() {
		Diff(before, after, nil)
	}
}
