package dashboard_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/web"
)

// Pages are compressed. Their forms' tokens look different in each answer, and all of
// them are accepted, so that the length of an answer tells nothing about them. A page that
// shows a key, a link with a token, or another secret is not compressed.
func TestCompression(t *testing.T) {
	t.Parallel()
	_, _, b := ownerSite(t)
	link := invite(b, "new@a.example", "viewer")
	compressed := http.Header{"Accept-Encoding": {"gzip"}}

	var tokens []string
	for range 2 {
		a := b.do(http.MethodGet, "/settings/api-keys/new", nil, compressed)
		require.Equal(t, "gzip", a.Header.Get("Content-Encoding"))
		require.Contains(t, strings.Join(a.Header.Values("Vary"), ","), "Accept-Encoding")
		unpacked, err := gzip.NewReader(strings.NewReader(a.body))
		require.NoError(t, err)
		text, err := io.ReadAll(unpacked)
		require.NoError(t, err)
		page, err := goquery.NewDocumentFromReader(strings.NewReader(string(text)))
		require.NoError(t, err)
		a.page = page
		fields := b.form("/settings/api-keys/new", url.Values{"name": {"key"}})
		tokens = append(tokens, fields.Get("form_token"))
		created := b.do(http.MethodPost, "/settings/api-keys/new", fields, compressed)
		require.Equal(t, http.StatusOK, created.StatusCode)
		require.Empty(t, created.Header.Get("Content-Encoding"))
		require.True(t, models.HasKey(created.body))
	}
	require.NotEqual(t, tokens[0], tokens[1])
	for _, path := range []string{link, "/password/x", "/profile/second-factor", "/profile/second-factor/recovery-codes", "/companies/export?format=csv"} {
		require.Empty(t, b.do(http.MethodGet, path, nil, compressed).Header.Get("Content-Encoding"), path)
	}
}

// A stylesheet, script or image is sent in the content coding that the client prefers (RFC
// 9110 section 12.5.3). A coding whose weight is not valid is ignored.
func TestEncodingsOfAssets(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	client := &http.Transport{DisableCompression: true}
	t.Cleanup(client.CloseIdleConnections)
	for accepted, want := range map[string]string{
		"": "", "identity": "", "gzip;q=0": "", "identity;q=1, gzip;q=0.5": "", "gzip;q=5": "", "gzip;q=x, deflate": "",
		"gzip": "gzip", "gzip, br": "br", "gzip, br;q=0.5": "gzip", "zstd;q=1.0000, gzip": "gzip",
	} {
		for _, file := range web.Assets() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+file.Path, nil)
			require.NoError(t, err)
			if accepted != "" {
				request.Header.Set("Accept-Encoding", accepted)
			}
			got, err := client.RoundTrip(request)
			require.NoError(t, err)
			body, err := io.ReadAll(got.Body)
			require.NoError(t, err)
			require.NoError(t, got.Body.Close())
			require.Contains(t, got.Header.Get("Vary"), "Accept-Encoding")
			coding := got.Header.Get("Content-Encoding")
			if coding == "gzip" {
				unpacked, err := gzip.NewReader(bytes.NewReader(body))
				require.NoError(t, err)
				body, err = io.ReadAll(unpacked)
				require.NoError(t, err)
			}
			if len(file.Content()) > 2000 { // smaller ones are sent as they are
				require.Equal(t, want, coding, "%s: %q", file.Path, accepted)
			}
			if coding == "" || coding == "gzip" {
				require.True(t, bytes.Equal(file.Content(), body), "%s: %q", file.Path, accepted)
			}
		}
	}
}
