package api_test

import (
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// sealed gives a key's text its checksum: CRC-32 of what stands before it, in six
// digits of base62.
func sealed(body string) string {
	rest := crc32.ChecksumIEEE([]byte(body))
	digits := make([]byte, 6)
	for i := range digits {
		digits[5-i] = base62[rest%62]
		rest /= 62
	}
	return body + string(digits)
}

// otherSecret is the key with another secret, and the checksum of that.
func otherSecret(token string) string { return withSecret(token, strings.Repeat("x", 32)) }

func withSecret(token, secret string) string { return sealed(token[:len("dispo_")+12+1] + secret) }

// unknownKey is well-formed, and nobody's.
var unknownKey = sealed("dispo_000000000000_" + strings.Repeat("0", 32))

// badKeys are texts that are no keys, by what is wrong with them.
func badKeys(token string) map[string]string {
	flip := func(at int) string {
		other := byte('a')
		if token[at] == other {
			other = 'b'
		}
		return token[:at] + string(other) + token[at+1:]
	}
	swapped := []byte(token)
	for i := 20; ; i++ {
		if swapped[i] != swapped[i+1] {
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			break
		}
	}
	return map[string]string{
		"a typo in the checksum":     flip(len(token) - 1),
		"a typo in the secret":       flip(30),
		"a typo in the lookup id":    flip(8),
		"two characters swapped":     string(swapped),
		"another case":               strings.ToUpper(token),
		"the last character missing": token[:len(token)-1],
		"the first one missing":      token[1:],
		"one too many":               token + "0",
		"twice":                      token + token,
		"no prefix":                  strings.TrimPrefix(token, "dispo_"),
		"another prefix":             sealed("dizpo_" + token[6:len(token)-6]),
		"a prefix in capitals":       sealed("DISPO_" + token[6:len(token)-6]),
		"no separator":               sealed(token[:18] + "0" + token[19:len(token)-6]),
		"a separator too many":       sealed(token[:30] + "_" + token[31:len(token)-6]),
		"a sign that is no digit":    sealed(token[:30] + "-" + token[31:len(token)-6]),
		"a letter beyond ASCII":      sealed(token[:30] + "ø" + token[32:len(token)-6]),
		"nothing but the prefix":     "dispo_",
		"a bearer token":             "Bearer " + token,
		"in quotes":                  `"` + token + `"`,
		"very long":                  strings.Repeat(token, 100),
		"something else":             "hunter2",
		"bytes that are no text":     "\xff\xfe\xff",
	}
}

// A missing key is 401 with WWW-Authenticate, wherever one is required, and the
// message says "missing"; a malformed one "malformed".
func TestKeyMissingOrMalformed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, w.Service, settings{})
	for _, path := range paths[3:] {
		service.get(t, path, a.token).requireOK(t)
		service.send(t, "GET", path, nil).requireError(t, 401, "UNAUTHORIZED", "missing", "X-API-Key")
		service.get(t, path, "").requireError(t, 401, "UNAUTHORIZED", "missing")
		service.send(t, "GET", path, with("Authorization", "Bearer "+a.token)).requireError(t, 401, "UNAUTHORIZED", "missing")
		service.send(t, "GET", path+"?X-API-Key="+a.token+"&api_key="+a.token, nil).requireError(t, 401, "UNAUTHORIZED", "missing")
	}
	for what, key := range badKeys(a.token) {
		bad := service.get(t, "/api/v1/companies", key)
		bad.requireError(t, 401, "UNAUTHORIZED", "malformed")
		require.Equal(t, `ApiKey realm="dispo"`, bad.header.Get("WWW-Authenticate"), what)
	}
	// The name of a header has no case.
	service.send(t, "GET", "/api/v1/companies", with("x-api-key", a.token)).requireOK(t)
}

