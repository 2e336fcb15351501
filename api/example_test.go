package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

func preferring(key, prefer string) http.Header { return headers("X-API-Key", key, "Prefer", prefer) }

// sandboxPaths returns the three reads of a sandbox.
func sandboxPaths(t *testing.T, w *modelstest.World, a tenant) []string {
	t.Helper()
	cvr := modelstest.ValueAt[string](t, w.URL, `SELECT cvr FROM companies WHERE organization_id = $1 AND transaction_count > 0 ORDER BY cvr LIMIT 1`, a.ID)
	return []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"}
}

// exampleStatuses are the contract's error codes with their statuses.
var exampleStatuses = map[string]int{"BAD_REQUEST": 400, "UNAUTHORIZED": 401, "COMPANY_NOT_FOUND": 404, "NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405, "VALIDATION_ERROR": 422,
	"RATE_LIMIT_EXCEEDED": 429, "HEADERS_TOO_LARGE": 431, "INTERNAL_ERROR": 500, "SERVICE_UNAVAILABLE": 503}

// A sandbox's key gets every error of the contract on every read, with the body and the
// headers of the real one, and in addition Preference-Applied.
func TestExampleIsLikeTheRealError(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := withNewKey(t, w, w.Sandbox(t, "a"))
	paths := sandboxPaths(t, w, a)
	service := serve(t, w.Service, settings{minute: 1000})
	real := map[string]answer{
		"BAD_REQUEST":        service.get(t, "/api/v1/companies?limit=0", a.token),
		"UNAUTHORIZED":       service.get(t, "/api/v1/companies", modelstest.ForgeKey(a.token)),
		"COMPANY_NOT_FOUND":  service.get(t, "/api/v1/companies/12345678", a.token),
		"NOT_FOUND":          service.get(t, "/api/nothing", a.token),
		"METHOD_NOT_ALLOWED": service.send(t, "POST", "/api/v1/companies", withKey(a.token)),
		"VALIDATION_ERROR":   service.get(t, "/api/v1/companies?after="+a.ID.String()+"&before="+a.ID.String(), a.token),
	}
	for code, status := range exampleStatuses {
		for _, path := range paths {
			example := service.send(t, "GET", path, preferring(a.token, "example="+code))
			example.requireError(t, status, code)
			require.Equal(t, "example="+code, example.header.Get("Preference-Applied"))
			if code == "RATE_LIMIT_EXCEEDED" {
				require.Equal(t, "0", example.header.Get("X-RateLimit-Remaining"))
			}
			if real, ok := real[code]; ok {
				if cvr := strings.Split(path, "/"); code != "COMPANY_NOT_FOUND" || len(cvr) < 5 {
					require.Equal(t, string(real.body), string(example.body))
				} else {
					require.Contains(t, string(example.body), cvr[4])
				}
				for _, name := range []string{"Preference-Applied", "Cache-Control", "Vary", "Content-Length"} {
					example.header.Del(name)
					real.header.Del(name)
				}
				require.Equal(t, countValues(real.header), countValues(example.header), code)
			}
			require.Equal(t, status, service.send(t, "HEAD", path, preferring(a.token, "example="+code)).status)
		}
	}
	for _, path := range paths {
		service.get(t, path, a.token).requireOK(t)
	}
	require.Empty(t, service.log.Records("msg", "request failed"), "nobody is alarmed by an example")
}

// example=304 is a real 304, with the current tag, whatever the caller has. Where there is
// nothing to have, it is the real error.
func TestExampleOfUnmodified(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := withNewKey(t, w, w.Sandbox(t, "a"))
	service := serve(t, w.Service, settings{})
	for _, path := range sandboxPaths(t, w, a) {
		for range 2 { // without and with a remembered answer
			example := service.send(t, "GET", path, preferring(a.token, "example=304"))
			require.Equal(t, http.StatusNotModified, example.status)
			require.Empty(t, example.body)
			require.Equal(t, "example=304", example.header.Get("Preference-Applied"))
			full := service.get(t, path, a.token)
			full.requireOK(t)
			require.Equal(t, full.header.Get("ETag"), example.header.Get("ETag"))
			real := service.send(t, "GET", path, headers("X-API-Key", a.token, "If-None-Match", full.header.Get("ETag")))
			require.Equal(t, http.StatusNotModified, real.status)
			example.header.Del("Preference-Applied")
			require.Equal(t, countValues(real.header), countValues(example.header))
		}
		both := service.send(t, "GET", path, headers("X-API-Key", a.token, "Prefer", "wait=60, example=304", "If-None-Match", service.get(t, path, a.token).header.Get("ETag")))
		require.Equal(t, http.StatusNotModified, both.status)
		require.Equal(t, "example=304", both.header.Get("Preference-Applied"))
	}
	for path, code := range map[string]string{"/api/v1/companies/12345678": "COMPANY_NOT_FOUND", "/api/v1/companies/1": "BAD_REQUEST"} {
		real := service.send(t, "GET", path, preferring(a.token, "example=304"))
		real.requireError(t, map[string]int{"COMPANY_NOT_FOUND": 404, "BAD_REQUEST": 400}[code], code)
		require.Empty(t, real.header.Get("Preference-Applied"))
	}
}

