package main_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// events returns the security events in the log that name the event.
func (p *process) events(t testing.TB, event string) []map[string]any {
	t.Helper()
	found := p.err.Records("event", event)
	for _, entry := range found {
		require.Equal(t, "127.0.0.1", entry["address"])
	}
	return found
}

// await waits until the log has that many of an event, and returns them. The service
// logs before it answers, but the log comes through a pipe.
func (p *process) await(t testing.TB, event string, number int) []map[string]any {
	t.Helper()
	modelstest.Eventually(t, func() bool { return len(p.events(t, event)) >= number }, event)
	found := p.events(t, event)
	require.Len(t, found, number, event)
	return found
}

// Refused keys, failed sign-ins, forms from elsewhere and changed roles are logged as
// security events, with what is known of whom they concern and without secrets. The
// first ten from an address are logged at once, and those that follow are counted. Nothing
// is lost when the service stops.
func TestSecurityEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	revoked, revokedText := w.Key(t, w.acme)
	w.run(t, "key", "revoke", revoked.ID.String()).requireDone(t)
	const password = "gammel havn og ny bro"
	for _, role := range []string{"owner", "viewer"} {
		w.runWith(t, password, "user", "create", role+"@example.com", "--organization", "acme", "--role", role, "--password-stdin").
			requireDone(t)
	}
	viewer := modelstest.ValueAt[string](t, w.URL, `SELECT id::text FROM users WHERE email = 'viewer@example.com'`)
	owner := modelstest.ValueAt[string](t, w.URL, `SELECT id::text FROM users WHERE email = 'owner@example.com'`)
	s := w.serve(t)

	s.get(t, "/api/v1/companies", w.key)
	s.get(t, "/api/v1/companies", "") // no key is no event
	require.Empty(t, s.events(t, "key_refused"))
	for range 12 {
		require.Equal(t, http.StatusUnauthorized, s.get(t, "/api/v1/companies", revokedText).status)
	}
	refused := s.await(t, "key_refused", 10)
	require.Equal(t, "WARN", refused[0]["level"])
	require.Equal(t, w.acme.ID.String(), refused[0]["organization"])
	require.Equal(t, revoked.ID.String(), refused[0]["key"])
	require.EqualValues(t, http.StatusUnauthorized, refused[0]["status"])
	require.Contains(t, refused[0]["error"], "revoked")

	b := newBrowser(t, s, &modelstest.Log{})
	for _, email := range []string{strings.Repeat("x", 300) + w.key + "@example.com", "owner@example.com", "hunter2hunter2"} {
		require.NotEqual(t, http.StatusSeeOther,
			b.submit("/sign-in", "/sign-in", url.Values{"email": {email}, "password": {"wrong and secret"}}, nil))
	}
	failed := s.await(t, "sign_in_failed", 3)
	require.Equal(t, strings.Repeat("x", 254), failed[0]["email"])

	b.submit("/sign-in", "/sign-in",
		url.Values{"form_token": {"forged"}, "email": {"owner@example.com"}, "password": {password}}, nil)
	forged := s.await(t, "form_refused", 1)
	require.Equal(t, "/sign-in", forged[0]["route"])
	require.NotContains(t, forged[0], "user")

	require.Equal(t, http.StatusSeeOther,
		b.submit("/sign-in", "/sign-in", url.Values{"email": {"owner@example.com"}, "password": {password}}, nil))
	b.submit("/settings/members", "/settings/members/"+viewer+"/role", url.Values{"role": {"admin"}, "form_token": {""}},
		nil)
	for _, role := range []string{"admin", "owner"} {
		require.Equal(t, http.StatusSeeOther,
			b.submit("/settings/members", "/settings/members/"+viewer+"/role", url.Values{"role": {role}}, nil))
	}
	changed := s.await(t, "role_changed", 2) // each change is logged
	require.Equal(t, "INFO", changed[0]["level"])
	for name, value := range map[string]string{"user": owner, "member": viewer, "from": "viewer", "to": "admin", "organization": w.acme.ID.String()} {
		require.Equal(t, value, changed[0][name], name)
	}
	require.Equal(t, http.StatusSeeOther, b.submit("/settings/members", "/settings/members/"+viewer+"/remove", nil, nil))
	require.Equal(t, "none", s.await(t, "role_changed", 3)[2]["to"])

	require.Zero(t, s.end(t, terminate))
	require.Contains(t, s.err.String(), `"repeated":2`, "the refused keys beyond the tenth")
	require.Len(t, s.events(t, "sign_in_failed"), 3)
	require.Len(t, s.events(t, "form_refused"), 2)
	requireWithout(t, s.err.String(), "wrong and secret", "hunter2", password, revokedText[19:51], w.key[19:51])
}
