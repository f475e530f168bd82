package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Not parallel: it measures memory.
func TestH5_RefusesCompressedBodies(t *testing.T) {
	f := serve(t, nil)
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(make([]byte, 1<<20))
	z.Close()
	bomb := bytes.Repeat(member.Bytes(), 500) // a file of members is their content in a row: 500 MiB

	for _, encoding := range []string{"gzip", "br", "gzip, gzip", "deflate", "zstd", "Gzip", "identity, gzip"} {
		before := allocated()
		got := f.ask("POST", "/v1/things", bytes.NewReader(bomb), asAdmin, "Content-Encoding: "+encoding)
		if got.StatusCode != 415 {
			t.Errorf("%s: %d %s, want 415", encoding, got.StatusCode, got.body)
		}
		if grown := allocated() - before; grown > 8<<20 {
			t.Errorf("%s: %d bytes of memory", encoding, grown)
		}
	}
	for _, encoding := range []string{"", "identity"} {
		got := f.ask("POST", "/v1/things", strings.NewReader("{}"), asAdmin, "Content-Type: application/json", "Content-Encoding: "+encoding)
		if got.StatusCode != 200 || got.body != "{}" {
			t.Errorf("%q: %d %s, want 200", encoding, got.StatusCode, got.body)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestH12_BodyLimits(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	chunked := func(n int) io.Reader { return io.LimitReader(letters{}, int64(n)) }
	sized := func(n int) io.Reader { return strings.NewReader(strings.Repeat("a", n)) }
	for name, tc := range map[string]struct {
		path string
		body io.Reader
		want int
	}{
		"chunked beyond":        {"/v1/things", chunked(32 << 20), 413},
		"chunked one beyond":    {"/v1/things", chunked(BodyLimit + 1), 413},
		"chunked at the limit":  {"/v1/things", chunked(BodyLimit), 200},
		"sized beyond":          {"/v1/things", sized(BodyLimit + 1), 413},
		"sized at the limit":    {"/v1/things", sized(BodyLimit), 200},
		"stranger beyond":       {"/open", sized(StrangerLimit + 1), 413},
		"stranger chunked":      {"/open", chunked(StrangerLimit + 1), 413},
		"stranger at the limit": {"/open", sized(StrangerLimit), 200},
	} {
		kind := "Content-Type: application/json"
		if tc.path == "/open" {
			kind = asForm
		}
		got := f.ask("POST", tc.path, tc.body, asAdmin, kind, ourSite)
		if got.StatusCode != tc.want {
			t.Errorf("%s: %d, want %d", name, got.StatusCode, tc.want)
		}
		if tc.want == 200 && (len(got.body) < StrangerLimit || strings.Trim(got.body, "a") != "") {
			t.Errorf("%s: %d bytes came back", name, len(got.body))
		}
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestSlowBodyIsClosed(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	f.readTimeout = 50 * time.Millisecond
	f.start()
	tests := map[string]string{
		"before the door": "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc",
		"behind the door": "POST /v1/things HTTP/1.1\r\nHost: h\r\n" + asAdmin + "\r\nContent-Length: 10000\r\n\r\n" + strings.Repeat("a", 9000),
		"chunks":          "POST /v1/things HTTP/1.1\r\nHost: h\r\n" + asAdmin + "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
		"header":          "POST /x HTTP/1.1\r\nHost: h\r\nX-A",
		"request line":    "GET /x?a=b ",
	}
	for name, text := range tests {
		answers, closed := f.raw(text, 2)
		if !closed || len(answers) != 1 || answers[0].StatusCode != 408 {
			t.Errorf("%s: %v, closed %v; want 408 and the end", name, answers, closed)
		}
	}
}

func TestH8_ContentTypes(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for kind, want := range map[string]int{
		"application/json":                    200,
		"application/JSON; charset=UTF-8":     200,
		"application/yaml":                    200,
		"":                                    200,
		"text/plain":                          415,
		"application/json; charset=utf-16":    415,
		"application/x-www-form-urlencoded":   415,
		"multipart/form-data; boundary=a":     415,
		"application/json, text/plain":        415,
		"application/json; charset=\"utf-8":   415,
		"application/vnd.api+json":            415,
		"application/merge-patch+json; x=y":   415,
		"application/json;charset=iso-8859-1": 415,
	} {
		var headers []string
		if kind != "" {
			headers = append(headers, "Content-Type: "+kind)
		}
		got := f.ask("POST", "/v1/things", strings.NewReader("{}"), append(headers, asAdmin)...)
		if got.StatusCode != want {
			t.Errorf("%q: %d, want %d", kind, got.StatusCode, want)
		}
	}
}
