package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

// Blocked reports whether address has used up its failures and, if so, after how
// many seconds it may try again. It counts nothing: concurrent attempts may all
// pass, and count when they fail.
//
// Addresses of one [Network] count as one, and so do all invalid addresses.
func (l *Limits) Blocked(ctx context.Context, address netip.Addr) (retryAfter int64, blocked bool) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	state, _ := l.failures.Peek(ctx, Network(address))
	if state.Remaining > 0 {
		return 0, false
	}
	l.countReached("failures")
	return wait(state, l.failures, time.Now()), true
}

// AddFailure counts one failed authentication from address.
func (l *Limits) AddFailure(ctx context.Context, address netip.Addr) {
	ctx, cancel := l.redis.patient(ctx)
	defer cancel()
	_, _ = l.failures.Get(ctx, Network(address))
}

// Network returns what address is counted as.
//
// IPv4 is counted by the whole address, also if it is written as IPv6
// (::ffff:192.0.2.1, RFC 4291, section 2.5.5.2). Other IPv6 is counted by its
// first 64 bits, without the zone: hosts choose the rest themselves (RFC 4291,
// section 2.5.1) and could use a new address for every attempt.
func Network(address netip.Addr) string {
	address = address.Unmap()
	if network, err := address.Prefix(64); err == nil { // fails for IPv4
		address = network.Addr()
	}
	return address.String()
}
