package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pages are in the browser's language, until the user chooses one. That holds in every
// browser of the user. A language that is not offered is refused. Every page offers the other
// language, also before one signs in, and leads back to where it was. The choice outlasts the
// sign-in, but never changes what a user has chosen.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	const danish, english = "da-DK,da;q=0.9,en;q=0.8", "en-US,en;q=0.9,da;q=0.8"
	shows := func(b *browser, accept, lang, title string) {
		t.Helper()
		a := b.do(http.MethodGet, "/settings/api-keys", nil, http.Header{"Accept-Language": {accept}})
		require.Contains(t, a.Header.Get("Vary"), "Accept-Language")
		require.Equal(t, []string{lang, title}, []string{a.attr("html", "lang"), a.text("h1")}, accept)
	}
	shows(b, danish, "da", "API-nøgler")
	shows(b, english, "en", "API keys")
	shows(b, "", "en", "API keys")

	choose := func(language string) *answer {
		return b.send("/profile", "/profile/language", url.Values{"language": {language}})
	}
	choose("da")
	shows(b, english, "da", "API-nøgler")
	shows(s.signedIn(t, "owner@a.example"), english, "da", "API-nøgler")
	choose("en")
	shows(b, danish, "en", "API keys")
	require.Equal(t, http.StatusUnprocessableEntity, choose("tlh").StatusCode)
	choose("")
	shows(b, danish, "da", "API-nøgler")

	require.Equal(t, "/companies?status=CREATED",
		b.send("/companies?status=CREATED", "/language", url.Values{"language": {"da"}}).Header.Get("Location"))
	require.Equal(t, "Virksomheder", b.follow().text("h1"))

	b = s.browser(t)
	b.send("/sign-in?next=%2Fcompanies", "/language", url.Values{"language": {"da"}})
	require.Equal(t, "Log ind", b.follow().text("h1"))
	b.submit("/language", url.Values{"language": {"en"}, "next": {"//evil.example"}})
	require.Equal(t, "/", b.last.Header.Get("Location"))
	b.signIn("owner@a.example", password)
	require.Equal(t, "Overblik", b.follow().text("h1"), "chosen by the user above")
}
