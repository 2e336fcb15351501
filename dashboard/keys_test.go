package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/usage"
)

var keyForm = regexp.MustCompile(`dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}`)

// A key is shown only in the answer to its creation. The list does not show it.
// Submitting the form again neither shows it nor creates a second key.
func TestKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	b := s.signedIn(t, "owner@a.example")

	b.get("/settings/api-keys/new")
	form := b.form("/settings/api-keys/new", url.Values{"name": {"Production"}, "expires": {"90"}})
	created := b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	require.Equal(t, http.StatusOK, created.StatusCode)
	require.Equal(t, "no-store", created.Header.Get("Cache-Control"))
	key := keyForm.FindString(created.body)
	require.NotEmpty(t, key)
	parsed, err := models.ParseKey(key)
	require.NoError(t, err)
	caller, err := s.Service.Keys.Verify(t.Context(), parsed, "")
	require.NoError(t, err)
	require.Equal(t, a.ID, caller.OrganizationID)

	again := b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	require.Equal(t, http.StatusOK, again.StatusCode)
	require.NotRegexp(t, keyForm, again.body)
	list := b.get("/settings/api-keys")
	require.NotRegexp(t, keyForm, list.body)
	require.Contains(t, list.text(), "Production")
	keys, err := s.Service.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NotNil(t, keys[0].ExpiresAt)
	require.Equal(t, "owner@a.example", *keys[0].CreatedByEmail)
}

// A key that expires at the end of a chosen day is listed with that day, which the
// form for rotating it proposes a new one from.
func TestKeyExpiresOnLastDay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	b := s.signedIn(t, "owner@a.example")
	last := time.Now().UTC().AddDate(0, 0, 60).Format(time.DateOnly)
	b.get("/settings/api-keys/new")
	b.submit("/settings/api-keys/new", url.Values{"name": {"Production"}, "expires": {"date"}, "expires_on": {last}})
	require.Equal(t, last, b.get("/settings/api-keys").text(`td[data-label="Expires"]`))
	keys, err := s.Service.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	rotation := b.get("/settings/api-keys/" + keys[0].ID.String() + "/rotate").page
	require.Equal(t, last, rotation.Find("[name=expires_on]").AttrOr("value", ""))
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = date_trunc('day', now(), 'UTC')`)
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	require.Equal(t, yesterday, b.get("/settings/api-keys").text(`td[data-label="Ended"]`))
}

// A key has the same state on every page, however soon it expires.
func TestKeyHasOneState(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	s.Key(t, a)
	b := s.signedIn(t, "owner@a.example")
	for expiry, state := range map[string]string{"30 days": "Active", "5 days": "Active", "-5 days": "Expired"} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + $1::interval`, expiry)
		for _, path := range []string{"/settings/api-keys", "/"} {
			require.Equal(t, state, b.get(path).text(`td[data-label="State"]`), "%s: expires in %s", path, expiry)
		}
	}
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + interval '121 hours'`)
	require.Contains(t, b.get("/settings/api-keys").text(`td[data-label="Expires"]`), "in 5 days")
}

// After a key was shown, its path in the browser's history says so, instead of asking
// to send the form again.
func TestKeyWasShown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	b := s.signedIn(t, "owner@a.example")
	b.get("/settings/api-keys/new")
	created := b.submit("/settings/api-keys/new", url.Values{"name": {"Production"}})
	again := b.get(created.page.Find("[data-history]").AttrOr("data-history", ""))
	require.Equal(t, http.StatusOK, again.StatusCode)
	require.Contains(t, again.text(), "This key has been shown already")
	require.NotRegexp(t, keyForm, again.body)
}

// A refused form is shown again with the reason, and creates no key.
func TestKeyFormRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	b := s.signedIn(t, "owner@a.example")
	for name, values := range map[string]url.Values{
		"no name":        {"name": {"  "}, "expires": {"never"}},
		"unknown choice": {"name": {"X"}, "expires": {"7"}},
		"no date":        {"name": {"X"}, "expires": {"date"}, "expires_on": {""}},
		"past date":      {"name": {"X"}, "expires": {"date"}, "expires_on": {"2020-01-01"}},
		"NUL bytes":      {"name": {string(make([]byte, 101))}, "expires": {"never"}},
		"not a date":     {"name": {"X"}, "expires": {"date"}, "expires_on": {"31/12/2030"}},
		"name too long":  {"name": {regexp.MustCompile(`.`).ReplaceAllString(password+password+password+password+password+password, "æ")}, "expires": {"never"}},
	} {
		b.get("/settings/api-keys/new")
		a := b.submit("/settings/api-keys/new", values)
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, name)
		require.Contains(t, a.text(), "Error:", name)
	}
	keys, err := s.Service.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	require.Empty(t, keys)
}

// A rotation creates a new key, shows whether both are used, and revokes the old key
// at the end, which works until then. Its page can be loaded again at every step.
func TestRotation(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	s.user(t, a, "owner@a.example", models.RoleOwner)
	old, oldText := s.Key(t, a)
	use := func(text string) error {
		key, err := models.ParseKey(text)
		require.NoError(t, err)
		caller, err := s.Service.Keys.Verify(t.Context(), key, "")
		if err == nil {
			s.Service.Usage.Record(caller, usage.Request{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: "192.0.2.7", UserAgent: "integration/1.0"})
		}
		return err
	}
	require.NoError(t, use(oldText))

	b := s.signedIn(t, "owner@a.example")
	path := "/settings/api-keys/" + old.ID.String() + "/rotate"
	b.get(path)
	form := b.form(path, url.Values{"action": {"create"}})
	created := b.do(http.MethodPost, path, form, nil)
	require.Equal(t, http.StatusOK, created.StatusCode, created.text())
	newText := keyForm.FindString(created.body)
	require.NotEmpty(t, newText)

	again := b.do(http.MethodPost, path, form, nil)
	require.Equal(t, http.StatusSeeOther, again.StatusCode, "the same form again")
	require.NotRegexp(t, keyForm, b.follow().body)

	early := b.do(http.MethodPost, path, url.Values{"action": {"revoke"}, "form_token": form["form_token"], "shown_for": form["shown_for"]}, nil)
	require.Equal(t, path+"?step=revoke", early.Header.Get("Location"), "not safe yet, so it has to be confirmed")
	require.NoError(t, use(oldText), "the old key still works")

	require.NoError(t, use(newText))
	require.Eventually(t, func() bool {
		key, err := s.Service.Tenant(a.ID).Keys(t.Context())
		return err == nil && key[0].LastUsedAt != nil
	}, 10*time.Second, 20*time.Millisecond)
	status := b.get(path + "/status")
	require.Equal(t, http.StatusOK, status.StatusCode)
	require.NotContains(t, status.text(), "Safe to revoke", "the old key was used a moment ago")

	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET last_used_at = now() - interval '2 hours' WHERE id = $1`, old.ID)
	require.Contains(t, b.get(path).body, "afe to revoke")
	b.submit(path, url.Values{"action": {"revoke"}})
	done := b.follow()
	require.Equal(t, http.StatusOK, done.StatusCode)
	require.Error(t, use(oldText), "the old key is refused")
	require.NoError(t, use(newText))
}
