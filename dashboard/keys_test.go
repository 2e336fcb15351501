package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

var keyForm = regexp.MustCompile(`dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}`)

// A key is shown only in the answer to its creation. The list does not show it.
// Submitting the form again neither shows it nor creates a second key, and its path in the
// browser's history says that it was shown. A refused form is shown again with the reason, and
// creates no key.
func TestKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	for name, values := range map[string]url.Values{
		"no name":        {"name": {"  "}, "expires": {"never"}},
		"unknown choice": {"name": {"X"}, "expires": {"7"}},
		"no date":        {"name": {"X"}, "expires": {"date"}, "expires_on": {""}},
		"past date":      {"name": {"X"}, "expires": {"date"}, "expires_on": {"2020-01-01"}},
		"NUL bytes":      {"name": {string(make([]byte, 101))}, "expires": {"never"}},
		"not a date":     {"name": {"X"}, "expires": {"date"}, "expires_on": {"31/12/2030"}},
		"name too long":  {"name": {strings.Repeat("æ", 101)}, "expires": {"never"}},
	} {
		refused := b.post("/settings/api-keys/new", values)
		require.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode, name)
		require.Contains(t, refused.text(), "Error:", name)
	}

	b.get("/settings/api-keys/new")
	form := b.form("/settings/api-keys/new", url.Values{"name": {"Production"}, "expires": {"90"}})
	created := b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	require.Equal(t, http.StatusOK, created.StatusCode)
	require.Equal(t, "no-store", created.Header.Get("Cache-Control"))
	key := keyForm.FindString(created.body)
	require.NotEmpty(t, key)
	require.NoError(t, s.Service.Verify(t, key))

	again := b.do(http.MethodPost, "/settings/api-keys/new", form, nil)
	require.Equal(t, http.StatusOK, again.StatusCode)
	require.NotRegexp(t, keyForm, again.body)
	history := b.get(created.attr("[data-history]", "data-history"))
	require.Contains(t, history.text(), "This key has been shown already")
	require.NotRegexp(t, keyForm, history.body)
	list := b.get("/settings/api-keys")
	require.NotRegexp(t, keyForm, list.body)
	require.Contains(t, list.text(), "Production")
	require.Equal(t, 1, list.count("tbody tr"))
	require.Equal(t, "owner@a.example", *s.newestKey(t, a).CreatedByEmail)
}

// A key expires after 90 days unless its creator chooses otherwise, at the end of that day
// where the organization is, and is listed with the day. The form for rotating it proposes a
// new one from it.
func TestKeyExpiresOnLastDay(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.execute(t, `UPDATE organizations SET time_zone = 'Pacific/Auckland'`)
	auckland := i18n.StoredZone("Pacific/Auckland")
	day := func(away int) string { return time.Now().In(auckland).AddDate(0, 0, away).Format(time.DateOnly) }
	for away, chosen := range map[int]url.Values{90: {"name": {"Production"}}, 60: {"name": {"Production"}, "expires": {"date"}, "expires_on": {day(60)}}} {
		created := b.post("/settings/api-keys/new", chosen)
		require.Contains(t, created.text("main"), "NameProductionReads the data ofOrganization aLast day"+day(away))
		key := s.newestKey(t, a)
		require.Equal(t, day(away), key.ExpiresAt.Add(-time.Second).In(auckland).Format(time.DateOnly),
			"it works through that day")
		require.Equal(t, day(away+1)+" 00:00", key.ExpiresAt.In(auckland).Format("2006-01-02 15:04"))
		require.Equal(t, day(away), b.get("/settings/api-keys?q="+key.Hint).text(`td[data-label="Expires"]`))
		rotation := b.get("/settings/api-keys/" + key.ID.String() + "/rotate").page
		require.Equal(t, map[int]string{90: "90", 60: "date"}[away],
			rotation.Find("[name=expires][checked]").AttrOr("value", ""))
		require.Equal(t, map[int]string{60: day(60)}[away], rotation.Find("[name=expires_on]").AttrOr("value", ""))
	}
	s.execute(t, `UPDATE api_keys SET expires_at = date_trunc('day', now(), 'Pacific/Auckland')`)
	require.Equal(t, day(-1), b.get("/settings/api-keys").text(`tr:first-child td[data-label="Ended"]`))
}

