package api_test

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// requireLimit checks the rate limit headers of an answer.
func (a answer) requireLimit(t testing.TB, window string, limit, remaining int64) {
	t.Helper()
	length := map[string]int64{"minute": 60, "hour": 3600}[window]
	require.Equal(t, fmt.Sprint(limit), a.header.Get("X-RateLimit-Limit"))
	require.Equal(t, fmt.Sprint(remaining), a.header.Get("X-RateLimit-Remaining"))
	reset, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, reset, time.Now().Add(-a.took).Unix())
	require.LessOrEqual(t, reset, time.Now().Unix()+length+1)
	var left, seconds int64
	_, err = fmt.Sscanf(a.header.Get("RateLimit"), `"`+window+`";r=%d;t=%d`, &left, &seconds)
	require.NoError(t, err, a.header.Get("RateLimit"))
	require.Equal(t, remaining, left)
	require.LessOrEqual(t, seconds, length)
	// X-RateLimit-Reset is a time and RateLimit has seconds from now: both the same.
	require.InDelta(t, reset, float64(time.Now().Unix()+seconds), math.Ceil(a.took.Seconds())+1)
}

// With 60 requests a minute and 1,000 an hour, every authenticated request counts,
// GET or HEAD, whatever its status, also 304, and its answer says how many are left. The headers
// are spelled as in the contract.
func TestLimitHeaders(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{minute: 60, hour: 1000})
	w.Companies(t, a.Organization, "10000001")
	const id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	remaining := int64(60)
	for _, row := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/api/v1/companies", 200},
		{"GET", "/api/v1/companies/10000001", 200},
		{"GET", "/api/v1/companies/10000001/transactions", 200},
		{"HEAD", "/api/v1/companies", 200},
		{"GET", "/api/v1/companies/1", 400},
		{"GET", "/api/v1/companies?limit=0", 400},
		{"GET", "/api/v1/companies?after=" + id + "&before=" + id, 422},
		{"GET", "/api/v1/companies/10000002", 404},
		{"HEAD", "/api/v1/companies/10000002/transactions", 404},
	} {
		got := service.send(t, row.method, row.path, withKey(a.token))
		require.Equal(t, row.status, got.status)
		remaining--
		got.requireLimit(t, "minute", 60, remaining)
		require.Equal(t, `"minute";q=60;w=60, "hour";q=1000;w=3600`, got.header.Get("RateLimit-Policy"))
	}
	tag := service.get(t, "/api/v1/companies", a.token).header.Get("ETag")
	remaining--
	for _, tags := range []string{tag, "*", tag} {
		unchanged := service.send(t, "GET", "/api/v1/companies", ifNoneMatch(a.token, tags))
		require.Equal(t, 304, unchanged.status)
		remaining--
		unchanged.requireLimit(t, "minute", 60, remaining)
	}
	raw := service.exchange(t, "GET /api/v1/companies HTTP/1.1\r\nHost: x\r\nX-API-Key: "+a.token+"\r\nConnection: close\r\n\r\n")
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit", "X-Request-Id"} {
		require.Contains(t, raw, "\r\n"+name+": ")
	}
}

// A request beyond the limit gets 429, with the seconds to wait in the body and in
// Retry-After: at most the window's length, and at least what is left of it.
func TestLimitExceeded(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{minute: 3})
	w.Companies(t, a.Organization, "10000001")
	start := time.Now()
	for range 3 {
		service.get(t, "/api/v1/companies", a.token).requireOK(t)
	}
	for _, path := range keyPaths {
		refused := service.get(t, path, a.token)
		refused.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
		refused.requireLimit(t, "minute", 3, 0)
		wait := retryAfter(t, refused)
		require.LessOrEqual(t, wait, int64(60))
		require.GreaterOrEqual(t, wait, int64(60)-int64(math.Ceil(time.Since(start).Seconds())))
		require.Equal(t, 429, service.send(t, "HEAD", path, withKey(a.token)).status)
	}
}

