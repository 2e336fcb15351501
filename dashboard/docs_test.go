package dashboard_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/modelstest"
	"dispo/web"
	"log/slog"
)

// Anyone can read the documentation, under the same strict policy as every page, also the
// reference. It shows this service's limits and whom to ask.
func TestDocsAreForAnyone(t *testing.T) {
	t.Parallel()
	s := serveConfig(t, modelstest.NewWorld(t), dashboard.Config{Log: slog.New(slog.DiscardHandler), Support: "help@operator.example"}, 0)
	b := s.browser(t)
	policy := b.get("/sign-in").Header.Get("Content-Security-Policy")
	require.NotContains(t, policy, "unsafe")
	for _, page := range web.Docs() {
		a := b.get(page.Path)
		require.Equal(t, http.StatusOK, a.StatusCode, page.Path)
		require.Equal(t, policy, a.Header.Get("Content-Security-Policy"), page.Path)
		require.Equal(t, 1, a.page.Find("h1").Length(), page.Path)
	}
	require.Contains(t, b.get("/docs/rate-limits").text(), "1,000 requests")
	require.Contains(t, b.get("/docs/authentication").body, s.url+"/api/v1/companies")
	require.Equal(t, 1, b.get("/docs/support").page.Find(`a[href="mailto:help@operator.example"]`).Length())
	require.Equal(t, http.StatusNotFound, b.get("/docs/nothing").StatusCode)
}

// A file that is stored compressed is sent so to clients that accept it, and unpacked to
// others.
func TestCompressedAssets(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	plain := &http.Transport{DisableCompression: true}
	t.Cleanup(plain.CloseIdleConnections)
	for _, file := range web.ReferenceAssets() {
		if !file.Gzipped {
			continue
		}
		reader, err := gzip.NewReader(bytes.NewReader(file.Content))
		require.NoError(t, err)
		content, err := io.ReadAll(reader)
		require.NoError(t, err)
		for accepted, want := range map[string][]byte{"gzip, br": file.Content, "identity": content, "": content, "gzip;q=0": content} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+file.Path, nil)
			require.NoError(t, err)
			if accepted != "" {
				request.Header.Set("Accept-Encoding", accepted)
			}
			got, err := plain.RoundTrip(request)
			require.NoError(t, err)
			body, err := io.ReadAll(got.Body)
			require.NoError(t, err)
			require.NoError(t, got.Body.Close())
			require.True(t, bytes.Equal(want, body), accepted)
			require.Contains(t, got.Header.Get("Vary"), "Accept-Encoding")
			require.Equal(t, accepted == "gzip, br", got.Header.Get("Content-Encoding") == "gzip", accepted)
		}
	}
}
