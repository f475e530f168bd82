package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lines writes differences as "~ /path: before -> after".
func lines(differences []Difference) (all []string) {
	for _, d := range differences {
		switch d.Op {
		case Add:
			all = append(all, fmt.Sprintf("+ %s: %s", d.Pointer, AppendJSON(nil, d.After)))
		case Remove:
			all = append(all, fmt.Sprintf("- %s: %s", d.Pointer, AppendJSON(nil, d.Before)))
		case Change:
			all = append(all, fmt.Sprintf("~ %s: %s -> %s", d.Pointer, AppendJSON(nil, d.Before), AppendJSON(nil, d.After)))
		}
	}
	return all
}

func TestX25_Differences(t *testing.T) {
	t.Parallel()
	unordered := &Ordering{Members: map[string]*Ordering{"a": {Unordered: true}}}
	tests := map[string]struct {
		before, after string
		o             *Ordering
		want          []string
	}{
		"key order is no difference":       {`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`, nil, nil},
		"a changed field":                  {`{"a":1,"b":2}`, `{"a":1,"b":3}`, nil, []string{"~ /b: 2 -> 3"}},
		"in the order of after":            {`{"x":0,"a":1,"b":2}`, `{"c":1,"b":3,"a":2}`, nil, []string{"+ /c: 1", "~ /b: 2 -> 3", "~ /a: 1 -> 2", "- /x: 0"}},
		"deep inside":                      {`{"a":{"b":{"c":1,"d":2}}}`, `{"a":{"b":{"c":2,"d":2}}}`, nil, []string{"~ /a/b/c: 1 -> 2"}},
		"names are escaped":                {`{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, nil, []string{"~ /a~1b/~0: 1 -> 2"}},
		"another type is one change":       {`{"a":{"b":1}}`, `{"a":[1]}`, nil, []string{`~ /a: {"b":1} -> [1]`}},
		"null is not absent":               {`{"a":null}`, `{}`, nil, []string{"- /a: null"}},
		"null appears":                     {`{}`, `{"a":null}`, nil, []string{"+ /a: null"}},
		"text is not a number":             {`{"a":"1"}`, `{"a":1}`, nil, []string{`~ /a: "1" -> 1`}},
		"whole documents":                  {`1`, `2`, nil, []string{"~ : 1 -> 2"}},
		"an element in front":              {`{"a":[1,2,3]}`, `{"a":[0,1,2,3]}`, nil, []string{"+ /a/0: 0"}},
		"an element less":                  {`{"a":[1,2,3]}`, `{"a":[1,3]}`, nil, []string{"- /a/1: 2"}},
		"an element replaced":              {`{"a":[1,2,3]}`, `{"a":[1,9,3]}`, nil, []string{"- /a/1: 2", "+ /a/1: 9"}},
		"two elements swapped":             {`{"a":[1,2]}`, `{"a":[2,1]}`, nil, []string{"- /a/0: 1", "+ /a/1: 1"}},
		"an object inside an array":        {`[{"n":1,"v":1},{"n":2}]`, `[{"n":1,"v":2},{"n":2}]`, nil, []string{"~ /0/v: 1 -> 2"}},
		"an object inside, another before": {`[{"n":1},{"n":2,"v":1}]`, `[{"n":0},{"n":1},{"n":2,"v":2}]`, nil, []string{`+ /0: {"n":0}`, "~ /2/v: 1 -> 2"}},
		"arrays inside arrays":             {`[[1,2],[3]]`, `[[1,2],[3,4]]`, nil, []string{"+ /1/1: 4"}},
		"an object for an array":           {`[{"a":1}]`, `[[1]]`, nil, []string{`- /0: {"a":1}`, "+ /0: [1]"}},
		"more gaps than one":               {`["a","b","c","d","e"]`, `["x","b","d","y","e","z"]`, nil, []string{`- /0: "a"`, `+ /0: "x"`, `- /2: "c"`, `+ /3: "y"`, `+ /5: "z"`}},
		"multisets in another order":       {`{"a":[1,2,2]}`, `{"a":[2,1,2.0]}`, unordered, nil},
		"multisets that differ":            {`{"a":[1,1,2]}`, `{"a":[2,2,1,3]}`, unordered, []string{"+ /a/1: 2", "+ /a/3: 3", "- /a/1: 1"}},
		"objects in multisets are whole":   {`{"a":[{"x":1}]}`, `{"a":[{"x":2}]}`, unordered, []string{`+ /a/0: {"x":2}`, `- /a/0: {"x":1}`}},
		"empty containers":                 {`{"a":[],"b":{}}`, `{"a":{},"b":[]}`, nil, []string{"~ /a: [] -> {}", "~ /b: {} -> []"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := lines(Diff(must(t, tc.before), must(t, tc.after), tc.o)); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// A CREATE and a DELETE show each top-level member.
func TestX25_AbsentSides(t *testing.T) {
	t.Parallel()
	v := must(t, `{"name":"a","opt":{"x":[1]}}`)
	if got, want := lines(Diff(nil, v, nil)), []string{`+ /name: "a"`, `+ /opt: {"x":[1]}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := lines(Diff(v, nil, nil)), []string{`- /name: "a"`, `- /opt: {"x":[1]}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, text := range []string{"{}", "[1]", "null"} {
		if got, want := lines(Diff(nil, must(t, text), nil)), []string{"+ : " + text}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if got, want := lines(Diff(must(t, text), nil, nil)), []string{"- : " + text}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := Diff(nil, nil, nil); len(got) > 0 {
		t.Errorf("got %q from nothing", lines(got))
	}
}

func TestX25_Unchanged(t *testing.T) {
	t.Parallel()
	before := must(t, `{"a":1,"b":[1,2],"c":null,"d":{"x":1},"e":1}`)
	after := must(t, `{"d":{"x":1.0},"c":null,"b":[2,1],"a":1,"f":1}`)
	if got := Unchanged(before, after, nil); got != 3 {
		t.Errorf("%d unchanged, want 3", got)
	}
	if got := Unchanged(before, after, &Ordering{Everywhere: true}); got != 4 {
		t.Errorf("%d unchanged with multisets, want 4", got)
	}
	if Unchanged(nil, after, nil) != 0 || Unchanged(before, nil, nil) != 0 {
		t.Error("something is unchanged from nothing")
	}
}

// Arrays too big to align are compared index by index, in no time.
func TestX25_BigArrays(t *testing.T) {
	t.Parallel()
	numbers := func(from, to int) string {
		var b strings.Builder
		for i := range to - from {
			fmt.Fprintf(&b, `,{"n":%d,"same":true}`, from+i)
		}
		return "[" + b.String()[1:] + "]"
	}
	if got := lines(Diff(must(t, numbers(0, 20000)), must(t, numbers(0, 20001)), nil)); len(got) != 1 || got[0] != `+ /20000: {"n":20000,"same":true}` {
		t.Errorf("got %q", got)
	}
	if got := lines(Diff(must(t, numbers(0, 2000)), must(t, numbers(1, 2001)), nil)); len(got) != 2000 || got[0] != "~ /0/n: 0 -> 1" {
		t.Errorf("%d differences, the first is %q", len(got), got[0])
	}
	if got := lines(Diff(must(t, numbers(0, 900)), must(t, numbers(1, 901)), nil)); len(got) != 2 {
		t.Errorf("%d differences, want 2: %.100q", len(got), got)
	}
}

// What many arrays cost together is bounded as well.
func TestX25_ManyArrays(t *testing.T) {
	t.Parallel()
	row := func(from int) string {
		cells := make([]string, 400)
		for i := range cells {
			cells[i] = fmt.Sprint(from + i)
		}
		return "[" + strings.Join(cells, ",") + "]"
	}
	before, after := make([]string, 300), make([]string, 300)
	for i := range before {
		before[i], after[i] = row(1000*i), row(1000*i+1)
	}
	found := Diff(must(t, "["+strings.Join(before, ",")+"]"), must(t, "["+strings.Join(after, ",")+"]"), nil)
	if len(found) < 600 {
		t.Errorf("%d differences", len(found))
	}
}
