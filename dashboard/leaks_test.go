package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/terms"
)

// An owner chooses whether keys that are reported as leaked are revoked, or only told of. An admin
// cannot. A key that leaked and still works says so on its page, and the mail's link fills in the
// form of the one that replaces it.
func TestLeaks(t *testing.T) {
	t.Parallel()
	s, a, owner := ownerSite(t)
	choose := func(b *browser, leaks string) *answer {
		return b.send("/settings/organization", "/settings/organization/leaks", url.Values{"leaks": {leaks}})
	}
	chosen := func() string { return owner.get("/settings/organization").attr("[name=leaks][checked]", "value") }
	require.Equal(t, "revoke", chosen())
	choose(owner, "tell")
	require.Equal(t, "tell", chosen())
	require.Contains(t, owner.get("/settings/audit-log").text("main"), "leaked keys are only told of")
	choose(owner, "revoke")
	require.Equal(t, "revoke", chosen())
	admin := s.member(t, a, "admin@a.example", terms.Admin)
	require.Zero(t, admin.get("/settings/organization").count("[name=leaks]"))

	key, _ := s.Key(t, a)
	s.execute(t, `UPDATE api_keys SET leaked_at = now(), networks = '192.0.2.0/24'`)
	require.Contains(t, owner.get("/settings/api-keys/"+key.ID.String()).text(".banner"), "reported as leaked")
	form := owner.get("/settings/api-keys/new?replaces=" + key.ID.String())
	require.Equal(t, http.StatusOK, form.StatusCode)
	require.Equal(t, key.Name, form.attr("#name", "value"))
	require.Equal(t, "192.0.2.0/24", form.text("#networks"))
}
