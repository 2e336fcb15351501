package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A form of a newer program, whose path or fields this one does not know, is not acted on. The
// answer shows what was typed and sends it again as it was, for the organization that it was
// shown for, also if nobody is signed in. Secrets are typed again. Forged forms stay refused.
func TestFormOfANewerProgram(t *testing.T) {
	t.Parallel()
	s, b, _, other := twoOrganizations(t)
	count := func() int { return modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM api_keys`) }
	again := func(b *browser, path string, form url.Values) url.Values {
		t.Helper()
		asked := b.do(http.MethodPost, path, form, nil)
		require.Equal(t, http.StatusConflict, asked.StatusCode, asked.text())
		require.Contains(t, asked.text(), "Nothing was changed. Send it again in a moment.")
		require.NotContains(t, asked.body, "a secret word")
		require.Zero(t, count())
		sent := b.form(path, nil)
		require.NotEmpty(t, sent.Get("form_token"))
		for name, values := range form {
			switch name {
			case "form_token":
			case "api_password", "password":
				require.Equal(t, 1, asked.page.Find("main form [type=password][name="+name+"]").Length())
			default:
				require.Equal(t, values, sent[name], name)
			}
		}
		return sent
	}
	b.get("/settings/api-keys/new")
	form := b.form("/settings/api-keys/new", url.Values{"name": {"Nightly <job>"}})
	form.Set("reads", "only one company")
	b.submit("/organization", url.Values{"organization": {other.ID.String()}})
	sent := again(b, "/settings/api-keys/new", form)
	require.Contains(t, b.last.text("dl"), "Nightly <job>")
	require.Contains(t, b.last.text("dl"), "only one company")
	form = url.Values{"form_token": form["form_token"], "shown_for": form["shown_for"], "shown_to": form["shown_to"],
		"address": {"https://receiver.example"}, "api_password": {"a secret word"}, "event": {"arrived"}}
	again(b, "/settings/receivers/new", form)
	require.Contains(t, b.last.text("dl"), "https://receiver.example")
	again(b, "/companies", form)

	// The newer instance knows the field. It is one of a form for another organization there, too.
	sent.Del("reads")
	require.Contains(
		t,
		b.do(http.MethodPost, "/settings/api-keys/new", sent, nil).text(),
		"You opened this form in Organization a, then switched to Organization o",
	)
	sent.Set("switch_to", sent.Get("shown_for"))
	require.Regexp(t, keyForm, b.do(http.MethodPost, "/settings/api-keys/new", sent, nil).body)
	require.Equal(t, "Nightly <job>", modelstest.ValueAt[string](t, s.URL, `SELECT name FROM api_keys`))
	modelstest.ExecuteAt(t, s.URL, `DELETE FROM api_keys`)

	visitor := s.browser(t)
	visitor.get("/sign-in")
	form = visitor.form("/sign-in", url.Values{"email": {"owner@a.example"}, "password": {"a secret word"}})
	again(visitor, "/sign-in/elsewhere", form)
	form.Set("remember", "yes")
	again(visitor, "/sign-in", form)
	form.Del("form_token")
	for _, path := range []string{"/sign-in", "/settings/receivers/new"} {
		require.Equal(t, http.StatusForbidden, visitor.do(http.MethodPost, path, form, nil).StatusCode)
	}
	require.Equal(t, http.StatusNotFound, visitor.get("/settings/receivers/new").StatusCode)
}
