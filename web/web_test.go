package web

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
)

// front is an app on a real socket.
type front struct {
	*App
	t       *testing.T
	address string
	log     *lines
	client  *http.Client
}

// open starts an app with a few routes: programs at /v1, people elsewhere.
func open(t *testing.T, change func(*Config), routes ...Route) *front {
	t.Helper()
	log := &lines{}
	cfg := Config{
		BaseURL: "https://portal.example",
		Log:     NewLogger(log, nil),
		Limits:  Limits{Off: true},
		Doors:   Doors{Key: door("key-"), Token: door("token-"), Session: door("session-")},
	}
	if change != nil {
		change(&cfg)
	}
	f := &front{App: NewApp(cfg), t: t, log: log}
	if err := f.Mount(append(sample(), routes...)...); err != nil {
		t.Fatal(err)
	}
	return f
}

// start serves until the test ends.
func (f *front) start() *front {
	f.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.t.Fatal(err)
	}
	f.address = listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Serve(ctx, listener, 0) }()
	transport := &http.Transport{DisableCompression: true}
	f.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	f.t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			f.t.Errorf("Serve() = %v", err)
		}
	})
	return f
}

func serve(t *testing.T, change func(*Config), routes ...Route) *front {
	t.Helper()
	return open(t, change, routes...).start()
}

// door knows secrets such as key-ADMIN, for team 7.
func door(prefix string) Doorkeeper {
	return func(_ context.Context, secret, address, requestID string) (market.Actor, error) {
		role, ok := strings.CutPrefix(secret, prefix)
		if !ok {
			return market.Actor{}, fault.New(fault.Unknown, "Signed out: sign in again.")
		}
		return market.Actor{UserID: 3, TeamID: 7, Role: models.Role(role), Via: "portal", Address: address, RequestID: requestID}, nil
	}
}

func sample() []Route {
	echo := func(c *fiber.Ctx) error {
		body, err := Body(c)
		if err != nil {
			return err
		}
		return c.Send(body)
	}
	page := func(c *fiber.Ctx) error { return Render(c, "Page", markup("<h1>", "Page", "</h1>")) }
	return []Route{
		{Method: "GET", Path: "/", Door: Anyone, Pov: None, Role: None, Loads: None, Handle: page},
		{Method: "GET", Path: "/page", Door: Person, Pov: None, Role: None, Loads: None, Handle: page},
		{Method: "POST", Path: "/page", Door: Person, Pov: None, Role: "GENERAL", Loads: None, Takes: []string{FormType}, Handle: page},
		{Method: "POST", Path: "/open", Door: Anyone, Pov: None, Role: None, Loads: None, Takes: []string{FormType}, Handle: echo},
		{Method: "GET", Path: "/static/*", Door: Anyone, Pov: None, Role: None, Loads: None, Handle: Static},
		{Method: "GET", Path: "/v1/things", Door: Program, Pov: None, Role: None, Loads: None, Handle: echo},
		{Method: "POST", Path: "/v1/things", Door: Program, Pov: None, Role: "GENERAL", Loads: None, Takes: []string{JSON, YAML}, Handle: echo},
		{Method: "GET", Path: "/v1/panic", Door: Program, Pov: None, Role: None, Loads: None, Handle: func(*fiber.Ctx) error { panic("oops \x1b[31m") }},
		{Method: "GET", Path: "/panic", Door: Anyone, Pov: None, Role: None, Loads: None, Handle: func(*fiber.Ctx) error { panic("oops") }},
	}
}

// handle is a route for everybody that one test needs.
func handle(method, path string, h fiber.Handler) Route {
	return Route{Method: method, Path: path, Door: Anyone, Pov: None, Role: None, Loads: None, Takes: []string{FormType}, Handle: h}
}

type answer struct {
	*http.Response
	body string
}

// ask sends one request; headers are "Name: value".
func (f *front) ask(method, path string, body io.Reader, headers ...string) answer {
	f.t.Helper()
	request, err := http.NewRequest(method, "http://"+f.address+path, body)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, header := range headers {
		if name, value, ok := strings.Cut(header, ": "); ok {
			request.Header.Add(name, value)
		}
	}
	response, err := f.client.Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return answer{response, string(text)}
}

func (f *front) get(path string, headers ...string) answer {
	f.t.Helper()
	return f.ask("GET", path, nil, headers...)
}

// raw sends bytes and returns all answers until the portal closes, or until
// want of them are there.
func (f *front) raw(text string, want int) (answers []answer, closed bool) {
	f.t.Helper()
	conn, err := net.Dial("tcp", f.address)
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil {
		f.t.Fatal(err)
	}
	reader := bufio.NewReader(conn)
	for len(answers) < want {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return answers, true
		}
		body, _ := io.ReadAll(response.Body)
		answers = append(answers, answer{response, string(body)})
	}
	return answers, false
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

const (
	asAdmin = "Authorization: Api-Key key-ADMIN"
	asGuest = "Authorization: Api-Key key-READ_ONLY"
	signed  = "Cookie: __Host-portolan=session-ADMIN"
	ourSite = "Sec-Fetch-Site: same-origin"
	asForm  = "Content-Type: application/x-www-form-urlencoded"
)
