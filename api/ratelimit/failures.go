package ratelimit

import (
	"context"
	"net/netip"
	"time"
)

// Failures counts the failed authentications that come from an address.
//
// IPv4 is counted by the whole address, and so is an IPv4 address written as an
// IPv6 one (::ffff:192.0.2.1, RFC 4291, section 2.5.5.2). Other IPv6 is counted
// by its first 64 bits: the rest is the host's to choose (RFC 4291, section
// 2.5.1), so that one customer could else come from a new address every time.
// A zone is not looked at. All invalid addresses count as one.
//
// An address takes about 180 bytes of memory until its minute is over, and half
// a minute longer.
type Failures struct {
	window *memoryWindow
	locks  *keyLocks
	shared *sharedStore // nil where limits are in memory by choice
}

// Blocked tells whether address has used up its failures, and then the whole
// seconds after which it may try again; it counts nothing. Attempts that are
// under way together are all let through by it, and counted when they fail.
func (f *Failures) Blocked(ctx context.Context, address netip.Addr) (retryAfter int64, blocked bool) {
	key := addressKey(address)
	stands, found := f.share(ctx, key, (*connection).peek)
	now := time.Now().UnixNano()
	if !found {
		lock := f.locks.of(key)
		lock.Lock()
		stands = f.window.peek(key, now)
		lock.Unlock()
	}
	if !f.window.exhausted(stands) {
		return 0, false
	}
	return f.window.wait(stands, now), true
}

// Add counts one failed authentication from address.
func (f *Failures) Add(ctx context.Context, address netip.Addr) {
	key := addressKey(address)
	if _, counted := f.share(ctx, key, (*connection).add); counted {
		return
	}
	lock := f.locks.of(key)
	lock.Lock()
	defer lock.Unlock()
	f.window.add(key, time.Now().UnixNano())
}

// share asks Redis, and lets memory follow. It is not ok where Redis is not
// there to be asked.
func (f *Failures) share(
	ctx context.Context, key string,
	ask func(*connection, context.Context, *window, string) (usage, error),
) (stands usage, ok bool) {
	c := f.shared.connected()
	if c == nil {
		return usage{}, false
	}
	ctx, cancel := patient(ctx)
	defer cancel()
	stands, err := ask(c, ctx, &f.window.window, key)
	if err != nil {
		f.shared.lost(c, err)
		return usage{}, false
	}
	lock := f.locks.of(key)
	lock.Lock()
	defer lock.Unlock()
	f.window.follow(key, stands)
	return stands, true
}

// addressKey is the text under which an address is counted.
func addressKey(address netip.Addr) string {
	address = address.Unmap()
	if address.Is6() {
		network, err := address.Prefix(64)
		if err == nil {
			address = network.Addr()
		}
	}
	return address.String()
}
