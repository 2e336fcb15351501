package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// openPaths are the paths that need no key, and keyPaths those that need one.
var (
	openPaths = []string{"/api/health", "/api/health/live", "/api/openapi.json", "/api/openapi.yaml"}
	keyPaths  = []string{
		"/api/v1/companies",
		"/api/v1/companies/10000001",
		"/api/v1/companies/10000001/transactions",
		"/api/v1/transactions",
		"/api/v1/days",
		"/api/v1/companies/10000001/days",
		"/api/v1/changes",
	}
	paths = slices.Clip(slices.Concat(openPaths, keyPaths))
)

// /health and /health/live need no key and have exactly this body.
func TestHealth(t *testing.T) {
	t.Parallel()
	_, _, service := start(t, settings{})
	for _, path := range []string{"/api/health", "/api/health/live"} {
		for _, header := range []http.Header{nil, withKey("whatever")} {
			healthy := service.send(t, "GET", path, header)
			healthy.requireOK(t)
			require.Equal(t, `{"status":"ok"}`, string(healthy.body))
			require.Equal(t, "application/json", healthy.header.Get("Content-Type"))
		}
	}
}

// The OpenAPI document is served as JSON and YAML, without a key. Its links to the
// documentation are absolute where the service's address is known.
func TestOpenAPIDocument(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, settings{})
	asJSON := service.send(t, "GET", "/api/openapi.json", nil)
	asJSON.requireOK(t)
	document := asJSON.object(t)
	require.Equal(t, "3.1.0", document["openapi"])
	require.Equal(t, docsURL+"/support", document["info"].(object)["contact"].(object)["url"])
	require.Equal(t, docsURL, document["externalDocs"].(object)["url"])
	asYAML := service.send(t, "GET", "/api/openapi.yaml", nil)
	asYAML.requireOK(t)
	for _, line := range []string{"openapi: 3.1.0\n", " url: " + docsURL + "/support\n", " url: " + docsURL + "\n"} {
		require.Contains(t, string(asYAML.body), line)
	}
}

// Any method but GET and HEAD, even an unknown one, is refused with 405 and Allow,
// before the key and the parameters are checked.
func TestOtherMethodsAreRefused(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, settings{})
	for _, path := range append(paths, "/api/v1/companies/1", "/api/v1/companies/1/transactions?limit=0") {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "PROPFIND", "get", "Get"} {
			refused := service.send(t, method, path, nil)
			refused.requireError(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "GET")
			require.Equal(t, []string{"GET, HEAD"}, refused.header["Allow"], "%s %s", method, path)
		}
	}
}

// HEAD answers like GET, also for errors: with the same headers but no body.
func TestHeadAnswersLikeGet(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 3)
	variable := []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit"}
	for _, path := range append(paths,
		"/api/nothing", "/api/v1/companies?limit=0", "/api/v1/companies/1", "/api/v1/companies/10000002",
		"/api/v1/companies?limit=1&after=0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b&before=0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b") {
		for _, key := range []string{a.token, "none"} {
			got, head := service.get(t, path, key), service.send(t, "HEAD", path, withKey(key))
			require.Equal(t, got.status, head.status, path)
			require.Empty(t, head.body)
			require.NotEmpty(t, got.body)
			for _, name := range variable {
				require.Equal(t, got.header.Get(name) == "", head.header.Get(name) == "", "%s: %s", path, name)
				got.header.Del(name)
				head.header.Del(name)
			}
			require.Equal(t, got.header, head.header, path)
		}
	}
}

