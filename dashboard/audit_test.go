package dashboard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// The audit log says what a user did with their sessions: signing in and out,
// switching between organizations, and leaving one.
func TestAuditLogOfSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a, o := s.Organization(t, "a"), s.Organization(t, "o")
	s.user(t, a, "kari@a.example", models.RoleViewer)
	owner := s.member(t, o, "owner@o.example", models.RoleOwner)
	path := invite(owner, "kari@a.example", "viewer")
	kari := s.signedIn(t, "kari@a.example")
	kari.get(path)
	kari.submit(path, nil)
	kari.follow()
	for _, to := range []models.Organization{a, o} {
		kari.get("/")
		kari.do("POST", "/organization", kari.form("/organization", map[string][]string{"organization": {to.ID.String()}}), nil)
	}
	log := func() []string {
		var rows []string
		page := owner.get("/settings/audit-log").page
		for _, row := range page.Find("tbody tr").EachIter() {
			if who := row.Find("td .break").First().Text(); who == "kari@a.example" {
				rows = append(rows, squeeze(row.Find("th").Text()))
			}
		}
		return rows
	}
	require.Equal(t, []string{"Switched to this organization", "Joined the organization Viewer"}, log())

	other := s.signedIn(t, "kari@a.example")
	other.get("/")
	other.do("POST", "/organization", other.form("/organization", map[string][]string{"organization": {o.ID.String()}}), nil)
	kari.get("/profile")
	kari.submit("/profile/sessions/end-others", nil)
	member := kari.get("/settings/members").page.Find(`a[href$="/remove"]`).AttrOr("href", "")
	kari.get(member)
	kari.submit(member, nil)
	require.Equal(t, []string{"Left the organization kari@a.example", "Ended all their other sessions", "Switched to this organization"}, log()[:3])

	require.NoError(t, s.Operator.Accounts.UserEndSessions(t.Context(), "owner@o.example"))
	owner = s.signedIn(t, "owner@o.example")
	require.Contains(t, owner.get("/settings/audit-log").text(), "Signed a user out everywhere owner@o.example")
	owner.submit("/sign-out", nil)
	owner = s.signedIn(t, "owner@o.example")
	require.Contains(t, owner.get("/settings/audit-log").text(), "Signed out O owner@o.example")
}
