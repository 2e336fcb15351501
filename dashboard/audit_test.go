package dashboard_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// The audit log says what a user did with their sessions: signing in and out,
// switching between organizations, and leaving one.
func TestAuditLogOfSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a, o := s.Organization(t, "a"), s.Organization(t, "o")
	kari, owner := s.member(t, a, "kari@a.example", terms.Viewer), s.member(t, o, "owner@o.example", terms.Owner)
	kari.post(invite(owner, "kari@a.example", "viewer"), nil)
	kari.follow()
	for _, to := range []models.Organization{a, o} {
		kari.send("/", "/organization", url.Values{"organization": {to.ID.String()}})
	}
	log := func() []string {
		var rows []string
		for _, row := range owner.get("/settings/audit-log?person=kari@a.example").page.Find("tbody tr").EachIter() {
			rows = append(rows, squeeze(row.Find("th").Text()))
		}
		return rows
	}
	require.Equal(t, []string{"Switched to this organization", "Joined the organization Viewer"}, log())

	other := s.signedIn(t, "kari@a.example")
	other.send("/", "/organization", url.Values{"organization": {o.ID.String()}})
	kari.send("/profile", "/profile/sessions/end-others", nil)
	kari.post(kari.get("/settings/members").attr(`a[href$="/remove"]`, "href"), nil)
	require.Equal(t,
		[]string{"Left the organization kari@a.example", "Ended all their other sessions", "Switched to this organization"},
		log()[:3])

	require.NoError(t, s.Operator.Accounts.UserEndSessions(t.Context(), "owner@o.example"))
	owner = s.signedIn(t, "owner@o.example")
	require.Contains(t, owner.get("/settings/audit-log").text(), "Signed a user out everywhere owner@o.example")
	require.Contains(t, owner.last.text(), "Members can’t change or delete entries.", "retention deletes old ones")
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
	s.withdraw(t, s.Delivery(t, "10000001", 1), "Sent twice.")
	b.send("/profile", "/profile/language", url.Values{"language": {"da"}})
	b.post("/settings/organization",
		url.Values{"name": {"Ny A"}, "notification_address": {"post@a.example"}, "expected_by": {"09:30"}})
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
	s.User(t, a, "gone@a.example", terms.Admin, "correct horse battery")
	gone := modelstest.ValueAt[uuid.UUID](t, s.URL, `SELECT id FROM users WHERE email = 'gone@a.example'`)
	made, _ := modelstest.CreateKey(t, tenant.As(models.Actor{UserID: &gone, Email: "gone@a.example"}),
		keys.NewKey{Name: "Made"})
	b.post("/settings/organization",
		url.Values{"name": {"Ny A"}, "notification_address": {"gone@a.example"}, "expected_by": {"09:30"}})
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
		"), udløber efter den 31.01.2090", "), når den har været ubrugt i 10 dage", "), efter den 31.01.2090",
	} {
		require.Contains(t, log, want)
	}
	file := column(t, b.exported("/settings/audit-log/export?format=csv-da", nil), "Vedrører")
	require.Contains(t, strings.Join(file, "\n"), "navn fra Organization a til Ny A")
}

// auditSite has an organization a with a log of known entries, and a browser of its owner.
func auditSite(t *testing.T) (*site, models.Organization, *browser) {
	t.Helper()
	s, a, b := ownerSite(t)
	for _, entry := range []struct{ at, who, action, subject string }{
		{"2020-01-31T23:59:59+01:00", "ada@a.example", "key.create", "January"},
		{"2020-02-01T00:00:00+01:00", "ada@a.example", "key.revoke", "=HYPERLINK(\"x\")"},
		{"2020-02-01T12:00:00+01:00", "bo@a.example", "key.revoke", "-1"},
		{"2020-02-02T23:59:59+01:00", "operator", "user.create", "ada@a.example as owner"},
		{"2020-02-03T00:00:00+01:00", "bo@a.example", "key.create", "@February, \"quoted\""},
	} {
		s.execute(t, `INSERT INTO audit_log (organization_id, id, at, user_id, user_email, action, subject, address)
			SELECT $1, (lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid,
			$2::timestamptz, CASE WHEN $3 <> 'operator' THEN (SELECT id FROM users LIMIT 1) END, $3, $4, $5, '127.0.0.1'`, a.ID, entry.at, entry.who, entry.action, entry.subject)
	}
	return s, a, b
}

