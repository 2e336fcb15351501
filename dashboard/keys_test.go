package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

var keyForm = regexp.MustCompile(`dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}`)

// A key is shown only in the answer to its creation. The list does not show it.
// Submitting the form again neither shows it nor creates a second key, and its path in the
// browser's history says that it was shown.
func TestKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)

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
	history := b.get(created.page.Find("[data-history]").AttrOr("data-history", ""))
	require.Contains(t, history.text(), "This key has been shown already")
	require.NotRegexp(t, keyForm, history.body)
	list := b.get("/settings/api-keys")
	require.NotRegexp(t, keyForm, list.body)
	require.Contains(t, list.text(), "Production")
	listed, err := keys.List(t.Context(), s.Service.Tenant(a.ID))
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.NotNil(t, listed[0].ExpiresAt)
	require.Equal(t, "owner@a.example", *listed[0].CreatedByEmail)
}

// A key that expires at the end of a chosen day, where the organization is, is listed
// with that day. The form for rotating it proposes a new one from it.
func TestKeyExpiresOnLastDay(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	copenhagen, err := models.Location("Europe/Copenhagen")
	require.NoError(t, err)
	last := time.Now().In(copenhagen).AddDate(0, 0, 60).Format(time.DateOnly)
	b.post("/settings/api-keys/new", url.Values{"name": {"Production"}, "expires": {"date"}, "expires_on": {last}})
	require.Equal(t, last, b.get("/settings/api-keys").text(`td[data-label="Expires"]`))
	listed, err := keys.List(t.Context(), s.Service.Tenant(a.ID))
	require.NoError(t, err)
	end, err := time.ParseInLocation(time.DateOnly, last, copenhagen)
	require.NoError(t, err)
	require.Equal(t, end.AddDate(0, 0, 1).UTC(), listed[0].ExpiresAt.UTC(), "it works through that day")
	rotation := b.get("/settings/api-keys/" + listed[0].ID.String() + "/rotate").page
	require.Equal(t, last, rotation.Find("[name=expires_on]").AttrOr("value", ""))
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = date_trunc('day', now(), 'Europe/Copenhagen')`)
	yesterday := time.Now().In(copenhagen).AddDate(0, 0, -1).Format(time.DateOnly)
	require.Equal(t, yesterday, b.get("/settings/api-keys").text(`td[data-label="Ended"]`))
}

// A key expires after 90 days unless its creator chooses otherwise, at the end of that
// day where the organization is.
func TestKeyExpiresByDefault(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	modelstest.ExecuteAt(t, s.URL, `UPDATE organizations SET time_zone = 'Pacific/Auckland'`)
	auckland, err := models.Location("Pacific/Auckland")
	require.NoError(t, err)
	form := b.get("/settings/api-keys/new").page
	require.Equal(t, []string{"90"}, form.Find("[name=expires][checked]").Map(func(_ int, choice *goquery.Selection) string { return choice.AttrOr("value", "") }))
	last := time.Now().In(auckland).AddDate(0, 0, 90)
	created := b.submit("/settings/api-keys/new", url.Values{"name": {"Production"}})
	require.Contains(t, created.text("main"), "NameProductionReads the data ofOrganization aLast day"+last.Format(time.DateOnly))
	listed, err := keys.List(t.Context(), s.Service.Tenant(a.ID))
	require.NoError(t, err)
	require.Equal(t, time.Date(last.Year(), last.Month(), last.Day()+1, 0, 0, 0, 0, auckland).UTC(), listed[0].ExpiresAt.UTC())
}

// Owners and admins are warned on the overview and above the keys of a key that expires within 14 days,
// unless a key that would be accepted replaces it. Members are not.
func TestExpiryBanner(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	visitors := map[models.Role]*browser{}
	for _, role := range models.Roles {
		visitors[role] = s.member(t, a, string(role)+"@a.example", role)
	}
	key, _ := s.Key(t, a)
	s.Key(t, s.Organization(t, "b"))
	banner := func(role models.Role) string {
		text := visitors[role].get("/settings/api-keys").text(".banner")
		require.Contains(t, visitors[role].get("/").text("main"), text)
		require.Equal(t, text != "", strings.Contains(visitors[role].get("/").text("section[aria-labelledby=attention]"), "stops working"))
		return text
	}
	for expiry, warned := range map[string]bool{"15 days": false, "13 days": true, "1 hour": true, "-1 hour": false} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + $1::interval`, expiry)
		for role := range visitors {
			text := banner(role)
			if warned && role != models.RoleViewer {
				require.Contains(t, text, key.Name, "%s, %s", expiry, role)
			} else {
				require.Empty(t, text, "%s, %s", expiry, role)
			}
		}
	}
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + interval '1 day'`)
	successor, _, err := keys.Create(t.Context(), s.Service.Tenant(a.ID), keys.NewKey{Name: "New", SuccessorOf: &key.ID})
	require.NoError(t, err)
	require.Empty(t, banner(models.RoleOwner))
	for _, column := range []string{"paused_at", "revoked_at"} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET `+column+` = now() WHERE id = $1`, successor.ID)
		require.Contains(t, banner(models.RoleOwner), key.Name+" …"+key.Hint, column)
	}
}

// A key has the same state on every page, however soon it expires.
func TestKeyHasOneState(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Key(t, a)
	for expiry, state := range map[string]string{"30 days": "Active", "5 days": "Active", "-5 days": "Expired"} {
		modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + $1::interval`, expiry)
		for _, path := range []string{"/settings/api-keys", "/"} {
			require.Equal(t, state, b.get(path).text(`td[data-label="State"]`), "%s: expires in %s", path, expiry)
		}
	}
	modelstest.ExecuteAt(t, s.URL, `UPDATE api_keys SET expires_at = now() + interval '121 hours'`)
	require.Contains(t, b.get("/settings/api-keys").text(`td[data-label="Expires"]`), "in 5 days")
}

// A refused form is shown again with the reason, and creates no key.
func TestKeyFormRefused(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	for name, values := range map[string]url.Values{
		"no name":        {"name": {"  "}, "expires": {"never"}},
		"unknown choice": {"name": {"X"}, "expires": {"7"}},
		"no date":        {"name": {"X"}, "expires": {"date"}, "expires_on": {""}},
		"past date":      {"name": {"X"}, "expires": {"date"}, "expires_on": {"2020-01-01"}},
		"NUL bytes":      {"name": {string(make([]byte, 101))}, "expires": {"never"}},
		"not a date":     {"name": {"X"}, "expires": {"date"}, "expires_on": {"31/12/2030"}},
		"name too long":  {"name": {regexp.MustCompile(`.`).ReplaceAllString(password+password+password+password+password+password, "æ")}, "expires": {"never"}},
	} {
		a := b.post("/settings/api-keys/new", values)
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, name)
		require.Contains(t, a.text(), "Error:", name)
	}
	listed, err := keys.List(t.Context(), s.Service.Tenant(a.ID))
	require.NoError(t, err)
	require.Empty(t, listed)
}
