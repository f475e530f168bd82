package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestO4_DrainsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan bool), make(chan bool)
	f := open(t, nil, waiting("/v1/wait", entered, leave))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stopping, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Serve(stopping, listener, 0) }()
	f.address, f.client = listener.Addr().String(), &http.Client{}

	got := make(chan answer, 1)
	go func() { got <- f.get("/v1/wait", asAdmin) }()
	<-entered
	stop()
	<-f.closing
	select {
	case err := <-ended:
		t.Fatalf("Serve() = %v before the request ended", err)
	default:
	}
	leave <- true
	if answer := <-got; answer.StatusCode != 200 {
		t.Errorf("%d, want 200", answer.StatusCode)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve() = %v", err)
	}
	if _, err := net.Dial("tcp", f.address); err == nil {
		t.Error("connections are still taken")
	}
}

func TestServeEndsWithItsListener(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := open(t, nil).Serve(context.Background(), listener, 0); err == nil {
		t.Error("Serve() = nil on a closed listener")
	}
}

func TestO3_Probes(t *testing.T) {
	t.Parallel()
	var down error
	f := open(t, nil)
	routes := []Route{handle("GET", "/healthz", Healthy), handle("GET", "/readyz", f.Ready(func(ctx) error { return down }))}
	if err := f.Mount(routes...); err != nil {
		t.Fatal(err)
	}
	f.start()
	for _, tc := range []struct {
		path string
		down error
		want int
	}{
		{"/healthz", nil, 200}, {"/readyz", nil, 200}, {"/healthz", errors.New("db"), 200}, {"/readyz", errors.New("db password"), 503},
	} {
		down = tc.down
		if got := f.get(tc.path); got.StatusCode != tc.want || !strings.HasPrefix(got.body, `{"status":`) || strings.Contains(got.body, "password") {
			t.Errorf("%s with %v: %d %s, want %d", tc.path, tc.down, got.StatusCode, got.body, tc.want)
		}
	}
}

func TestNotReadyOnceClosing(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	if f.isClosing() {
		t.Error("closing from the start")
	}
	close(f.closing)
	if !f.isClosing() {
		t.Error("not closing")
	}
}

// listen opens a stream and reads its lines.
func listen(t *testing.T, f *front) (*bufio.Reader, *http.Response) {
	t.Helper()
	request, _ := http.NewRequest("GET", "http://"+f.address+"/events", nil)
	request.Header.Set("Cookie", "__Host-portolan=session-ADMIN")
	response, err := f.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return bufio.NewReader(response.Body), response
}

func TestX19_Stream(t *testing.T) {
	t.Parallel()
	events := make(chan Event)
	over := make(chan bool, 10)
	route := Route{Method: "GET", Path: "/events", Door: Person, Pov: None, Role: None, Loads: None, Handle: func(c *fiberCtx) error {
		return Stream(c, func(c ctx) <-chan Event {
			context.AfterFunc(c, func() { over <- true })
			return events
		})
	}}
	f := serve(t, nil, route)
	reader, response := listen(t, f)
	if response.Header.Get("Content-Type") != "text/event-stream" || response.Header.Get("X-Accel-Buffering") != "no" || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", response.Header)
	}
	events <- Event{ID: "7", Name: "change\nid: 8", Data: "{}\r\nx"}
	want := "retry: 3000\n\nid: 7\nevent: changeid: 8\ndata: {}\ndata: x\n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}

	var bodies []*http.Response
	for range StreamsPerUser {
		_, response := listen(t, f)
		bodies = append(bodies, response)
	}
	if last := bodies[StreamsPerUser-1]; last.StatusCode != 429 {
		t.Errorf("stream %d: %d, want 429", StreamsPerUser+1, last.StatusCode)
	}
	close(events)
	for range StreamsPerUser {
		<-over
	}
	if rest, err := io.ReadAll(reader); err != nil || len(rest) != 0 {
		t.Errorf("after the end: %q, %v", rest, err)
	}
}

// H4: the server sets one deadline per answer; events move it on.
func TestH4_StreamOutlivesTheWriteTimeout(t *testing.T) {
	t.Parallel()
	events := make(chan Event)
	f := open(t, nil, Route{Method: "GET", Path: "/events", Door: Person, Pov: None, Role: None, Loads: None, Handle: func(c *fiberCtx) error {
		return Stream(c, func(ctx) <-chan Event { return events })
	}})
	f.writeTimeout = 20 * time.Millisecond
	f.start()
	reader, _ := listen(t, f)
	for start := time.Now(); time.Since(start) < 10*f.writeTimeout; {
		events <- Event{Data: "x"}
		if _, err := reader.ReadString('x'); err != nil {
			t.Fatalf("after %s: %v", time.Since(start), err)
		}
	}
}

func TestStreamSurvivesPanic(t *testing.T) {
	t.Parallel()
	f := serve(t, nil, Route{Method: "GET", Path: "/events", Door: Person, Pov: None, Role: None, Loads: None, Handle: func(c *fiberCtx) error {
		return Stream(c, func(ctx) <-chan Event { panic("oops") })
	}})
	for range StreamsPerUser + 1 { // each gives its place back
		reader, response := listen(t, f)
		if io.ReadAll(reader); response.StatusCode != 200 {
			t.Errorf("%d, want 200", response.StatusCode)
		}
	}
	if !strings.Contains(f.log.String(), `"work":"stream","error":"oops"`) {
		t.Errorf("log: %s", f.log)
	}
}
