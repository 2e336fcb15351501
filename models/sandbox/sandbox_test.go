package sandbox_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/sandbox"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

var start = time.Date(2026, 10, 20, 9, 30, 0, 0, time.UTC)

func create(t *testing.T, w *modelstest.World, slug string) models.Organization {
	t.Helper()
	created, err := sandbox.Create(t.Context(), w.Operator.Store, "Sandbox "+slug, slug, start)
	require.NoError(t, err)
	return created
}

// fileDays returns the days whose deliveries a sandbox has or had, in order of arrival.
func fileDays(t *testing.T, w *modelstest.World, organization models.Organization) []string {
	t.Helper()
	return modelstest.Column[string](t, modelstest.Conn(t, w.URL), `SELECT filename FROM (
		SELECT id, filename FROM delivery_files WHERE organization_id = $1 UNION ALL SELECT id, filename FROM withdrawn_files WHERE organization_id = $1) x ORDER BY id`, organization.ID)
}

// filesFrom returns the names of the deliveries of some days.
func filesFrom(first time.Time, days int) []string {
	names := make([]string, days)
	for i := range names {
		names[i] = "sandbox-" + first.AddDate(0, 0, i).Format(time.DateOnly) + ".csv"
	}
	return names
}

// sandboxStore stores a day $2 of nothing in a sandbox $1.
const sandboxStore = `SELECT sandbox_store($1, $2::text::date, '{"filename": "x", "companies": [], "records": []}')`

// requireRefused requires that the database refuses a statement with a code and a message.
func requireRefused(t *testing.T, conn *pgx.Conn, code, message, statement string, args ...any) {
	t.Helper()
	var refused *pgconn.PgError
	require.ErrorAs(t, modelstest.ErrorOf(conn.Exec(t.Context(), statement, args...)), &refused, statement)
	require.Equal(t, code, refused.Code, "%s: %s", statement, refused.Message)
	require.Contains(t, refused.Message, message, statement)
}

// A new sandbox has companies and ninety days of deliveries. Then one delivery arrives each
// day, a company arrives or changes now and then, and on the fifteenth the delivery of the
// day before is withdrawn. The service brings all of that in its own role.
func TestSandboxArrivesDayByDay(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := create(t, w, "a")
	first := start.AddDate(0, 0, 1-sandbox.HistoryDays)
	require.Equal(t, filesFrom(first, sandbox.HistoryDays), fileDays(t, w, a))
	require.Equal(t, start.Format(time.DateOnly), a.SandboxDay.Format(time.DateOnly))
	require.GreaterOrEqual(t, a.CompanyCount, int64(20))

	following := modelstest.OpenFollowing(t, w.URL)
	tenant := following.Tenant(a.ID)
	companies := map[string]models.Company{}
	for _, c := range modelstest.Companies(t, following, a) {
		require.Regexp(t, `^99`, c.CVR)
		companies[c.CVR] = c
	}
	// From the database: what an instance remembers may be a second old.
	dataVersion := func() int64 {
		return modelstest.ValueAt[int64](t, w.URL, `SELECT data_version FROM organizations WHERE id = $1`, a.ID)
	}
	version := dataVersion()
	last := a.LastID
	arrived, changed := 0, 0
	for day := 1; day <= 30; day++ {
		require.NoError(t, sandbox.Fill(t.Context(), following.Store, start.AddDate(0, 0, day)))
		require.Len(t, fileDays(t, w, a), sandbox.HistoryDays+day)
		moved := dataVersion()
		require.Greater(t, moved, version)
		version = moved
		for _, c := range modelstest.Companies(t, following, a) {
			before, known := companies[c.CVR]
			switch {
			case !known:
				arrived++
				require.Positive(t, bytes.Compare(c.ID[:], last[:]))
			case c.UpdatedAt.After(before.UpdatedAt):
				changed++
				require.Equal(t, before.ID, c.ID)
			}
			companies[c.CVR] = c
		}
		last = modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT last_id FROM organizations WHERE id = $1`, a.ID)
	}
	require.GreaterOrEqual(t, arrived, 2)
	require.GreaterOrEqual(t, changed, 9)
	require.Equal(
		t,
		[]string{"sandbox-2026-08-14.csv", "sandbox-2026-09-14.csv", "sandbox-2026-10-14.csv", "sandbox-2026-11-14.csv"},
		modelstest.Column[string](t, modelstest.Conn(t, w.URL), `SELECT filename FROM withdrawn_files
			WHERE organization_id = $1 ORDER BY id`, a.ID),
	)
	entries := modelstest.AuditLog(t, tenant, models.AuditFilter{Action: models.ActionDeliveryWithdrawn})
	require.Len(t, entries, 4)
	require.Regexp(t, `^sandbox-2026-11-14\.csv: \d+ transactions of -?\d+\.\d\d DKK\. Reason: .*made up`,
		entries[0].Subject)
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails`))

	deliveries, err := imports.List(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.Empty(t, deliveries, "the operator's list has no made-up ones")
}

