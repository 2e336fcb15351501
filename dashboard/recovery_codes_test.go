package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// New recovery codes can be downloaded. They travel in bodies alone: an address never
// contains them, and nothing but codes comes back as a file.
func TestRecoveryCodesFile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.member(t, s.Organization(t, "a"), "kari@a.example", models.RoleViewer)
	const path = "/profile/second-factor/recovery-codes/file"
	token := b.token()
	post := func(codes string) *answer {
		return b.do(http.MethodPost, path, url.Values{"form_token": {token}, "codes": {codes}}, nil)
	}
	a := post("4fj2a-77adb k2m7c-pq2zd")
	require.Equal(t, http.StatusOK, a.StatusCode)
	require.Equal(t, `attachment; filename="dispo-recovery-codes.txt"`, a.Header.Get("Content-Disposition"))
	require.Equal(t, "text/plain; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Contains(t, a.body, "Account: kari@a.example\n")
	require.Contains(t, a.body, "\n4fj2a-77adb\nk2m7c-pq2zd\n")
	for _, codes := range []string{"", "<script>", "a  b", "a\nb", "dispo_k3Jx9QmT2aLp"} {
		require.Equal(t, http.StatusUnprocessableEntity, post(codes).StatusCode, codes)
	}
	require.Equal(t, "/profile/second-factor/recovery-codes", b.get(path+"?codes=4fj2a-77adb").Header.Get("Location"))

	b.get("/profile")
	b.submit("/sign-out", nil)
	post("4fj2a-77adb")
	require.Equal(t, http.StatusSeeOther, b.last.StatusCode)
	b.get("/sign-in")
	b.submit("/sign-in", url.Values{"email": {"kari@a.example"}, "password": {password}})
	require.NotContains(t, b.follow().body, "4fj2a")
}