func retryAfter(t testing.TB, a answer) int64 {
	t.Helper()
	seconds, err := strconv.ParseInt(a.header.Get("Retry-After"), 10, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, int64(1))
	return seconds
}

// Requests are counted by organization, over all of its keys, or by key if an operator
// chooses so.
func TestLimitByOrganizationOrKey(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	_, second := w.Key(t, a.Organization)
	for _, byKey := range []bool{false, true} {
		service := serve(t, w.Service, settings{minute: 4, limitByKey: byKey})
		for n := range int64(2) {
			for i, key := range []string{second, a.token} {
				left := 3 - 2*n - int64(i)
				if byKey {
					left = 3 - n
				}
				service.get(t, "/api/v1/companies", key).requireLimit(t, "minute", 4, left)
			}
		}
		_, third := w.Key(t, a.Organization)
		for _, key := range []string{a.token, second, third} {
			require.Equal(t, map[bool]int{false: 429, true: 200}[byKey], service.get(t, "/api/v1/companies", key).status)
		}
		service.get(t, "/api/v1/companies", b.token).requireLimit(t, "minute", 4, 3)
	}
}

// An organization's own limits hold for all of its keys together, or for each where keys are
// counted, within a second and over what was counted before. A bulk read counts as all of a
// limit that is smaller than its share. Another organization keeps the service's.
func TestOwnLimits(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	_, second := w.Key(t, a.Organization)
	for _, byKey := range []bool{false, true} {
		service := serve(t, w.Service, settings{minute: 4, hour: 1000, limitByKey: byKey})
		left := func(key string) (limit, remaining string) {
			got := service.get(t, "/api/v1/companies", key)
			return got.header.Get("X-RateLimit-Limit"), got.header.Get("X-RateLimit-Remaining")
		}
		set := func(minute int64) {
			_, err := w.Operator.Tenant(a.Organization.ID).Limit(t.Context(), func(own *models.Limits) { own.LimitMinute = minute })
			require.NoError(t, err)
			modelstest.Eventually(t, func() bool {
				got := service.get(t, "/api/v1/companies", a.token)
				return strings.HasPrefix(got.header.Get("RateLimit-Policy"), fmt.Sprintf(`"minute";q=%d;`, cmp.Or(minute, 4)))
			})
		}
		for range 5 {
			left(a.token)
		}
		set(100)
		limit, _ := left(a.token)
		require.Equal(t, "100", limit)
		_, remaining := left(second)
		require.Equal(t, byKey, remaining == "99")
		service.get(t, "/api/v1/companies", b.token).requireLimit(t, "minute", 4, 3)
		set(0)
		service.get(t, "/api/v1/companies", a.token).requireError(t, 429, "RATE_LIMIT_EXCEEDED")

		c := newTenant(t, w, fmt.Sprint("c-", byKey))
		_, err := w.Operator.Tenant(c.ID).Limit(t.Context(), func(own *models.Limits) { own.LimitMinute = 10 })
		require.NoError(t, err)
		service.inBulk(t, "GET", "", c.token, "text/csv").requireLimit(t, "minute", 10, 0)
	}
}

// Only authenticated requests count. Paths that need no key, bad keys, unknown paths
// and other methods do not.
func TestLimitCountsOnlyAuthenticatedRequests(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{hour: 9})
	for remaining := int64(8); remaining >= 0; remaining-- {
		for _, path := range []string{"/api/health", "/api/openapi.json", "/api/nothing"} {
			require.Empty(t, service.get(t, path, a.token).header.Get("RateLimit"))
		}
		service.send(t, "POST", "/api/v1/companies", withKey(a.token)).requireError(t, 405, "METHOD_NOT_ALLOWED")
		for _, key := range []string{"", otherSecret(a.token), unknownKey, a.token + "x"} {
			service.get(t, "/api/v1/companies", key).requireError(t, 401, "UNAUTHORIZED")
		}
		service.get(t, "/api/v1/companies", a.token).requireLimit(t, "hour", 9, remaining)
	}
	service.get(t, "/api/health", a.token).requireOK(t)
}
