package value

import (
	"fmt"
	"strings"
	"testing"
)

// Values in one line of the table are equal, all others differ (G3).
func TestG3_Equality(t *testing.T) {
	t.Parallel()
	classes := [][]string{
		{"null"}, {"false"}, {"true"}, {`""`}, {"[]"}, {"{}"}, {`"1"`}, {`"true"`}, {`"null"`}, {"[null]"}, {"[[]]"}, {`{"a":null}`},
		{"0", "-0", "0.0", "0.0e5", "-0e-400", "0e400"},
		{"1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1e0000", "100.000e-2"},
		{"-1", "-1.0", "-10E-1"},
		{"10", "1e1", "1.0E+1"}, {"100", "1e2"}, {"0.01", "1e-2", "10e-3"},
		{"1e399", "1" + strings.Repeat("0", 399), "0.1e400"},
		{"1e-399", "0." + strings.Repeat("0", 398) + "1"},
		{"9007199254740992"}, {"9007199254740993", "9007199254740993.0"},
		{"12345678901234567890"}, {"12345678901234567891"}, {"1.00000000000000000001"}, {"0.1"}, {"0.1000000000000000055"},
		{"[1,2]", "[1.0,2e0]"}, {"[2,1]"}, {"[1,2,2]"}, {"[1,1,2]"},
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, `{"\u0062":2,"a":1e0}`}, {`{"a":2,"b":1}`}, {`{"a":1}`}, {`{"a":1,"c":2}`},
		{`"é"`, `"\u00e9"`}, {`"e\u0301"`}, {`"A"`}, {`"a"`}, {`"a "`},
	}
	for i, class := range classes {
		for j, other := range classes {
			for _, a := range class {
				for _, b := range other {
					va, vb := must(t, a), must(t, b)
					if got := Equal(va, vb, nil); got != (i == j) {
						t.Errorf("%.30s equals %.30s: %v", a, b, got)
					}
					if got := Hash(va, nil) == Hash(vb, nil); got != (i == j) {
						t.Errorf("%.30s hashes as %.30s: %v", a, b, got)
					}
				}
			}
		}
	}
}

func TestG3_AbsentDiffersFromNull(t *testing.T) {
	t.Parallel()
	if !Equal(nil, nil, nil) || Equal(nil, &Value{}, nil) || Equal(&Value{}, nil, nil) {
		t.Error("absence equals only absence")
	}
}

func TestG3_CanonicalNumbers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"0":         "0",
		"-0.00e7":   "0",
		"1":         "1",
		"-1.50":     "-15e-1",
		"100":       "1e2",
		"0.001":     "1e-3",
		"1e399":     "1e399",
		"12.300e-5": "123e-6",
		"1e-400":    "1e-400",
		"-1.5E+400": "-15e399",
	}
	for number, want := range tests {
		if got := string(Canonical(must(t, number), nil)); got != want {
			t.Errorf("%s is %s, want %s", number, got, want)
		}
	}
}

func TestG3_CanonicalText(t *testing.T) {
	t.Parallel()
	// U+FB00 sorts after U+10000 in UTF-16 and before it by code points.
	v := must(t, `{"\ud800\udc00":1,"\ufb00":[true,null,"a\n\"\u2028"],"b":{},"a":1.0,"":0}`)
	want := "{\"\":0,\"a\":1,\"b\":{},\"\ufb00\":[true,null,\"a\\n\\\"\u2028\"],\"\U00010000\":1}"
	if got := string(Canonical(v, nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(AppendCanonical([]byte("x"), v, nil)); got != "x"+want {
		t.Errorf("appended %s", got)
	}
}

// x-unordered makes a multiset of one array and leaves those inside alone.
func TestG3_UnorderedArrays(t *testing.T) {
	t.Parallel()
	o := &Ordering{Members: map[string]*Ordering{
		"zones": {Unordered: true},
		"net":   {Members: map[string]*Ordering{"cidrs": {Unordered: true}}},
	}}
	base := `{"zones":[1,2,2,{"k":[1,2]}],"path":[1,2],"net":{"cidrs":["x","y"]}}`
	tests := map[string]bool{
		`{"zones":[{"k":[1,2]},2.0,1,2],"path":[1,2],"net":{"cidrs":["y","x"]}}`: true,
		`{"zones":[1,1,2,{"k":[1,2]}],"path":[1,2],"net":{"cidrs":["x","y"]}}`:   false,
		`{"zones":[1,2,2,{"k":[2,1]}],"path":[1,2],"net":{"cidrs":["x","y"]}}`:   false,
		`{"zones":[1,2,2,{"k":[1,2]}],"path":[2,1],"net":{"cidrs":["x","y"]}}`:   false,
		`{"zones":[1,2,{"k":[1,2]}],"path":[1,2],"net":{"cidrs":["x","y"]}}`:     false,
	}
	for text, want := range tests {
		if got := Equal(must(t, base), must(t, text), o); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// The service option compares the arrays at every depth as multisets.
func TestG3_UnorderedEverywhere(t *testing.T) {
	t.Parallel()
	o := &Ordering{Everywhere: true}
	a := must(t, `{"opt":[[1,2],[3]],"x":{"y":["a","b"]}}`)
	if b := must(t, `{"x":{"y":["b","a"]},"opt":[[3],[2,1]]}`); !Equal(a, b, o) {
		t.Error("the order of an array below matters")
	}
	if b := must(t, `{"opt":[[3],[2,1,1]],"x":{"y":["a","b"]}}`); Equal(a, b, o) {
		t.Error("[1,2] equals [2,1,1]")
	}
	if Equal(must(t, "[1,2]"), must(t, "[2,1]"), o) {
		t.Error("everywhere below includes the array itself")
	}
}

// An ordering may be as cyclic as its schema.
func TestG3_CyclicOrdering(t *testing.T) {
	t.Parallel()
	tree := &Ordering{Others: &Ordering{}}
	tree.Members = map[string]*Ordering{"children": {Unordered: true, Items: tree}}
	a := must(t, `{"children":[{"n":1,"children":[{"n":2},{"n":3}]},{"n":4,"list":[1,2]}]}`)
	b := must(t, `{"children":[{"n":4,"list":[1,2]},{"n":1,"children":[{"n":3},{"n":2}]}]}`)
	if !Equal(a, b, tree) || Hash(a, tree) != Hash(b, tree) {
		t.Error("the multisets of the tree differ")
	}
	if c := must(t, `{"children":[{"n":4,"list":[2,1]},{"n":1,"children":[{"n":3},{"n":2}]}]}`); Equal(a, c, tree) {
		t.Error("the order of list does not matter")
	}
}

// Objects of any size are compared in linear time.
func TestG3_ManyKeysInAnyOrder(t *testing.T) {
	t.Parallel()
	const keys = 100_000
	var a, b Value
	a.Kind, b.Kind = Object, Object
	for i := range keys {
		a.Members = append(a.Members, Member{Name: fmt.Sprint(i), Value: Value{Kind: Null}})
		b.Members = append(b.Members, Member{Name: fmt.Sprint(keys - 1 - i), Value: Value{Kind: Null}})
	}
	if !Equal(&a, &b, nil) {
		t.Error("the order of keys matters")
	}
	if len(Diff(&a, &b, nil)) > 0 || Unchanged(&a, &b, nil) != keys {
		t.Error("the order of keys is a difference")
	}
	b.Members[7].Name = "other"
	if Equal(&a, &b, nil) || len(Diff(&a, &b, nil)) != 2 {
		t.Error("another key is no difference")
	}
}
