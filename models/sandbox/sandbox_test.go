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

// The functions that write to a sandbox $1, and a day's arrivals of nothing.
const (
	sandboxOpen     = `SELECT sandbox_open($1)`
	sandboxStore    = `SELECT sandbox_store($1, $2::text::date, jsonb_build_object('last_id', 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'file_id', gen_random_uuid(), 'filename', 'x', 'companies', '[]'::jsonb, 'records', '[]'::jsonb))`
	sandboxWithdraw = `SELECT sandbox_withdraw($1, $2, 'x', gen_random_uuid())`
)

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
		modelstest.Column[string](
			t,
			modelstest.Conn(t, w.URL),
			`SELECT filename FROM withdrawn_files WHERE organization_id = $1 ORDER BY id`,
			a.ID,
		),
	)
	entries := modelstest.AuditLog(t, tenant, models.AuditFilter{Action: models.ActionDeliveryWithdrawn})
	require.Len(t, entries, 4)
	require.Regexp(
		t,
		`^sandbox-2026-11-14\.csv: \d+ transactions of -?\d+\.\d\d DKK\. Reason: .*made up`,
		entries[0].Subject,
	)
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
		done = modelstest.Value[bool](
			t,
			conn,
			`SELECT bool_and(sandbox_day = $1::text::date) FROM organizations`,
			later.Format(time.DateOnly),
		)
	}
	require.Positive(t, killed)
	for _, organization := range organizations {
		require.Equal(
			t,
			filesFrom(start.AddDate(0, 0, 1-sandbox.HistoryDays), sandbox.HistoryDays+days),
			fileDays(t, w, organization),
		)
	}
	before := modelstest.Dump(t, conn)
	for _, store := range stores {
		require.NoError(t, sandbox.Fill(t.Context(), store.Store, later.Add(time.Hour)))
	}
	for _, day := range []int{0, 2} { // today again, and a day too early
		_, err := conn.Exec(t.Context(), sandboxStore, organizations[0].ID, later.AddDate(0, 0, day).Format(time.DateOnly))
		require.ErrorContains(t, err, "is not a sandbox that waits for")
	}
	require.Equal(t, before, modelstest.Dump(t, conn), "a day does not come twice")
}

// The functions that write to a sandbox refuse every other organization, in both roles,
// and change nothing there.
func TestOnlySandboxesAreFilled(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	real := w.Organization(t, "real", "10000001")
	delivered := w.Delivery(t, "10000001", 3)
	conn, checking := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	before := modelstest.Dump(t, checking)
	for _, role := range []string{"dispo_app", "dispo_operator"} {
		modelstest.Execute(t, conn, `SET ROLE `+role)
		for _, organization := range []uuid.UUID{real.ID, uuid.New()} {
			modelstest.Execute(t, conn, `SELECT set_config('dispo.organization_id', $1, false)`, organization.String())
			for call, args := range map[string][]any{sandboxOpen: {organization}, sandboxStore: {organization, "2026-01-31"}, sandboxWithdraw: {organization, delivered.Filename}} {
				requireRefused(t, conn, "42501", "is not a sandbox", call, args...)
			}
		}
	}
	require.NoError(t, sandbox.Fill(t.Context(), w.Service.Store, time.Now()))
	require.Equal(t, before, modelstest.Dump(t, checking))
}

