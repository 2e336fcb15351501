package api_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// requireBlocked wants the address to be blocked: 429, and no rate limit headers,
// because nobody was authenticated.
func (a answer) requireBlocked(t testing.TB) {
	t.Helper()
	a.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	require.LessOrEqual(t, retryAfter(t, a), int64(60))
	require.Empty(t, a.header.Get("RateLimit"))
	require.Empty(t, a.header.Get("X-RateLimit-Limit"))
	require.Empty(t, a.header.Get("WWW-Authenticate"))
}

// 30 failures a minute from one address, of whatever kind; then further attempts
// are 429 without a look at the key, but a key that the instance has verified
// passes all the same.
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

	// What needs no key is served as ever.
	service.get(t, "/api/health", "").requireOK(t)
	service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")

	// A key that was verified, and revoked since, is one that failed.
	known.revoke(t, w.Service)
	service.get(t, "/api/v1/companies", known.token).requireBlocked(t)
}

// Good requests, unknown paths and other methods are no failures.
func TestGoodRequestsAreNoFailures(t *testing.T) {
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

// That the database is away is nobody's failure.
func TestUnavailabilityIsNoFailure(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, database.url, models.Service), settings{failures: 2})
	database.setAll(cut)
	for range 4 {
		service.get(t, "/api/v1/companies", a.token).requireError(t, 503, "SERVICE_UNAVAILABLE")
	}
	service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED")
}

// Whose address counts: the connection's, unless that is a trusted proxy's; then
// the last one in X-Forwarded-For that is not. What stands before it, the caller
// may have made up, so a new one there every time helps nobody.
func TestForwardedFor(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	noted := func() string {
		return modelstest.ValueAt[string](t, w.URL, `SELECT coalesce(last_used_address, '') FROM api_keys`)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, row := range []struct {
		what      string
		trusted   []netip.Prefix
		forwarded []string // each a header of its own; NEW is another number every time
		address   string
	}{
		{"no proxy is trusted", nil, []string{"203.0.113.NEW"}, "127.0.0.1"},
		{"another proxy is trusted", trusted[1:], []string{"203.0.113.NEW"}, "127.0.0.1"},
		{"nothing forwarded", trusted, nil, "127.0.0.1"},
		{"one hop", trusted, []string{"203.0.113.7"}, "203.0.113.7"},
		{"a made-up one before it", trusted, []string{"198.51.100.NEW, 203.0.113.7"}, "203.0.113.7"},
		{"a made-up one, in a header of its own", trusted, []string{"198.51.100.NEW", "203.0.113.7"}, "203.0.113.7"},
		{"a made-up proxy", trusted, []string{"198.51.100.NEW, 10.0.0.1, 203.0.113.7"}, "203.0.113.7"},
		{"proxies behind", trusted, []string{"198.51.100.NEW, 203.0.113.7,10.1.2.3 ,  127.0.0.9"}, "203.0.113.7"},
		{"proxies behind, in headers", trusted, []string{"198.51.100.NEW, 203.0.113.7", "10.1.2.3", "fd00::1"}, "203.0.113.7"},
		{"proxies alone", trusted, []string{"10.9.9.9, 10.1.2.3"}, "10.9.9.9"},
		{"what is no address", trusted, []string{"198.51.100.NEW, unknown"}, "127.0.0.1"},
		{"what is no address, before a proxy", trusted, []string{"198.51.100.NEW, <x>, 10.1.2.3"}, "10.1.2.3"},
		{"nothing in it", trusted, []string{""}, "127.0.0.1"},
		{"IPv6", trusted, []string{"198.51.100.NEW, 2001:DB8::1"}, "2001:db8::1"},
		{"IPv4 in IPv6", trusted, []string{"::ffff:203.0.113.7, ::ffff:10.0.0.1"}, "203.0.113.7"},
	} {
		service := serve(t, modelstest.Open(t, w.URL, models.Service), settings{failures: 3, trustedProxies: row.trusted})
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
		service.send(t, "GET", "/api/v1/companies", with(header(a.token)...)).requireOK(t)
		require.Eventually(t, func() bool { return noted() == row.address }, patience, pollEvery, "%s: %s", row.what, noted())
		for range 3 {
			service.send(t, "GET", "/api/v1/companies", with(header("bad")...)).requireError(t, 401, "UNAUTHORIZED")
		}
		service.send(t, "GET", "/api/v1/companies", with(header("bad")...)).requireBlocked(t)
		if row.trusted != nil && &row.trusted[0] == &trusted[0] { // another caller behind the same proxy is not
			service.send(t, "GET", "/api/v1/companies", with("X-API-Key", "bad", "X-Forwarded-For", "192.0.2.1")).requireError(t, 401, "UNAUTHORIZED")
		}
	}
}
