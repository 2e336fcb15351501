package main_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// metric returns the value of a metric, which is named with its labels.
func (s *service) metric(t *testing.T, name string) string {
	t.Helper()
	for line := range strings.Lines(s.exposition(t)) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// exposition returns the text of all metrics.
func (s *service) exposition(t *testing.T) string {
	t.Helper()
	got, err := ask(s.metrics+"/metrics", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, got.status)
	return got.body
}

// Metrics and profiles are served on their own address, never on the public one.
func TestMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
	require.NotEqual(t, s.url, s.metrics)
	require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", w.key).status)
	require.Equal(t, http.StatusNotFound, s.get(t, "/api/v1/companies/"+noCVR, w.key).status)
	require.Equal(t, http.StatusUnauthorized, s.get(t, "/api/v1/companies", "").status)

	for name, value := range map[string]string{
		`dispo_request_duration_seconds_count{route="/api/v1/companies",status="200"}`:      "1",
		`dispo_request_duration_seconds_count{route="/api/v1/companies",status="401"}`:      "1",
		`dispo_request_duration_seconds_count{route="/api/v1/companies/:cvr",status="404"}`: "1",
		"dispo_change_feed_up":   "1",
		"dispo_limits_degraded":  "0",
		"dispo_waiting_requests": "0",
	} {
		require.Equal(t, value, s.metric(t, name), name)
	}
	for _, name := range []string{"dispo_database_connections", "dispo_database_connections_busy", "dispo_database_connections_max", "go_goroutines", "process_cpu_seconds_total"} {
		require.NotEmpty(t, s.metric(t, name), name)
	}

	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap?debug=1", "/debug/pprof/goroutine?debug=1", "/debug/pprof/profile?seconds=1"} {
		got, err := ask(s.metrics+path, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, got.status, path)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/api/metrics", "/api/debug/pprof/"} {
		require.Equal(t, http.StatusNotFound, s.get(t, path, w.key).status, path)
	}
	require.Zero(t, s.end(t, terminate))
	_, err := ask(s.metrics+"/metrics", "")
	require.Error(t, err)
}

// Metrics are answered under loopback names, their own address and the configured names, and
// no others: a page whose name leads to this address cannot read them.
func TestMetricsHosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("DISPO_METRICS_LISTEN=127.0.0.1:0", "DISPO_METRICS_HOSTS=dispo,metrics.example.com").serve(t)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.metrics, "http://"))
	require.NoError(t, err)
	for host, status := range map[string]int{
		"127.0.0.1:" + port: 200, "127.0.0.2": 200, "localhost": 200, "LOCALHOST:" + port: 200, "[::1]:9090": 200, "dispo:9090": 200, "dispo": 200, "Metrics.Example.com:9090": 200,
		"evil.example": 421, "evil.example:" + port: 421, "dispo.evil.example": 421, "192.0.2.1:" + port: 421, "127.0.0.1.evil.example": 421, "[": 421,
	} {
		for _, path := range []string{"/metrics", "/debug/pprof/"} {
			request, err := http.NewRequest(http.MethodGet, s.metrics+path, nil)
			require.NoError(t, err)
			request.Host = host
			answer, err := http.DefaultClient.Do(request)
			require.NoError(t, err, host)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, status, answer.StatusCode, "%s%s", host, path)
		}
	}
}