// However many instances fill the sandboxes at once, and however often their connections
// break, each day of each sandbox arrives exactly once. Days that were missed are made up
// for.
func TestEachDayArrivesOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	const days, instances, interruptions = 40, 3, 10
	organizations := []models.Organization{create(t, w, "a"), create(t, w, "b")}
	later := start.AddDate(0, 0, days)
	var stores []*modelstest.Instance
	for range instances {
		stores = append(stores, modelstest.Open(t, w.URL, database.Service))
	}
	conn := modelstest.Conn(t, w.URL)
	killed := 0
	for done := false; !done; {
		var filling errgroup.Group
		for _, store := range stores {
			filling.Go(func() error {
				_ = sandbox.Fill(t.Context(), store.Store, later) // it may be interrupted
				return nil
			})
		}
		filled := make(chan error, 1)
		go func() { filled <- filling.Wait() }()
		for running := true; running && killed < interruptions; {
			killed += len(modelstest.Column[bool](t, conn, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%sandbox%' AND state <> 'idle'`))
			running = len(filled) == 0
		}
		require.NoError(t, <-filled)
		done = modelstest.Value[bool](t, conn, `SELECT bool_and(sandbox_day = $1::text::date)
			FROM organizations`, later.Format(time.DateOnly))
	}
	require.Positive(t, killed)
	for _, organization := range organizations {
		require.Equal(t, filesFrom(start.AddDate(0, 0, 1-sandbox.HistoryDays), sandbox.HistoryDays+days),
			fileDays(t, w, organization))
	}
	before := modelstest.Dump(t, conn)
	for _, store := range stores {
		require.NoError(t, sandbox.Fill(t.Context(), store.Store, later.Add(time.Hour)))
	}
	for _, day := range []int{0, 2} { // today again, and a day too early
		require.False(t,
			modelstest.Value[bool](t, conn, sandboxStore, organizations[0].ID, later.AddDate(0, 0, day).Format(time.DateOnly)))
	}
	require.Equal(t, before, modelstest.Dump(t, conn), "a day does not come twice")
}

// With the service's login, nothing of a real organization's ledger can be written, however the
// caller goes about it: not by statements of its own, not by the functions that imports call, and
// not by the one that fills sandboxes.
func TestServiceWritesNoLedger(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	real, made := w.Organization(t, "real", "10000001"), w.Sandbox(t, "made")
	w.Delivery(t, "10000001", 3)
	checking := modelstest.Conn(t, w.URL)
	delivery := modelstest.Value[string](t, checking, `SELECT delivery_id::text FROM delivery_files
		WHERE organization_id = $1`, real.ID)
	conn := modelstest.Conn(t, modelstest.Login(t, w.URL, "dispo_app"))
	before := modelstest.Dump(t, checking)
	organization := `'` + real.ID.String() + `'`
	statements := []string{
		`SET ROLE dispo_operator`,
		`SET ROLE dispo_keeper`,
		`SET SESSION AUTHORIZATION dispo_operator`,
		`SELECT turns_take(ARRAY[` + organization + `]::uuid[])`,
		`SELECT turns_end()`,
		`SELECT take_id(` + organization + `)`,
		`SELECT companies_store(` + organization + `, '{cvr}')`,
		`SELECT file_open(` + organization + `, '` + delivery + `', 1)`,
		`SELECT records_store()`,
		`SELECT move_totals(-1)`,
		`SELECT history_renew(` + organization + `)`,
		`SELECT withdraw_files('` + delivery + `', ` + organization + `, 'retention', 'schedule', 'schedule')`,
		`SELECT withdraw_delivery('` + delivery + `', 'retention')`,
		`SELECT sandbox_store(` + organization + `, current_date, '{}')`,
		`SELECT sandbox_store(gen_random_uuid(), current_date, '{}')`,
		`UPDATE kept_periods SET period = '30d' WHERE kind = 'transactions'`,
		`SELECT keep_as_set('{"transactions": "30d"}', '')`,
		`SELECT organization_erase(` + organization + `, 1000, NULL)`,
	}
	for _, table := range []string{"companies", "transactions", "delivery_files", "daily_totals", "withdrawn_files", "withdrawn_totals", "deliveries", "writers"} {
		statements = append(statements, `INSERT INTO `+table+` DEFAULT VALUES`, `DELETE FROM `+table, `TRUNCATE `+table,
			`CREATE TRIGGER x BEFORE INSERT ON `+table+` EXECUTE FUNCTION organization_created()`)
	}
	for _, column := range []string{"sandbox = true", "sandbox_day = current_date", "last_id = id", "data_version = 0", "history = id", "transaction_count = 0", "company_count = 0", "delivery_file_count = 0", "total_amount_dkk = 0"} {
		statements = append(statements, `UPDATE organizations SET `+column)
	}
	for _, session := range []string{"SET ROLE dispo_app", "SET ROLE dispo_app; SET search_path = pg_temp, public", "RESET ROLE"} {
		modelstest.Execute(t, conn, session)
		modelstest.Execute(t, conn, `SELECT set_config('dispo.organization_id', $1, false)`, real.ID.String())
		for _, statement := range statements {
			message := "permission denied" // not by a check within a function
			if strings.Contains(statement, "sandbox_store") {
				message = "is not a sandbox"
			}
			requireRefused(t, conn, "42501", message, statement)
		}
		require.Zero(t, modelstest.Value[int](t, conn, `SELECT withdraw_aged()`), "nothing is too old")
	}
	// Rows of a real organization among those of a sandbox are stored in the sandbox.
	modelstest.Execute(t, conn, `SET ROLE dispo_app`)
	smuggled := `{"filename": "x", "withdrawn": "delivery.csv", "reason": "x", "companies": [], "records": [{"organization_id": ` + strings.ReplaceAll(
		organization,
		`'`,
		`"`,
	) +
		`, "record_index": 0, "count": 1, "disposition_date": "2026-01-31", "cvr": "10000001", "reg_number": "1234", "account_number": "1", "transfer_type": "CARD", "amount_dkk": 1, "raw_line": "x"}]}`
	tomorrow := made.SandboxDay.AddDate(0, 0, 1).Format(time.DateOnly)
	requireRefused(t, conn, "23503", "a company that the organization does not have",
		`SELECT sandbox_store($1, $2::text::date, $3::text::jsonb)`, made.ID, tomorrow, smuggled)
	require.NoError(t, sandbox.Fill(t.Context(), w.Service.Store, *made.SandboxDay))
	require.Equal(t, before, modelstest.Dump(t, checking))

	// A real delivery is not withdrawn, even if a sandbox has a file of it.
	modelstest.Execute(t, checking, `BEGIN`)
	modelstest.Execute(t, checking, `INSERT INTO delivery_files (
			organization_id, id, last_id, delivery_id, filename, layout, record_count
		) VALUES ($1, $2, $2, $2, 'real.csv', 'csv', 1)`, made.ID, delivery)
	modelstest.Execute(t, checking, `SELECT sandbox_store($1, $2::text::date, '{
			"filename": "x", "withdrawn": "real.csv", "reason": "x", "companies": [], "records": []
		}')`, made.ID, tomorrow)
	require.Zero(t, modelstest.Value[int](t, checking, `SELECT count(*) FROM deliveries
		WHERE withdrawn_at IS NOT NULL AND NOT sandbox`))
	modelstest.Execute(t, checking, `ROLLBACK`)
}

// The functions that run as the operator's role work with tables that they have made
// themselves: their caller can have put nothing of that name where they look, whose triggers
// and checks would run as the operator.
func TestCallersPrepareNoTables(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "real", "10000001")
	w.Delivery(t, "10000001", 3)
	made := w.Sandbox(t, "made")
	conn, checking := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	modelstest.Execute(
		t,
		conn,
		`DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO dispo_app; GRANT CREATE ON SCHEMA public TO dispo_app', current_database()); END $$`,
	)
	modelstest.Execute(t, conn, `UPDATE kept_periods SET period = '30d' WHERE kind = 'transactions'`)
	before := modelstest.Dump(t, checking)
	tomorrow := made.SandboxDay.AddDate(0, 0, 1).Format(time.DateOnly)
	const take = `CREATE FUNCTION pg_temp.take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM transactions WHERE cvr = '10000001'; RETURN NEW; END $$; GRANT EXECUTE ON FUNCTION pg_temp.take() TO PUBLIC`
	for _, table := range []string{"turns", "moved", "arriving_companies", "arriving_records"} {
		own := `CREATE TEMPORARY TABLE ` + table + ` (organization_id uuid, last_id uuid); GRANT ALL ON ` + table + ` TO PUBLIC`
		trigger := `CREATE TRIGGER take BEFORE INSERT ON ` + table + ` FOR EACH ROW EXECUTE FUNCTION pg_temp.take()`
		for code, prepare := range map[string][]string{
			"42P07 own table":            {own},
			"42P07 own trigger":          {own, take, trigger},
			"42P07 own view":             {`CREATE TEMPORARY VIEW ` + table + ` AS TABLE daily_totals; GRANT ALL ON ` + table + ` TO PUBLIC`},
			"42710 own type":             {`CREATE TYPE pg_temp.` + table + ` AS ENUM ('x')`},
			"42501 own table for good":   {strings.Replace(own, "TEMPORARY ", "", 1)},
			"42501 own trigger for good": {strings.Replace(own, "TEMPORARY ", "", 1), take, trigger},
			"42P07 that of a call before": {`SELECT sandbox_store('` + made.ID.String() + `', '` + tomorrow +
				`', '{"filename": "x", "companies": [], "records": []}')`},
		} {
			for _, call := range []string{`SELECT withdraw_aged()`, `SELECT sandbox_store('` + made.ID.String() + `', '` + tomorrow + `'::date + (SELECT count(*) FROM delivery_files WHERE filename = 'x')::int, '{}')`} {
				for _, statement := range append([]string{`BEGIN`, `SET ROLE dispo_app`, `SET dispo.organization_id = '` + made.ID.String() + `'`}, prepare...) {
					modelstest.Execute(t, conn, statement)
				}
				requireRefused(t, conn, code[:5], "", call)
				modelstest.Execute(t, conn, `ROLLBACK`)
			}
		}
	}
	modelstest.Execute(
		t,
		conn,
		`BEGIN; SET ROLE dispo_app; SELECT sandbox_store('`+made.ID.String()+`', '`+tomorrow+`', '{"filename": "x", "companies": [], "records": []}')`,
	)
	requireRefused(t, conn, "42501", "", `INSERT INTO turns SELECT gen_random_uuid(), gen_random_uuid()`)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.Equal(t, before, modelstest.Dump(t, checking))

	require.Empty(t, modelstest.Column[string](t, checking, `SELECT proname FROM pg_proc
		WHERE pronamespace = 'public'::regnamespace AND prosrc ~ '\m(turns|moved|arriving_companies|arriving_records)\M'
			AND prosrc !~ 'PERFORM (check_moved|turns_take)\(' AND proname <> 'check_moved'`), "functions that check none of the tables")
}

