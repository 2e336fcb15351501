package api_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// ifNoneMatch returns the headers of a request by a client that has an answer already.
func ifNoneMatch(key, tags string) http.Header {
	return headers("X-API-Key", key, "If-None-Match", tags)
}

// A request with the current ETag gets 304, in every form that If-None-Match may have.
// Any other tag gets the full answer.
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
		for _, tags := range []string{tag, tag[2:], `"other", ` + tag, tag + `,"other"`} {
			for _, method := range []string{"GET", "HEAD"} {
				got := service.send(t, method, path, ifNoneMatch(a.token, tags))
				require.Equal(t, http.StatusNotModified, got.status, "%s %s %s", method, path, tags)
				require.Equal(t, tag, got.header.Get("ETag"))
				require.Equal(t, full.header.Get("Cache-Control"), got.header.Get("Cache-Control"))
				require.Equal(t, full.header.Get("Vary"), got.header.Get("Vary"))
			}
		}
		// The header may have several lines (RFC 9110 section 5.3).
		for _, lines := range [][]string{{`"other"`, tag}, {tag, `"other"`}, {"", `"a", "b"`, `"c", ` + tag}} {
			header := withKey(a.token)
			header["If-None-Match"] = lines
			require.Equal(t, http.StatusNotModified, service.send(t, "GET", path, header).status, "%s %s", path, lines)
		}
		for _, tags := range []string{`"other"`, tag[2 : len(tag)-1], tag[:5] + `"`, ""} {
			got := service.send(t, "GET", path, ifNoneMatch(a.token, tags))
			require.Equal(t, http.StatusOK, got.status, tags)
			require.Equal(t, tag, got.header.Get("ETag"))
			require.Equal(t, full.body, got.body)
		}
	}
	require.Equal(t, http.StatusNotModified, service.send(t, "GET", "/api/openapi.json", headers("If-None-Match", "*")).status)
	// * matches any answer, but there has to be one.
	require.Equal(t, http.StatusNotModified, service.send(t, "GET", "/api/v1/companies/10000001", ifNoneMatch(a.token, "*")).status)
	service.send(t, "GET", "/api/v1/companies/99999999", ifNoneMatch(a.token, "*")).requireError(t, 404, "COMPANY_NOT_FOUND")
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

// Every change of an organization's data changes its ETags, and no other
// organization's.
func TestTagsChangeWithTheData(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001", "10000002")
	w.Companies(t, b.Organization, "20000001")
	service := serve(t, w.Service, settings{})
	tags := func(tenant tenant, cvr string) (all []string) {
		for _, path := range []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions", "/api/v1/days", "/api/v1/companies/" + cvr + "/days"} {
			all = append(all, service.get(t, path, tenant.token).header.Get("ETag"))
		}
		return all
	}
	others := tags(b, "20000001")
	for name, change := range map[string]func(){
		"a company is added": func() { w.Companies(t, a.Organization, "10000003") },
		"a company changes": func() {
			importCompanies(t, w, a.Organization, []string{"cvr", "name"}, []string{"10000001", "Another name"})
		},
		"a delivery is imported": func() { w.Delivery(t, "10000001", 2) },
	} {
		before := tags(a, "10000001")
		change()
		for i, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001", "/api/v1/companies/10000001/transactions", "/api/v1/days", "/api/v1/companies/10000001/days"} {
			modelstest.Eventually(t, func() bool {
				got := service.send(t, "GET", path, ifNoneMatch(a.token, before[i]))
				return got.status == http.StatusOK && got.header.Get("ETag") != before[i]
			}, "%s: %s", name, path)
		}
	}
	require.Equal(t, others, tags(b, "20000001"))
}

// A 304 counts against the rate limits like any other answer.
func TestNotModifiedCounts(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{minute: 5})
	tag := service.get(t, "/api/v1/companies", a.token).header.Get("ETag")
	for left := 3; left >= 0; left-- {
		got := service.send(t, "GET", "/api/v1/companies", ifNoneMatch(a.token, tag))
		require.Equal(t, http.StatusNotModified, got.status)
		require.Equal(t, strconv.Itoa(left), got.header.Get("X-RateLimit-Remaining"))
	}
	service.send(t, "GET", "/api/v1/companies", ifNoneMatch(a.token, tag)).requireError(t, 429, "RATE_LIMIT_EXCEEDED")
}