// Any other path under /api gets 404 NOT_FOUND for every method, before the key is
// checked. A bad key does not count as a failure there.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	_, _, service := start(t, settings{failures: 1})
	for _, path := range []string{
		"/api", "/api/", "/api?limit=1", "/api/nothing", "/api/v1", "/api/v1/", "/api/v2/companies", "/api/v2/x", "/api/v11/companies",
		"/api/v1/companies/", "/api/v1/companies/10000001/", "/api/v1/companies/10000001/transactions/",
		"/api/v1/companies/10000001/transactions/1", "/api/v1/companies/10000001/nothing", "/api/v1/companies//transactions",
		"/api/v1/company", "/api/v1/companiesx", "/api/V1/companies", "/api/v1/Companies", "/api/v1/companies/10000001/Transactions",
		"/api//v1/companies", "/api/v1//companies", "/api/v1/companies//10000001", "/api//health", "/api/health/", "/api/Health", "/api/healthz",
		"/api/v1%2Fcompanies", "/api/%2Fhealth", "/api/v1/../health", "/api/./health", "/api/openapi.json/", "/api/openapi", "/api/api/health",
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "BREW"} {
			service.send(t, method, path, withKey("bad")).requireError(t, http.StatusNotFound, "NOT_FOUND")
		}
		require.Equal(t, http.StatusNotFound, service.send(t, "HEAD", path, nil).status)
	}
	service.get(t, "/api/v1/companies", "bad").requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
	service.get(t, "/api/v1/companies", "bad").requireError(t, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
}

// Requests are checked in this order: route and method (404, 405), key (401), rate
// limit (429), parameters (400, 422), lookup (404). Each row fails two neighbouring
// checks.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	service := serve(t, w.Service, settings{minute: 8})
	const both = "after=0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b&before=0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"

	for range 8 { // b has nothing left
		service.get(t, "/api/v1/companies", b.token).requireOK(t)
	}
	for _, row := range []struct {
		method, path, key string
		status            int
		code              string
	}{
		{"POST", "/api/v1/nothing", "bad", 404, "NOT_FOUND"},
		{"POST", "/api/v1/companies", "bad", 405, "METHOD_NOT_ALLOWED"},
		{"POST", "/api/v1/companies", b.token, 405, "METHOD_NOT_ALLOWED"},
		{"GET", "/api/v1/companies/1", "bad", 401, "UNAUTHORIZED"},
		{"GET", "/api/v1/companies?limit=0", "", 401, "UNAUTHORIZED"},
		{"GET", "/api/v1/companies/10000001", "bad", 401, "UNAUTHORIZED"},
		{"GET", "/api/v1/companies/1", b.token, 429, "RATE_LIMIT_EXCEEDED"},
		{"GET", "/api/v1/companies?limit=0", b.token, 429, "RATE_LIMIT_EXCEEDED"},
		{"GET", "/api/v1/companies?" + both, b.token, 429, "RATE_LIMIT_EXCEEDED"},
		{"GET", "/api/v1/companies/10000001", b.token, 429, "RATE_LIMIT_EXCEEDED"},
		{"GET", "/api/v1/companies/1", a.token, 400, "BAD_REQUEST"},
		{"GET", "/api/v1/companies/1/transactions", a.token, 400, "BAD_REQUEST"},
		{"GET", "/api/v1/companies/10000001/transactions?limit=0", a.token, 400, "BAD_REQUEST"},
		{"GET", "/api/v1/companies/10000001/transactions?limit=0&" + both, a.token, 400, "BAD_REQUEST"},
		{"GET", "/api/v1/companies/10000001/transactions?" + both, a.token, 422, "VALIDATION_ERROR"},
		{"GET", "/api/v1/companies/10000001/transactions", a.token, 404, "COMPANY_NOT_FOUND"},
	} {
		service.send(t, row.method, row.path, withKey(row.key)).requireError(t, row.status, row.code)
	}
}

// The API answers no path outside /api, even if it starts with the same letters.
func TestPathsOutsideTheAPI(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, settings{})
	for _, path := range []string{"/", "/health", "/apiary", "/api-keys", "/API/health", "/v1/companies", "/API%2Fhealth"} {
		answer := service.exchange(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		require.Contains(t, answer, "\r\n\r\nno such page", path)
	}
}