// A sandbox never becomes a real organization, nor the other way round, and its keys are
// keys of a sandbox: the database refuses anything else.
func TestSandboxStaysOne(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	made, real := w.Sandbox(t, "made"), w.Organization(t, "real")
	w.Key(t, made)
	w.Key(t, real)
	conn := modelstest.Conn(t, w.URL)
	refused := func(code, statement string, args ...any) { requireRefused(t, conn, code, "", statement, args...) }
	for _, organization := range []models.Organization{made, real} {
		for _, role := range []string{"dispo_app", "dispo_operator"} {
			modelstest.Execute(t, conn, `SET ROLE `+role)
			modelstest.Execute(t, conn, `SELECT set_config('dispo.organization_id', $1, false)`, organization.ID.String())
			refused(
				"42501",
				`UPDATE organizations SET sandbox = NOT sandbox WHERE id = $1`,
				organization.ID,
			) // insufficient_privilege
			refused("23503", `UPDATE api_keys SET sandbox = NOT sandbox WHERE organization_id = $1`, organization.ID)
			refused(
				"23503",
				`INSERT INTO api_keys (id, organization_id, sandbox, lookup_id, secret_hash, hint, name) VALUES (gen_random_uuid(), $1, $2, 'abcdefghijkl', $3, 'x', 'x')`,
				organization.ID,
				!organization.Sandbox,
				modelstest.NoHash,
			)
		}
		modelstest.Execute(t, conn, `RESET ROLE`)
		refused("23503", `UPDATE organizations SET sandbox = NOT sandbox,
			sandbox_day = CASE WHEN sandbox THEN NULL ELSE current_date END WHERE id = $1`, organization.ID)
	}
	refused("23514", `UPDATE organizations SET sandbox_day = NULL WHERE sandbox`) // check_violation
	require.Equal(
		t,
		[]string{"created_at", "id", "sandbox"},
		modelstest.Column[string](t, conn, `SELECT attname::text FROM pg_attribute
		WHERE attrelid = 'organizations'::regclass AND attnum > 0 AND NOT attisdropped AND NOT has_column_privilege('dispo_operator', attrelid, attnum, 'UPDATE') ORDER BY 1`),
		"the operator may change everything else",
	)
}

