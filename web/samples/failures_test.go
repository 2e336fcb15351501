package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models/modelstest"
)

// A sample that reaches the limit says so, waits as long as the API asks it to, and then
// completes the copy.
func TestSamplesWaitForTheLimit(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	together(t, func(s program) *process {
		p := s.prepare(t, t.TempDir())
		p.start(t, "DISPO_URL="+apitest.Serve(t, d.Service, 3), "DISPO_KEY="+d.key)
		return p
	}, func(t *testing.T, p *process, got result) {
		got.requireStatus(t, 0)
		require.Regexp(t, `^429 RATE_LIMIT_EXCEEDED: Too many requests: .* \(X-Request-Id \S+\); trying again in (60|[1-5]?\d) s \(try 1 of 5\)\n$`, got.err)
		d.requireCopy(t, p.folder)
	})
}

// A sample goes on after a few failures of the service or the network, and says what
// happened.
func TestSamplesTryAgain(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	baseURL := apitest.Serve(t, d.Service, 0)
	each(t, func(t *testing.T, s program) {
		folder := t.TempDir()
		proxy := apitest.NewProxy(t, baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			switch n {
			case 2:
				apitest.Fail(w, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "0")
			case 4, 8:
				apitest.Break(w, r, next)
			case 6:
				w.WriteHeader(http.StatusBadGateway) // of a proxy, without a body
			default:
				next.ServeHTTP(w, r)
			}
		})
		got := s.run(t, folder, "DISPO_URL="+proxy.URL, "DISPO_KEY="+d.key)
		got.requireStatus(t, 0)
		require.Contains(t, got.err, "503 SERVICE_UNAVAILABLE: The test says so. (X-Request-Id request-of-the-test); trying again in 0 s (try 1 of 5)\n")
		require.Equal(t, 3, strings.Count(got.err, "; trying again in 1 s (try 1 of 5)\n"), got.err)
		d.requireCopy(t, folder)
	})
}

// A sample gives up after five tries, and the next run completes the copy.
func TestSamplesGiveUp(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	baseURL := apitest.Serve(t, d.Service, 0)
	each(t, func(t *testing.T, s program) {
		folder := t.TempDir()
		proxy := apitest.NewProxy(t, baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if n < 5 {
				next.ServeHTTP(w, r)
				return
			}
			apitest.Fail(w, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "0")
		})
		got := s.run(t, folder, "DISPO_URL="+proxy.URL, "DISPO_KEY="+d.key)
		got.requireStatus(t, 1)
		require.Len(t, proxy.Requests(), 4+5)
		require.True(t, strings.HasSuffix(got.err, "The copy is not complete: 503 SERVICE_UNAVAILABLE: The test says so. (X-Request-Id request-of-the-test); gave up after 5 tries\n"), got.err)

		s.run(t, folder, "DISPO_URL="+baseURL, "DISPO_KEY="+d.key).requireStatus(t, 0)
		d.requireCopy(t, folder)
	})
}

// A sample waits longer and longer for a service that it cannot reach, and then gives up.
func TestSamplesGiveUpWithoutService(t *testing.T) {
	t.Parallel()
	together(t, func(s program) *process {
		p := s.prepare(t, t.TempDir())
		p.start(t, "DISPO_URL=http://127.0.0.1:1/api", "DISPO_KEY=dispo_x")
		return p
	}, func(t *testing.T, _ *process, got result) {
		got.requireStatus(t, 1)
		for _, wait := range []string{"1 s (try 1", "2 s (try 2", "4 s (try 3", "8 s (try 4"} {
			require.Contains(t, got.err, "trying again in "+wait+" of 5)\n")
		}
		require.Contains(t, got.err, "; gave up after 5 tries\n")
		require.NotContains(t, got.err, "dispo_x")
	})
}

// A sample stops at once at an error that waiting does not cure. It sends its key to no
// other server, and never prints it.
func TestSamplesStopAtErrors(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	baseURL := apitest.Serve(t, d.Service, 0)
	wrong := modelstest.ForgeKey(d.key)
	for name, test := range map[string]struct {
		key, want string
		status    int
		handle    apitest.Handler
	}{
		"invalid key":   {key: wrong, status: 1, want: `^The copy is not complete: 401 UNAUTHORIZED: The API key is invalid.* \(X-Request-Id [0-9a-z-]+\)\n$`},
		"no key":        {status: 2, want: `^Set DISPO_KEY to your API key.\n$`},
		"bad key":       {key: "dispo_\u2028\n", status: 2, want: `^Set DISPO_KEY to your API key.\n$`},
		"key in spaces": {key: " " + wrong + "\n", status: 1, want: `: 401 UNAUTHORIZED: The API key is invalid`},
		"redirect": {key: d.key, status: 1, want: `^The copy is not complete: 302 this is not an answer of the API`, handle: func(_ int, w http.ResponseWriter, r *http.Request, _ http.Handler) {
			http.Redirect(w, r, baseURL+"/v1/companies", http.StatusFound)
		}},
		"not the API": {key: d.key, status: 1, want: `^The copy is not complete: `, handle: func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			_, _ = w.Write([]byte("<html>"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s program) {
				folder := t.TempDir()
				proxy := apitest.NewProxy(t, baseURL, test.handle)
				got := s.run(t, folder, "DISPO_URL="+proxy.URL, "DISPO_KEY="+test.key)
				got.requireStatus(t, test.status)
				require.Regexp(t, test.want, got.err)
				require.Empty(t, got.out)
				require.LessOrEqual(t, len(proxy.Requests()), 1)
				require.NotContains(t, got.err, d.key)
				require.NotContains(t, got.err, wrong)
				requireNoKey(t, folder, d.key)
			})
		})
	}
}
