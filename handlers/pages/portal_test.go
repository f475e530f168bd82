package pages_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"gorm.io/gorm"

	"github.com/portolan/portolan/handlers/pages"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"github.com/portolan/portolan/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// password is everybody's.
const password = "seven grey lanterns"

// portal is a server on a socket with one database.
type portal struct {
	t      *testing.T
	db     *models.DB
	market *market.Market
	origin string
	routes []web.Route
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
	p := pages.Pages{Market: m}
	site := &portal{t: t, db: db, market: m, origin: "http://" + listener.Addr().String(), routes: p.Routes()}
	app := web.NewApp(web.Config{
		BaseURL: site.origin, Log: log, Limits: web.Limits{Off: true}, SignIn: "/sign-in",
		Doors:  web.Doors{Key: m.KeyActor, Token: m.TokenActor, Session: m.SessionActor},
		Layout: p.Layout, Failure: p.Failure, Announce: p.Announce,
	})
	app.Use(p.SetUpFirst)
	if err := app.Mount(site.routes...); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- app.Serve(ctx, listener, 0) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve() = %v", err)
		}
	})
	return site
}

// browser is one person's, without a script.
type browser struct {
	t      *testing.T
	origin string
	client *http.Client
}

// stranger opens a browser that nobody has signed in with.
func (p *portal) stranger() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	transport := &http.Transport{}
	p.t.Cleanup(transport.CloseIdleConnections)
	return &browser{t: p.t, origin: p.origin, client: &http.Client{Jar: jar, Transport: transport, CheckRedirect: stay}}
}

// as opens a browser that a user is signed in with.
func (p *portal) as(name string) *browser {
	p.t.Helper()
	b, secret, now := p.stranger(), rand.Text(), models.Now()
	hash := sha256.Sum256([]byte(secret))
	must(p.t, p.db.Write(p.t.Context(), func(tx *gorm.DB) error {
		user, err := models.UserByName(tx, name)
		if err != nil {
			return err
		}
		return tx.Create(&models.Session{Hash: hash[:], UserID: user.ID, Address: "127.0.0.1", Agent: "test", Created: now, Seen: now, Expires: now.Add(time.Hour)}).Error
	}))
	b.hold(secret)
	return b
}

// hold gives the browser a session.
func (b *browser) hold(secret string) {
	at, _ := url.Parse(b.origin)
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "portolan", Value: secret, Path: "/"}})
}

// secret is the browser's session.
func (b *browser) secret() string {
	at, _ := url.Parse(b.origin)
	for _, cookie := range b.client.Jar.Cookies(at) {
		if cookie.Name == "portolan" {
			return cookie.Value
		}
	}
	return ""
}

// page is what a browser got.
type page struct {
	t        *testing.T
	status   int
	body     string
	location string
	header   http.Header
	root     *html.Node
}

func (b *browser) get(path string) page {
	b.t.Helper()
	return b.send("GET", path, nil)
}

// post sends a form that no page showed.
func (b *browser) post(path string, fields url.Values) page {
	b.t.Helper()
	return b.send("POST", path, fields)
}

func (b *browser) send(method, path string, fields url.Values) page {
	b.t.Helper()
	var body io.Reader
	if fields != nil {
		body = strings.NewReader(fields.Encode())
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.origin+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Origin", b.origin)
	if fields != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	return page{b.t, response.StatusCode, string(text), response.Header.Get("Location"), response.Header, root}
}

// fill sends the form of a page that goes to an address, with what stands in it
// and these fields set: name, value, name, value; the value "-" clears a box.
func (b *browser) fill(on page, action string, set ...string) page {
	b.t.Helper()
	fields, found := on.form(action)
	if !found {
		b.t.Fatalf("the page has no form to %s:\n%s", action, on.text())
	}
	for i := 0; i+1 < len(set); i += 2 {
		if set[i+1] == "-" {
			fields.Del(set[i])
		} else {
			fields.Set(set[i], set[i+1])
		}
	}
	return b.send("POST", action, fields)
}

// form reads what a form would send as it stands; the main part goes first.
func (p page) form(action string) (url.Values, bool) {
	for _, part := range append(p.all("main"), p.root) {
		for form := range part.Descendants() {
			if form.Data == "form" && attr(form, "method") == "post" && attr(form, "action") == action {
				return valuesOf(form), true
			}
		}
	}
	return nil, false
}

func valuesOf(form *html.Node) url.Values {
	fields := url.Values{}
	for node := range form.Descendants() {
		name := attr(node, "name")
		switch {
		case name == "" || has(node, "disabled"):
		case node.Data == "textarea":
			fields.Add(name, strings.TrimPrefix(textOf(node), "\n"))
		case node.Data == "select":
			for option := range node.Descendants() {
				if option.Data == "option" && (has(option, "selected") || !fields.Has(name)) {
					fields.Set(name, attr(option, "value"))
				}
			}
		case node.Data == "input":
			if kind := attr(node, "type"); kind != "checkbox" && kind != "radio" || has(node, "checked") {
				fields.Add(name, attr(node, "value"))
			}
		}
	}
	return fields
}

func (p page) all(tag string) (found []*html.Node) {
	for node := range p.root.Descendants() {
		if node.Type == html.ElementNode && node.Data == tag {
			found = append(found, node)
		}
	}
	return found
}

func attr(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(node *html.Node, name string) bool {
	return slices.ContainsFunc(node.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func textOf(node *html.Node) string {
	var text strings.Builder
	for below := range node.Descendants() {
		if below.Type == html.TextNode {
			text.WriteString(below.Data)
		}
	}
	return text.String()
}

// text is what the main part of the page says.
func (p page) text() string {
	for _, main := range p.all("main") {
		return strings.Join(strings.Fields(textOf(main)), " ")
	}
	return strings.Join(strings.Fields(textOf(p.root)), " ")
}

// is expects a status.
func (p page) is(status int) page {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("status %d to %q, want %d: %s", p.status, p.location, status, p.text())
	}
	return p
}

// to expects to be sent on.
func (p page) to(place string) page {
	p.t.Helper()
	if p.is(303); p.location != place {
		p.t.Fatalf("sent on to %q, want %q", p.location, place)
	}
	return p
}

// says expects texts on the page.
func (p page) says(texts ...string) page {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.text(), text) && !strings.Contains(p.body, text) {
			p.t.Errorf("the page does not say %q: %s", text, p.text())
		}
	}
	return p
}

// hides expects texts to be nowhere in the answer.
func (p page) hides(texts ...string) page {
	p.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) || strings.Contains(p.text(), text) {
			p.t.Errorf("the page says %q", text)
		}
	}
	return p
}

// actions lists where the forms of the main part go that change something.
func (p page) actions() (list []string) {
	for _, main := range p.all("main") {
		for node := range main.Descendants() {
			if node.Data == "form" && attr(node, "method") == "post" {
				list = append(list, attr(node, "action"))
			}
		}
	}
	return list
}

// keyed makes the fields of a forged form, with a key of its own.
func keyed(set ...string) url.Values {
	fields := url.Values{"idempotency_key": {web.NewKey()}}
	for i := 0; i+1 < len(set); i += 2 {
		fields.Set(set[i], set[i+1])
	}
	return fields
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
