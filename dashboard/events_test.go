package dashboard_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/modelstest"
)

// eventLog holds a log's records.
type eventLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *eventLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

// last returns the last record.
func (l *eventLog) last(t *testing.T) map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(l.text.Bytes()), []byte("\n"))
	var record map[string]any
	require.NoError(t, json.Unmarshal(lines[len(lines)-1], &record))
	return record
}

// A failed sign-in is logged with the account if there is one, whether it was the
// password or the code that failed, and never with what was typed as a secret. The
// token of a one-time link is not logged with a form that was refused there.
func TestEventsNameTheAccount(t *testing.T) {
	t.Parallel()
	log := &eventLog{}
	s := serveConfig(t, modelstest.NewWorld(t), dashboard.Config{Log: slog.New(slog.NewJSONHandler(log, nil))})
	s.user(t, s.Organization(t, "a"), "ada@example.com", models.RoleOwner)
	ada := modelstest.Value[string](t, modelstest.Conn(t, s.URL), `SELECT id::text FROM users`)
	b := s.browser(t)
	for email, c := range map[string]struct{ email, user any }{
		"ada@example.com": {"ada@example.com", ada}, "bo@example.com": {"bo@example.com", nil}, "a password": {"", nil},
	} {
		b.get("/sign-in")
		b.submit("/sign-in", url.Values{"email": {email}, "password": {"wrong"}})
		record := log.last(t)
		require.Equal(t, "sign_in_failed", record["event"])
		require.Equal(t, c.email, record["email"])
		require.Equal(t, c.user, record["user"])
		require.Equal(t, false, record["limited"])
	}

	modelstest.ExecuteAt(t, s.URL, `UPDATE users SET totp_secret = '\x00'`)
	b.get("/sign-in")
	b.submit("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}})
	b.get("/sign-in/second-factor")
	b.submit("/sign-in/second-factor", url.Values{"code": {"wrong-code"}})
	record := log.last(t)
	require.Equal(t, "sign_in_failed", record["event"], "%v", record)
	require.Equal(t, ada, record["user"])
	require.NotContains(t, log.text.String(), "wrong-code")

	modelstest.ExecuteAt(t, s.URL, `UPDATE sign_in_failures SET count = 1000`)
	b.get("/sign-in")
	b.submit("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}})
	require.Equal(t, true, log.last(t)["limited"])

	b.do("POST", "/password/a-secret-token", url.Values{"password": {"x"}}, nil)
	require.Equal(t, "form_refused", log.last(t)["event"])
	require.Equal(t, "/password/:token", log.last(t)["route"])
	require.NotContains(t, log.text.String(), "a-secret-token")
}
