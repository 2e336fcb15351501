package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/models"
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
		page, err := goquery.NewDocumentFromReader(strings.NewReader(unpack(t, a.body)))
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
