package api_test

import (
	"bufio"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// Every answer has one X-Request-Id: a trusted proxy's, if that is 1 to 64 ASCII letters,
// digits, dots, hyphens and underscores and no key, otherwise a new unique one. Nobody else
// chooses it. The log has it, with the trace id of a valid traceparent.
func TestRequestID(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	behind := serve(t, w.Service, settings{trustedProxies: loopback})
	made := regexp.MustCompile(`^[0-9a-z]+-[0-9a-z]+$`)
	seen := map[string]bool{}
	allPaths := append(paths, "/api", "/api/nothing", "/api/v1/companies/1", "/api/v1/companies?limit=0")
	for _, path := range allPaths {
		for _, method := range []string{"GET", "HEAD", "BREW"} {
			for _, own := range []string{"", "1", "3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5", "Aa_0.-", strings.Repeat("x", 64)} {
				id := service.send(t, method, path,
					headers("X-API-Key", a.token, "X-Request-Id", own)).header.Values("X-Request-Id")
				require.Len(t, id, 1)
				require.Regexp(t, made, id[0])
				require.False(t, seen[id[0]], "%s was used twice", id[0])
				seen[id[0]] = true
				if own != "" {
					require.Equal(t, own,
						behind.send(t, method, path, headers("X-API-Key", "none", "X-Request-Id", own)).header.Get("X-Request-Id"))
				}
			}
		}
	}
	for _, own := range []string{"", " ", "a b", "a,b", "a/b", "<x>", "ø", `"a"`, "a\tb", "%0d%0aX: y", strings.Repeat("x", 65), strings.Repeat("x", 5000), a.token, "x" + a.token[:40]} {
		id := behind.send(t, "GET", "/api/v1/companies",
			headers("X-API-Key", a.token, "X-Request-Id", own)).header.Get("X-Request-Id")
		require.Regexp(t, made, id)
		require.NotEqual(t, own, id)
	}
	twice := behind.send(t, "GET", "/api/health", headers("X-Request-Id", "one", "X-Request-Id", "two"))
	require.Regexp(t, made, twice.header.Get("X-Request-Id"))

	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for given, want := range map[string]any{
		"00-" + trace + "-" + parent + "-01":                                     trace,
		"00-" + trace + "-" + parent + "-00":                                     trace,
		"cc-" + trace + "-" + parent + "-01-more.of.it":                          trace,
		"00-" + trace + "-" + parent + "-01-more":                                nil,
		"ff-" + trace + "-" + parent + "-01":                                     nil,
		"00-" + strings.ToUpper(trace) + "-" + parent + "-01":                    nil,
		"00-" + strings.Repeat("0", 32) + "-" + parent + "-01":                   nil,
		"00-" + trace + "-" + strings.Repeat("0", 16) + "-01":                    nil,
		"00-" + trace[1:] + "-" + parent + "-01":                                 nil,
		"00-" + trace + "-" + parent:                                             nil,
		"00-" + trace + "-" + parent + "-1":                                      nil,
		"00-" + trace + "-" + parent + "-01, 00-" + trace + "-" + parent + "-01": nil,
		"x00-" + trace + "-" + parent + "-01":                                    nil,
	} {
		id := service.send(t, "GET", "/api/v1/companies",
			headers("X-API-Key", a.token, "Traceparent", given)).header.Get("X-Request-Id")
		require.Equal(t, want, service.log.Records("request_id", id)[0]["trace_id"], given)
	}
	id := service.send(
		t,
		"GET",
		"/api/v1/companies",
		headers("Traceparent", "00-"+trace+"-"+parent+"-01", "Traceparent", "00-"+trace+"-"+parent+"-01"),
	).header.Get("X-Request-Id")
	require.Nil(t, service.log.Records("request_id", id)[0]["trace_id"])
}

// A browser that shows an answer treats it as what it says it is, and loads nothing.
// Where the service is reached by https, browsers are told to use nothing else.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	for _, https := range []bool{false, true} {
		service := serve(t, w.Service, settings{https: https})
		for _, path := range append(paths, "/api", "/api/nothing", "/api/v1/companies?limit=0") {
			for _, key := range []string{a.token, ""} {
				header := service.get(t, path, key).header
				require.Equal(t, []string{"nosniff"}, header["X-Content-Type-Options"], path)
				require.Equal(t, []string{"default-src 'none'; frame-ancestors 'none'"}, header["Content-Security-Policy"], path)
				if https {
					require.Equal(t, []string{"max-age=31536000"}, header["Strict-Transport-Security"], path)
				} else {
					require.NotContains(t, header, "Strict-Transport-Security", path)
				}
			}
		}
		refused := service.exchange(t, "GARBAGE\r\n\r\n")
		require.Equal(t, https, strings.Contains(refused, "Strict-Transport-Security: max-age=31536000"))
		require.Contains(t, refused, "X-Content-Type-Options: nosniff")
		require.Contains(t, refused, "Content-Security-Policy: default-src 'none'")
	}
}

