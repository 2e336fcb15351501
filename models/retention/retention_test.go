package retention_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/retention"
	"dispo/models/terms"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// keep stores a period, as its owner.
func keep(t testing.TB, url string, kind, period string) {
	t.Helper()
	modelstest.ExecuteAt(t, url, `UPDATE kept_periods SET period = $2 WHERE kind = $1`, kind, period)
}

func newKeeper(instance *modelstest.Instance) *retention.Keeper {
	return retention.New(instance.Store, retention.Periods{}, slog.New(slog.DiscardHandler))
}

// kept are the tables whose rows go by their age, with the default: how long, by which column,
// and a row of that age for the organization $1.
var kept = []struct{ table, age, period, insert string }{
	{
		"audit_log",
		"at",
		"2 years",
		`(organization_id, id, at, user_email, action, subject, address) VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x', 'x')`,
	},
	{
		"key_callers",
		"last_seen",
		"35 days",
		`(organization_id, key_id, address, client, user_agent, first_seen, last_seen, requests, refused)
		SELECT $1, id, gen_random_uuid(), '', '', $2, $2, 1, 0 FROM api_keys WHERE organization_id = $1`,
	},
	{"refused_requests", "at", "35 days",
		`SELECT $1, gen_random_uuid(), $2, id, 401, 'revoked', 'GET', '/', '', '' FROM api_keys WHERE organization_id = $1`},
	{"key_usage", "hour", "2 years", `SELECT $1, $2, id, 1, 0, true FROM api_keys WHERE organization_id = $1`},
	{"served_requests", "at", "7 days",
		`SELECT $1, id, gen_random_uuid(), $2, '', '', '', '/', 200, 1 FROM api_keys WHERE organization_id = $1`},
	{"sessions", "expires_at", "30 days", `(id, token_hash, user_id, organization_id, address, user_agent, expires_at)
		SELECT gen_random_uuid(), sha256(random()::text::bytea), user_id, $1, '', '', $2 FROM memberships WHERE organization_id = $1`},
	{"password_links", "expires_at", "30 days",
		`(token_hash, kind, user_id, expires_at)
		SELECT sha256(random()::text::bytea), 'password', user_id, $2 FROM memberships WHERE organization_id = $1`},
	{
		"invitations",
		"expires_at",
		"30 days",
		`(token_hash, organization_id, id, email, role, expires_at) VALUES (sha256(random()::text::bytea), $1, gen_random_uuid(), gen_random_uuid() || '@example.com', 'viewer', $2)`,
	},
	{
		"mails",
		"created_at",
		"30 days",
		`(organization_id, id, kind, recipient, details, created_at) VALUES ($1, gen_random_uuid(), 'sign_in', 'a@example.com', '{}', $2)`,
	},
	{"delivery_notices", "ends_at", "30 days", `VALUES ($1, 'delivery_late', $2, $2)`},
	{
		"held_records",
		"created_at",
		"1 year",
		`(only_organization_id, created_at, delivery_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
		VALUES ($1, $2, gen_random_uuid(), 0, 1, '2026-01-01', '10000009', '', '', 'CARD', 1, '')`,
	},
	{
		"withdrawn_totals",
		"withdrawn_at",
		"2 years",
		`(organization_id, withdrawn_at, cvr, disposition_date, file_id, count, amount_dkk) VALUES ($1, $2, '', '2026-01-01', gen_random_uuid(), 1, 1)`,
	},
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
		w.User(t, o, slug+"@example.com", terms.Owner, "x")
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
		require.NoError(
			t,
			conn.QueryRow(t.Context(), `SELECT now() - $1::text::interval + CASE WHEN $2 THEN -1 ELSE 1 END * interval '1 hour'`, k.period, old).
				Scan(&at),
		)
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
		require.NoError(
			t,
			conn.QueryRow(t.Context(), fmt.Sprintf(`SELECT count(*) FILTER (WHERE %[1]s < now() - interval '%[2]s'), count(*) FILTER (WHERE %[1]s BETWEEN now() - interval '%[2]s' AND now() - interval '%[2]s' + interval '2 hours') FROM %[3]s`,
				k.age, k.period, k.table)).
				Scan(&old, &young),
		)
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
	// A session also ends a day after its last use. What concerns attempts goes when it has no effect any more.
	for _, shift := range []string{"-1 hour", "1 hour"} {
		modelstest.ExecuteAt(
			t,
			w.URL,
			`INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at, seen_at)
			SELECT gen_random_uuid(), sha256(random()::text::bytea), user_id, organization_id, 'idle', $1, now() + interval '1 year', now() - interval '31 days' + $1::text::interval FROM memberships LIMIT 1`,
			shift,
		)
		modelstest.ExecuteAt(t, w.URL, `INSERT INTO sign_in_failures VALUES ($1, 1, now() + $1::text::interval)`, shift)
		modelstest.ExecuteAt(t, w.URL, `INSERT INTO password_requests
			SELECT gen_random_uuid(), 'password', 'a@example.com', $1, now() - interval '2 hours' + $1::text::interval`, shift)
	}
	var log bytes.Buffer
	keeper := retention.New(w.Service.Store, retention.Periods{}, slog.New(slog.NewTextHandler(&log, nil)))
	require.Zero(t, keeper.Finished())
	for range 2 {
		require.NoError(t, keeper.Once(t.Context()))
	}
	for table, left := range w.left(t) {
		require.Equal(t, [2]int{0, len(w.organizations)}, left, table)
	}
	require.Equal(
		t,
		[]string{"1 hour", "1 hour", "1 hour"},
		modelstest.ColumnAt[string](t, w.URL, `SELECT user_agent FROM sessions WHERE address = 'idle' UNION ALL
			SELECT subject FROM sign_in_failures UNION ALL SELECT address FROM password_requests`),
	)
	require.InDelta(t, time.Now().Unix(), keeper.Finished(), 600)
	rows := map[string]float64{}
	keeper.Deleted(func(name string, deleted float64) { rows[name] = deleted })
	require.Equal(
		t,
		map[string]float64{
			"audit_log":        2502,
			"callers":          4,
			"usage_hours":      0,
			"usage":            2,
			"requests":         2,
			"sessions":         9,
			"mails":            4,
			"held_records":     2,
			"withdrawn_totals": 2,
			"transactions":     0,
		},
		rows,
	)
	require.Empty(t, log.String())
}

