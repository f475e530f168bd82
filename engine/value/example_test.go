package value_test

import (
	"fmt"

	"github.com/portolan/portolan/engine/value"
)

func ExampleParseJSON() {
	v, _ := value.ParseJSON([]byte(`{"memory": 1.0, "cpu": 9007199254740993}`))
	fmt.Println(string(value.AppendJSON(nil, &v)))
	// Output: {"memory":1.0,"cpu":9007199254740993}
}

func ExampleParseJSON_refused() {
	_, problems := value.ParseJSON([]byte("{\n  \"cpu\": 16, // modified\n}"))
	for _, p := range problems {
		fmt.Printf("%d:%d (%d characters) %s: %s\n", p.Line, p.Column, p.Length, p.Rule, p.Message)
	}
	// Output: 2:14 (11 characters) M4: Comments are not allowed in JSON: remove it.
}

func ExampleParseYAML() {
	v, _ := value.ParseYAML([]byte("on: 12:30\ncount: 010\nday: 2001-01-01\nsure: yes\n"))
	fmt.Println(string(value.AppendJSON(nil, &v)))
	// Output: {"on":"12:30","count":10,"day":"2001-01-01","sure":"yes"}
}

func ExampleText_Place() {
	text := []byte("{\"é\":\n 1}")
	v, _ := value.ParseJSON(text)
	one, _ := v.Get("é")
	fmt.Println(value.NewText(text).Place(one.At))
	// Output: 2 2
}

func ExamplePointer() {
	fmt.Println(value.Pointer("Shop", "services", "a/b", "0"))
	// Output: /Shop/services/a~1b/0
}

func ExampleCheckName() {
	fmt.Println("The name", value.CheckName(" web "))
	// Output: The name must not begin or end with white space
}

func ExampleEqual() {
	a, _ := value.ParseJSON([]byte(`{"size": 1.0, "zones": ["a", "b"]}`))
	b, _ := value.ParseJSON([]byte(`{"zones": ["b", "a"], "size": 1e0}`))
	multiset := &value.Ordering{Members: map[string]*value.Ordering{"zones": {Unordered: true}}}
	fmt.Println(value.Equal(&a, &b, nil), value.Equal(&a, &b, multiset))
	fmt.Println(string(value.Canonical(&b, multiset)))
	// Output:
	// false true
	// {"size":1,"zones":["a","b"]}
}

func ExampleYAML() {
	v, _ := value.ParseJSON([]byte(`{"VM":[{"name":"core 1","tags":["7","no"],"init":"a\nb\n"}]}`))
	fmt.Print(string(value.YAML(&v)))
	// Output:
	// VM:
	//   - name: core 1
	//     tags:
	//       - "7"
	//       - "no"
	//     init: |
	//       a
	//       b
}

func ExampleDiff() {
	before, _ := value.ParseJSON([]byte(`{"name":"a","disks":[{"gb":10},{"gb":20}],"old":true}`))
	after, _ := value.ParseJSON([]byte(`{"name":"a","disks":[{"gb":10.0},{"gb":30},{"gb":40}]}`))
	for _, d := range value.Diff(&before, &after, nil) {
		fmt.Println(d.Op, d.Pointer)
	}
	fmt.Println(value.Unchanged(&before, &after, nil), "unchanged")
	// Output:
	// change /disks/1/gb
	// add /disks/2
	// remove /old
	// 1 unchanged
}