// The functions that write to a sandbox run as the operator's role. They refuse a table moved
// that their caller made or changed: its rows would change the totals of any organization,
// and its triggers and checks would run as the operator.
func TestOnlyTheFunctionsMakeMoved(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	real := w.Organization(t, "real", "10000001")
	w.Delivery(t, "10000001", 3)
	made := w.Sandbox(t, "made")
	conn, checking := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	modelstest.Execute(
		t,
		conn,
		`DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO dispo_app', current_database()); END $$`,
	)
	file := modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM delivery_files WHERE organization_id = $1`, real.ID)
	wanted := modelstest.Value[string](t, conn, `SELECT filename FROM delivery_files WHERE organization_id = $1`, made.ID)
	before := modelstest.Dump(t, checking)
	const (
		own     = `CREATE TEMPORARY TABLE moved (LIKE daily_totals, delivery_file_id uuid); GRANT ALL ON moved TO PUBLIC`
		take    = `CREATE FUNCTION pg_temp.take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM transactions WHERE cvr = '10000001'; RETURN NEW; END $$; GRANT EXECUTE ON FUNCTION pg_temp.take() TO PUBLIC`
		trigger = `CREATE TRIGGER take BEFORE INSERT ON moved FOR EACH ROW EXECUTE FUNCTION pg_temp.take()`
		check   = `CREATE FUNCTION pg_temp.take(uuid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN DELETE FROM transactions WHERE cvr = '10000001'; RETURN true; END $$`
	)
	open, tomorrow := `SELECT sandbox_open('`+made.ID.String()+`')`, time.Now().
		UTC().
		AddDate(0, 0, 1).
		Format(time.DateOnly)
	for name, prepare := range map[string][]string{
		"none":             {`SELECT`},
		"own rows":         {own, `INSERT INTO moved VALUES ('` + real.ID.String() + `', '10000001', '2026-01-31', 'CARD', 3, 1, '` + file.String() + `', '` + file.String() + `', '` + file.String() + `')`},
		"own trigger":      {own, take, trigger},
		"own check":        {own, check, `ALTER TABLE moved ADD CHECK (pg_temp.take(organization_id))`},
		"own view":         {`CREATE TEMPORARY VIEW moved AS SELECT * FROM daily_totals; GRANT ALL ON moved TO PUBLIC`},
		"a trigger on its": {open, take, `RESET ROLE`, trigger, `SET ROLE dispo_app`},
		"own changed":      {own, `CREATE TEMPORARY TABLE changed (organization_id uuid, companies bigint, files bigint, transactions bigint, amount_dkk numeric); GRANT ALL ON changed TO PUBLIC`},
		"one on changed":   {open, take, `RESET ROLE`, strings.Replace(trigger, "ON moved", "ON changed", 1), `SET ROLE dispo_app`},
		"a rule on its":    {open, `RESET ROLE`, `CREATE RULE take AS ON INSERT TO moved DO ALSO DELETE FROM transactions`, `SET ROLE dispo_app`},
		"a grant on its":   {open, `RESET ROLE`, `GRANT INSERT ON moved TO dispo_app`, `SET ROLE dispo_app`},
	} {
		t.Run(name, func(t *testing.T) {
			for call, args := range map[string][]any{sandboxWithdraw: {made.ID, wanted}, sandboxStore: {made.ID, tomorrow}} {
				for _, statement := range append([]string{`BEGIN`, `SET ROLE dispo_app`}, prepare...) {
					modelstest.Execute(t, conn, statement)
				}
				requireRefused(
					t,
					conn,
					"42501",
					"the tables moved and changed are not those that totals_open made for dispo_operator",
					call,
					args...)
				modelstest.Execute(t, conn, `ROLLBACK`)
				modelstest.Execute(t, conn, `RESET ROLE`)
			}
		})
	}
	require.Equal(t, before, modelstest.Dump(t, checking))
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
		refused(
			"23503",
			`UPDATE organizations SET sandbox = NOT sandbox, sandbox_day = CASE WHEN sandbox THEN NULL ELSE current_date END WHERE id = $1`,
			organization.ID,
		)
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
	cvr := modelstest.ValueAt[string](
		t,
		w.URL,
		`SELECT cvr FROM companies WHERE transaction_count > 0 ORDER BY cvr LIMIT 1`,
	)
	before := modelstest.Transactions(t, w.Service, made, cvr)

	file := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV(cvr, 3))
	modelstest.RequireKind(
		t,
		models.KindForbidden,
		modelstest.ErrorOf(
			w.ImportCompanies(t.Context(), made, modelstest.File(t, "companies.csv", "cvr,name\n10000001,Real\n")),
		),
	)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: file, Organization: &made})
	modelstest.RequireKind(t, models.KindForbidden, err)
	modelstest.RequireKind(
		t,
		models.KindForbidden,
		modelstest.ErrorOf(imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: made})),
	)

	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: file})
	require.Contains(t, modelstest.BadFile(t, err).Lines[0].Reason, "no organization has a company")
	held := w.Import(t, imports.DeliveryOptions{Path: file, SkipUnknown: true})
	require.EqualValues(t, 3, held.Held)
	imported, err := w.ImportCompanies(
		t.Context(),
		real,
		modelstest.File(t, "companies.csv", fmt.Sprintf("cvr,name\n%s,Real\n", cvr)),
	)
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
	require.Equal(
		t,
		imports.Counts{Imported: 2, ImportedRecords: 5, LastImport: counted.LastImport, Refused: 1, RefusedRecords: 3},
		counted,
	)

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
