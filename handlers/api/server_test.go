package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/portolan/portolan/handlers/api"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"github.com/portolan/portolan/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	adminName     = "harbour master"
	adminPassword = "seven grey lanterns"
)

// portal is a server on a socket with one database.
type portal struct {
	db     *models.DB
	market *market.Market
	origin string
	client *http.Client
	admin  string // the platform admin's Authorization

	contract *contract // judges each answer, unless it is nil
}

// serve starts a portal that lives as long as the test.
func serve(t *testing.T, db *models.DB) *portal {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	m := market.New(db, log)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &portal{db: db, market: m, origin: "http://" + listener.Addr().String(), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	app := web.NewApp(web.Config{
		BaseURL: p.origin, Log: log, Limits: web.Limits{Off: true}, IsProgram: api.IsProgram,
		Doors: web.Doors{Key: m.KeyActor, Token: m.TokenActor, Session: m.SessionActor},
	})
	if err := app.Mount(api.API{Market: m, BaseURL: p.origin}.Routes()...); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- app.Serve(ctx, listener, 0) }()
	t.Cleanup(func() {
		p.client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve() = %v", err)
		}
	})
	p.signIn(t)
	return p
}

func (p *portal) signIn(t *testing.T) {
	t.Helper()
	if _, err := p.market.CreateUser(t.Context(), market.Console(), adminName, adminPassword, true); err != nil {
		t.Fatal(err)
	}
	got := p.ask(t, "POST", "/v1/api-token-auth/", "", `{"username":"`+adminName+`","password":"`+adminPassword+`"}`)
	got.want(t, 200)
	p.admin = "Token " + got.text(t, "token")
}

// reply is an answer that was read whole.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends one request; headers are "Name: value".
func (p *portal) ask(t *testing.T, method, path, authorization, body string, headers ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.origin+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", authorization)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Set(name, value)
	}
	response, err := p.client.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 500 {
		t.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	got := reply{response.StatusCode, response.Header, string(text)}
	if p.contract != nil {
		p.contract.judge(t, method, path, got)
	}
	return got
}

// raw sends a query as some clients do, with its braces, quotes and spaces as they are.
func (p *portal) raw(t *testing.T, authorization, target string) reply {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.origin, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	target = strings.ReplaceAll(target, " ", "%20")
	fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nConnection: close\r\n\r\n", target, authorization)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}

func (r reply) want(t *testing.T, status int) {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
}

// parse reads a JSON text with its numbers as they are written.
func parse(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// at follows keys and indexes into a JSON value, nil if they lead nowhere.
func at(v any, path ...string) any {
	for _, step := range path {
		switch inner := v.(type) {
		case map[string]any:
			v = inner[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(inner) {
				return nil
			}
			v = inner[i]
		default:
			return nil
		}
	}
	return v
}

func (r reply) at(t *testing.T, path ...string) any {
	t.Helper()
	return at(parse(t, r.body), path...)
}

func (r reply) text(t *testing.T, path ...string) string {
	t.Helper()
	text, ok := r.at(t, path...).(string)
	if !ok {
		t.Fatalf("no text at %v in %s", path, r.body)
	}
	return text
}

func (r reply) number(t *testing.T, path ...string) int64 {
	t.Helper()
	number, _ := r.at(t, path...).(json.Number)
	n, err := number.Int64()
	if err != nil {
		t.Fatalf("no number at %v in %s", path, r.body)
	}
	return n
}

// team is a team of a test with a key of its own.
type team struct {
	*portal
	id   int64
	name string
	key  string // its ADMIN key's Authorization
}

func (p *portal) team(t *testing.T, name string) *team {
	t.Helper()
	made := p.ask(t, "POST", "/v1/account/teams/", p.admin, quote(map[string]any{"name": name}))
	made.want(t, 201)
	it := &team{portal: p, id: made.number(t, "id"), name: name}
	it.key = it.keyOf(t, "ADMIN")
	return it
}

// keyOf makes a key of the team with a role.
func (o *team) keyOf(t *testing.T, role string) string {
	t.Helper()
	got := o.portal.ask(t, "POST", "/v1/account/teams/"+strconv.FormatInt(o.id, 10)+"/api_keys/", o.admin, quote(map[string]any{"name": role + " robot", "role": role}))
	got.want(t, 201)
	return "Api-Key " + got.text(t, "key")
}

// do sends a request of the team's.
func (o *team) do(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	return o.ask(t, method, path, o.key, body, headers...)
}

// quote writes a value as JSON.
func quote(v any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return text.String()
}