// Nothing real reaches a sandbox. Imports for it are refused, a real delivery does not
// know its companies, and what was made up is never taken for history of a real company,
// nor for a delivery that is repeated.
func TestNothingRealReachesASandbox(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	made, real := w.Sandbox(t, "made"), w.Organization(t, "real")
	cvr := modelstest.ValueAt[string](t, w.URL, `SELECT cvr FROM companies WHERE transaction_count > 0
		ORDER BY cvr LIMIT 1`)
	before := modelstest.Transactions(t, w.Service, made, cvr)

	file := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV(cvr, 3))
	modelstest.RequireKind(
		t,
		models.KindForbidden,
		modelstest.ErrorOf(
			w.ImportCompanies(t.Context(), made, modelstest.File(t, "companies.csv", "cvr,name\n10000001,Real\n"))),
	)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: file, Organization: &made})
	modelstest.RequireKind(t, models.KindForbidden, err)
	modelstest.RequireKind(t, models.KindForbidden,
		modelstest.ErrorOf(imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: made})))

	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: file})
	require.Contains(t, modelstest.BadFile(t, err).Lines[0].Reason, "no organization has a company")
	held := w.Import(t, imports.DeliveryOptions{Path: file, SkipUnknown: true})
	require.EqualValues(t, 3, held.Held)
	imported, err := w.ImportCompanies(t.Context(), real,
		modelstest.File(t, "companies.csv", fmt.Sprintf("cvr,name\n%s,Real\n", cvr)))
	require.NoError(t, err)
	require.EqualValues(t, 3, imported.Delivered.Records)
	require.Zero(t, imported.History)
	share, err := imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: real})
	require.NoError(t, err)
	require.Zero(t, share.Records)
	shared := w.Import(t, imports.DeliveryOptions{Path: modelstest.File(t, "second.csv", modelstest.DeliveryCSV(cvr, 2))})
	require.Equal(t, 1, shared.Organizations)
	counted, err := imports.Count(t.Context(), w.Service.DB())
	require.NoError(t, err)
	require.Equal(t,
		imports.Counts{Imported: 2, ImportedRecords: 5, LastImport: counted.LastImport, Refused: 1, RefusedRecords: 3},
		counted)

	// A file that repeats made-up records is imported: only real deliveries are compared.
	text := modelstest.DeliveryHeader
	for _, x := range before {
		text += x.RawLine + "\n"
	}
	repeated := w.Import(t, imports.DeliveryOptions{Path: modelstest.File(t, "repeats.csv", text)})
	require.EqualValues(t, len(before), repeated.Stored)

	require.Equal(t, before, modelstest.Transactions(t, w.Service, made, cvr))
	require.Len(t, modelstest.Transactions(t, w.Service, real, cvr), 5+len(before))
}

// While an import runs, the sandboxes wait for the next time, without an error.
func TestSandboxesGiveWayToImports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	made := w.Sandbox(t, "made")
	tomorrow := time.Now().AddDate(0, 0, 1)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE deliveries IN EXCLUSIVE MODE`)
	require.NoError(t, sandbox.Fill(t.Context(), w.Service.Store, tomorrow))
	require.Len(t, fileDays(t, w, made), 1)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.NoError(t, sandbox.Fill(t.Context(), w.Service.Store, tomorrow))
	require.Len(t, fileDays(t, w, made), 2)
}
