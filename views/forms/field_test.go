package forms_test

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/portolan/portolan/views/forms"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestX4_FieldSaysWhatIsWrongAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	field := forms.Field{Name: "log", Label: "Reason", Value: "\n <b>typed</b>", Error: "Say why.", Hint: "The consumer reads this."}
	controls := map[string]templ.Component{
		"text":     forms.TextInput(field),
		"password": forms.Password(field),
		"textarea": forms.Textarea(field, 3),
		"code":     forms.CodeArea(field, 3),
		"select":   forms.Select(field, []forms.Option{{Value: field.Value, Label: "typed", Selected: true}}),
		"checkbox": forms.Checkbox(field, true),
	}
	for name, control := range controls {
		out := render(t, control)
		for _, want := range []string{`aria-invalid="true"`, `aria-describedby="log-error log-hint"`, `id="log-error"`, `id="log-hint"`, `for="log"`, "autofocus", "\n &lt;b&gt;typed&lt;/b&gt;"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %s:\n%s", name, want, out)
			}
		}
	}
}

func TestTextareaKeepsALeadingLineBreak(t *testing.T) {
	t.Parallel()
	out := render(t, forms.CodeArea(forms.Field{Name: "text", Value: "\na\n"}, 3))
	if !strings.Contains(out, ">\n\na\n</textarea>") {
		t.Errorf("a browser drops the first line break after the tag, so there are two: %q", out)
	}
}

func TestX6_ShutFieldSaysWhy(t *testing.T) {
	t.Parallel()
	out := render(t, forms.TextInput(forms.Field{Name: "url", Label: "Base URL", ReadOnly: true, Reason: "Set by the environment."}))
	for _, want := range []string{"readonly", `aria-describedby="url-reason"`, "Set by the environment."} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in %s", want, out)
		}
	}
}
