package api_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
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

// revoke revokes the tenant's key on that instance.
func (a tenant) revoke(t testing.TB, store *modelstest.Instance) {
	t.Helper()
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), store.Tenant(a.ID), a.key.ID)))
}

// After 30 failures a minute from one address, of any kind, further bad keys get 429, and so
// does one that only bcrypt can decide about. So one that loops behind a shared address locks
// no good key out that some instance has verified before: here one with an empty memory, as
// after a restart. Authenticated requests, also beyond their limit, unknown paths and other
// methods do not count as failures, and paths that need no key still work.
func TestFailuresAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	known, unknown, revoked, busy := newTenant(t, w, "known"), newTenant(t, w, "unknown"), newTenant(t, w,
		"revoked"), newTenant(t, w, "busy")
	before := serve(t, w.Service, settings{})
	before.get(t, "/api/v1/companies", known.token).requireOK(t)
	revoked.revoke(t, w.Service)
	store := modelstest.OpenFollowing(t, w.URL)
	service := serve(t, store, settings{failures: 30, minute: 5})
	for i := range 10 {
		require.Equal(t, map[bool]int{true: 404, false: 429}[i < 5],
			service.get(t, "/api/v1/companies/10000001", busy.token).status)
		service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")
		service.send(t, "POST", "/api/v1/companies", nil).requireError(t, 405, "METHOD_NOT_ALLOWED")
	}

	bad := []string{"", "malformed", unknownKey, otherSecret(known.token), revoked.token}
	for i := range 30 {
		service.get(t, keyPaths[i%3], bad[i%len(bad)]).requireError(t, 401, "UNAUTHORIZED")
	}
	for _, key := range append(bad, unknown.token) {
		service.get(t, "/api/v1/companies", key).requireBlocked(t)
	}
	require.Equal(t, 429, service.send(t, "HEAD", "/api/v1/companies", nil).status)
	service.get(t, "/api/v1/companies", known.token).requireOK(t)
	service.get(t, "/api/v1/companies/1", known.token).requireError(t, 400, "BAD_REQUEST")
	service.get(t, "/api/health", "").requireOK(t)
	service.get(t, "/api/nothing", "").requireError(t, 404, "NOT_FOUND")

	// A key that was verified and then revoked is blocked too.
	known.revoke(t, store)
	service.get(t, "/api/v1/companies", known.token).requireBlocked(t)
}

// The client's address is the connection's, unless that is a trusted proxy's. Then it
// is the last one in X-Forwarded-For that is not a trusted proxy's. A caller can make
// up the addresses before that one, so changing them does not evade the limit.
func TestForwardedFor(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	trusted := []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("fd00::/8"),
	}
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
		{"IPv6 in brackets", trusted, []string{"198.51.100.NEW, [2001:db8::7]"}, "2001:db8::7"},
		{"IPv6 with a port", trusted, []string{"198.51.100.NEW, [2001:db8::7]:4711, [fd00::1]:80"}, "2001:db8::7"},
		{"IPv4 with a port", trusted, []string{"198.51.100.NEW, 203.0.113.7:4711"}, "203.0.113.7"},
		{"a comma at the end", trusted, []string{"198.51.100.NEW, 203.0.113.7,", ", ,10.1.2.3, "}, "203.0.113.7"},
		{"brackets alone", trusted, []string{"198.51.100.NEW, []"}, "127.0.0.1"},
		{"IPv4 in IPv6", trusted, []string{"::ffff:203.0.113.7, ::ffff:10.0.0.1"}, "203.0.113.7"},
	} {
		access := &modelstest.Log{}
		service := serve(t, w.Service, settings{failures: 3, trustedProxies: row.trusted, access: access})
		send := func(number int, key string) answer {
			header := withKey(key)
			for _, line := range row.forwarded {
				header.Add("X-Forwarded-For", strings.ReplaceAll(line, "NEW", fmt.Sprint(number)))
			}
			return service.send(t, "GET", "/api/v1/companies", header)
		}
		send(1, a.token).requireOK(t)
		modelstest.Eventually(t, func() bool { return len(access.Records("address", row.address)) == 1 }, "%s: %s", row.name,
			access)
		for number := range 3 {
			send(number, "bad").requireError(t, 401, "UNAUTHORIZED")
		}
		send(4, "bad").requireBlocked(t)
		if row.trusted != nil && &row.trusted[0] == &trusted[0] { // another caller behind the same proxy is not blocked
			service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", "bad", "X-Forwarded-For", "192.0.2.1")).
				requireError(t, 401, "UNAUTHORIZED")
		}
	}
	w.Service.Close() // writes the last use
	require.Equal(t, "203.0.113.7", modelstest.ValueAt[string](t, w.URL, `SELECT last_used_address FROM api_keys`))
}
