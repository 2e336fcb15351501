package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

func preferring(key, prefer string) http.Header { return headers("X-API-Key", key, "Prefer", prefer) }

// sandbox returns a sandbox with a key, and the paths of three reads of it.
func sandbox(t *testing.T, w *modelstest.World) (a tenant, paths []string) {
	t.Helper()
	a = withNewKey(t, w, w.Sandbox(t, "sandbox"))
	cvr := modelstest.ValueAt[string](t, w.URL,
		`SELECT cvr FROM companies WHERE organization_id = $1 AND transaction_count > 0 ORDER BY cvr LIMIT 1`, a.ID)
	return a, []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"}
}

// exampleStatuses are the contract's error codes with their statuses.
var exampleStatuses = map[string]int{
	"BAD_REQUEST":         400,
	"UNAUTHORIZED":        401,
	"COMPANY_NOT_FOUND":   404,
	"NOT_FOUND":           404,
	"METHOD_NOT_ALLOWED":  405,
	"VALIDATION_ERROR":    422,
	"RATE_LIMIT_EXCEEDED": 429,
	"HEADERS_TOO_LARGE":   431,
	"INTERNAL_ERROR":      500,
	"SERVICE_UNAVAILABLE": 503,
}

// A sandbox's key gets every error of the contract on every read, with the body and the
// headers of the real one, and in addition Preference-Applied.
func TestExampleIsLikeTheRealError(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, paths := sandbox(t, w)
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
// nothing to have, it is the real error. An example counts as a request, the real limit comes
// first, and the key's requests have both.
func TestExampleOfNotModified(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, paths := sandbox(t, w)
	service := serve(t, w.Service, settings{minute: 22})
	for _, path := range paths {
		for range 2 { // without and with a remembered answer
			example := service.send(t, "GET", path, preferring(a.token, "wait=60, example=304"))
			require.Equal(t, http.StatusNotModified, example.status)
			require.Empty(t, example.body)
			require.Equal(t, "example=304", example.header.Get("Preference-Applied"))
			tag := service.get(t, path, a.token).header.Get("ETag")
			require.Equal(t, tag, example.header.Get("ETag"))
			example.header.Del("Preference-Applied")
			require.Equal(t, countValues(service.send(t, "GET", path, ifNoneMatch(a.token, tag)).header),
				countValues(example.header))
		}
	}
	for path, code := range map[string]string{"/api/v1/companies/12345678": "COMPANY_NOT_FOUND", "/api/v1/companies/1": "BAD_REQUEST"} {
		real := service.send(t, "GET", path, preferring(a.token, "example=304"))
		real.requireError(t, exampleStatuses[code], code)
		require.Empty(t, real.header.Get("Preference-Applied"))
	}
	for _, code := range []string{"UNAUTHORIZED", "304"} {
		service.send(t, "GET", "/api/v1/companies", preferring(a.token, "example="+code))
	}
	real := service.send(t, "GET", "/api/v1/companies", preferring(a.token, "example=NOT_FOUND"))
	real.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	require.Empty(t, real.header.Get("Preference-Applied"))
	w.Service.Usage.Close()
	require.EqualValues(t, 23, modelstest.ValueAt[int64](t, w.URL, `SELECT sum(requests) FROM key_usage`))
}

// The preference is read as RFC 7240 says: names in any case, values also quoted, the first
// of several. What is no code is ignored, and so are all preferences of a real organization's key.
func TestExamplePreference(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, _ := sandbox(t, w)
	service := serve(t, w.Service, settings{})
	for _, prefer := range []string{"example=NOT_FOUND", "Example=NOT_FOUND", `EXAMPLE = "NOT_FOUND"`, "respond-async, example=NOT_FOUND; x=y", "wait=5,example=NOT_FOUND",
		"example=NOT_FOUND, example=BAD_REQUEST", `x="a, example=BAD_REQUEST", example=NOT_FOUND`, `x="\", example=304", example=NOT_FOUND`} {
		example := service.send(t, "GET", "/api/v1/companies", preferring(a.token, prefer))
		example.requireError(t, 404, "NOT_FOUND")
		require.Equal(t, "example=NOT_FOUND", example.header.Get("Preference-Applied"), prefer)
	}
	two := service.send(t, "GET", "/api/v1/companies",
		headers("X-API-Key", a.token, "Prefer", "respond-async", "Prefer", "example=NOT_FOUND"))
	two.requireError(t, 404, "NOT_FOUND")
	requireIgnored := func(key, prefer string) {
		ignored := service.send(t, "GET", "/api/v1/companies", preferring(key, prefer))
		ignored.requireOK(t)
		require.Empty(t, ignored.header.Get("Preference-Applied"), prefer)
	}
	for _, prefer := range []string{"example", "example=", "example=not_found", "example=404", "example=200", "example=TEAPOT", "examples=NOT_FOUND", "x=example=NOT_FOUND",
		`x="example=NOT_FOUND"`, "x; example=NOT_FOUND", "example=TEAPOT, example=NOT_FOUND", strings.Repeat(",", 500), `"`, `x="`} {
		requireIgnored(a.token, prefer)
	}
	real := newTenant(t, w, "real")
	for _, code := range append(slices.Collect(maps.Keys(exampleStatuses)), "304") {
		requireIgnored(real.token, "example="+code)
	}
	service.send(t, "GET", "/api/v1/companies", preferring(modelstest.ForgeKey(real.token), "example=304")).
		requireError(t, 401, "UNAUTHORIZED", "invalid")
}

// No real row can be reached with a test key: not one of a company that both organizations
// have, not by an id, and not by a key whose beginning or row was tampered with.
func TestTestKeysReachNothingReal(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	made, paths := sandbox(t, w)
	real := newTenant(t, w, "real")
	cvr := strings.Split(paths[1], "/")[4]
	importCompanies(t, w, real.Organization, []string{"cvr", "name"}, []string{cvr, "Real company"},
		[]string{"10000001", "Real company"})
	for _, of := range []string{cvr, "10000001"} {
		importDelivery(t, w, "real.csv", modelstest.DeliveryCSV(of, 5))
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
		for _, query := range []string{paths[0] + "?after=", paths[0] + "?before=", paths[2] + "?after=", paths[2] + "?before="} {
			require.NotRegexp(t, "(?i)real", string(service.get(t, query+id, made.token).body))
		}
	}

	// A key's text says which kind it is. Neither text opens the other kind.
	for _, other := range []string{strings.Replace(made.token, "dispo_test_", "dispo_", 1), strings.Replace(real.token, "dispo_", "dispo_test_", 1)} {
		service.get(t, paths[0], modelstest.WithChecksum(other[:len(other)-6])).
			requireError(t, 401, "UNAUTHORIZED", "invalid")
	}
	// Nor does a row that somebody moved past all constraints.
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `SET session_replication_role = replica`)
	modelstest.Execute(t, conn, `UPDATE api_keys SET organization_id = $1 WHERE id = $2`, real.ID, made.key.ID)
	fresh := serve(t, modelstest.OpenFollowing(t, w.URL), settings{})
	fresh.get(t, paths[0], made.token).requireError(t, 401, "UNAUTHORIZED", "invalid")
	modelstest.Execute(t, conn, `UPDATE api_keys SET organization_id = $1 WHERE id = $2`, made.ID, made.key.ID)
}
