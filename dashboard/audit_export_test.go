package dashboard_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
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
	s.user(t, a, "kari@a.example", models.RoleMember)
	b := s.signedIn(t, "kari@a.example")
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

// An export has exactly the filtered entries, over many pages, as CSV with a header or
// as JSON lines. A spreadsheet runs no text in it. The export is in the log.
func TestAuditLogExport(t *testing.T) {
	t.Parallel()
	s, o, b := auditSite(t)
	export := func(changed url.Values) *answer {
		b.get("/settings/audit-log")
		a := b.submit("/settings/audit-log/export", changed)
		require.Equal(t, http.StatusOK, a.StatusCode)
		return a
	}
	a := export(url.Values{"format": {"csv"}, "from": {"2020-02-01"}, "to": {"2020-02-03"}})
	require.Equal(t, "text/csv; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Regexp(t, `^attachment; filename="audit-log-[0-9-]{10}\.csv"$`, a.Header.Get("Content-Disposition"))
	rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"at", "person", "action", "description", "subject", "address"},
		{"2020-02-02T23:00:00.000Z", "bo@a.example", "key.create", "Created a key", "'@February, \"quoted\"", "127.0.0.1"},
		{"2020-02-02T22:59:59.000Z", "operator", "user.create", "Added a user", "ada@a.example as owner", "127.0.0.1"},
		{"2020-02-01T11:00:00.000Z", "bo@a.example", "key.revoke", "Revoked a key", "'-1", "127.0.0.1"},
		{"2020-01-31T23:00:00.000Z", "ada@a.example", "key.revoke", "Revoked a key", "'=HYPERLINK(\"x\")", "127.0.0.1"},
	}, rows)
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"), "Exported the audit log CSV, from 2020-02-01, to 2020-02-03")

	modelstest.ExecuteAt(t, s.URL, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT $1, gen_random_uuid(), 'eve@a.example', 'key.create', n::text, '' FROM generate_series(1, 2500) n`, o.ID)
	a = export(url.Values{"format": {"jsonl"}, "person": {"eve@a.example"}})
	seen := map[string]bool{}
	for line := range strings.Lines(a.body) {
		var entry struct{ Person, Subject string }
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.Equal(t, "eve@a.example", entry.Person)
		seen[entry.Subject] = true
	}
	require.Len(t, seen, 2500)
	require.Equal(t, 2500, strings.Count(a.body, "\n"))

	empty := export(url.Values{"format": {"csv"}, "person": {"nobody@a.example"}})
	require.Equal(t, "at,person,action,description,subject,address\n", empty.body)
}

// An export has nothing of another organization.
func TestAuditLogExportOfOtherOrganization(t *testing.T) {
	t.Parallel()
	s, _, _ := auditSite(t)
	b := s.Organization(t, "b")
	s.user(t, b, "owner@b.example", models.RoleOwner)
	owner := s.signedIn(t, "owner@b.example")
	owner.get("/settings/audit-log")
	a := owner.submit("/settings/audit-log/export", url.Values{"format": {"jsonl"}, "person": {"ada@a.example"}})
	require.Equal(t, http.StatusOK, a.StatusCode)
	require.Empty(t, a.body)
}