// A key that is nobody's, and one with somebody's lookup id but another secret,
// are "invalid", the one told like the other, at the first time as at the next;
// also where the key of that lookup id is revoked or expired.
func TestKeyInvalid(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	good, revoked, expired := newTenant(t, w, "a"), newTenant(t, w, "b"), newTenant(t, w, "c")
	service := serve(t, w.Service, settings{})
	_, err := w.Service.Tenant(revoked.ID).KeyRevoke(t.Context(), revoked.key.ID)
	require.NoError(t, err)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1`, expired.key.ID)

	expected := service.get(t, "/api/v1/companies", unknownKey)
	expected.requireError(t, 401, "UNAUTHORIZED", "invalid")
	for _, secret := range []string{strings.Repeat("x", 32), strings.Repeat("y", 32)} { // before the right one was seen, and after
		for _, token := range []string{unknownKey, good.token, revoked.token, expired.token} {
			for range 2 {
				require.Equal(t, string(expected.body), string(service.get(t, "/api/v1/companies", withSecret(token, secret)).body))
			}
		}
		// To who holds the key it is told what has become of it.
		service.get(t, "/api/v1/companies", good.token).requireOK(t)
		service.get(t, "/api/v1/companies", revoked.token).requireError(t, 401, "UNAUTHORIZED", "revoked")
		service.get(t, "/api/v1/companies", expired.token).requireError(t, 401, "UNAUTHORIZED", "expired")
	}
}

// A key that was used before its expiry is refused from the moment on that it expires.
func TestKeyExpires(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{})
	expiry := time.Now().Add(2 * time.Second)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = $1`, expiry)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	var last answer
	require.Eventually(t, func() bool {
		asked := time.Now()
		last = service.get(t, "/api/v1/companies", a.token)
		require.True(t, last.status != 200 || asked.Before(expiry))
		return last.status != 200
	}, patience, pollEvery)
	require.True(t, time.Now().After(expiry))
	last.requireError(t, 401, "UNAUTHORIZED", "expired")
}

// A revoked key outweighs an expired one: both are true, and the revocation is told.
func TestKeyRevokedAndExpired(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = now() - interval '1 hour', revoked_at = now() - interval '1 minute'`)
	serve(t, w.Service, settings{}).get(t, "/api/v1/companies", a.token).requireError(t, 401, "UNAUTHORIZED", "revoked")
}

// A key that is missing or malformed never reaches the database: it is refused as
// ever while that is away, when a well-formed key can't be judged.
func TestTypoNeverReachesTheDatabase(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	database := newProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, database.url, models.Service), settings{})
	database.setAll(cut)
	service.get(t, "/api/v1/companies", a.token).requireError(t, 503, "SERVICE_UNAVAILABLE")
	service.get(t, "/api/v1/companies", "").requireError(t, 401, "UNAUTHORIZED", "missing")
	for _, key := range badKeys(a.token) {
		service.get(t, "/api/v1/companies", key).requireError(t, 401, "UNAUTHORIZED", "malformed")
	}
}

// With another server's secret, or none, bcrypt decides; with another one the
// fingerprint is made anew, and is enough from then on.
func TestKeyUnderAnotherServerSecret(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := tenant{Organization: w.Organization(t, "a")}
	var err error
	a.key, a.token, err = w.Service.Tenant(a.ID).KeyCreate(t.Context(), models.NewAPIKey{Name: "made as people make it"})
	require.NoError(t, err)
	open := func(secret string) *instance {
		store := modelstest.OpenConfig(t, models.Config{URL: w.URL, Role: models.Service, Secret: []byte(secret), MaxConnections: 4})
		return serve(t, store, settings{})
	}
	fingerprint := func() []byte { return modelstest.ValueAt[[]byte](t, w.URL, `SELECT fingerprint FROM api_keys`) }
	// On a busy machine bcrypt may outlast a request; what it finds is kept.
	decide := func(service *instance, key string) (got answer) {
		require.Eventually(t, func() bool {
			got = service.get(t, "/api/v1/companies", key)
			return got.status != 503
		}, patience, pollEvery)
		return got
	}
	requireDecided := func(service *instance, good bool) {
		decide(service, otherSecret(a.token)).requireError(t, 401, "UNAUTHORIZED", "invalid")
		if good {
			decide(service, a.token).requireOK(t)
		} else {
			decide(service, a.token).requireError(t, 401, "UNAUTHORIZED", "invalid")
		}
	}

	first := fingerprint()
	require.NotNil(t, first)
	requireDecided(open(""), true)
	require.Equal(t, first, fingerprint())

	const secret = "another secret of thirty-two bytes or more"
	requireDecided(open(secret), true)
	second := fingerprint()
	require.NotEqual(t, first, second)

	// From here on the hash fits no key: only the fingerprint can decide for one.
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET secret_hash = '$2a$10$abcdefghijklmnopqrstuuu8yYyYyYyYyYyYyYyYyYyYyYyYyYyYy'`)
	requireDecided(open(secret), true)
	requireDecided(open(""), false)
	requireDecided(open(string(modelstest.Secret)), false)
	require.Equal(t, second, fingerprint())
}

// The key's last use is noted with the caller's address and user agent.
func TestKeyUseIsNoted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{})
	service.send(t, "GET", "/api/v1/companies", with("X-API-Key", a.token, "User-Agent", "bogholderi/1.0")).requireOK(t)
	require.Eventually(t, func() bool {
		keys, err := w.Service.Tenant(a.ID).Keys(t.Context())
		require.NoError(t, err)
		return keys[0].LastUsedAt != nil && *keys[0].LastUsedAddress == "127.0.0.1" && *keys[0].LastUsedUserAgent == "bogholderi/1.0"
	}, patience, pollEvery)
}