// The audit log can be filtered by person, action and days of the organization, in any combination, by an
// address that can be bookmarked. What is not valid does not filter.
func (b *browser) requireAuditFilter(t *testing.T) {
	t.Helper()
	for query, want := range map[string]int{
		"": 7, "person=ada@a.example": 2, "person=+ADA@a.example": 2, "person=operator": 2, "person=ada": 0, "person=%00": 7,
		"action=key.revoke": 2, "action=key.revoke&person=bo@a.example": 1, "action=made.up": 7,
		"from=2020-02-01": 6, "to=2020-01-31": 1, "from=2020-02-01&to=2020-02-02": 3, "from=2020-02-30": 7,
		"from=2020-02-01&to=2020-02-02&person=bo@a.example&action=key.revoke": 1, "to=9999-12-31": 7, "from=0001-01-01": 7,
		"key=0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a": 0, "key=made-up": 7,
	} {
		a := b.get("/settings/audit-log?" + query)
		require.Equal(t, http.StatusOK, a.StatusCode, query)
		require.Equal(t, want, a.count("tbody tr"), query)
	}
	a := b.get("/settings/audit-log?person=Bo@a.example&action=key.revoke&from=2020-02-01&to=2020-02-02")
	require.Equal(t, "bo@a.example", a.attr("form[method=get] [name=person]", "value"))
	require.Equal(t, "2020-02-01", a.attr("form[method=get] [name=from]", "value"))
	require.Equal(t, "key.revoke", a.attr("form[method=get] option[selected]", "value"))
}

// An export has exactly the filtered entries, over many pages, for people and for
// programs. A spreadsheet runs no text in what people get. The export is in the log. The pages
// of a filtered log keep the filter.
func TestAuditLogExport(t *testing.T) {
	t.Parallel()
	s, o, b := auditSite(t)
	b.requireAuditFilter(t)
	const export = "/settings/audit-log/export?"
	require.Equal(t, [][]string{
		{"at", "person", "action", "description", "subject", "address"},
		{"2020-02-02T23:00:00.000Z", "bo@a.example", "key.create", "Created a key", "@February, \"quoted\"", "127.0.0.1"},
		{"2020-02-02T22:59:59.000Z", "operator", "user.create", "Added a user", "ada@a.example as owner", "127.0.0.1"},
		{"2020-02-01T11:00:00.000Z", "bo@a.example", "key.revoke", "Revoked a key", "-1", "127.0.0.1"},
		{"2020-01-31T23:00:00.000Z", "ada@a.example", "key.revoke", "Revoked a key", "=HYPERLINK(\"x\")", "127.0.0.1"},
	}, b.exported(export+"format=csv&from=2020-02-01&to=2020-02-03", nil))
	require.Contains(t, b.last.Header.Get("Content-Disposition"), `filename="Organization a audit log `)
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"),
		"Exported the audit log CSV for programs, as in the API, from 2020-02-01, to 2020-02-03")
	values{{export + "format=csv-da&action=key.revoke", "Concerns", `'-1|'=HYPERLINK("x")`}}.require(b, "en")

	s.execute(t, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT $1, gen_random_uuid(), 'eve@a.example', 'key.create', n::text, '' FROM generate_series(1, 2500) n`, o.ID)
	page := b.get("/settings/audit-log?person=eve@a.example").page
	page = b.get(page.Find("[rel=next]").AttrOr("href", "")).page
	require.Equal(t, 50, page.Find("tbody tr").Length())
	require.Contains(t, page.Find("[rel=prev]").AttrOr("href", ""), "person=eve%40a.example")
	a := b.get(export + "format=jsonl&person=eve@a.example")
	require.Equal(t, "application/jsonl; charset=utf-8", a.Header.Get("Content-Type"))
	seen := map[string]bool{}
	for line := range strings.Lines(a.body) {
		var entry struct{ Person, Subject string }
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.Equal(t, "eve@a.example", entry.Person)
		seen[entry.Subject] = true
	}
	require.Len(t, seen, 2500)
	require.Equal(t, 2500, strings.Count(a.body, "\n"))

	other := s.Organization(t, "b")
	require.Empty(
		t,
		s.member(t, other, "owner@b.example", terms.Owner).
			get("/settings/audit-log/export?format=jsonl&person=ada@a.example").
			body,
		"of another organization",
	)
}
