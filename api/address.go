package api

import (
	"net/netip"
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
	address, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	address = address.Unmap()
	if !p.trusted(address) {
		return address
	}
	var hops []string
	for _, header := range c.Request().Header.PeekAll(fiber.HeaderXForwardedFor) {
		hops = append(hops, strings.Split(string(header), ",")...)
	}
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil { // some proxies also write the port
			var withPort netip.AddrPort
			if withPort, err = netip.ParseAddrPort(strings.TrimSpace(hops[i])); err != nil {
				break
			}
			hop = withPort.Addr()
		}
		address = hop.Unmap().WithZone("")
		if !p.trusted(address) {
			break
		}
	}
	return address
}

func (p Proxies) trusted(address netip.Addr) bool {
	for _, proxies := range p {
		if proxies.Contains(address) {
			return true
		}
	}
	return false
}
