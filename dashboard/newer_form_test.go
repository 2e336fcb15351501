package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A form of a newer program, whose path or fields this one does not know, is not acted on: the
// answer 409 says so, also if nobody is signed in. Forged forms stay refused.
func TestFormOfANewerProgram(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	refused := func(b *browser, path string, form url.Values) {
		t.Helper()
		answer := b.do(http.MethodPost, path, form, nil)
		require.Equal(t, http.StatusConflict, answer.StatusCode, answer.text())
		require.Contains(t, answer.text(), "Nothing was changed. Go back, and send the form again in a moment.")
		require.NotContains(t, answer.body, "a secret word")
		require.Zero(t, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM api_keys`))
	}
	const path = "/settings/api-keys/new"
	b.get(path)
	form := b.form(path, url.Values{"name": {"Nightly job"}})
	form.Set("reads", "only one company")
	refused(b, path, form)
	for _, unknown := range []string{"/settings/receivers/new", "/companies"} {
		refused(b, unknown, form)
	}
	form.Del("reads")
	require.Regexp(t, keyForm, b.do(http.MethodPost, path, form, nil).body)
	s.execute(t, `DELETE FROM api_keys`)

	visitor := s.browser(t)
	visitor.get("/sign-in")
	form = visitor.form("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {"a secret word"}})
	refused(visitor, "/sign-in/elsewhere", form)
	form.Set("remember", "yes")
	refused(visitor, "/sign-in", form)
	form.Del("form_token")
	for _, path := range []string{"/sign-in", "/settings/receivers/new"} {
		require.Equal(t, http.StatusForbidden, visitor.do(http.MethodPost, path, form, nil).StatusCode)
	}
	require.Equal(t, http.StatusNotFound, visitor.get("/settings/receivers/new").StatusCode)
}
