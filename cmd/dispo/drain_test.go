package main_test

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// lastOf sends a GET request with these headers, and requires that the response is the last one
// of its connection. It may be called from any goroutine.
func (s *service) lastOf(t *testing.T, path string, headers map[string]string) (status int, header http.Header) {
	request, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Error(err)
		return
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	if !response.Close {
		t.Errorf("%s keeps its connection", path)
	}
	return response.StatusCode, response.Header
}

// waitForChange sends a request that waits for a change, and returns where its status will come.
func (s *service) waitForChange(t *testing.T, key string) <-chan int {
	t.Helper()
	headers := withKey(key)
	headers["If-None-Match"] = s.get(t, "/api/v1/companies", key).header.Get("ETag")
	headers["Prefer"] = "wait=50"
	answered := modelstest.Begin(func() int { status, _ := s.lastOf(t, "/api/v1/companies", headers); return status })
	modelstest.Eventually(t, func() bool { return s.metric(t, "dispo_waiting_requests") == "1" })
	return answered
}

// A service that is asked to stop says so in /api/health, and to systemd. Until it has drained,
// all else goes on: reads, waits that began before, and what runs in the background, here the
// mails. Each response closes its connection, and no error is logged. A second signal ends the
// service at once.
func TestDrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := modelstest.NewMailServer(t, modelstest.MailPlain)
	socket := filepath.Join(newFolder(t), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	defer systemd.Close()
	told := func() string {
		text := make([]byte, 1000)
		require.NoError(t, modelstest.ErrorOf(systemd.Read(text)))
		return strings.TrimRight(string(text), "\x00")
	}
	s := w.mailed(server).with("DISPO_DRAIN=10m", "NOTIFY_SOCKET="+socket, "DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
	require.Equal(t, "READY=1", told())
	require.Equal(t, http.StatusOK, s.get(t, "/api/health", "").status)
	answered := s.waitForChange(t, w.key)

	s.signal(t, terminate)
	require.Equal(t, "STOPPING=1", told())
	modelstest.Eventually(t, func() bool { return s.get(t, "/api/health", "").status == http.StatusServiceUnavailable })
	s.get(t, "/api/health", "").requireError(t, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE")
	for path, expected := range map[string]int{
		"/api/health": 503, "/api/health/live": 200, "/api/v1/companies": 200, "/sign-in": 200, "/api/nothing": 404,
	} {
		status, header := s.lastOf(t, path, withKey(w.key))
		require.Equal(t, expected, status, path)
		require.Equal(t, expected == 503, header.Get("Retry-After") != "")
	}
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, gen_random_uuid(), 'sign_in', 'kari@example.com', '{}')`,
		w.acme.ID,
	)
	server.Wait(t, 1)
	require.Empty(t, answered)
	w.run(t, "import", "delivery", file(t, "late.csv", delivery(cvr))).requireDone(t)
	require.Equal(t, http.StatusOK, modelstest.Receive(t, answered))
	require.Empty(t, s.entries("request failed"))
	require.NotContains(t, s.exposition(t), `status="503"`)
	require.Empty(t, s.entries("stopping"))
	require.Equal(t, -1, s.end(t, terminate))
}

// When the service has drained, it stops as it should: waits end, and so does the program, with
// success.
func TestDrainEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("DISPO_DRAIN=50ms", "DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
	answered := s.waitForChange(t, w.key)
	require.Zero(t, s.end(t, terminate), s.err.String())
	require.Equal(t, http.StatusNotModified, modelstest.Receive(t, answered))
}

// A service drains for five seconds, unless its database is the embedded one, which no other
// instance serves.
func TestDrainDefault(t *testing.T) {
	t.Parallel()
	s := newWorld(t).with("DISPO_DRAIN=").serve(t)
	s.signal(t, terminate)
	modelstest.Eventually(t, func() bool { return len(s.entries("draining")) == 1 || s.hasEnded() })
	require.EqualValues(t, 5, s.entries("draining")[0]["seconds"])
	require.Equal(t, -1, s.end(t, terminate))

	s = onData(newData(t)).with("DISPO_DRAIN=").serve(t)
	require.Zero(t, s.end(t, terminate), s.err.String())
	require.Empty(t, s.entries("draining"))
}
