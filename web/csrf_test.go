package web

import (
	"strings"
	"testing"
)

func TestB3_CrossSiteWrites(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	const origin = "Origin: https://portal.example"
	tests := map[string]struct {
		headers []string
		want    int
	}{
		"same origin":                {[]string{ourSite}, 200},
		"typed by the user":          {[]string{"Sec-Fetch-Site: none"}, 200},
		"cross site":                 {[]string{"Sec-Fetch-Site: cross-site"}, 403},
		"same site":                  {[]string{"Sec-Fetch-Site: same-site"}, 403},
		"cross site, our origin":     {[]string{"Sec-Fetch-Site: cross-site", origin}, 403},
		"two words":                  {[]string{ourSite, "Sec-Fetch-Site: cross-site"}, 403},
		"strange word":               {[]string{"Sec-Fetch-Site: Same-Origin"}, 403},
		"origin only":                {[]string{origin}, 200},
		"other origin":               {[]string{"Origin: https://evil.example"}, 403},
		"other scheme":               {[]string{"Origin: http://portal.example"}, 403},
		"other port":                 {[]string{"Origin: https://portal.example:444"}, 403},
		"origin with a tail":         {[]string{"Origin: https://portal.example.evil.example"}, 403},
		"null origin":                {[]string{"Origin: null"}, 403},
		"two origins":                {[]string{origin, "Origin: https://evil.example"}, 403},
		"nothing":                    {nil, 403},
		"htmx proves nothing":        {[]string{"HX-Request: true"}, 403},
		"referer proves nothing":     {[]string{"Referer: https://portal.example/"}, 403},
		"host is not asked":          {[]string{"Origin: http://" + f.address}, 403},
		"key beside the cookie":      {[]string{asAdmin, "Sec-Fetch-Site: cross-site"}, 403},
		"override proves nothing":    {[]string{"X-HTTP-Method-Override: GET"}, 403},
		"forwarded host is no proof": {[]string{"X-Forwarded-Host: evil.example", "Origin: https://evil.example"}, 403},
	}
	for name, tc := range tests {
		for _, path := range []string{"/page", "/open"} {
			got := f.ask("POST", path, strings.NewReader("a=b"), append(tc.headers, signed, asForm)...)
			if got.StatusCode != tc.want {
				t.Errorf("%s, %s: %d, want %d", name, path, got.StatusCode, tc.want)
			}
		}
	}
	if got := f.get("/page", signed, "Sec-Fetch-Site: cross-site"); got.StatusCode != 200 {
		t.Errorf("reading from a link: %d, want 200", got.StatusCode)
	}
}

func TestB4_ProgramsIgnoreCookies(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	if got := f.get("/v1/things", signed, ourSite); got.StatusCode != 401 {
		t.Errorf("cookie alone: %d, want 401", got.StatusCode)
	}
	for header, want := range map[string]int{
		asAdmin:                             200,
		"Authorization: api-key key-ADMIN":  200,
		"Authorization: Token token-ADMIN":  200,
		"Authorization: Token key-ADMIN":    401,
		"Authorization: Api-Key":            401,
		"Authorization: Api-Key ":           401,
		"Authorization: Api-Key a b":        401,
		"Authorization: Bearer token-ADMIN": 401,
		"Authorization: key-ADMIN":          401,
		"X-Nothing: ":                       401,
	} {
		got := f.get("/v1/things", header, signed, "Sec-Fetch-Site: cross-site")
		if got.StatusCode != want {
			t.Errorf("%s: %d, want %d", header, got.StatusCode, want)
		}
		if want == 401 && (!strings.HasPrefix(got.body, `{"detail":"`) || got.Header.Get("WWW-Authenticate") == "") {
			t.Errorf("%s: %s", header, got.body)
		}
	}
}
