package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// Owners and admins change the organization's name, time zone, notification address
// and when deliveries are expected, which the audit log says. What cannot be used is refused, and what was typed is kept.
func TestOrganizationSettings(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.user(t, a, "viewer@a.example", models.RoleViewer)
	const path = "/settings/organization"
	for _, values := range []url.Values{
		{"name": {" "}}, {"name": {"a\u202eb"}}, {"time_zone": {""}}, {"time_zone": {"Local"}}, {"time_zone": {"Mars/Olympus"}}, {"time_zone": {"../etc/passwd"}},
		{"notification_address": {"accounts"}}, {"expected_by": {"24:00"}}, {"expected_by": {"10"}}, {"expected_by": {"ten"}},
	} {
		b.get(path)
		answer := b.submit(path, values)
		require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode, "%v", values)
		require.Equal(t, 1, answer.page.Find("[aria-invalid]").Length(), "%v", values)
		for name, value := range values {
			require.Equal(t, value[0], answer.page.Find("[name="+name+"]").AttrOr("value", ""))
		}
	}
	for _, values := range []url.Values{
		{"name": {"Åse & Søn"}, "time_zone": {"America/Nuuk"}, "notification_address": {"Accounts@a.example"}}, {}, {"notification_address": {""}},
		{"expected_by": {"09:30"}}, {"expected_by": {" 8.05 "}}, {"expected_by": {""}},
	} {
		b.get(path)
		b.submit(path, values)
		require.Contains(t, b.follow().text(), "Settings saved.")
	}
	require.Equal(t, "Åse & Søn", b.get("/").text(".organization strong"))
	require.ElementsMatch(t, []string{
		"name from Organization a to Åse & Søn, time zone from Europe/Copenhagen to America/Nuuk, notification address from none to accounts@a.example",
		"notification address from accounts@a.example to none",
		"delivery time from none to 09:30", "delivery time from 09:30 to 08:05", "delivery time from 08:05 to none",
	}, modelstest.Column[string](t, modelstest.Conn(t, s.URL), `SELECT subject FROM audit_log WHERE action = 'organization.change'`))
	require.Contains(t, s.signedIn(t, "viewer@a.example").get(path).text("main"), "America/Nuuk")
}
