package server

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Proxies are the addresses whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// ClientAddress returns the address that the request came from. If that is a trusted
// proxy's, it returns the last address in X-Forwarded-For that is not a trusted
// proxy's; anybody could have written those before it. A proxy may extend the
// caller's header or add a header of its own.
func (p Proxies) ClientAddress(c *fiber.Ctx) netip.Addr {
	address := peer(c)
	if !p.trusted(address) {
		return address
	}
	hops := strings.Split(string(bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), []byte(","))), ",")
	for i := len(hops) - 1; i >= 0 && p.trusted(address); i-- {
		hop := strings.TrimSpace(hops[i])
		if hop == "" { // a list may have empty elements (RFC 9110 section 5.6.1)
			continue
		}
		if withPort, err := netip.ParseAddrPort(hop); err == nil { // some proxies also write the port
			hop = withPort.Addr().String()
		}
		parsed, err := netip.ParseAddr(strings.Trim(hop, "[]")) // and some brackets, as in a URL
		if err != nil {
			break
		}
		address = parsed.Unmap().WithZone("")
	}
	return address
}

// peer returns the address that the connection came from.
func peer(c *fiber.Ctx) netip.Addr {
	address, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	return address.Unmap()
}

func (p Proxies) trusted(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
}
