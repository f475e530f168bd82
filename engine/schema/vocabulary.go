package schema

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"
)

// distinctKey stands for uniqueItems in what the library gets; no schema can
// hold it, for NUL is not accepted in JSON.
const distinctKey = "\x00uniqueItems"

// vocabulary replaces two keywords of the library: uniqueItems, whose hashes
// can be made to collide (trust S4), and propertyNames, whose errors tell a
// wrong place.
func vocabulary() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{URL: "schema:vocabulary", Compile: compileExtras}
}

func compileExtras(ctx *jsonschema.CompilerContext, obj map[string]any) (jsonschema.SchemaExt, error) {
	var e extras
	e.distinct = obj[distinctKey] == true
	if _, ok := obj["propertyNames"]; ok {
		e.names = ctx.Enqueue([]string{"propertyNames"})
	}
	if e == (extras{}) {
		return nil, nil
	}
	return e, nil
}

// extras is what a sub-schema asks beyond the library.
type extras struct {
	distinct bool
	names    *jsonschema.Schema
}

// Validate checks one value against the extras of a sub-schema.
func (e extras) Validate(ctx *jsonschema.ValidatorContext, v any) {
	switch v := v.(type) {
	case []any:
		if first, second, twice := repeated(v); e.distinct && twice {
			ctx.AddError(&notDistinct{first, second})
		}
	case map[string]any:
		if e.names != nil {
			e.checkNames(ctx, v)
		}
	}
}

func (e extras) checkNames(ctx *jsonschema.ValidatorContext, v map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if err := e.names.Validate(name); err != nil {
			ctx.AddError(&badName{name, err.(*jsonschema.ValidationError)})
		}
	}
}

// notDistinct says that two elements of an array are equal.
type notDistinct struct{ first, second int }

// KeywordPath names the keyword that is broken.
func (*notDistinct) KeywordPath() []string { return []string{"uniqueItems"} }

// LocalizedString is for the library only; sentences are made elsewhere.
func (*notDistinct) LocalizedString(*message.Printer) string { return "elements are equal" }

// badName says that a member of an object may not be called so.
type badName struct {
	name string
	err  *jsonschema.ValidationError
}

// KeywordPath names the keyword that is broken.
func (*badName) KeywordPath() []string { return []string{"propertyNames"} }

// LocalizedString is for the library only; sentences are made elsewhere.
func (*badName) LocalizedString(*message.Printer) string { return "bad name" }

// repeated finds two equal elements by their exact canonical text, so in time
// linear in its length whatever the elements are.
func repeated(elements []any) (first, second int, twice bool) {
	seen := make(map[string]int, len(elements))
	var key []byte
	for i, element := range elements {
		key = appendKey(key[:0], element)
		if j, ok := seen[string(key)]; ok {
			return j, i, true
		}
		seen[string(key)] = i
	}
	return 0, 0, false
}

// appendKey writes v so that two values have the same bytes exactly if JSON
// Schema calls them equal: 1 is 1.0 and the order of members does not matter.
func appendKey(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		if v {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case string:
		return appendText(append(dst, 's'), v)
	case json.Number:
		return appendText(append(dst, 'd'), ratKey(v.String()))
	case []any:
		dst = binary.AppendUvarint(append(dst, 'a'), uint64(len(v)))
		for _, element := range v {
			dst = appendKey(dst, element)
		}
	case map[string]any:
		dst = binary.AppendUvarint(append(dst, 'o'), uint64(len(v)))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			dst = appendKey(appendText(dst, name), v[name])
		}
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}
