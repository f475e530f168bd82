package web

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/sessions"
)

// cookies is a session store whose cookie holds the random id of a session
// and nothing else; what belongs to it is in the database (trust U6).
type cookies struct {
	name   string
	prefix string // of all our cookies
	secure bool
}

// newCookies names the cookies so that no neighbour can set them, which
// browsers promise for https only.
func newCookies(secure bool) cookies {
	if secure {
		return cookies{"__Host-portolan", "__Host-", true}
	}
	return cookies{"portolan", "", false}
}

func (s cookies) options(maxAge int) *sessions.Options {
	return &sessions.Options{Path: "/", MaxAge: maxAge, Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}

// Get returns the session of a request, the same one each time.
func (s cookies) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New makes a session out of the cookie; it is new when there is no fit one.
func (s cookies) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.Options = s.options(0)
	cookie, err := r.Cookie(name)
	if session.IsNew = err != nil || len(cookie.Value) > 128 || !visible(cookie.Value); !session.IsNew {
		session.ID = cookie.Value
	}
	return session, nil
}

// Save writes the id into the cookie, or takes the cookie back.
func (s cookies) Save(_ *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	http.SetCookie(w, sessions.NewCookie(session.Name(), session.ID, session.Options))
	return nil
}

type requestKey struct{}

// standard returns the request as net/http has it, as far as sessions look at
// it, and made once.
func standard(c *fiber.Ctx) *http.Request {
	if r, ok := c.Locals(requestKey{}).(*http.Request); ok {
		return r
	}
	r := (&http.Request{Header: http.Header{}}).WithContext(c.UserContext())
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderCookie) {
		r.Header.Add(fiber.HeaderCookie, string(line))
	}
	c.Locals(requestKey{}, r)
	return r
}

// headers collects the headers that net/http code sets.
type headers http.Header

func (h headers) Header() http.Header       { return http.Header(h) }
func (h headers) Write([]byte) (int, error) { return 0, http.ErrBodyNotAllowed }
func (h headers) WriteHeader(int)           {}

// SessionID returns what the session cookie holds, nothing if there is none.
func SessionID(c *fiber.Ctx) string {
	store := of(c).cookies
	session, err := store.Get(standard(c), store.name)
	if err != nil {
		return ""
	}
	return session.ID
}

// SetSession gives the browser the id of a session that was opened just now.
func SetSession(c *fiber.Ctx, id string) error { return saveSession(c, id, 0) }

// DropSession takes the session cookie back.
func DropSession(c *fiber.Ctx) error { return saveSession(c, "", -1) }

func saveSession(c *fiber.Ctx, id string, maxAge int) error {
	store := of(c).cookies
	session, err := store.Get(standard(c), store.name)
	if err != nil {
		return err
	}
	session.ID, session.Options = id, store.options(maxAge)
	set := headers{}
	if err := session.Save(standard(c), set); err != nil {
		return err
	}
	for _, cookie := range set.Header().Values(fiber.HeaderSetCookie) {
		c.Response().Header.Add(fiber.HeaderSetCookie, cookie)
	}
	return nil
}

// setCookie sets a cookie of ours beside the session.
func setCookie(c *fiber.Ctx, name, value string, maxAge int) {
	store := of(c).cookies
	cookie := sessions.NewCookie(store.prefix+"portolan-"+name, value, store.options(maxAge))
	c.Response().Header.Add(fiber.HeaderSetCookie, cookie.String())
}

func cookieOf(c *fiber.Ctx, name string) string {
	return strings.Clone(c.Cookies(of(c).cookies.prefix + "portolan-" + name))
}
