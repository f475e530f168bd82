// Package value holds exact JSON values: it reads them strictly from JSON and
// YAML with their places in the text, compares them, tells their differences
// and writes them back as they were written. Numbers are never converted.
package value

// Kind is the JSON type of a Value.
type Kind uint8

// The JSON types.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is one exact JSON value as it was written (marketplace M6): numbers
// keep their digits and objects the order of their keys.
type Value struct {
	Kind    Kind
	Text    string   // String: the decoded text; Number: the digits as written; Bool: "true" or "false"
	Members []Member // Object: in the order written, names are unique
	Items   []Value  // Array
	At      int      // byte offset of the value's first byte in the text it was read from
}

// Member is one key of an object with its value.
type Member struct {
	Name  string
	At    int // byte offset of the key's first byte
	Value Value
}

// Get returns the member called name of an object, and whether there is one.
func (v *Value) Get(name string) (*Value, bool) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i].Value, true
		}
	}
	return nil, false
}

// Ordering says which arrays of a service's items are multisets (marketplace
// G3). It mirrors the shape of the schema and may be cyclic like it; a nil
// Ordering means that the order of every array below matters.
type Ordering struct {
	Unordered  bool                 // this value, if an array, is compared as a multiset
	Everywhere bool                 // so is every array at any depth below (the service option)
	Members    map[string]*Ordering // of the named members of an object
	Others     *Ordering            // of all further members
	Items      *Ordering            // of the elements of an array
}
