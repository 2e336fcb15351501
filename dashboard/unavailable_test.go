package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
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

// A form that meets a database that does not answer shows what was typed, without passwords, says
// that nothing was changed, and can be sent again as it is. It says that nobody knows if the
// answer to the commit was lost.
func TestFormMeetsALostDatabase(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	s.Service = modelstest.OpenConfig(t,
		database.Config{URL: modelstest.With(s.URL, "statement_timeout", "1000"), Role: database.Service}, modelstest.Secret)
	hasty := b.at(serve(t, s.World, dashboard.Config{}))
	conn := modelstest.Conn(t, s.URL)
	const path, nothing = "/settings/members/invite", "Nothing was changed, and your input is still here."
	for _, table := range []string{"sessions", "invitations"} { // before the user is known, and after
		hasty.get("/settings/members")
		form := hasty.form(path, url.Values{"email": {"new@a.example"}, "role": {"admin"}})
		modelstest.Execute(t, conn, `BEGIN; LOCK TABLE `+table+` IN ACCESS EXCLUSIVE MODE`)
		lost := hasty.do(http.MethodPost, path, form, nil)
		requireUnavailable(t, lost, nothing)
		require.Contains(t, lost.text(".facts"), "new@a.example")
		requireUnavailable(t, hasty.submit(path, nil), nothing)
		forged := form
		forged.Set("form_token", "x")
		if refused := hasty.do(http.MethodPost, path, forged, nil); table == "sessions" {
			requireUnavailable(t, refused, "took too long")
			require.NotContains(t, refused.body, "new@a.example")
		} else {
			require.Equal(t, http.StatusForbidden, refused.StatusCode)
		}
		modelstest.Execute(t, conn, `ROLLBACK`)
	}
	hasty.get("/settings/members")
	form := hasty.form(path, url.Values{"email": {"new@a.example"}, "role": {"admin"}})
	modelstest.Execute(t, conn, `BEGIN; LOCK TABLE invitations IN ACCESS EXCLUSIVE MODE`)
	hasty.do(http.MethodPost, path, form, nil)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.Contains(t, hasty.submit(path, nil).text(), "Send this link")
	require.Equal(t, 1, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM invitations WHERE role = 'admin'`))

	hasty.get("/profile")
	form = hasty.form("/profile/password", url.Values{"current_password": {password}, "new_password": {"a secret word"}})
	modelstest.Execute(t, conn, `BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE`)
	lost := hasty.do(http.MethodPost, "/profile/password", form, nil)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.Equal(t, 2, lost.count("main [type=password]"))
	require.NotContains(t, lost.body, "a secret word")

	s.execute(
		t,
		`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
		CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON organizations DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION slow()`,
	)
	sent := make(chan *answer)
	go func() {
		sent <- hasty.send("/settings/organization", "/settings/organization", url.Values{"name": {a.Name + " again"}})
	}()
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, s.URL, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event = 'PgSleep'`) > 0
	})
	unsure := <-sent
	requireUnavailable(t, unsure, "It is not known whether your form was acted on.")
	require.Contains(t, unsure.text(".facts"), a.Name+" again")
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
		require.Equal(t, 1, strings.Count(strings.ToLower(refused.text()), "try again"), refused.text())
		for _, b := range others {
			require.Equal(t, http.StatusOK, b.get("/companies").StatusCode)
		}
	}
	modelstest.Execute(t, conn, `ROLLBACK`)
	attack.Wait()
	require.Equal(t, http.StatusOK, attacker.get("/settings/api-keys").StatusCode)
}
