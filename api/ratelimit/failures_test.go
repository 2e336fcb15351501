package ratelimit

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fail counts n failed authentications from address.
func fail(limits *Limits, address string, n int) {
	for range n {
		limits.AddFailure(context.Background(), parsed(address))
	}
}

func blocked(limits *Limits, address string) (int64, bool) {
	return limits.Blocked(context.Background(), parsed(address))
}

// parsed returns an address, the invalid one for an empty text.
func parsed(text string) netip.Addr {
	address, _ := netip.ParseAddr(text)
	return address
}

// An address may fail as often as configured, and is then blocked, alone. Asking whether
// it is blocked counts nothing against it.
func TestFailuresBlockTheirAddress(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{})
	fail(limits, "192.0.2.1", 29)
	for range 10 {
		retryAfter, isBlocked := blocked(limits, "192.0.2.1")
		require.False(t, isBlocked)
		require.Zero(t, retryAfter)
	}

	fail(limits, "192.0.2.1", 1)
	retryAfter, isBlocked := blocked(limits, "192.0.2.1")
	require.True(t, isBlocked)
	require.InDelta(t, 60, retryAfter, 1)

	_, isBlocked = blocked(limits, "192.0.2.2")
	require.False(t, isBlocked)
}

// An address that waits exactly retryAfter may try again.
func TestWaitingIsEnoughForABlockedAddress(t *testing.T) {
	t.Parallel()
	limits := openLimits(t, Config{Failures: 1, minuteLength: time.Second})
	fail(limits, "192.0.2.1", 1)
	retryAfter, isBlocked := blocked(limits, "192.0.2.1")
	require.True(t, isBlocked)
	require.EqualValues(t, 1, retryAfter)

	time.Sleep(time.Duration(retryAfter) * time.Second)
	_, isBlocked = blocked(limits, "192.0.2.1")
	require.False(t, isBlocked)
}

// IPv6 is counted by its first 64 bits, IPv4 by the whole address in either
// notation. An invalid address does not escape the limit.
func TestAddressesThatCountAsOne(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		failed, asked string
		same          bool
	}{
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"::ffff:192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
		{"fe80::1%eth0", "fe80::1%eth1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"", "", true},
	} {
		limits := openLimits(t, Config{Failures: 1})
		fail(limits, row.failed, 1)
		_, isBlocked := blocked(limits, row.asked)
		require.Equal(t, row.same, isBlocked, "%s and %s", row.failed, row.asked)
	}
}

// Failures and requests are counted separately, in memory and in Redis, even if a
// key looks like an address.
func TestFailuresAndRequestsAreSeparate(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"memory": "", "Redis": startRedis(t).url()} {
		limits := openLimits(t, Config{Minute: 2, Failures: 2, RedisURL: url})
		fail(limits, "192.0.2.1", 5)
		require.EqualValues(t, 1, take(limits, "192.0.2.1", 1).Remaining, name)
	}
}
