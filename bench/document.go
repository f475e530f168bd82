package main

import (
	"fmt"
	"strings"
)

const team, service = "BenchConsumer", "VM"

// schema is the service that everything is an item of.
const schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"VM","type":"object","required":["name"],"additionalProperties":false,
"properties":{"name":{"type":"string","minLength":1},"cpu":{"type":"integer","minimum":1,"maximum":128},"memory":{"type":"integer","minimum":1},
"os":{"type":"string","enum":["debian","ubuntu"]},"tags":{"type":"array","items":{"type":"string"}}}}`

// document declares n items; every hundredth of them differs from generation to
// generation, so that two generations are 1 % apart.
func document(n, generation int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"%s":{"App":{"services":{"%s":[`, team, service)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(item(i, generation))
	}
	b.WriteString(`]}}}}`)
	return []byte(b.String())
}

func item(i, generation int) string {
	memory := 8
	if i%100 == 0 {
		memory += generation
	}
	return fmt.Sprintf(`{"name":"vm-%06d","cpu":%d,"memory":%d,"os":"debian","tags":["bench","a"]}`, i, 1+i%64, memory)
}
