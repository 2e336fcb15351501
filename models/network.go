package models

import "net/netip"

// CallerNetwork returns the network that counts as one caller with address.
//
// IPv4 is counted by the whole address, also if it is written as IPv6
// (::ffff:192.0.2.1, RFC 4291, section 2.5.5.2). Other IPv6 is counted by its
// first 64 bits, without the zone: hosts choose the rest themselves (RFC 4291,
// section 2.5.1) and could use a new address for every attempt.
func CallerNetwork(address netip.Addr) string {
	address = address.Unmap()
	if network, err := address.Prefix(64); err == nil { // fails for IPv4
		address = network.Addr()
	}
	return address.String()
}
