package dashboard_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// No page, script or style sheet may use a browser's camera, microphone, position,
// or other features that the dashboard has no use for.
func TestPermissionsPolicy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, path := range []string{"/sign-in", "/docs", "/nothing", "/"} {
		got, err := http.Get(s.url + path)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		for _, feature := range []string{"camera", "geolocation", "microphone", "payment", "usb"} {
			require.Contains(t, got.Header.Get("Permissions-Policy"), feature+"=()", path)
		}
	}
}
