package dashboard_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/modelstest"
	"dispo/web"
)

// Anyone can read the documentation, under the same strict policy as every page, also the
// reference. No page may use the browser's camera or other features that it has no use for.
// The documentation shows this service's limits and whom to ask.
func TestDocsAreForAnyone(t *testing.T) {
	t.Parallel()
	s := serveConfig(t, modelstest.NewWorld(t), dashboard.Config{Support: "help@operator.example"})
	b := s.browser(t)
	policy := b.get("/sign-in").Header.Get("Content-Security-Policy")
	require.NotContains(t, policy, "unsafe")
	for _, path := range []string{"/sign-in", "/docs", "/nothing", "/"} {
		for _, feature := range []string{"camera", "geolocation", "microphone", "payment", "usb"} {
			require.Contains(t, b.get(path).Header.Get("Permissions-Policy"), feature+"=()", path)
		}
	}
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
