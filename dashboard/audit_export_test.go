package dashboard_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// auditSite has an organization a with a log of known entries, and a browser of one of
// its members.
func auditSite(t *testing.T) (*site, models.Organization, *browser) {
	t.Helper()
	s := newSite(t)
	a := s.Organization(t, "a")
	b := s.member(t, a, "kari@a.example", models.RoleViewer)
	for _, entry := range []struct{ at, who, action, subject string }{
		{"2020-01-31T23:59:59+01:00", "ada@a.example", "key.create", "January"},
		{"2020-02-01T00:00:00+01:00", "ada@a.example", "key.revoke", "=HYPERLINK(\"x\")"},
		{"2020-02-01T12:00:00+01:00", "bo@a.example", "key.revoke", "-1"},
		{"2020-02-02T23:59:59+01:00", "operator", "user.create", "ada@a.example as owner"},
		{"2020-02-03T00:00:00+01:00", "bo@a.example", "key.create", "@February, \"quoted\""},
	} {
		modelstest.ExecuteAt(t, s.URL, `INSERT INTO audit_log (organization_id, id, at, user_id, user_email, action, subject, address)
			SELECT $1, (lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid,
			$2::timestamptz, CASE WHEN $3 <> 'operator' THEN (SELECT id FROM users LIMIT 1) END, $3, $4, $5, '127.0.0.1'`,
			a.ID, entry.at, entry.who, entry.action, entry.subject)
	}
	return s, a, b
}

// The audit log can be filtered by person, action and days of the organization, in any combination, by an
// address that can be bookmarked. What is not valid does not filter.
func TestAuditLogFilter(t *testing.T) {
	t.Parallel()
	_, _, b := auditSite(t)
	for query, want := range map[string]int{
		"": 7, "person=ada@a.example": 2, "person=+ADA@a.example": 2, "person=operator": 2, "person=ada": 0, "person=%00": 7,
		"action=key.revoke": 2, "action=key.revoke&person=bo@a.example": 1, "action=made.up": 7,
		"from=2020-02-01": 6, "to=2020-01-31": 1, "from=2020-02-01&to=2020-02-02": 3, "from=2020-02-30": 7,
		"from=2020-02-01&to=2020-02-02&person=bo@a.example&action=key.revoke": 1, "to=9999-12-31": 7, "from=0001-01-01": 7,
		"key=0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a": 0, "key=made-up": 7,
	} {
		a := b.get("/settings/audit-log?" + query)
		require.Equal(t, http.StatusOK, a.StatusCode, query)
		require.Equal(t, want, a.page.Find("tbody tr").Length(), query)
	}
	a := b.get("/settings/audit-log?person=Bo@a.example&action=key.revoke&from=2020-02-01&to=2020-02-02")
	require.Equal(t, "bo@a.example", a.page.Find("form[method=get] [name=person]").AttrOr("value", ""))
	require.Equal(t, "2020-02-01", a.page.Find("form[method=get] [name=from]").AttrOr("value", ""))
	require.Equal(t, "key.revoke", a.page.Find("form[method=get] option[selected]").AttrOr("value", ""))
}

// The pages of a filtered log keep the filter.
func TestAuditLogFilterPages(t *testing.T) {
	t.Parallel()
	s, o, b := auditSite(t)
	modelstest.ExecuteAt(t, s.URL, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT $1, gen_random_uuid(), 'eve@a.example', 'key.create', '', '' FROM generate_series(1, 60)`, o.ID)
	a := b.get("/settings/audit-log?person=eve@a.example")
	require.Equal(t, 50, a.page.Find("tbody tr").Length())
	a = b.get(a.page.Find("[rel=next]").AttrOr("href", ""))
	require.Equal(t, 10, a.page.Find("tbody tr").Length())
	require.Equal(t, "/settings/audit-log?person=eve%40a.example", a.page.Find("[rel=prev]").AttrOr("href", ""))
}

// An export has exactly the filtered entries, over many pages, for people and for
// programs. A spreadsheet runs no text in what people get. The export is in the log.
func TestAuditLogExport(t *testing.T) {
	t.Parallel()
	s, o, b := auditSite(t)
	export := func(query string) *answer {
		a := b.get("/settings/audit-log/export?" + query)
		require.Equal(t, http.StatusOK, a.StatusCode)
		return a
	}
	a := export("format=csv&from=2020-02-01&to=2020-02-03")
	require.Contains(t, a.Header.Get("Content-Disposition"), `filename="Organization a audit log `)
	require.Equal(t, [][]string{
		{"at", "person", "action", "description", "subject", "address"},
		{"2020-02-02T23:00:00.000Z", "bo@a.example", "key.create", "Created a key", "@February, \"quoted\"", "127.0.0.1"},
		{"2020-02-02T22:59:59.000Z", "operator", "user.create", "Added a user", "ada@a.example as owner", "127.0.0.1"},
		{"2020-02-01T11:00:00.000Z", "bo@a.example", "key.revoke", "Revoked a key", "-1", "127.0.0.1"},
		{"2020-01-31T23:00:00.000Z", "ada@a.example", "key.revoke", "Revoked a key", "=HYPERLINK(\"x\")", "127.0.0.1"},
	}, readCSV(t, a.body, ','))
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"), "Exported the audit log CSV for programs, as in the API, from 2020-02-01, to 2020-02-03")
	danish := readCSV(t, strings.TrimPrefix(export("format=csv-da&action=key.revoke").body, "\ufeff"), ';')
	require.Equal(t, []string{"'-1", "'=HYPERLINK(\"x\")"}, column(t, danish, "Concerns"))

	modelstest.ExecuteAt(t, s.URL, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT $1, gen_random_uuid(), 'eve@a.example', 'key.create', n::text, '' FROM generate_series(1, 2500) n`, o.ID)
	a = export("format=jsonl&person=eve@a.example")
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
	s.user(t, other, "owner@b.example", models.RoleOwner)
	require.Empty(t, s.signedIn(t, "owner@b.example").get("/settings/audit-log/export?format=jsonl&person=ada@a.example").body, "of another organization")
}
