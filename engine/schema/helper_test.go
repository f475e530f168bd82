package schema

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
)

// read reads a JSON text that the portal's parser accepts.
func read(t testing.TB, text string) *value.Value {
	t.Helper()
	v, problems := value.ParseJSON([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("ParseJSON(%s) = %+v", text, problems)
	}
	return &v
}

// compiled compiles a schema that must be accepted.
func compiled(t testing.TB, text string) *Schema {
	t.Helper()
	s, problems := Compile(read(t, text), []byte(text))
	if s == nil {
		t.Fatalf("Compile(%s) = %+v", text, problems)
	}
	return s
}

// with completes a schema by what every service needs: a title, an object, a
// name. more is the text of further members of the root, properties that of
// further properties.
func with(properties, more string) string {
	if properties != "" {
		properties = ", " + properties
	}
	if more != "" {
		more = ", " + more
	}
	return `{"title": "Disk", "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}` + properties + `}` + more + `}`
}

// property completes the schema of one property called p.
func property(schema string) string { return with(`"p": `+schema, "") }

// messages joins what violations say, one line each.
func messages(found []Violation) string {
	lines := make([]string, len(found))
	for i, v := range found {
		lines[i] = v.Message
	}
	return strings.Join(lines, "\n")
}

// said joins problems as "pointer: rule: message", one line each.
func said(problems []value.Problem) string {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.Pointer + ": " + p.Rule + ": " + p.Message
	}
	return strings.Join(lines, "\n")
}
