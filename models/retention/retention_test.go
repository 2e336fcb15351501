package retention_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/retention"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

func period(t testing.TB, text string) (p models.Period) {
	t.Helper()
	require.NoError(t, p.UnmarshalText([]byte(text)))
	return p
}

// defaults returns what is kept if no setting is set.
func defaults(t testing.TB) (periods retention.Periods) {
	t.Helper()
	fields := reflect.ValueOf(&periods).Elem()
	for i := range fields.NumField() {
		if text := fields.Type().Field(i).Tag.Get("default"); text != "" {
			fields.Field(i).Set(reflect.ValueOf(period(t, text)))
		}
	}
	require.NoError(t, periods.Check())
	return periods
}

func newKeeper(instance *modelstest.Instance, periods retention.Periods) *retention.Keeper {
	return retention.New(instance.Store, periods, slog.New(slog.DiscardHandler))
}

// kept are the tables whose rows go by their age, with the default: how long, by which column,
// and a row of that age for the organization $1.
var kept = []struct{ table, age, period, insert string }{
	{"audit_log", "at", "2 years", `(organization_id, id, at, user_email, action, subject, address) VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x', 'x')`},
	{"key_callers", "last_seen", "35 days", `(organization_id, key_id, address, client, user_agent, first_seen, last_seen, requests, refused)
		SELECT $1, id, gen_random_uuid(), '', '', $2, $2, 1, 0 FROM api_keys WHERE organization_id = $1`},
	{"refused_requests", "at", "35 days", `SELECT $1, gen_random_uuid(), $2, id, 401, 'revoked', 'GET', '/', '', '' FROM api_keys WHERE organization_id = $1`},
	{"key_usage", "hour", "2 years", `SELECT $1, $2, id, 1, 0, true FROM api_keys WHERE organization_id = $1`},
	{"served_requests", "at", "7 days", `SELECT $1, id, gen_random_uuid(), $2, '', '', '/', 200, 1 FROM api_keys WHERE organization_id = $1`},
	{"sessions", "expires_at", "30 days", `(id, token_hash, user_id, organization_id, address, user_agent, expires_at)
		SELECT gen_random_uuid(), sha256(random()::text::bytea), user_id, $1, '', '', $2 FROM memberships WHERE organization_id = $1`},
	{"password_links", "expires_at", "30 days", `SELECT sha256(random()::text::bytea), 'password', user_id, $2, now() FROM memberships WHERE organization_id = $1`},
	{"invitations", "expires_at", "30 days", `(token_hash, organization_id, id, email, role, expires_at) VALUES (sha256(random()::text::bytea), $1, gen_random_uuid(), gen_random_uuid() || '@example.com', 'viewer', $2)`},
	{"mails", "created_at", "30 days", `(organization_id, id, kind, recipient, details, created_at) VALUES ($1, gen_random_uuid(), 'sign_in', 'a@example.com', '{}', $2)`},
	{"delivery_notices", "ends_at", "30 days", `VALUES ($1, 'delivery_late', $2, $2)`},
	{"held_records", "created_at", "1 year", `(only_organization_id, created_at, delivery_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
		VALUES ($1, $2, gen_random_uuid(), 0, 1, '2026-01-01', '10000009', '', '', 'CARD', 1, '')`},
	{"withdrawn_totals", "withdrawn_at", "2 years", `(organization_id, withdrawn_at, cvr, disposition_date, file_id, count, amount_dkk) VALUES ($1, $2, '', '2026-01-01', gen_random_uuid(), 1, 1)`},
}

// world has two organizations, each with a key and a member, but no links.
type world struct {
	*modelstest.World
	organizations []models.Organization
}

func newWorld(t *testing.T) *world {
	w := &world{World: modelstest.NewWorld(t)}
	for _, slug := range []string{"a", "b"} {
		o := w.Organization(t, slug, "10000001")
		w.Key(t, o)
		w.User(t, o, slug+"@example.com", models.RoleOwner, "x")
		w.organizations = append(w.organizations, o)
	}
	return w
}