// Owners and admins are warned on the overview and above the keys of a key that expires within 14 days,
// unless a key that would be accepted replaces it. Members are not. The key has the same state on
// both pages, however soon it expires.
func TestExpiringKeysAreAnnounced(t *testing.T) {
	t.Parallel()
	s, a, owner := ownerSite(t)
	visitors := map[terms.Role]*browser{terms.Owner: owner}
	for _, role := range []terms.Role{terms.Admin, terms.Viewer} {
		visitors[role] = s.member(t, a, string(role)+"@a.example", role)
	}
	key, _ := s.Key(t, a)
	s.Key(t, s.Organization(t, "b"))
	banner := func(role terms.Role) string {
		text := visitors[role].get("/settings/api-keys").text(".banner")
		require.Contains(t, visitors[role].get("/").text("main"), text)
		require.Equal(t, text != "",
			strings.Contains(visitors[role].get("/").text("section[aria-labelledby=attention]"), "stops working"))
		return text
	}
	for expiry, warned := range map[string]bool{"15 days": false, "5 days": true, "1 day": true, "-1 hour": false} {
		s.execute(t,
			`UPDATE api_keys SET expires_at = date_trunc('day', now() + '1 day', 'Europe/Copenhagen') + $1::interval`, expiry)
		if expiry == "-1 hour" {
			s.execute(t, `UPDATE api_keys SET expires_at = now() + $1::interval`, expiry)
		}
		list := owner.get("/settings/api-keys")
		require.Equal(t, map[bool]string{false: "Active", true: "Expired"}[expiry == "-1 hour"],
			list.text(`td[data-label="State"]`), expiry)
		require.Equal(t, map[string]string{"5 days": ", in 5 days", "1 day": ", tomorrow"}[expiry],
			list.text(`td[data-label="Expires"] .visually-hidden`), expiry)
		for role := range visitors {
			text := banner(role)
			if warned && role != terms.Viewer {
				require.Contains(t, text, key.Name, "%s, %s", expiry, role)
			} else {
				require.Empty(t, text, "%s, %s", expiry, role)
			}
		}
	}
	s.execute(t, `UPDATE api_keys SET expires_at = now() + interval '1 day'`)
	successor, _ := modelstest.CreateKey(t, s.Service.Tenant(a.ID), keys.NewKey{Name: "New", SuccessorOf: &key.ID})
	require.Empty(t, banner(terms.Owner))
	for _, column := range []string{"paused_at", "revoked_at"} {
		s.execute(t, `UPDATE api_keys SET `+column+` = now() WHERE id = $1`, successor.ID)
		require.Contains(t, banner(terms.Owner), key.Name+" …"+key.Hint, column)
	}
}

// A key that ends in the middle of a day is shown with the time, wherever it is named.
func TestKeyThatEndsAtATime(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	key, _ := s.Key(t, a)
	page := "/settings/api-keys/" + key.ID.String()
	s.execute(t,
		`UPDATE api_keys SET expires_at = date_trunc('day', now() + '3 days', 'Europe/Copenhagen') + interval '15:26'`)
	end := time.Now().In(i18n.StoredZone("Europe/Copenhagen")).AddDate(0, 0, 3).Format(time.DateOnly) + " 15:26"
	require.Contains(t, b.get(page).text(".facts"), "Expires"+end+" in 3 days")
	require.Contains(t, b.get("/settings/api-keys").text("tbody"), end+", in 3 days")
	for _, path := range []string{"/", "/settings/api-keys"} {
		require.Contains(t, b.get(path).text(".banner"), "stops working after "+end+".")
	}
	_, err := keys.RevokeAt(t.Context(), s.Service.Tenant(a.ID), key.ID, time.Date(2098, 12, 31, 14, 26, 0, 0, time.UTC))
	require.NoError(t, err)
	require.Contains(t, b.get(page).text(".facts"), "Will be revoked after 2098-12-31 15:26")
	require.Contains(t, b.get("/settings/audit-log").text("tbody"), ", after 2098-12-31 15:26")
}
