package dashboard_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// What the organization of TestPagesReadFewRows has.
const (
	keptKeys, companies, members, entries, others = 60, 4_000, 500, 20_000, 20

	files          = 5 * ledger.ArrivalsSearched
	days, perDay   = 400, 20     // transactions of each day
	callers, hours = 50, 31 * 24 // of a key
)

// crowd fills an organization and others, and returns one of its keys and one of its members.
func (s *site) crowd(t *testing.T, a models.Organization) (key, member string) {
	t.Helper()
	conn := modelstest.Conn(t, s.URL)
	for range others { // neighbours with people, sessions and keys
		s.Organization(t, "other-"+database.NewID().String())
	}
	modelstest.Execute(t, conn, `INSERT INTO users (id, email) SELECT gen_random_uuid(), 'member-' || n || '@example.com'
		FROM generate_series(1, $1) n`, members)
	modelstest.Execute(t, conn, `INSERT INTO memberships (organization_id, user_id, role)
		SELECT o.id, u.id, 'viewer' FROM organizations o, users u WHERE u.email LIKE 'member-%'`)
	modelstest.Execute(t, conn, `INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent,
		expires_at) SELECT gen_random_uuid(), sha256(random()::text::bytea), id, $1, '127.0.0.1', 'browser',
		now() + interval '1 day' FROM users, generate_series(1, 5)`, a.ID)
	modelstest.Execute(t, conn,
		`INSERT INTO sign_in_failures SELECT 'address ' || n, 1, now() + interval '1 day' FROM generate_series(1, 10000) n`)
	modelstest.Execute(t, conn, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name, created_by)
		SELECT gen_random_uuid(), o.id, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd', 'Key ' || n, (SELECT id FROM users WHERE email = 'owner@example.com')
		FROM organizations o, generate_series(1, $1) n`, keptKeys)
	modelstest.Execute(t, conn, `INSERT INTO key_usage SELECT organization_id, hour, id, 5, 1
		FROM api_keys, generate_series(date_trunc('hour', now()) - interval '30 days', now(), '1 hour') hour WHERE organization_id = $1 ORDER BY hour, id`, a.ID)
	modelstest.Execute(t, conn, `INSERT INTO key_callers SELECT organization_id, id, '10.0.0.' || n, 'ledger',
		'ledger/1.0', now(), now(), now(), NULL, 1, 0 FROM api_keys, generate_series(1, $2::int) n
		WHERE organization_id = $1`, a.ID, callers)
	modelstest.Execute(t, conn, `INSERT INTO refused_requests SELECT organization_id, gen_random_uuid(), now(), id, 429,
		'', 'GET', '/api/v1/companies', '127.0.0.1', 'ledger/1.0' FROM api_keys WHERE organization_id = $1`, a.ID)
	modelstest.Execute(t, conn, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT $1, (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid,
		'owner@example.com', 'session.start', '', '127.0.0.1' FROM generate_series(1, $2)`, a.ID, entries)
	modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key)
		SELECT $1, gen_random_uuid(), gen_random_uuid(), (20000000 + n)::text, 'Company ' || n, '', '' FROM generate_series(1, $2::int) n`, a.ID, companies)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout,
		first_date, last_date) SELECT $1, ('0190' || lpad(to_hex(n), 28, '0'))::uuid, gen_random_uuid(),
		('0190' || lpad(to_hex(n), 28, '0'))::uuid, 'delivery-' || n || '.csv', 'csv', CURRENT_DATE - n, CURRENT_DATE - n
		FROM generate_series(1, $2::int) n`, a.ID, files)
	modelstest.Execute(t, conn, `INSERT INTO transactions
		SELECT $1, ('01900000-0000-0000-0001-' || lpad(to_hex(n), 12, '0'))::uuid, '01900000-0000-0000-0000-000000000001', n, 1,
		current_date - n % $2::int, (20000001 + n % 1000)::text, '1234', '1', (ARRAY['CARD', 'CASH', 'FEE'])[1 + n % 3], 1, ''
		FROM generate_series(1, $2 * $3::int) n`, a.ID, days, perDay)
	modelstest.Refold(t, s.URL)
	modelstest.Recount(t, s.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	key = modelstest.Value[string](t, conn, `SELECT id::text FROM api_keys WHERE organization_id = $1 LIMIT 1`, a.ID)
	modelstest.Execute(t, conn, `UPDATE api_keys SET last_used_at = now() WHERE organization_id = $1`, a.ID)
	modelstest.Execute(t, conn, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name,
		successor_of) SELECT gen_random_uuid(), $1, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd', 'Successor',
		$2`, a.ID, key)
	return key, modelstest.Value[string](t, conn, `SELECT id::text FROM users WHERE email = 'member-7@example.com'`)
}

// A page reads about as many rows as it shows, or sums up, however much its organization
// and others have stored.
func TestPagesReadFewRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.Organization(t, "a")
	browser := s.member(t, a, "owner@example.com", terms.Owner)
	key, other := s.crowd(t, a)
	const ofDays = 3*3*(31+7*16) + 10*31 // daily totals of a month and of the weeks before, and files
	earlier := time.Now().AddDate(0, 0, -100)
	s.Operator.Close() // from now on only the service has connections

	const perPage = 100 + 5*others // rows of a page of 50, with what belongs to them; PostgreSQL reads small tables whole
	for _, page := range []struct {
		path string
		most int64
	}{
		{"/", perPage + ofDays + 2*49*keptKeys + 5*keptKeys},
		{"/?by=day", perPage + ofDays + 2*hours*keptKeys + 5*keptKeys},
		{"/days", perPage + ofDays},
		{"/days?month=" + earlier.Format("2006-01") + "&day=" + earlier.Format(time.DateOnly), perPage + ofDays + 3*perDay + ledger.UsualDays*perDay},
		{"/days?month=2000-01", perPage + ofDays},
		{"/deliveries", perPage + ofDays},
		{"/companies", perPage},
		{"/companies?q=zzz", perPage + 3*companies},
		{"/companies/20000001", perPage},
		{"/search", perPage},
		// The digits may be an account's: then the newest transactions are looked through.
		{"/search?q=20000001", perPage + 3*companies + 2*keptKeys + 2*ledger.ArrivalsSearched + days*perDay},
		{"/search?q=Company+7", perPage + 3*companies + 2*keptKeys + 2*ledger.ArrivalsSearched},
		{"/search?q=1.234,50", perPage + 2*keptKeys + 2*ledger.ArrivalsSearched},
		{"/search?q=21.11.2026", perPage + 2*keptKeys + 2*ledger.ArrivalsSearched},
		{"/settings/api-keys", perPage + 5*keptKeys + hours*keptKeys},
		{"/settings/api-keys/" + key, perPage + 6*keptKeys + hours},
		{"/settings/api-keys/" + key + "/revoke", perPage + 5*keptKeys + 49*keptKeys},
		{"/settings/api-keys/" + key + "/rotate", perPage + 2*callers + hours},
		{"/settings/members", perPage + 3*members},
		{"/settings/members/" + other + "/remove", perPage + 3*members + 5*keptKeys},
		{"/settings/audit-log", perPage},
		{"/settings/audit-log?person=owner@example.com", perPage},
		{"/settings/audit-log?action=session.start", perPage},
		{"/settings/audit-log?person=owner@example.com&action=key.revoke", perPage},
		{"/settings/audit-log?person=nobody@example.com&from=2020-01-01", perPage},
		{"/settings/audit-log?to=2020-01-01", perPage},
		{"/profile", perPage},
	} {
		rows := s.rowsRead(t, func() { require.Equal(t, http.StatusOK, browser.get(page.path).StatusCode, page.path) })
		assert.LessOrEqual(t, sum(rows), page.most, "%s: %v", page.path, rows)
	}
	rows := s.rowsRead(t, func() { s.signedIn(t, "owner@example.com") })
	require.LessOrEqual(t, sum(rows), int64(perPage), "%v", rows)
}

// rowsRead returns how many rows of each table the service reads during f.
func (s *site) rowsRead(t *testing.T, f func()) map[string]int64 {
	t.Helper()
	s.Service.DB().Pool.Reset() // connections report what they have read when they end
	return modelstest.RowsRead(t, s.URL, func() {
		f()
		s.Service.DB().Pool.Reset()
	})
}

func sum(rows map[string]int64) (sum int64) {
	for _, n := range rows {
		sum += n
	}
	return sum
}