// A panic is answered with 500 and an error that reveals nothing internal. The log
// has the details under the request's id. The service goes on.
func TestPanic(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, settings{}) // handlers that need a store panic
	for range 3 {
		for _, path := range []string{"/api/health", "/api/v1/companies"} {
			failed := service.send(t, "GET", path, withKey(unknownKey))
			failed.requireError(t, 500, "INTERNAL_ERROR", "X-Request-Id")
			requireNoInternals(t, failed)
			require.Equal(t, 500, service.send(t, "HEAD", path, withKey(unknownKey)).status)
		}
	}
	service.send(t, "GET", "/api/openapi.json", nil).requireOK(t)

	own := service.send(t, "GET", "/api/health",
		headers("X-Request-Id", "mine", "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
	require.Equal(t, 500, own.status)
	records := service.log.Records("msg", "request failed")
	require.Len(t, records, 3*2*2+1)
	last := records[len(records)-1]
	require.Equal(t, own.header.Get("X-Request-Id"), last["request_id"])
	require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", last["trace_id"])
	require.Contains(t, last["error"], "panic: runtime error: invalid memory address")
	require.Contains(t, last["error"], "documents.go")
	require.Equal(t, "/api/health", last["path"])
}

// An internal error is answered like a panic. The database's error is not revealed.
// The log has it with the ids of the request and the organization.
func TestInternalError(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{minute: 60, noCache: true})
	w.Companies(t, a.Organization, "10000001")
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	modelstest.ExecuteAt(t, w.URL, `REVOKE SELECT ON companies FROM dispo_app`)
	for i, path := range keyPaths[:3] {
		failed := service.get(t, path, a.token)
		failed.requireError(t, 500, "INTERNAL_ERROR", "X-Request-Id")
		failed.requireLimit(t, "minute", 60, int64(58-i))
		requireNoInternals(t, failed)
		records := service.log.Records("msg", "request failed")
		require.Len(t, records, i+1)
		require.Equal(t, failed.header.Get("X-Request-Id"), records[i]["request_id"])
		require.Equal(t, a.ID.String(), records[i]["organization"])
		require.Contains(t, records[i]["error"], "permission denied")
	}
	modelstest.ExecuteAt(t, w.URL, `GRANT SELECT ON companies TO dispo_app`)
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
}

// requireNoInternals requires that the answer reveals nothing internal.
func requireNoInternals(t testing.TB, a answer) {
	t.Helper()
	require.NotRegexp(t, `(?i)panic|runtime|goroutine|\.go|nil|sql|postgres|permission|companies|dispo|/|\d`,
		string(a.body))
}

// Headers that are too large are answered with 431, the error envelope and an
// X-Request-Id. Headers of half that size are accepted.
func TestHeadersTooLarge(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, settings{})
	send := func(method, path string, header http.Header) answer {
		request, err := http.NewRequest(method, "http://"+service.address+path, nil)
		require.NoError(t, err)
		request.Header = header
		conn := service.dial(t)
		_ = request.Write(conn) // the service may answer before it has read everything
		return readAnswer(t, bufio.NewReader(conn), request)
	}
	for _, path := range append(paths, "/api/nothing") {
		for _, method := range []string{"GET", "POST"} {
			refused := send(method, path, headers("X-Large", strings.Repeat("x", 20_000)))
			refused.requireError(t, http.StatusRequestHeaderFieldsTooLarge, "HEADERS_TOO_LARGE", "headers")
		}
	}
	send("GET", "/api/health?x="+strings.Repeat("x", 20_000), http.Header{}).requireError(t, 431, "HEADERS_TOO_LARGE")
	many := http.Header{}
	for range 1000 {
		many.Add("X-Many", strings.Repeat("x", 12))
	}
	send("GET", "/api/health", many).requireError(t, 431, "HEADERS_TOO_LARGE")
	send("GET", "/api/openapi.json", headers("X-Large", strings.Repeat("x", 10_000))).requireOK(t)
}
