package dashboard_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
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
	kari.post(path, nil)
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
	kari.send("/profile", "/profile/sessions/end-others", nil)
	member := kari.get("/settings/members").page.Find(`a[href$="/remove"]`).AttrOr("href", "")
	kari.post(member, nil)
	require.Equal(t, []string{"Left the organization kari@a.example", "Ended all their other sessions", "Switched to this organization"}, log()[:3])

	require.NoError(t, s.Operator.Accounts.UserEndSessions(t.Context(), "owner@o.example"))
	owner = s.signedIn(t, "owner@o.example")
	require.Contains(t, owner.get("/settings/audit-log").text(), "Signed a user out everywhere owner@o.example")
	owner.submit("/sign-out", nil)
	owner = s.signedIn(t, "owner@o.example")
	require.Contains(t, owner.get("/settings/audit-log").text(), "Signed out O owner@o.example")
}

// The audit log says in the reader's language also how and how much: its entries are
// stored in English.
func TestAuditLogInDanish(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Companies(t, a, "10000001")
	delivery := s.Delivery(t, "10000001", 1)
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), s.Operator.DB(), delivery.ID, "Sent twice.", nil)))
	b.send("/profile", "/profile/language", url.Values{"language": {"da"}})
	b.post("/settings/organization", url.Values{"name": {"Ny A"}, "notification_address": {"post@a.example"}, "expected_by": {"09:30"}})
	b.get("/companies/export?format=csv-da&status=CREATED&q=10")
	b.get("/transactions/export?format=csv&from=2026-01-31&amount=1000,50")

	tenant := s.Service.Tenant(a.ID)
	key, _ := s.Key(t, a)
	end := time.Date(2090, 1, 31, 23, 0, 0, 0, time.UTC)
	for _, change := range []func() (keys.Detail, error){
		func() (keys.Detail, error) { return keys.Describe(t.Context(), tenant, key.ID, "New", "a note") },
		func() (keys.Detail, error) { return keys.Expire(t.Context(), tenant, key.ID, end) },
		func() (keys.Detail, error) { return keys.RevokeAfterIdle(t.Context(), tenant, key.ID, 10) },
		func() (keys.Detail, error) { return keys.RevokeAt(t.Context(), tenant, key.ID, end) },
	} {
		require.NoError(t, modelstest.ErrorOf(change()))
	}
	s.User(t, a, "gone@a.example", models.RoleAdmin, "correct horse battery")
	gone := modelstest.ValueAt[uuid.UUID](t, s.URL, `SELECT id FROM users WHERE email = 'gone@a.example'`)
	made, _, err := keys.Create(t.Context(), tenant.As(models.Actor{UserID: &gone, Email: "gone@a.example"}), keys.NewKey{Name: "Made"})
	require.NoError(t, err)
	b.post("/settings/organization", url.Values{"name": {"Ny A"}, "notification_address": {"gone@a.example"}, "expected_by": {"09:30"}})
	require.NoError(t, s.Operator.Accounts.UserDelete(t.Context(), "gone@a.example"))
	require.Contains(t, b.get("/settings/api-keys/"+made.ID.String()).text("main"), "af en slettet bruger")

	log := b.get("/settings/audit-log").text("table")
	require.NotRegexp(t, `En slettet bruger[\d. ]+kommandolinje`, log)
	for _, want := range []string{
		"Slettede en bruger", "En slettet bruger", "en slettet bruger: Admini",
		"e-mailadresse til beskeder fra post@a.example til en slettet bruger", "e-mailadresse til beskeder fra en slettet bruger til ingen",
		": 1 transaktion på 0,00 kr. Årsag: Sent twice.",
		"navn fra Organization a til Ny A, Leverance forventes senest kl. sat til 09.30 (før: ingen), e-mailadresse til beskeder fra ingen til post@a.example",
		"CSV til e-conomic, søgning ”10”, status Oprettet",
		"CSV til programmer, som i API’et, fra 31.01.2026, beløb 1000,50",
		"New (dispo_…" + key.Hint + "), hed før " + key.Name + ", note ændret",
		"), udløber 01.02.2090 00.00", "), når den har været ubrugt i 10 dage", "), 01.02.2090 00.00",
	} {
		require.Contains(t, log, want)
	}
	file := strings.Join(column(t, readCSV(t, strings.TrimPrefix(b.get("/settings/audit-log/export?format=csv-da").body, "\ufeff"), ';'), "Vedrører"), "\n")
	require.Contains(t, file, "navn fra Organization a til Ny A")
}
