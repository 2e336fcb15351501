package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// otherSecret returns the key with another secret and a valid checksum.
func otherSecret(token string) string { return withSecret(token, strings.Repeat("x", 32)) }

func withSecret(token, secret string) string {
	return modelstest.WithChecksum(token[:len("dispo_")+12+1] + secret)
}

// unknownKey is well formed but does not exist.
var unknownKey = modelstest.WithChecksum("dispo_000000000000_" + strings.Repeat("0", 32))

// A missing or malformed key gets 401 and WWW-Authenticate wherever a key is
// required. The message says "missing" or "malformed".
func TestKeyMissingOrMalformed(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001")
	for _, path := range keyPaths {
		service.get(t, path, a.token).requireOK(t)
		service.send(t, "GET", path, nil).requireError(t, 401, "UNAUTHORIZED", "missing", "X-API-Key")
		service.get(t, path, "").requireError(t, 401, "UNAUTHORIZED", "missing")
		service.send(t, "GET", path, headers("Authorization", "Bearer "+a.token)).
			requireError(t, 401, "UNAUTHORIZED", "missing")
		service.send(t, "GET", path+"?X-API-Key="+a.token+"&api_key="+a.token, nil).
			requireError(t, 401, "UNAUTHORIZED", "missing")
	}
	for _, key := range []string{a.token + "x", a.token[1:], "Bearer " + a.token, strings.Repeat(a.token, 100), "\xff\xfe\xff"} {
		bad := service.get(t, "/api/v1/companies", key)
		bad.requireError(t, 401, "UNAUTHORIZED", "malformed")
		require.Equal(t, `ApiKey realm="dispo"`, bad.header.Get("WWW-Authenticate"))
	}
	// Header names are case-insensitive.
	service.send(t, "GET", "/api/v1/companies", headers("x-api-key", a.token)).requireOK(t)
}

// Whitespace around the key is ignored. The header may appear only once: two of them
// get 400, even if both have the same good key, and don't count as a failure or against
// the limits. Where no key is needed, none is looked at.
func TestKeyWhitespaceAndTwoKeys(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{failures: 1, minute: 4})
	send := func(path, keys string) string {
		return service.exchange(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"+keys+"\r\n")
	}
	for _, key := range []string{"X-API-Key:" + a.token + "\r\n", "X-API-Key: \t " + a.token + "\t \r\n", "x-api-key:\t" + a.token + "\r\n"} {
		require.Contains(t, send("/api/v1/companies", key), "HTTP/1.1 200 OK")
	}
	for _, second := range []string{a.token, "", "bad"} {
		two := service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", a.token, "X-API-Key", second))
		two.requireError(t, 400, "BAD_REQUEST", "X-API-Key", "once")
		require.Empty(t, two.header.Get("X-RateLimit-Limit"))
		require.Empty(t, two.header.Get("WWW-Authenticate"))
		service.send(t, "GET", "/api/health", headers("X-API-Key", a.token, "X-API-Key", second)).requireOK(t)
	}
	service.get(t, "/api/v1/companies", a.token).requireLimit(t, "minute", 4, 0)
	service.get(t, "/api/v1/companies", "bad").requireError(t, 401, "UNAUTHORIZED")
}

// An unknown key, and one with an existing lookup id but a wrong secret, get the same
// answer, "invalid", the first time and later. This also holds for the lookup id of a key
// that is paused, expired or revoked. Whoever has the right secret learns which: the last that is
// so, because resuming an ended key would not help. Such a request is noted as refused, so that
// people see what still uses the key.
func TestKeyInvalid(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	service := serve(t, w.Service, settings{})
	tokens, tenants := map[string]string{"": unknownKey}, map[string]tenant{}
	for state, change := range map[string]string{
		"good": `name = name`, "paused": `paused_at = now()`, "expired": `paused_at = now(), expires_at = now()`, "revoked": `paused_at = now(), expires_at = now(), revoked_at = now()`,
	} {
		a := newTenant(t, w, state)
		tokens[state], tenants[state] = a.token, a
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET `+change+` WHERE id = $1`, a.key.ID)
	}
	expected := service.get(t, "/api/v1/companies", unknownKey)
	expected.requireError(t, 401, "UNAUTHORIZED", "invalid")
	for _, secret := range []string{strings.Repeat("x", 32), strings.Repeat("y", 32)} { // before and after the right secret was used
		for state, token := range tokens {
			for range 2 {
				require.Equal(t, string(expected.body), string(service.get(t, "/api/v1/companies", withSecret(token, secret)).body))
			}
			if state == "good" {
				service.get(t, "/api/v1/companies", token).requireOK(t)
			} else if state != "" {
				service.get(t, "/api/v1/companies", token).requireError(t, 401, "UNAUTHORIZED", state)
				a := tenants[state]
				modelstest.Eventually(t, func() bool {
					refusals, err := keys.Refusals(t.Context(), w.Service.Tenant(a.ID), &a.key.ID, 10)
					require.NoError(t, err)
					return len(refusals) > 0 && refusals[0].Status == 401 && refusals[0].Reason == state
				})
			}
		}
	}
}

// What is noted of a request says which page was read, or that it was read in bulk, the status, and
// how many rows were sent: none with 304, and none to HEAD.
func TestServedRequestsAreNoted(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001", "10000002", "10000003")
	importDelivery(t, w, "day.csv",
		"cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"+strings.Repeat(
			"10000001,1234,1,CARD,2026-01-30,1,1.00\n", 4))
	requireCaughtUp(t, w, a)
	list := service.get(t, "/api/v1/companies?x=1&limit=2", a.token)
	list.requireOK(t)
	header := withKey(a.token)
	header.Set("If-None-Match", list.header.Get("ETag"))
	require.Equal(t, 304, service.send(t, "GET", "/api/v1/companies?limit=2", header).status)
	require.Equal(t, 200, service.send(t, "HEAD", "/api/v1/companies", withKey(a.token)).status)
	require.Equal(t, 200, service.get(t, "/api/v1/companies/10000001", a.token).status)
	require.Equal(t, 404, service.get(t, "/api/v1/companies/10000009", a.token).status)
	require.Equal(t, 200, service.inBulk(t, "GET", "", a.token, "application/x-ndjson").status)
	w.Service.Close()
	require.Equal(t, []string{
		"/api/v1/companies?limit=2 200 2 f", "/api/v1/companies?limit=2 304 0 f",
		"/api/v1/companies 200 0 f", "/api/v1/companies/10000001 200 1 f",
		"/api/v1/companies/10000009 404 0 f", "/api/v1/transactions 200 4 t",
	}, selectKeys(t, w, `SELECT concat_ws(' ', path, status, row_count, bulk) FROM served_requests ORDER BY id`))
}
