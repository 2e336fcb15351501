package main_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// Clients that take all descriptors keep others waiting, but do not end the service. It
// says at its start that it has few.
func TestServiceOutlivesLackOfDescriptors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.with("DISPO_LISTEN=127.0.0.1:0").prepare("serve")
	p.cmd.Path, p.cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -n 64 && exec dispo serve`}
	s := started(t, p.begin(t))
	require.Contains(t, s.err.String(), "the limit of open files is low")
	require.Equal(t, http.StatusOK, s.get(t, "/api/health", "").status)

	var connections []net.Conn
	modelstest.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		require.NoError(t, err)
		connections = append(connections, conn)
		return len(s.entries("cannot accept connections: trying again soon")) > 0 || s.hasEnded()
	})
	for _, conn := range connections {
		require.NoError(t, conn.Close())
	}
	modelstest.Eventually(t, func() bool {
		got, err := ask(s.url+"/api/health", nil)
		return err == nil && got.status == http.StatusOK || s.hasEnded()
	})
	require.Zero(t, s.end(t, terminate), s.err.String())
}

// If PostgreSQL cannot load its libraries, because its package was upgraded while it ran, the
// log and the line about /api/health say what to do.
func TestHealthOfAReplacedPostgreSQL(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	conn := modelstest.Conn(t, url)
	s := on(url).serve(t)
	library := file(t, "plpgsql.so", "of another version")
	modelstest.Execute(
		t,
		conn,
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_preload_libraries = %L', current_database(), '`+library+`'); END $$`,
	)
	modelstest.Execute(
		t,
		conn,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
	)
	const advice = "its programs were probably replaced while it was running: restart PostgreSQL, or dispo serve if it runs the database"
	modelstest.Eventually(t, func() bool {
		s.get(t, "/api/health", "")
		for _, entry := range s.entries("request failed") {
			if entry["path"] == "/api/health" && strings.Contains(fmt.Sprint(entry["error"]), advice) &&
				strings.Contains(fmt.Sprint(entry["error"]), library) {
				return true
			}
		}
		return false
	})
	require.NotEmpty(t, s.entries("PostgreSQL cannot load its own libraries, so "+advice))
	plain().run(t, "health", "--listen", strings.TrimPrefix(s.url, "http://")).requireRefused(t, 1, "503")
}

// The service brings the days that a sandbox lacks when it starts, and its key reads them.
func TestServiceFillsSandboxes(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	require.NoError(
		t,
		modelstest.ErrorOf(
			organizations.CreateSandbox(t.Context(), w.Operator.Store, "Acme", "acme", time.Now().UTC().AddDate(0, 0, -2))),
	)
	organization, err := organizations.BySlug(t.Context(), w.Operator.Store, "acme")
	require.NoError(t, err)
	_, text := w.Key(t, organization)
	service := on(modelstest.Login(t, w.URL, "dispo_app")).serve(t)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM delivery_files`) == 3
	})
	answer := service.get(t, "/api/v1/companies?limit=1", text)
	require.Equal(t, http.StatusOK, answer.status, fmt.Sprint(answer))
}

// The service deletes what is too old when it starts, and the commands know how long that is.
func TestServiceDeletesWhatIsTooOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := file(t, "old.csv", strings.ReplaceAll(delivery(cvr), "2026-01-31", "2016-01-31"))
	w.run(t, "import", "delivery", path).requireDone(t)
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO audit_log (organization_id, id, at, user_email, action, subject, address) VALUES ($1, gen_random_uuid(), now() - interval '1 year', 'x', 'x', 'aged', 'x')`,
		w.acme.ID,
	)
	migrated := w.with("DISPO_KEEP_AUDIT_LOG=300d", "DISPO_KEEP_TRANSACTIONS=10y").run(t, "migrate").requireDone(t)
	require.Contains(t, migrated, "DISPO_KEEP_AUDIT_LOG is 300d now, and was 2y\n")
	service := on(modelstest.Login(t, w.URL, "dispo_app")).with("DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL,
			`SELECT (SELECT count(*) FROM transactions) + (SELECT count(*) FROM audit_log WHERE subject = 'aged')`) == 0
	})
	deleted := func() string { return service.metric(t, `dispo_retention_deleted_rows_total{kind="audit_log"}`) }
	modelstest.Eventually(t, func() bool { return deleted() == "1" })
	w.run(t, "import", "delivery", path).
		requireRefused(t, 1, "old.csv is too old: its last disposition date is 2016-01-31", "DISPO_KEEP_TRANSACTIONS")
}

// A service collects garbage half as often as Go would, unless the operator chooses.
func TestServiceCollectsGarbage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for setting, percent := range map[string]string{"GOGC=": "200", "GOGC=50": "50", "GOMEMLIMIT=1GiB": "100"} {
		service := w.with("GOGC=", setting, "DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
		require.Equal(t, percent, service.metric(t, "go_gc_gogc_percent"), setting)
	}
}

// At a stop the use of keys is written, the place of a bulk read is free, even if its client
// still reads, and the mail that is being sent is sent or, if the mail server takes too long,
// given back.
func TestStopLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for state, answers := range map[string]bool{"sent": true, "given back": false} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.run(t, "import", "delivery", file(t, "large.csv", modelstest.DeliveryCSV(cvr, 40_000))).requireDone(t)
			server := modelstest.NewMailServer(t, modelstest.MailPlain)
			asked, answer := make(chan struct{}, 9), make(chan struct{})
			server.Answer(func(m modelstest.ReceivedMail) error {
				if m.Data != nil {
					asked <- struct{}{}
					<-answer
				}
				return nil
			})
			s := w.mailed(server).serve(t)
			modelstest.ExecuteAt(
				t,
				w.URL,
				`INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, gen_random_uuid(), 'sign_in', 'kari@example.com', '{}')`,
				w.acme.ID,
			)
			<-asked

			bulk, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			require.NoError(t, err)
			defer bulk.Close()
			require.NoError(t, bulk.(*net.TCPConn).SetReadBuffer(4<<10))
			_, err = fmt.Fprintf(bulk,
				"GET /api/v1/transactions HTTP/1.1\r\nHost: dispo\r\nX-API-Key: %s\r\nAccept: text/csv\r\n\r\n", w.key)
			require.NoError(t, err)
			_, err = io.ReadFull(bulk, make([]byte, 1<<10))
			require.NoError(t, err)
			require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM running_tasks`))
			for range 3 {
				require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", w.key).status)
			}

			s.signal(t, terminate)
			modelstest.Eventually(t, func() bool { return len(s.entries("stopping")) > 0 })
			if answers {
				close(answer)
			} else {
				defer close(answer)
			}
			require.Zero(t, s.wait(t), s.err.String())
			require.Equal(t, 4, modelstest.ValueAt[int](t, w.URL, `SELECT sum(requests) FROM key_usage`))
			require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM running_tasks`))
			require.Equal(t, []string{state}, []string{
				modelstest.ValueAt[string](
					t,
					w.URL,
					`SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN attempts = 0 THEN 'given back' ELSE 'failed' END FROM mails`,
				),
			})
		})
	}
}
