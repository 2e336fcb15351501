package api_test

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/organizations"
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

// Every authenticated request counts, GET or HEAD, whatever its status, also 304, and its
// answer says how many are left of the window with the fewest, here of 15 a minute. Others
// do not count. The headers are spelled as in the contract. A request beyond the limit gets
// 429, with the seconds to wait in the body and in Retry-After: at most the window's length,
// and at least what is left of it.
func TestLimits(t *testing.T) {
	t.Parallel()
	began := time.Now()
	w, a, service := start(t, settings{minute: 15, hour: 1000})
	w.Companies(t, a.Organization, "10000001")
	tag := service.get(t, "/api/v1/companies", a.token).header.Get("ETag")
	const id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	left := int64(14)
	for _, row := range []struct {
		method, path string
		header       http.Header
		status       int
		counts       int64
	}{
		{"GET", "/api/v1/companies", withKey(a.token), 200, 1},
		{"GET", "/api/v1/companies/10000001", withKey(a.token), 200, 1},
		{"GET", "/api/v1/companies/10000001/transactions", withKey(a.token), 200, 1},
		{"HEAD", "/api/v1/companies", withKey(a.token), 200, 1},
		{"GET", "/api/v1/companies", ifNoneMatch(a.token, tag), 304, 1},
		{"GET", "/api/v1/companies", ifNoneMatch(a.token, "*"), 304, 1},
		{"GET", "/api/v1/companies/1", withKey(a.token), 400, 1},
		{"GET", "/api/v1/companies?limit=0", withKey(a.token), 400, 1},
		{"GET", "/api/v1/companies?after=" + id + "&before=" + id, withKey(a.token), 422, 1},
		{"GET", "/api/v1/companies/10000002", withKey(a.token), 404, 1},
		{"HEAD", "/api/v1/companies/10000002/transactions", withKey(a.token), 404, 1},
		{"GET", "/api/health", withKey(a.token), 200, 0},
		{"GET", "/api/openapi.json", withKey(a.token), 200, 0},
		{"GET", "/api/nothing", withKey(a.token), 404, 0},
		{"POST", "/api/v1/companies", withKey(a.token), 405, 0},
		{"GET", "/api/v1/companies", nil, 401, 0},
		{"GET", "/api/v1/companies", withKey(otherSecret(a.token)), 401, 0},
		{"GET", "/api/v1/companies", withKey(unknownKey), 401, 0},
		{"GET", "/api/v1/companies", withKey(a.token + "x"), 401, 0},
	} {
		got := service.send(t, row.method, row.path, row.header)
		require.Equal(t, row.status, got.status)
		if left -= row.counts; row.counts == 0 {
			require.Empty(t, got.header.Get("RateLimit"))
			continue
		}
		got.requireLimit(t, "minute", 15, left)
		require.Equal(t, `"minute";q=15;w=60, "hour";q=1000;w=3600`, got.header.Get("RateLimit-Policy"))
	}
	raw := service.exchange(t,
		"GET /api/v1/companies HTTP/1.1\r\nHost: x\r\nX-API-Key: "+a.token+"\r\nConnection: close\r\n\r\n")
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit", "X-Request-Id"} {
		require.Contains(t, raw, "\r\n"+name+": ")
	}
	for left--; left > 0; left-- {
		service.get(t, "/api/v1/companies", a.token).requireLimit(t, "minute", 15, left-1)
	}
	for _, path := range keyPaths {
		refused := service.get(t, path, a.token)
		refused.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
		refused.requireLimit(t, "minute", 15, 0)
		wait := retryAfter(t, refused)
		require.LessOrEqual(t, wait, int64(60))
		require.GreaterOrEqual(t, wait, int64(60)-int64(math.Ceil(time.Since(began).Seconds())))
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

// Requests are counted by organization, over all of its keys, or by key if an operator chooses
// so. So are an organization's own limits: they hold within a second and over what was counted
// before, and a bulk read counts as all of one that is smaller than its share. Another
// organization keeps the service's.
func TestLimitsByOrganizationOrKey(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	_, second := w.Key(t, a.Organization)
	for _, byKey := range []bool{false, true} {
		service := serve(t, w.Service, settings{minute: 1000, hour: 4, limitByKey: byKey})
		for n := range int64(2) {
			for i, key := range []string{second, a.token} {
				left := 3 - 2*n - int64(i)
				if byKey {
					left = 3 - n
				}
				service.get(t, "/api/v1/companies", key).requireLimit(t, "hour", 4, left)
			}
		}
		_, third := w.Key(t, a.Organization)
		for _, key := range []string{a.token, second, third} {
			require.Equal(t, map[bool]int{false: 429, true: 200}[byKey], service.get(t, "/api/v1/companies", key).status)
		}
		set := func(hour int64) {
			require.NoError(t, modelstest.ErrorOf(organizations.Limit(t.Context(), w.Operator.Tenant(a.Organization.ID),
				func(own *models.Limits) { own.LimitHour = hour })))
			modelstest.Eventually(t, func() bool {
				got := service.get(t, "/api/v1/companies", a.token)
				return strings.Contains(got.header.Get("RateLimit-Policy"), fmt.Sprintf(`"hour";q=%d;`, cmp.Or(hour, 4)))
			})
		}
		set(100)
		asked, got := int64(3), answer{} // by the second key
		modelstest.Eventually(t, func() bool {
			if got = service.get(t, "/api/v1/companies", second); got.status == 200 {
				asked++
			}
			return got.header.Get("X-RateLimit-Limit") == "100"
		})
		require.Equal(t, byKey, got.header.Get("X-RateLimit-Remaining") == fmt.Sprint(100-asked),
			"of the second key, after its requests")
		service.get(t, "/api/v1/companies", b.token).requireLimit(t, "hour", 4, 3)
		set(0)
		service.get(t, "/api/v1/companies", a.token).requireError(t, 429, "RATE_LIMIT_EXCEEDED")

		c := newTenant(t, w, fmt.Sprint("c-", byKey))
		require.NoError(t, modelstest.ErrorOf(
			organizations.Limit(t.Context(), w.Operator.Tenant(c.ID), func(own *models.Limits) { own.LimitHour = 10 })))
		service.inBulk(t, "GET", "", c.token, "text/csv").requireLimit(t, "hour", 10, 0)
	}
}
