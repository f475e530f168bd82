package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// client asks the portal without a browser: for the bytes of an answer, and
// for requests that no form of the portal makes.
type client struct {
	t      *testing.T
	at     string
	token  string // of a program; people have a cookie
	scheme string // of the token
	http   *http.Client
}

// answer is what came back.
type answer struct {
	status int
	body   string
	header http.Header
}

// visitor is a client that nobody knows; it does not follow redirections.
func (p *portal) visitor(t *testing.T) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{t: t, at: p.url, scheme: "Token", http: &http.Client{Jar: jar, CheckRedirect: stay, Timeout: patience}}
}

// person is a client that has signed in.
func (p *portal) person(t *testing.T, name string) *client {
	t.Helper()
	c := p.visitor(t)
	if a := c.post("/sign-in", "name", name, "password", password, "idempotency_key", "sign-in"); a.status != http.StatusSeeOther {
		t.Fatalf("%s cannot sign in: %d", name, a.status)
	}
	return c
}

// program is a client that acts for a user with a token of the API.
func (p *portal) program(t *testing.T, name string) *client {
	t.Helper()
	c := p.visitor(t)
	a := c.ask("POST", "/api-token-auth", "application/json", fmt.Sprintf(`{"username": %q, "password": %q}`, name, password))
	var given struct{ Token string }
	if err := json.Unmarshal([]byte(a.body), &given); err != nil || given.Token == "" {
		t.Fatalf("%s gets no token: %d %s", name, a.status, a.body)
	}
	c.token = given.Token
	return c
}

func (c *client) get(path string) answer {
	c.t.Helper()
	return c.ask("GET", path, "", "")
}

// post sends a form of names and values, as a page of the portal would.
func (c *client) post(path string, namesAndValues ...string) answer {
	c.t.Helper()
	form := url.Values{}
	for i := 0; i < len(namesAndValues); i += 2 {
		form.Add(namesAndValues[i], namesAndValues[i+1])
	}
	return c.ask("POST", path, "application/x-www-form-urlencoded", form.Encode())
}

func (c *client) ask(method, path, kind, body string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.at+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Origin", c.at)
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	if c.token != "" {
		request.Header.Set("Authorization", c.scheme+" "+c.token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{status: response.StatusCode, body: string(read), header: response.Header}
}