// The hours of a key's use are added up to days of the organization's time zone, each request
// once, also if the day's first hours came before. A zone that the database does not know is
// UTC, and stops no other organization's.
func TestHoursBecomeDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET time_zone = 'Asia/Kolkata' WHERE slug = 'b'`)
	modelstest.Execute(t, conn, `UPDATE organizations SET time_zone = 'Mars/Olympus' WHERE slug = 'a'`)
	modelstest.Execute(t, conn, `INSERT INTO key_usage
		SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, n, n % 3
		FROM api_keys, generate_series(1, 3000) n`)
	const sums = `SELECT string_agg(x::text, ' ' ORDER BY x) FROM (SELECT key_id, (hour AT TIME ZONE known_zone(o.time_zone))::date, sum(requests), sum(refused)
		FROM key_usage u JOIN organizations o ON o.id = u.organization_id GROUP BY 1, 2) x`
	before := modelstest.Value[string](t, conn, sums)
	for _, days := range []string{"102d", "101d", "100d"} { // as time goes by
		keep(t, w.URL, "usage_hours", days)
		require.NoError(t, newKeeper(w.Service).Once(t.Context()))
		require.Equal(t, before, modelstest.Value[string](t, conn, sums))
	}
	require.Equal(
		t,
		"0 0 0",
		modelstest.Value[string](
			t,
			conn,
			`SELECT concat_ws(' ', count(*) FILTER (WHERE by_day AND hour <> date_trunc('day', hour, known_zone(time_zone))),
		count(*) FILTER (WHERE by_day AND hour > now() - interval '100 days'), count(*) FILTER (WHERE NOT by_day AND hour < now() - interval '100 days 1 hour'))
		FROM key_usage u JOIN organizations o ON o.id = u.organization_id`,
		),
	)
	require.Less(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM key_usage WHERE by_day`), 2*30)
}

