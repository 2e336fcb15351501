package dashboard_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/database"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// requireUnavailable requires the page that says to try again in a few seconds.
func requireUnavailable(t *testing.T, a *answer, text string) {
	t.Helper()
	require.Equal(t, http.StatusServiceUnavailable, a.StatusCode, a.text())
	require.Equal(t, "5", a.Header.Get("Retry-After"))
	require.Contains(t, a.text(), text)
}

// While the database is read-only, as a standby is before it takes over, signing in is
// unavailable for the moment: 503 with Retry-After, not 500. Afterwards it works.
func TestSignInWhileTheDatabaseIsReadOnly(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t)
	s.Service = modelstest.Open(t, s.URL+"&default_transaction_read_only=on", database.Service)
	readOnly := serve(t, s.World, dashboard.Config{})
	for _, typed := range []string{password, "another password"} {
		requireUnavailable(t, readOnly.browser(t).signIn("owner@a.example", typed), "can’t reach its database")
	}
	s.signedIn(t, "owner@a.example")
}

// A page or a form whose connection to the database breaks, or whose statement is cut off,
// answers 503, never 500.
func TestDatabaseIsLost(t *testing.T) {
	t.Parallel()
	s, _, b := ownerSite(t)
	s.Service = modelstest.OpenConfig(t,
		database.Config{URL: modelstest.With(s.URL, "statement_timeout", "1000"), Role: database.Service}, modelstest.Secret)
	hasty := b.at(serve(t, s.World, dashboard.Config{}))
	conn := modelstest.Conn(t, s.URL)
	for _, row := range []struct {
		table string
		load  func(b *browser) *answer
	}{
		{"companies", func(b *browser) *answer { return b.get("/companies") }},
		{"audit_log", func(b *browser) *answer { return b.get("/settings/audit-log") }},
		{"api_keys", func(b *browser) *answer {
			return b.post("/settings/api-keys/new", url.Values{"name": {"Production"}})
		}},
	} {
		modelstest.Execute(t, conn, `BEGIN; LOCK TABLE `+row.table+` IN ACCESS EXCLUSIVE MODE`)
		requireUnavailable(t, row.load(hasty), "took too long")
		lost := make(chan *answer)
		go func() { lost <- row.load(b) }()
		modelstest.Eventually(t, func() bool {
			return modelstest.ValueAt[int](t, s.URL, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%'||$1||'%'`, row.table) > 0
		})
		requireUnavailable(t, <-lost, "can’t reach its database")
		modelstest.Execute(t, conn, `ROLLBACK`)
		require.Less(t, row.load(b).StatusCode, 400, "it works again")
	}
}

// Many slow requests of one user keep neither others of the organization nor other
// organizations waiting. Those that would have to wait too long get an explanation, and
// when to try again.
func TestManyRequestsOfOneUser(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Service = modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 4},
		modelstest.Secret)
	s := serve(t, w, dashboard.Config{Timeout: 4 * time.Second})
	noisy, quiet := w.Organization(t, "noisy"), w.Organization(t, "quiet")
	s.user(t, noisy, "noisy@example.com", terms.Owner)
	s.user(t, noisy, "colleague@example.com", terms.Viewer)
	s.user(t, quiet, "quiet@example.com", terms.Owner)
	attacker := s.signedIn(t, "noisy@example.com")
	others := []*browser{s.signedIn(t, "colleague@example.com"), s.signedIn(t, "quiet@example.com")}

	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	answers := make(chan *answer, 20)
	var attack sync.WaitGroup
	for range cap(answers) {
		attack.Go(func() {
			own := *attacker // it keeps the last answer
			answers <- own.get("/settings/api-keys")
		})
	}
	for attackers := 0; attackers < cap(answers)-2; attackers++ {
		refused := <-answers
		require.Equal(t, http.StatusTooManyRequests, refused.StatusCode, refused.text())
		require.Equal(t, "5", refused.Header.Get("Retry-After"))
		require.Contains(t, refused.text(), "try again")
		for _, b := range others {
			require.Equal(t, http.StatusOK, b.get("/companies").StatusCode)
		}
	}
	modelstest.Execute(t, conn, `ROLLBACK`)
	attack.Wait()
	require.Equal(t, http.StatusOK, attacker.get("/settings/api-keys").StatusCode)
}
