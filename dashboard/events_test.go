package dashboard_test

import (
	"log/slog"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/modelstest"
)

// lastEvent returns a log's last record of an event.
func lastEvent(t *testing.T, log *modelstest.Log, event string) map[string]any {
	t.Helper()
	records := log.Records("event", event)
	require.NotEmpty(t, records)
	return records[len(records)-1]
}

// A failed sign-in is logged with the account if there is one, whether it was the
// password or the code that failed, and never with what was typed as a secret. The
// token of a one-time link is not logged with a form that was refused there.
func TestEventsNameTheAccount(t *testing.T) {
	t.Parallel()
	log := &modelstest.Log{}
	s := serveConfig(t, modelstest.NewWorld(t), dashboard.Config{Log: slog.New(slog.NewJSONHandler(log, nil))})
	s.user(t, s.Organization(t, "a"), "ada@example.com", models.RoleOwner)
	ada := modelstest.Value[string](t, modelstest.Conn(t, s.URL), `SELECT id::text FROM users`)
	b := s.browser(t)
	for email, c := range map[string]struct{ email, user any }{
		"ada@example.com": {"ada@example.com", ada}, "bo@example.com": {"bo@example.com", nil}, "a password": {"", nil},
	} {
		b.get("/sign-in")
		b.submit("/sign-in", url.Values{"email": {email}, "password": {"wrong"}})
		record := lastEvent(t, log, "sign_in_failed")
		require.Equal(t, c.email, record["email"])
		require.Equal(t, c.user, record["user"])
		require.Equal(t, false, record["limited"])
	}

	modelstest.ExecuteAt(t, s.URL, `UPDATE users SET totp_secret = '\x00'`)
	b.get("/sign-in")
	b.submit("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}})
	b.get("/sign-in/second-factor")
	b.submit("/sign-in/second-factor", url.Values{"code": {"wrong-code"}})
	record := lastEvent(t, log, "sign_in_failed")
	require.Equal(t, ada, record["user"])
	require.NotContains(t, log.String(), "wrong-code")

	modelstest.ExecuteAt(t, s.URL, `UPDATE sign_in_failures SET count = 1000`)
	b.get("/sign-in")
	b.submit("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}})
	require.Equal(t, true, lastEvent(t, log, "sign_in_failed")["limited"])

	b.do("POST", "/password/a-secret-token", url.Values{"password": {"x"}}, nil)
	require.Equal(t, "/password/:token", lastEvent(t, log, "form_refused")["route"])
	require.NotContains(t, log.String(), "a-secret-token")
}
