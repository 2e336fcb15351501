package browsertest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dispo/models"
	"dispo/models/accounts"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxQueries is how many statements a page may take. It does not count setting the
// connection's organization, because the number of those depends on which pooled
// connections serve the page.
const maxQueries = 6

var (
	statement = regexp.MustCompile(`LOG:  (statement|execute [^:]*): `)
	// uncounted are the statements that set the organization, and the change feed's pings.
	uncounted = regexp.MustCompile(`SELECT set_config\('dispo.organization_id', |: SELECT 1$`)
)

// queryLog reads statements from the database's log.
type queryLog struct {
	t    testing.TB
	conn *pgx.Conn
	path string
}

// logQueries makes the database log every statement until the test ends.
func logQueries(t testing.TB) *queryLog {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), shared.databaseURL())
	require.NoError(t, err)
	l := &queryLog{t: t, conn: conn, path: filepath.Join(shared.data, "postgres.log")}
	l.execute("ALTER SYSTEM SET log_statement = 'all'")
	l.execute("SELECT pg_reload_conf()")
	t.Cleanup(func() {
		l.execute("ALTER SYSTEM RESET log_statement")
		l.execute("SELECT pg_reload_conf()")
		_ = conn.Close(context.Background())
	})
	waitFor(t, func() bool { return len(l.during(func() { l.execute("SELECT 2") })) == 1 }, func() string { return "the statement in the log" })
	return l
}

func (l *queryLog) execute(sql string) {
	l.t.Helper()
	_, err := l.conn.Exec(context.Background(), sql)
	require.NoError(l.t, err)
}

// during returns the statements that the database ran during an action.
func (l *queryLog) during(action func()) (statements []string) {
	l.t.Helper()
	mark := func(name string) string {
		text := fmt.Sprintf("SELECT '%s %d'", name, numbers.Add(1))
		l.execute(text)
		return text
	}
	start := mark("start")
	action()
	end := mark("end")
	text, err := os.ReadFile(l.path)
	require.NoError(l.t, err)
	_, between, _ := strings.Cut(string(text), start)
	between, _, _ = strings.Cut(between, end)
	for line := range strings.Lines(between) {
		line = strings.TrimSpace(line)
		if found := statement.FindStringIndex(line); found != nil && line[found[1]:] != "" && !uncounted.MatchString(line) {
			statements = append(statements, line[found[1]:])
		}
	}
	return statements
}

// populate creates count items of everything that pages list.
func (o *organization) populate(count int) {
	o.t.Helper()
	o.companies(count)
	o.delivery(count)
	execute(o.t, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name, created_by)
		SELECT gen_random_uuid(), $1, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd', 'Key ' || n, (SELECT id FROM users WHERE email = $3)
		FROM generate_series(1, $2) n`, o.ID, count, o.owner)
	execute(o.t, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name, successor_of)
		SELECT gen_random_uuid(), organization_id, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd', 'Successor of ' || name, id FROM api_keys
		WHERE organization_id = $1`, o.ID)
	execute(o.t, `INSERT INTO key_usage SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, 5, 1
		FROM api_keys, generate_series(1, 24) n WHERE organization_id = $1`, o.ID)
	execute(o.t, `INSERT INTO refused_requests SELECT organization_id, gen_random_uuid(), now(), id, 429, 'GET', '/api/v1/companies', '127.0.0.1', 'ledger/1.0'
		FROM api_keys WHERE organization_id = $1`, o.ID)
	execute(o.t, `INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at)
		SELECT gen_random_uuid(), sha256(random()::text::bytea), id, $1, '127.0.0.1', 'browser', now() + interval '1 day' FROM users, generate_series(1, $2) WHERE email = $3`,
		o.ID, count, o.owner)
	for n := range count {
		_, err := members.UserCreate(o.t.Context(), operator.Tenant(o.ID), o.email(fmt.Sprint("member", n)), models.RoleViewer, "")
		require.NoError(o.t, err)
		_, _, err = accounts.Invite(o.t.Context(), operator.Tenant(o.ID), o.email(fmt.Sprint("invited", n)), models.RoleViewer)
		require.NoError(o.t, err)
	}
}

// A page takes at most maxQueries statements, and the same number for 3 as for 60
// companies, transactions, keys, members, invitations and sessions.
func TestPagesTakeFewQueries(t *testing.T) {
	type visitor struct {
		paths  []string
		cookie string
	}
	visitors := map[int]visitor{}
	for _, count := range []int{3, 60} {
		o := newOrganization(t)
		o.populate(count)
		b := newTab(t)
		b.signIn(o.owner)
		v := visitor{}
		for _, cookie := range b.cookies() {
			v.cookie += cookie.Name + "=" + cookie.Value + "; "
		}
		key := "/settings/api-keys/" + o.keyNamed("Key 2", 0).ID.String()
		members, err := accounts.Members(t.Context(), operator.Tenant(o.ID))
		require.NoError(t, err)
		v.paths = []string{
			"/sign-in", "/docs", "/", "/?by=day", "/companies", "/companies?q=Rederiet", "/companies?sort=name", "/companies/" + o.cvr, "/companies/" + o.cvr + "?type=CARD&amount=1..&older=2030-01-01." + uuid.Nil.String(), "/companies/" + o.cvr + "?older=2026-01-31." + uuid.Max.String(),
			"/transactions", "/transactions?from=2020-01-01&type=CARD&cvr=" + o.cvr, "/transactions?newer=2020-01-01." + uuid.Nil.String(), "/transactions?amount=1..&older=2030-01-01." + uuid.Nil.String(), "/transactions?amount=5&cvr=" + o.cvr,
			"/deliveries", "/deliveries/" + o.file(),
			"/settings/api-keys", "/settings/api-keys/new", key, key + "/pause", key + "/revoke", key + "/rotate", key + "/rotate/status",
			"/settings/members", "/settings/members/" + members[0].UserID.String() + "/remove", "/settings/audit-log",
			"/profile", "/profile/second-factor",
		}
		visitors[count] = v
	}
	log := logQueries(t)
	// Take the least of three runs, because the service also writes in the background.
	queries := func(v visitor, path string) (least []string) {
		for range 3 {
			statements := log.during(func() {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, shared.url+path, nil)
				require.NoError(t, err)
				request.Header.Set("Cookie", v.cookie)
				response, err := http.DefaultTransport.RoundTrip(request)
				require.NoError(t, err)
				_, err = io.Copy(io.Discard, response.Body)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
				if path != "/sign-in" { // which redirects signed-in users
					require.Equal(t, http.StatusOK, response.StatusCode, path)
				}
			})
			if least == nil || len(statements) < len(least) {
				least = statements
			}
		}
		return least
	}
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\d{8}`)
	table := fmt.Sprintf("%-42s %4s %4s\n", "statements per page, by number of items", "3", "60")
	for i, path := range visitors[3].paths {
		few, many := queries(visitors[3], path), queries(visitors[60], visitors[60].paths[i])
		table += fmt.Sprintf("%-42s %4d %4d\n", id.ReplaceAllString(path, "{id}"), len(few), len(many))
		assert.Equal(t, len(few), len(many), "%s:\n%s\nversus\n%s", path, strings.Join(few, "\n"), strings.Join(many, "\n"))
		assert.LessOrEqual(t, len(many), maxQueries, "%s:\n%s", path, strings.Join(many, "\n"))
		assert.Positive(t, len(many), path)
	}
	t.Log(table)
}
