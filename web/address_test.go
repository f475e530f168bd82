package web

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestH11_ClientAddress(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := map[string]struct{ peer, forwarded, want string }{
		"direct":                {"192.0.2.1:5", "", "192.0.2.1"},
		"forged":                {"192.0.2.1:5", "1.2.3.4", "192.0.2.1"},
		"behind a proxy":        {"10.0.0.1:5", "1.2.3.4", "1.2.3.4"},
		"forged behind a proxy": {"10.0.0.1:5", "9.9.9.9, 1.2.3.4", "1.2.3.4"},
		"two proxies":           {"10.0.0.1:5", "9.9.9.9,1.2.3.4, 10.0.0.2", "1.2.3.4"},
		"only proxies":          {"10.0.0.1:5", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		"with port":             {"10.0.0.1:5", "1.2.3.4:99", "1.2.3.4"},
		"IPv6":                  {"[fd00::1]:5", "2001:db8::1", "2001:db8::1"},
		"IPv6 with port":        {"[fd00::1]:5", "[2001:db8::1]:99", "2001:db8::1"},
		"mapped":                {"[::ffff:10.0.0.1]:5", "::ffff:1.2.3.4", "1.2.3.4"},
		"nonsense":              {"10.0.0.1:5", "1.2.3.4, evil", "10.0.0.1"},
		"nothing":               {"10.0.0.1:5", "", "10.0.0.1"},
	}
	for name, tc := range tests {
		remote, err := net.ResolveTCPAddr("tcp", tc.peer)
		if err != nil {
			t.Fatal(err)
		}
		if got := clientAddress(peer(remote), strings.Split(tc.forwarded, ","), trusted); got.String() != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	if got := neighbourhood(netip.MustParseAddr("2001:db8::1:2")); got != "2001:db8::/64" {
		t.Errorf("neighbourhood %s", got)
	}
}

func TestProxyIsBelievedOnlyIfTrusted(t *testing.T) {
	t.Parallel()
	for _, trusted := range []string{"127.0.0.0/8", "10.0.0.0/8"} {
		f := serve(t, func(cfg *Config) { cfg.TrustedProxies = []netip.Prefix{netip.MustParsePrefix(trusted)} })
		f.get("/", "X-Forwarded-For: 9.9.9.9", "X-Forwarded-For: 1.2.3.4")
		want := map[bool]string{true: `"address":"1.2.3.4"`, false: `"address":"127.0.0.1"`}[trusted == "127.0.0.0/8"]
		if !strings.Contains(f.log.String(), want) {
			t.Errorf("%s: %s", trusted, f.log)
		}
	}
}
