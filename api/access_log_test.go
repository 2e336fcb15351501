package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The access log has one line for each response: whose it is, the bytes of the body as they
// were sent, and how much of the time was spent waiting for a change.
func TestAccessLog(t *testing.T) {
	t.Parallel()
	access := &modelstest.Log{}
	w, a, service := start(t, settings{access: access})
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 20)
	limited := serve(t, w.Service, settings{minute: 1, access: access})
	limited.get(t, "/api/v1/companies", a.token).requireOK(t)
	created, key := w.Key(t, a.Organization)
	const companies, company, bulk = "/api/v1/companies", "/api/v1/companies/:cvr", allTransactionsPath
	tag := service.get(t, companies, key).header.Get("ETag")

	for name, row := range map[string]struct {
		at     *instance
		method string
		path   string
		header http.Header
		status int
		route  string
		waited bool
	}{
		"page":         {service, "GET", companies, withKey(key), 200, companies, false},
		"head":         {service, "HEAD", companies, withKey(key), 200, companies, false},
		"compressed":   {service, "GET", bulk, headers("X-API-Key", key, "Accept-Encoding", "gzip"), 200, bulk, false},
		"bulk":         {service, "GET", bulk, headers("X-API-Key", key, "Accept", "text/csv"), 200, bulk, false},
		"bulk, gzip":   {service, "GET", bulk, headers("X-API-Key", key, "Accept", "text/csv", "Accept-Encoding", "gzip"), 200, bulk, false},
		"not modified": {service, "GET", companies, headers("X-API-Key", key, "If-None-Match", tag), 304, companies, false},
		"waited":       {service, "GET", companies, waiting(key, tag, "wait=1"), 304, companies, true},
		"need not":     {service, "GET", companies, waiting(key, `"x"`, "wait=60"), 200, companies, false},
		"wrong cvr":    {service, "GET", companies + "/1", withKey(key), 400, company, false},
		"none such":    {service, "GET", companies + "/99999999", withKey(key), 404, company, false},
		"limited":      {limited, "GET", companies, withKey(key), 429, companies, false},
		"no key":       {service, "GET", companies, nil, 401, companies, false},
		"no route":     {service, "GET", "/api/v1/x", withKey(key), 404, "none", false},
	} {
		got := row.at.send(t, row.method, row.path, row.header)
		require.Equal(t, row.status, got.status, name)
		lines := func() []map[string]any { return access.Records("request_id", got.header.Get("X-Request-Id")) }
		modelstest.Eventually(t, func() bool { return len(lines()) > 0 })
		require.Len(t, lines(), 1, name)
		line, organization, id := lines()[0], a.ID.String(), created.ID.String()
		if row.status == 401 || row.route == "none" {
			organization, id = "", ""
		}
		require.Equal(t,
			[]any{row.method, row.route, row.path, float64(row.status), float64(len(got.body)), organization, id}, []any{
				line["method"], line["route"], line["path"], line["status"], line["bytes"],
				line["organization"], line["key"],
			}, name)
		if row.waited {
			require.GreaterOrEqual(t, line["waited_seconds"], 0.9)
		} else {
			require.Zero(t, line["waited_seconds"], name)
		}
		require.GreaterOrEqual(t, line["duration_seconds"], line["waited_seconds"])
	}
}
