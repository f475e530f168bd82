package web

import (
	"bytes"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
)

func TestForm(t *testing.T) {
	t.Parallel()
	var form FormValues
	f := serve(t, nil, handle("POST", "/form", func(c *fiber.Ctx) (err error) {
		form, err = Form(c)
		return err
	}))
	post := func(body string, headers ...string) int {
		t.Helper()
		return f.ask("POST", "/form", strings.NewReader(body), append(headers, ourSite)...).StatusCode
	}

	text := "{\r\n \"a\": \"50% + 1 &amp; ü\x00\xff\"}\n"
	if got := post("declaration="+url.QueryEscape(text)+"&id=1&id=2&tick&empty=", asForm); got != 200 {
		t.Fatal(got)
	}
	if form.Text("declaration") != text || !form.Has("tick") || !form.Has("empty") || form.Has("none") || form.Text("none") != "" {
		t.Errorf("%q", form)
	}
	if ids, err := form.Numbers("id"); err != nil || len(ids) != 2 || ids[1] != 2 || form.Text("id") != "2" {
		t.Errorf("ids %v, %v", ids, err)
	}
	if n, err := form.Number("id"); err != nil || n != 2 {
		t.Errorf("id %d, %v", n, err)
	}
	if _, err := form.Number("tick"); err == nil {
		t.Error("nothing is a number")
	}
	if _, err := form.Numbers("declaration"); err == nil {
		t.Error("text is a list of numbers")
	}
	if len(form.All("id")) != 2 {
		t.Errorf("All() = %q", form.All("id"))
	}

	for name, tc := range map[string]struct {
		body, kind string
		want       int
	}{
		"JSON":            {"{}", "Content-Type: application/json", 415},
		"plain text":      {"a=b", "Content-Type: text/plain", 415},
		"multipart":       {"a=b", "Content-Type: multipart/form-data; boundary=x", 415},
		"broken escape":   {"a=%4", asForm, 400},
		"too many fields": {strings.Repeat("a&", formFields+1), asForm, 413},
		"many fields":     {strings.Repeat("a&", formFields), asForm, 200},
		"empty":           {"", asForm, 200},
	} {
		if got := post(tc.body, tc.kind); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

// A declaration may be large when it arrives from the editor.
func TestFormTakesLargeDeclarations(t *testing.T) {
	t.Parallel()
	var got string
	route := handle("POST", "/declare", func(c *fiber.Ctx) error {
		form, err := Form(c)
		got = form.Text("declaration")
		return err
	})
	route.Door = Person
	f := serve(t, nil, route)
	text := strings.Repeat("a b", (BodyLimit-100)/3)
	if status := f.ask("POST", "/declare", strings.NewReader("declaration="+strings.ReplaceAll(text, " ", "+")), signed, asForm, ourSite).StatusCode; status != 200 || got != text {
		t.Errorf("%d, %d bytes of %d", status, len(got), len(text))
	}
}

func TestUpload(t *testing.T) {
	t.Parallel()
	var file []byte
	f := serve(t, nil, Route{Method: "POST", Path: "/v1/docs", Door: Program, Pov: None, Role: None, Loads: None, Takes: []string{Multipart},
		Handle: func(c *fiber.Ctx) (err error) { file, err = Upload(c, "md_file"); return err }})
	post := func(field string, size, parts int) int {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for range parts {
			part, _ := w.CreateFormFile(field, "../../etc/passwd")
			part.Write(bytes.Repeat([]byte{'a'}, size))
		}
		w.Close()
		return f.ask("POST", "/v1/docs", &body, asAdmin, "Content-Type: "+w.FormDataContentType()).StatusCode
	}
	for name, tc := range map[string]struct {
		field             string
		size, parts, want int
	}{
		"one file":  {"md_file", 10, 1, 200},
		"full":      {"md_file", uploadLimit, 1, 200},
		"too large": {"md_file", uploadLimit + 1, 1, 413},
		"two files": {"md_file", 10, 2, 400},
		"no file":   {"md_file", 10, 0, 400},
		"misnamed":  {"file", 10, 1, 400},
	} {
		if got := post(tc.field, tc.size, tc.parts); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
		if tc.want == 200 && len(file) != tc.size {
			t.Errorf("%s: %d bytes", name, len(file))
		}
	}
	for _, body := range []string{"", "--x\r\n", "--x\r\nContent-Disposition: form-data; name=md_file\r\n\r\nabc"} {
		if got := f.ask("POST", "/v1/docs", strings.NewReader(body), asAdmin, "Content-Type: multipart/form-data; boundary=x").StatusCode; got != 400 {
			t.Errorf("%q: %d, want 400", body, got)
		}
	}
}