// The preference is read as RFC 7240 says: names in any case, values also quoted, the first
// of several. What is no code is ignored.
func TestExamplePreference(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := withNewKey(t, w, w.Sandbox(t, "a"))
	service := serve(t, w.Service, settings{})
	for _, prefer := range []string{"example=NOT_FOUND", "Example=NOT_FOUND", `EXAMPLE = "NOT_FOUND"`, "respond-async, example=NOT_FOUND; x=y", "wait=5,example=NOT_FOUND",
		"example=NOT_FOUND, example=BAD_REQUEST", `x="a, example=BAD_REQUEST", example=NOT_FOUND`, `x="\", example=304", example=NOT_FOUND`} {
		example := service.send(t, "GET", "/api/v1/companies", preferring(a.token, prefer))
		example.requireError(t, 404, "NOT_FOUND")
		require.Equal(t, "example=NOT_FOUND", example.header.Get("Preference-Applied"), prefer)
	}
	two := service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", a.token, "Prefer", "respond-async", "Prefer", "example=NOT_FOUND"))
	two.requireError(t, 404, "NOT_FOUND")
	for _, prefer := range []string{"example", "example=", "example=not_found", "example=404", "example=200", "example=TEAPOT", "examples=NOT_FOUND", "x=example=NOT_FOUND",
		`x="example=NOT_FOUND"`, "x; example=NOT_FOUND", "example=TEAPOT, example=NOT_FOUND", strings.Repeat(",", 500), `"`, `x="`} {
		ignored := service.send(t, "GET", "/api/v1/companies", preferring(a.token, prefer))
		ignored.requireOK(t)
		require.Empty(t, ignored.header.Get("Preference-Applied"), prefer)
	}
}

// An example counts as a request, and the real limit comes first. It is among the key's
// requests, and among those that were refused.
func TestExampleCounts(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := withNewKey(t, w, w.Sandbox(t, "a"))
	service := serve(t, w.Service, settings{minute: 3})
	require.Equal(t, 2, remaining(t, service.get(t, "/api/v1/companies", a.token)))
	for _, code := range []string{"UNAUTHORIZED", "304"} {
		service.send(t, "GET", "/api/v1/companies", preferring(a.token, "example="+code))
	}
	real := service.send(t, "GET", "/api/v1/companies", preferring(a.token, "example=NOT_FOUND"))
	real.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	require.Empty(t, real.header.Get("Preference-Applied"))
	w.Service.Usage.Close()
	require.EqualValues(t, 4, modelstest.ValueAt[int64](t, w.URL, `SELECT sum(requests) FROM key_usage`))
}

// The key of a real organization gets no examples.
func TestRealKeysIgnoreExamples(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{})
	for _, code := range append(slices.Collect(maps.Keys(exampleStatuses)), "304") {
		ignored := service.send(t, "GET", "/api/v1/companies", preferring(a.token, "example="+code))
		ignored.requireOK(t)
		require.Empty(t, ignored.header.Get("Preference-Applied"))
	}
	service.send(t, "GET", "/api/v1/companies", preferring(modelstest.ForgeKey(a.token), "example=304")).requireError(t, 401, "UNAUTHORIZED", "invalid")
}

// No real row can be reached with a test key: not one of a company that both organizations
// have, not by an id, and not by a key whose beginning or row was tampered with.
func TestTestKeysReachNothingReal(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	made, real := withNewKey(t, w, w.Sandbox(t, "made")), newTenant(t, w, "real")
	paths := sandboxPaths(t, w, made)
	cvr := strings.Split(paths[1], "/")[4]
	importCompanies(t, w, real.Organization, []string{"cvr", "name"}, []string{cvr, "Real company"}, []string{"10000001", "Real company"})
	for _, of := range []string{cvr, "10000001"} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "real.csv", modelstest.DeliveryCSV(of, 5))})
		require.NoError(t, err)
	}
	service := serve(t, w.Service, settings{})
	for _, path := range paths {
		require.NotRegexp(t, "(?i)real", string(service.get(t, path, made.token).body))
		require.NotRegexp(t, "sandbox-", string(service.get(t, path, real.token).body))
	}
	for _, path := range []string{"/api/v1/companies/10000001", "/api/v1/companies/10000001/transactions"} {
		service.get(t, path, made.token).requireError(t, 404, "COMPANY_NOT_FOUND")
	}
	for _, id := range selectKeys(t, w, `SELECT id FROM companies WHERE organization_id = $1 UNION ALL SELECT id FROM transactions WHERE organization_id = $1`, real.ID) {
		for _, path := range []string{paths[0], paths[2]} {
			for _, side := range []string{"after", "before"} {
				require.NotRegexp(t, "(?i)real", string(service.get(t, path+"?"+side+"="+id, made.token).body))
			}
		}
	}

	// A key's text says which kind it is. Neither text opens the other kind.
	for _, other := range []string{strings.Replace(made.token, "dispo_test_", "dispo_", 1), strings.Replace(real.token, "dispo_", "dispo_test_", 1)} {
		service.get(t, paths[0], modelstest.WithChecksum(other[:len(other)-6])).requireError(t, 401, "UNAUTHORIZED", "invalid")
	}
	// Nor does a row that somebody moved past all constraints.
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `SET session_replication_role = replica`)
	modelstest.Execute(t, conn, `UPDATE api_keys SET organization_id = $1 WHERE id = $2`, real.ID, made.key.ID)
	fresh := serve(t, modelstest.OpenFollowing(t, w.URL), settings{})
	fresh.get(t, paths[0], made.token).requireError(t, 401, "UNAUTHORIZED", "invalid")
	modelstest.Execute(t, conn, `UPDATE api_keys SET organization_id = $1 WHERE id = $2`, made.ID, made.key.ID)
}