const tooOld, young = true, false

// age adds a row to each table for each organization, an hour less than its period old or, if
// old is set, an hour more.
func (w *world) age(t *testing.T, old bool) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	for _, k := range kept {
		var at time.Time
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT now() - $1::text::interval + CASE WHEN $2 THEN -1 ELSE 1 END * interval '1 hour'`, k.period, old).Scan(&at))
		for _, o := range w.organizations {
			modelstest.Execute(t, conn, `INSERT INTO `+k.table+` `+k.insert, o.ID, at)
		}
	}
}

// left counts the rows of each table that are too old, and those that are younger.
func (w *world) left(t *testing.T) map[string][2]int {
	t.Helper()
	conn, left := modelstest.Conn(t, w.URL), map[string][2]int{}
	for _, k := range kept {
		var old, young int
		require.NoError(t, conn.QueryRow(t.Context(), fmt.Sprintf(`SELECT count(*) FILTER (WHERE %[1]s < now() - interval '%[2]s'), count(*) FILTER (WHERE %[1]s BETWEEN now() - interval '%[2]s' AND now() - interval '%[2]s' + interval '2 hours') FROM %[3]s`,
			k.age, k.period, k.table)).Scan(&old, &young))
		left[k.table] = [2]int{old, young}
	}
	return left
}

// What is just too old goes, of every organization, and what is just young enough stays.
func TestWhatIsTooOldGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.age(t, tooOld)
	w.age(t, young)
	modelstest.ExecuteAt(t, w.URL, `INSERT INTO audit_log (organization_id, id, at, user_email, action, subject, address)
		SELECT $1, gen_random_uuid(), now() - interval '3 years' - n * interval '1 hour', 'x', 'x', 'x', 'x' FROM generate_series(1, 2500) n`, w.organizations[0].ID) // more than two batches
	var log bytes.Buffer
	keeper := retention.New(w.Service.Store, defaults(t), slog.New(slog.NewTextHandler(&log, nil)))
	require.Zero(t, keeper.Finished())
	for range 2 {
		require.NoError(t, keeper.Once(t.Context()))
	}
	for table, left := range w.left(t) {
		require.Equal(t, [2]int{0, len(w.organizations)}, left, table)
	}
	require.InDelta(t, time.Now().Unix(), keeper.Finished(), 600)
	rows := map[string]float64{}
	keeper.Deleted(func(name string, deleted func() float64) { rows[name] = deleted() })
	require.Equal(t, map[string]float64{"audit_log": 2502, "callers": 4, "usage_hours": 0, "usage": 2, "requests": 2, "sessions": 6, "mails": 4, "held_records": 2, "withdrawn_totals": 2, "transactions": 0}, rows)
	require.Regexp(t, `^[^\n]*level=INFO msg="deleted what was kept for long enough" audit_log=2502 [^\n]*\n$`, log.String(), "one line a day")
}

// The hours of a key's use are added up to days of the organization's time zone, each request
// once, also if the day's first hours came before.
func TestHoursBecomeDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET time_zone = 'Asia/Kolkata' WHERE slug = 'b'`)
	modelstest.Execute(t, conn, `INSERT INTO key_usage SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, n, n % 3 FROM api_keys, generate_series(1, 3000) n`)
	const sums = `SELECT string_agg(x::text, ' ' ORDER BY x) FROM (SELECT key_id, (hour AT TIME ZONE o.time_zone)::date, sum(requests), sum(refused)
		FROM key_usage u JOIN organizations o ON o.id = u.organization_id GROUP BY 1, 2) x`
	before := modelstest.Value[string](t, conn, sums)
	for _, hours := range []string{"2430h", "2410h", "100d"} { // as time goes by
		periods := defaults(t)
		periods.UsageHours = period(t, hours)
		require.NoError(t, newKeeper(w.Service, periods).Once(t.Context()))
		require.Equal(t, before, modelstest.Value[string](t, conn, sums))
	}
	require.Equal(t, "0 0 0", modelstest.Value[string](t, conn, `SELECT concat_ws(' ', count(*) FILTER (WHERE by_day AND hour <> date_trunc('day', hour, time_zone)),
		count(*) FILTER (WHERE by_day AND hour > now() - interval '100 days'), count(*) FILTER (WHERE NOT by_day AND hour < now() - interval '100 days 1 hour'))
		FROM key_usage u JOIN organizations o ON o.id = u.organization_id`))
	require.Less(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM key_usage WHERE by_day`), 2*30)
}

// The functions refuse a period that is too short, and so do the settings. Only the service
// may call them, and it becomes the keeper in no other way.
func TestShortPeriodsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.age(t, tooOld)
	service := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_app"))
	modelstest.Execute(t, service, `SET ROLE dispo_app`)
	functions := modelstest.Column[string](t, service, `SELECT proname FROM pg_proc WHERE proname LIKE 'keep\_%' AND prosecdef`)
	require.Len(t, functions, 9)
	for _, function := range append(functions, "withdraw_aged") {
		short := "29 days 23:59:59"
		if function == "keep_requests" {
			short = "23:59:59"
		}
		for _, interval := range []string{short, "-1 year", "0"} {
			require.ErrorContains(t, modelstest.ErrorOf(service.Exec(t.Context(), `SELECT `+function+`($1::text::interval)`, interval)), "nothing is kept for less than", function)
		}
	}
	require.ErrorContains(t, modelstest.ErrorOf(service.Exec(t.Context(), `SELECT keep_audit_log(NULL)`)), "nothing is kept for less than")
	for table, left := range w.left(t) {
		require.Equal(t, len(w.organizations), left[0], table)
	}
	require.ErrorContains(t, modelstest.ErrorOf(service.Exec(t.Context(), `SET ROLE dispo_keeper`)), "permission denied")
	commands := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_operator"))
	modelstest.Execute(t, commands, `SET ROLE dispo_operator`)
	require.ErrorContains(t, modelstest.ErrorOf(commands.Exec(t.Context(), `SELECT keep_audit_log('2 years')`)), "permission denied")

	periods := defaults(t)
	periods.AuditLog = period(t, "29d")
	require.EqualError(t, periods.Check(), "DISPO_KEEP_AUDIT_LOG is 29d: keep it for at least 30d")
	periods = defaults(t)
	periods.Transactions = period(t, "700h")
	require.ErrorContains(t, periods.Check(), "DISPO_KEEP_TRANSACTIONS")
}

// One instance deletes at a time: another one leaves everything to it. What somebody else has
// locked stays until the next time, and keeps nothing else.
func TestOneInstanceAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.age(t, tooOld)
	other := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, other, `BEGIN; SELECT pg_advisory_xact_lock(5402117703)`)
	keepers := []*retention.Keeper{newKeeper(w.Service, defaults(t)), newKeeper(modelstest.OpenFollowing(t, w.URL), defaults(t))}
	require.NoError(t, keepers[0].Once(t.Context()))
	require.Equal(t, 2, w.left(t)["mails"][0])
	modelstest.Execute(t, other, `COMMIT; BEGIN; SELECT FROM key_callers FOR UPDATE`)
	require.NoError(t, keepers[0].Once(t.Context()))
	require.Equal(t, 2, w.left(t)["key_callers"][0])
	require.Zero(t, w.left(t)["mails"][0])
	modelstest.Execute(t, other, `COMMIT`)

	w.age(t, tooOld)
	modelstest.AtOnce(t, 8, func(i int) error { return keepers[i%2].Once(t.Context()) })
	require.NoError(t, keepers[0].Once(t.Context()))
	for table, left := range w.left(t) {
		require.Zero(t, left[0], table)
	}
}
