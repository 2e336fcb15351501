package api_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// requireBlocked requires that the address is blocked: 429, and no rate limit
// headers, because nobody was authenticated.
func (a answer) requireBlocked(t testing.TB) {
	t.Helper()
	a.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	require.LessOrEqual(t, retryAfter(t, a), int64(60))
	require.Empty(t, a.header.Get("RateLimit"))
	require.Empty(t, a.header.Get("X-RateLimit-Limit"))
	require.Empty(t, a.header.Get("WWW-Authenticate"))
}

// After 30 failures a minute from one address, of any kind, further attempts get 429
// without a check of the key. Keys that the instance has verified still work.
func TestFailuresAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	known, unknown, revoked := newTenant(t, w, "known"), newTenant(t, w, "unknown"), newTenant(t, w, "revoked")
	service := serve(t, w.Service, settings{failures: 30})
	service.get(t, "/api/v1/companies", known.token).requireOK(t)
	revoked.revoke(t, w.Service)

	bad := []string{"", "malformed", unknownKey, otherSecret(known.token), revoked.token}
	for i := range 30 {
		service.get(t, paths[3+i%3], bad[i%len(bad)]).requireError(t, 401, "UNAUTHORIZED")
	}
	for _, key := range append(bad, unknown.token) {
		service.get(t, "/api/v1/companies", key).requireBlocked(t)
	}
	require.Equal(t, 429, service.send(t, "HEAD", "/api/v1/companies", nil).status)
	service.get(t, "/api/v1/companies", known.token).requireOK(t)
	service.get(t, "/api/v1/companies/1", known.token).requireError(t, 400, "BAD_REQUEST")

	// Paths that need no key still work.
	service.get(t, "/api/health", "").requireOK(t)
	service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")

	// A key that was verified and then revoked is blocked too.
	known.revoke(t, w.Service)
	service.get(t, "/api/v1/companies", known.token).requireBlocked(t)
}

// Authenticated requests, unknown paths and other methods do not count as failures.
func TestOnlyBadKeysCountAsFailures(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{failures: 2, minute: 5})
	for range 5 {
		service.get(t, "/api/v1/companies/10000001", a.token).requireError(t, 404, "COMPANY_NOT_FOUND")
		service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")
		service.send(t, "POST", "/api/v1/companies", nil).requireError(t, 405, "METHOD_NOT_ALLOWED")
	}
	service.get(t, "/api/v1/companies", a.token).requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	for range 2 {
		service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED")
	}
	service.get(t, "/api/v1/companies", "").requireBlocked(t)
}

// An unavailable database does not count as the caller's failure.
func TestUnavailabilityIsNotAFailure(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	proxy := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, proxy.url, database.Service), settings{failures: 2})
	proxy.setAll(cut)
	for range 4 {
		service.get(t, "/api/v1/companies", a.token).requireError(t, 503, "SERVICE_UNAVAILABLE")
	}
	service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED")
}

// The client's address is the connection's, unless that is a trusted proxy's. Then it
// is the last one in X-Forwarded-For that is not a trusted proxy's. A caller can make
// up the addresses before that one, so changing them does not evade the limit.
func TestForwardedFor(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	lastAddress := func() string {
		return modelstest.ValueAt[string](t, w.URL, `SELECT coalesce(last_used_address, '') FROM api_keys`)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, row := range []struct {
		name      string
		trusted   []netip.Prefix
		forwarded []string // one header each; NEW becomes another number each time
		address   string
	}{
		{"no proxy is trusted", nil, []string{"203.0.113.NEW"}, "127.0.0.1"},
		{"another proxy is trusted", trusted[1:], []string{"203.0.113.NEW"}, "127.0.0.1"},
		{"no header", trusted, nil, "127.0.0.1"},
		{"one hop", trusted, []string{"203.0.113.7"}, "203.0.113.7"},
		{"a made-up address before it", trusted, []string{"198.51.100.NEW, 203.0.113.7"}, "203.0.113.7"},
		{"a made-up address in its own header", trusted, []string{"198.51.100.NEW", "203.0.113.7"}, "203.0.113.7"},
		{"a made-up proxy", trusted, []string{"198.51.100.NEW, 10.0.0.1, 203.0.113.7"}, "203.0.113.7"},
		{"proxies after it", trusted, []string{"198.51.100.NEW, 203.0.113.7,10.1.2.3 ,  127.0.0.9"}, "203.0.113.7"},
		{"proxies after it, in headers", trusted, []string{"198.51.100.NEW, 203.0.113.7", "10.1.2.3", "fd00::1"}, "203.0.113.7"},
		{"only proxies", trusted, []string{"10.9.9.9, 10.1.2.3"}, "10.9.9.9"},
		{"an invalid address", trusted, []string{"198.51.100.NEW, unknown"}, "127.0.0.1"},
		{"an invalid address before a proxy", trusted, []string{"198.51.100.NEW, <x>, 10.1.2.3"}, "10.1.2.3"},
		{"an empty header", trusted, []string{""}, "127.0.0.1"},
		{"IPv6", trusted, []string{"198.51.100.NEW, 2001:DB8::1"}, "2001:db8::1"},
		{"IPv4 in IPv6", trusted, []string{"::ffff:203.0.113.7, ::ffff:10.0.0.1"}, "203.0.113.7"},
	} {
		service := serve(t, modelstest.Open(t, w.URL, database.Service), settings{failures: 3, trustedProxies: row.trusted})
		number := 0
		header := func(key string) []string {
			pairs := []string{"X-API-Key", key}
			for _, line := range row.forwarded {
				number++
				pairs = append(pairs, "X-Forwarded-For", strings.ReplaceAll(line, "NEW", fmt.Sprint(number)))
			}
			return pairs
		}
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET last_used_address = NULL, last_used_at = NULL`)
		service.send(t, "GET", "/api/v1/companies", headers(header(a.token)...)).requireOK(t)
		require.Eventually(t, func() bool { return lastAddress() == row.address }, timeout, pollInterval, "%s: %s", row.name, lastAddress())
		for range 3 {
			service.send(t, "GET", "/api/v1/companies", headers(header("bad")...)).requireError(t, 401, "UNAUTHORIZED")
		}
		service.send(t, "GET", "/api/v1/companies", headers(header("bad")...)).requireBlocked(t)
		if row.trusted != nil && &row.trusted[0] == &trusted[0] { // another caller behind the same proxy is not blocked
			service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", "bad", "X-Forwarded-For", "192.0.2.1")).requireError(t, 401, "UNAUTHORIZED")
		}
	}
}