// Nobody can delete what is young: the functions take no period, only the owner changes one,
// and none is shorter than the shortest. Only the service may call them, and it becomes the
// keeper in no other way.
func TestNothingYoungIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.age(t, young)
	super := modelstest.Conn(t, w.URL)
	functions := modelstest.Column[string](t, super, `SELECT proname FROM pg_proc
		WHERE (proname LIKE 'keep\_%' OR proname = 'withdraw_aged') AND prosecdef AND pronargs = 0`)
	require.Len(t, functions, 10)
	service := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_app"))
	commands := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_operator"))
	modelstest.Execute(t, service, `SET ROLE dispo_app`)
	modelstest.Execute(t, commands, `SET ROLE dispo_operator`)
	for _, conn := range []*pgx.Conn{service, commands} {
		for _, statement := range []string{`UPDATE kept_periods SET period = '1d'`, `DELETE FROM kept_periods`, `INSERT INTO kept_periods VALUES ('x', '30d', '30d')`} {
			require.ErrorContains(t, modelstest.ErrorOf(conn.Exec(t.Context(), statement)), "permission denied", statement)
		}
	}
	for _, function := range functions {
		modelstest.Execute(t, service, `SELECT `+function+`()`)
		if function != "withdraw_aged" {
			require.ErrorContains(t, modelstest.ErrorOf(commands.Exec(t.Context(), `SELECT `+function+`()`)),
				"permission denied")
		}
	}
	for table, left := range w.left(t) {
		require.Equal(t, len(w.organizations), left[1], table)
	}
	require.ErrorContains(t, modelstest.ErrorOf(service.Exec(t.Context(), `SET ROLE dispo_keeper`)), "permission denied")

	fields := reflect.TypeFor[retention.Periods]()
	require.Equal(t, fields.NumField(), modelstest.Value[int](t, super, `SELECT count(*) FROM kept_periods`))
	for i := range fields.NumField() {
		shortest := fields.Field(i).Tag.Get("shortest")
		kind := strings.ToLower(strings.TrimPrefix(fields.Field(i).Tag.Get("env"), "DISPO_KEEP_"))
		days, err := strconv.Atoi(strings.TrimSuffix(shortest, "d"))
		require.NoError(t, err)
		keep(t, w.URL, kind, shortest)
		for _, period := range []string{fmt.Sprintf("%dd", days-1), "0d", "720h", "-1y", "1 year", "301y", ""} {
			require.ErrorContains(t, modelstest.ErrorOf(super.Exec(t.Context(), `UPDATE kept_periods SET period = $2
				WHERE kind = $1`, kind, period)), "check constraint", "%s %s", kind, period)
		}
		if days > 1 {
			var periods retention.Periods
			reflect.ValueOf(&periods).Elem().Field(i).SetString(fmt.Sprintf("%dd", days-1))
			require.EqualError(t, periods.Check(),
				fmt.Sprintf("DISPO_KEEP_%s is %dd: keep it for at least %s", strings.ToUpper(kind), days-1, shortest))
		}
	}
	require.Error(t, new(retention.Period).UnmarshalText([]byte("720h")), "an hour more or less, when clocks change")
}

// The owner stores the periods that are set, hears what has changed, and goes back by
// "default". An instance whose settings differ says so, and keeps what the database says.
func TestTheDatabaseHasThePeriods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store := func(periods retention.Periods, unset retention.Period) (changes []string) {
		require.NoError(t,
			retention.Store(t.Context(), w.URL, periods, unset, func(change string) { changes = append(changes, change) }))
		return changes
	}
	require.Empty(t, store(retention.Periods{}, ""))
	set := retention.Periods{Mails: "60d", Transactions: "10y"}
	require.ElementsMatch(t,
		[]string{"DISPO_KEEP_MAILS is 60d now, and was 30d", "DISPO_KEEP_TRANSACTIONS is 10y now, and was none"},
		store(set, ""))
	require.Empty(t, store(set, ""))
	require.Equal(t, []string{"DISPO_KEEP_CALLERS is 1y now, and was 35d"}, store(retention.Periods{Callers: "1y"}, ""))
	require.Equal(t, []string{"DISPO_KEEP_TRANSACTIONS is none now, and was 10y"},
		store(retention.Periods{Transactions: "default"}, ""))

	w.age(t, tooOld)
	var log bytes.Buffer
	keeper := retention.New(w.Service.Store, retention.Periods{AuditLog: "default", Callers: "30d", Mails: "60d"},
		slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, keeper.Compare(t.Context()))
	require.Regexp(t, `^[^\n]*level=WARN [^\n]* setting=DISPO_KEEP_CALLERS here=30d database=1y\n$`, log.String())
	require.NoError(t, keeper.Once(t.Context()))
	require.Equal(t, len(w.organizations), w.left(t)["mails"][0], "kept for 60 days")
	require.ElementsMatch(t,
		[]string{"DISPO_KEEP_CALLERS is 35d now, and was 1y", "DISPO_KEEP_MAILS is 30d now, and was 60d"},
		store(retention.Periods{}, "default"))
}

// One instance deletes at a time: another one leaves everything to it. What somebody else has
// locked stays until the next time, and keeps nothing else.
func TestOneInstanceAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.age(t, tooOld)
	other := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, other, `BEGIN; SELECT pg_advisory_xact_lock(5402117703)`)
	keepers := []*retention.Keeper{newKeeper(w.Service), newKeeper(modelstest.OpenFollowing(t, w.URL))}
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
