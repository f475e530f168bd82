package web

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// ClientAddress returns the socket's address, unless a trusted proxy is at
// the other end: then the last entry of X-Forwarded-For that is not one of
// our proxies (trust H11).
func ClientAddress(c *fiber.Ctx) netip.Addr {
	var forwarded []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderXForwardedFor) {
		forwarded = append(forwarded, strings.Split(string(line), ",")...)
	}
	return clientAddress(peer(c.Context().RemoteAddr()), forwarded, of(c).trusted)
}

func clientAddress(at netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	for _, entry := range slices.Backward(forwarded) {
		if !contains(trusted, at) {
			break
		}
		before, ok := parseAddress(strings.TrimSpace(entry))
		if !ok {
			break
		}
		at = before
	}
	return at
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) })
}

// parseAddress reads an entry with or without a port.
func parseAddress(entry string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(entry); err == nil {
		return address.Unmap().WithZone(""), true
	}
	if pair, err := netip.ParseAddrPort(entry); err == nil {
		return pair.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

func peer(remote net.Addr) netip.Addr {
	address, _ := parseAddress(remote.String())
	return address
}

// neighbourhood is what one stranger can speak from: an IPv4 address or the
// /64 that a single IPv6 client owns.
func neighbourhood(address netip.Addr) string {
	if address.Is6() {
		if p, err := address.Prefix(64); err == nil {
			return p.String()
		}
	}
	return address.String()
}
