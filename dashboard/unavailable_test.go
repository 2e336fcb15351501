package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// While the database is read-only, as a standby is before it takes over, signing in is
// unavailable for the moment: 503 with Retry-After, not 500. Afterwards it works.
func TestSignInWhileTheDatabaseIsReadOnly(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	s := serve(t, w)
	s.user(t, w.Organization(t, "a"), "a@example.com", models.RoleOwner)
	w.Service = modelstest.Open(t, w.URL+"&default_transaction_read_only=on", database.Service)
	readOnly := serve(t, w)
	for _, typed := range []string{password, "another password"} {
		b := readOnly.browser(t)
		b.get("/sign-in")
		a := b.submit("/sign-in", url.Values{"email": {"a@example.com"}, "password": {typed}})
		require.Equal(t, http.StatusServiceUnavailable, a.StatusCode, a.text())
		require.NotEmpty(t, a.Header.Get("Retry-After"))
	}
	s.signedIn(t, "a@example.com")
}
