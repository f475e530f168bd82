package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestH3_OnePathPerResource(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	tests := map[string]int{
		"/v1/things":                            200,
		"/v1/things/":                           200,
		"/v1/things/?x=%2f..":                   200,
		"/v1/things//":                          404,
		"/v1//things":                           404,
		"//v1/things":                           404,
		"/v1/./things":                          404,
		"/v1/x/../things":                       404,
		"/v1/things/.":                          404,
		"/v1/things/..":                         404,
		"/v1%2fthings":                          404,
		"/v1/%2e/things":                        404,
		"/v1/%2E%2E/v1/things":                  404,
		"/v1/thing%73":                          404,
		"/v1/THINGS":                            404,
		`/v1\things`:                            404,
		"/v1%5cthings":                          404,
		"/v1/things%00":                         404,
		"/v1/things%0a":                         404,
		"/v1/things%":                           404,
		"/v1/things%zz":                         404,
		"/static/..%2f..%2fetc/passwd":          404,
		"/static/%252e%252e%252fetc%252fpasswd": 404,
		"/static//etc/passwd":                   404,
		"/static/../../etc/passwd":              404,
	}
	for path, want := range tests {
		answers, _ := f.raw("GET "+path+" HTTP/1.1\r\nHost: h\r\n"+asAdmin+"\r\n\r\n", 1)
		if len(answers) != 1 || answers[0].StatusCode != want {
			t.Errorf("%s: %v, want %d", path, answers, want)
		}
		if want == 404 && strings.Contains(answers[0].body, "root:") {
			t.Errorf("%s serves a file", path)
		}
	}
}

func TestH11_OddMethods(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for _, method := range []string{"TRACE", "CONNECT", "PROPFIND", "FOO", "get"} {
		answers, _ := f.raw(method+" / HTTP/1.1\r\nHost: h\r\n\r\n", 1)
		if len(answers) != 1 || answers[0].StatusCode != 405 {
			t.Errorf("%s: %v, want 405", method, answers)
		}
	}
	if got := f.ask("DELETE", "/v1/things", nil, asAdmin); got.StatusCode != 405 || !strings.Contains(got.Header.Get("Allow"), "POST") {
		t.Errorf("DELETE: %d, Allow %q", got.StatusCode, got.Header.Get("Allow"))
	}
}

// A9: whatever is sent, there is one answer per request, and none of it is
// taken for another request.
func TestA9_DoubtfulFraming(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	smuggled := "GET /v1/things HTTP/1.1\r\nHost: h\r\n" + asAdmin + "\r\n\r\n"
	tests := map[string]string{
		"length and chunks":   "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
		"chunks and length":   "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + smuggled,
		"two lengths":         "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd" + smuggled,
		"identity":            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n" + smuggled,
		"chunked twice":       "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
		"chunks in 1.0":       "POST /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n" + smuggled,
		"space before colon":  "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length : 0\r\n\r\n" + smuggled,
		"folded header":       "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n Content-Length: 4\r\n\r\nabcd" + smuggled,
		"no host":             "GET / HTTP/1.1\r\n\r\n" + smuggled,
		"two hosts":           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + smuggled,
		"absolute address":    "GET http://evil.example/v1/things HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + smuggled,
		"asterisk":            "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + smuggled,
		"negative length":     "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n" + smuggled,
		"not HTTP":            "\x16\x03\x01\x00\xa5\r\n\r\n" + smuggled,
		"broken chunk":        "POST /v1/things HTTP/1.1\r\nHost: h\r\n" + asAdmin + "\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + smuggled,
		"control in a header": "GET / HTTP/1.1\r\nHost: h\r\nX-A: \x00\r\n\r\n" + smuggled,
	}
	for name, text := range tests {
		answers, closed := f.raw(text, 2)
		if len(answers) != 1 || !closed || answers[0].StatusCode/100 != 4 {
			t.Errorf("%s: %v, closed %v; want one 4xx and the end", name, answers, closed)
		}
	}
}

func TestA9_UnreadBodyIsNoRequest(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	smuggled := "GET /v1/things HTTP/1.1\r\nHost: h\r\n" + asAdmin + "\r\n\r\n"
	for _, first := range []string{"POST /nowhere", "POST /v1/things", "GET /", "TRACE /"} {
		head := first + " HTTP/1.1\r\nHost: h\r\nContent-Encoding: br\r\nContent-Length: " + itoa(len(smuggled)) + "\r\n\r\n"
		answers, _ := f.raw(head+smuggled+"GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n", 2)
		if len(answers) != 2 || answers[0].StatusCode/100 != 4 || answers[1].StatusCode != 404 {
			t.Errorf("%s: %v, want a refusal and a 404", first, answers)
		}
	}
}

func TestCookieFlood(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	got := f.get("/", "Cookie: "+strings.Repeat("a=b; ", 4000))
	if got.StatusCode != 431 {
		t.Errorf("flood: %d, want 431", got.StatusCode)
	}
	if got := f.get("/page", "Cookie: "+strings.Repeat("a=b; ", 2000)+"__Host-portolan=session-ADMIN"); got.StatusCode != 200 {
		t.Errorf("afterwards: %d, want 200", got.StatusCode)
	}
}

func TestRawQuerySurvives(t *testing.T) {
	t.Parallel()
	var got string
	f := serve(t, nil, handle("GET", "/raw", func(c *fiberCtx) error { got = RawQuery(c); return nil }))
	for query, want := range map[string]string{
		`declaration={"a":["b",{}],"c":"<>|^` + "`" + `"}`: "",
		`url=http://other.example//x/?y`:                   "",
		`a=%7B%22%5D&b=+&c=%zz`:                            "",
		"a=ü":                                              "",
		`declaration={"a": 1, "b": "c d"}`:                 `declaration={"a":%201,%20"b":%20"c%20d"}`,
		"a=1 ":                                             "a=1%20",
	} {
		if want == "" {
			want = query
		}
		// Twice on one connection: the second request line is found as well.
		request := "GET /raw/?" + query + " HTTP/1.1\r\nHost: h\r\nX-Q: a? b c\r\n\r\n"
		answers, _ := f.raw(request, 1)
		if len(answers) != 1 || answers[0].StatusCode != 200 || got != want {
			t.Errorf("%s: %v, %q", query, answers, got)
		}
	}
}

// A request that the server holds in part already is not looked at again:
// what comes after it belongs to a header.
func TestPipelinedHeadersPassUntouched(t *testing.T) {
	t.Parallel()
	got := make(chan string, 2)
	f := serve(t, nil, handle("GET", "/raw", func(c *fiberCtx) error { got <- c.Get("X-Q"); return nil }))
	conn, err := net.Dial("tcp", f.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, "GET /raw HTTP/1.1\r\nHost: h\r\nX-Q: a\r\n\r\nGET /raw HTTP/1.1\r\nHost: h\r\nX-Q: ")
	if first := <-got; first != "a" {
		t.Errorf("first %q", first)
	}
	if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "?b c d e\r\n\r\n")
	if second := <-got; second != "?b c d e" {
		t.Errorf("second %q", second)
	}
}
