package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// ifNoneMatch returns the headers of a request by a client that has an answer already.
func ifNoneMatch(key, tags string) http.Header {
	return headers("X-API-Key", key, "If-None-Match", tags)
}

// A request with the current ETag gets 304, in every form that If-None-Match may have, and
// with what proxies that compress add to it. Any other tag gets the full answer.
func TestNotModified(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001", "10000002")
	w.Delivery(t, "10000001", 3)
	for _, path := range []string{
		"/api/v1/companies", "/api/v1/companies?limit=1", "/api/v1/companies/10000001",
		"/api/v1/companies/10000001/transactions", "/api/v1/days", "/api/v1/companies/10000001/days?limit=1", "/api/v1/changes", "/api/openapi.json", "/api/openapi.yaml",
	} {
		full := service.get(t, path, a.token)
		full.requireOK(t)
		tag := full.header.Get("ETag")
		suffixed := func(suffix string) string { return strings.TrimSuffix(tag, `"`) + suffix + `"` }
		for _, tags := range []string{
			tag, tag[2:], `"other", ` + tag, tag + `,"other"`,
			suffixed("-gzip"), suffixed("--gzip"), suffixed("-br"), suffixed("-zstd"), suffixed(";gzip"), suffixed("-gzip")[2:], `"other-gzip", ` + suffixed("-br"),
		} {
			for _, method := range []string{"GET", "HEAD"} {
				got := service.send(t, method, path, ifNoneMatch(a.token, tags))
				require.Equal(t, http.StatusNotModified, got.status, "%s %s %s", method, path, tags)
				require.Equal(t, tag, got.header.Get("ETag"))
				for _, name := range []string{"Cache-Control", "Vary", "X-Data-Version"} {
					require.Equal(t, full.header.Get(name), got.header.Get(name), name)
				}
			}
		}
		// The header may have several lines (RFC 9110 section 5.3).
		for _, lines := range [][]string{{`"other"`, tag}, {tag, `"other"`}, {"", `"a", "b"`, `"c", ` + tag}} {
			header := withKey(a.token)
			header["If-None-Match"] = lines
			require.Equal(t, http.StatusNotModified, service.send(t, "GET", path, header).status, "%s %s", path, lines)
		}
		for _, tags := range []string{`"other"`, tag[2 : len(tag)-1], tag[:5] + `"`, "", suffixed("-"), suffixed("-gzip-"), suffixed("gzip"), suffixed("-deflate"), tag[:5] + `-gzip"`} {
			got := service.send(t, "GET", path, ifNoneMatch(a.token, tags))
			require.Equal(t, http.StatusOK, got.status, tags)
			require.Equal(t, tag, got.header.Get("ETag"))
			require.Equal(t, full.body, got.body)
		}
	}
	require.Equal(t, http.StatusNotModified,
		service.send(t, "GET", "/api/openapi.json", headers("If-None-Match", "*")).status)
	// * matches any answer, but there has to be one.
	require.Equal(t, http.StatusNotModified,
		service.send(t, "GET", "/api/v1/companies/10000001", ifNoneMatch(a.token, "*")).status)
	service.send(t, "GET", "/api/v1/companies/99999999", ifNoneMatch(a.token, "*")).
		requireError(t, 404, "COMPANY_NOT_FOUND")
	service.send(t, "GET", "/api/v1/companies?limit=0", ifNoneMatch(a.token, "*")).requireError(t, 400, "BAD_REQUEST")
}

// ETags differ by organization and by request, and stay the same for the same request.
// Only the meaning of the parameters counts.
func TestTags(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	for _, tenant := range []tenant{a, b} {
		w.Companies(t, tenant.Organization, "10000001", "10000002")
	}
	// Both have the same data version, so that only the organization differs.
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET data_version = 1`)
	service := serve(t, modelstest.Open(t, w.URL, database.Service), settings{})
	const id = "019b8d47-03bd-7c41-9f02-5e7a1b3c4d60"
	seen := map[string]string{}
	for _, tenant := range []tenant{a, b} {
		for _, path := range []string{
			"/api/v1/companies", "/api/v1/companies?limit=49", "/api/v1/companies?after=" + id, "/api/v1/companies?before=" + id,
			"/api/v1/companies?after=00000000-0000-0000-0000-000000000000",
			"/api/v1/companies/10000001", "/api/v1/companies/10000002", "/api/v1/companies/10000001/transactions",
			"/api/v1/companies/10000002/transactions", "/api/v1/companies/10000001/transactions?after=" + id,
			"/api/v1/days", "/api/v1/days?after=2026-01-31", "/api/v1/companies/10000001/days",
		} {
			got := service.get(t, path, tenant.token)
			got.requireOK(t)
			tag := got.header.Get("ETag")
			require.Empty(t, seen[tag], path)
			seen[tag] = path
			require.Equal(t, tag, service.get(t, path, tenant.token).header.Get("ETag"), path)
		}
		tag := service.get(t, "/api/v1/companies", tenant.token).header.Get("ETag")
		require.Equal(t, tag, service.get(t, "/api/v1/companies?limit=50&other=1", tenant.token).header.Get("ETag"))
	}
}
