package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A page, or what follows a cursor in bulk, reads about as many rows as it has items,
// wherever it lies: neither the rest of the list, nor other companies' transactions, nor
// rows of an import under way, which nobody can see yet.
func TestPagesReadOnlyTheirItems(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	// The records of ten companies in turn. PostgreSQL estimates badly how many ids lie
	// between two bounds, and might read and sort all of them instead.
	const owners, each, small = 10, 3_000, 5 // small is the second company's number
	var a models.Organization
	for i := range owners {
		organization := w.Organization(t, fmt.Sprint("organization-", i))
		w.Companies(t, organization, "10000001", "10000002")
		if i == 3 {
			a = organization
		}
	}
	id := func(number int) uuid.UUID {
		return modelstest.Value[uuid.UUID](t, conn, `SELECT ('ffff' || lpad(to_hex($1::int), 28, '0'))::uuid`, number)
	}
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1`, id(owners*each))
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES ('ffff0000-0000-0000-0000-000000000000', 'delivery.csv', 'csv', 0, 0)`,
	)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout)
		SELECT o.id, d.id, d.id, $1, 'delivery.csv', 'csv' FROM organizations o, deliveries d`, id(owners*each*2))
	const insert = `INSERT INTO transactions SELECT id, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid, 'ffff0000-0000-0000-0000-000000000000',
		n, 1, '2026-01-31', $4, '1234', '1', (ARRAY['CARD', 'CASH', 'FEE'])[1 + n % 3], 1, repeat('x', 100)
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM organizations) o, generate_series($1::int, $2::int) n
		WHERE n % $3 = place - 1 ORDER BY n`
	modelstest.Execute(t, conn, insert, owners*small+1, owners*each, owners, "10000001")
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	// PostgreSQL's statistics know nothing of the second company.
	modelstest.Execute(t, conn, insert, 1, owners*small, owners, "10000002")
	modelstest.Recount(t, w.URL)
	modelstest.Execute(t, conn, `SELECT pg_stat_force_next_flush()`)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, insert, owners*each+1, owners*each*3/2, owners, "10000001")

	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	const limit = 100
	pages := 0
	entries := readEntries(t, w, []string{"transactions"}, id(owners*each/2), id(owners*each), limit,
		func(store *modelstest.Instance, cursor ledger.Cursor, full bool) {
			company, err := ledger.Transactions(t.Context(), store.Tenant(a.ID), "10000001", cursor)
			require.NoError(t, err)
			all, err := ledger.AllTransactions(t.Context(), store.Tenant(a.ID), nil, cursor)
			require.NoError(t, err)
			ofDay, err := ledger.AllTransactions(t.Context(), store.Tenant(a.ID), &day, cursor)
			require.NoError(t, err)
			few, err := ledger.Transactions(t.Context(), store.Tenant(a.ID), "10000002", cursor)
			require.NoError(t, err)
			if !full {
				require.NoError(t, ledger.EachFollowing(t.Context(), store.Tenant(a.ID), ledger.Part{}, cursor.After,
					new(ledger.Following), func(*models.Transaction) error { return nil }))
			}
			require.Equal(t, []int64{small, each - small, each, each}, []int64{few.Total, company.Total, all.Total, ofDay.Total})
			for _, page := range []ledger.Page[models.Transaction]{company, all, ofDay} {
				require.Equal(t, full, len(page.Items) == limit, "%v", cursor)
				pages++
			}
		})
	require.Greater(t, entries, int64(pages*limit/2))
	require.Less(t, entries, int64(pages*(2*limit+20)))
}

// A page of changes reads at most about as many index entries of each kind of change as it
// has items, wherever it lies and in whatever order the changes are on the disk.
func TestPagesOfChangesReadOnlyTheirItems(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	const each = 9_000
	a := w.Organization(t, "a")
	w.Organization(t, "b")
	id := func(number int) uuid.UUID {
		return modelstest.Value[uuid.UUID](t, conn, `SELECT ('ffff' || lpad(to_hex($1::int), 28, '0'))::uuid`, number)
	}
	write := func(first, last int) {
		const changes = ` FROM (SELECT o.id AS organization, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid AS id, n FROM organizations o, generate_series($1::int, $2::int) n) x`
		modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key)
			SELECT organization, id, id, (10000000 + n)::text, 'Company', '', ''`+changes+` WHERE n % 3 = 0 ORDER BY md5(n::text)`, first, last)
		modelstest.Execute(t, conn,
			`INSERT INTO delivery_files (organization_id, id, change_id, delivery_id, last_id, filename, layout)
			SELECT organization, id, id, id, id, 'delivery.csv', 'csv'`+changes+` WHERE n % 3 = 1 ORDER BY md5(n::text)`, first,
			last)
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO withdrawn_files (organization_id, id, change_id, filename, layout, record_count, total_amount_dkk, reason)
			SELECT organization, id, id, 'delivery.csv', 'csv', 1, 1, 'wrong'`+changes+` WHERE n % 3 = 2 ORDER BY md5(n::text)`,
			first,
			last,
		)
	}
	write(1, each)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1, company_count = $2, delivery_file_count = $3`,
		id(each), each/3, each*2/3)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	modelstest.Execute(t, conn, `BEGIN`)
	write(each+1, each*2) // an import under way

	const limit = 100
	pages := 0
	entries := readEntries(t, w, []string{"companies", "delivery_files", "withdrawn_files"}, id(each/2), id(each), limit,
		func(store *modelstest.Instance, cursor ledger.Cursor, full bool) {
			page, err := ledger.Changes(t.Context(), store.Tenant(a.ID), cursor)
			require.NoError(t, err)
			require.EqualValues(t, each, page.Total)
			require.Equal(t, full, len(page.Items) == limit, "%v", cursor)
			pages++
		})
	require.Greater(t, entries, int64(pages*limit/2))
	require.Less(t, entries, int64(pages*3*(limit+10)))
	modelstest.Execute(t, conn, `ROLLBACK`)
	modelstest.Execute(t, conn, `TRUNCATE withdrawn_files, delivery_files, companies`)
	modelstest.Recount(t, w.URL)
}

// readEntries returns how many index entries of these tables a read of pages with cursors
// all over a list reads. full says whether a page must be.
func readEntries(
	t *testing.T, w *modelstest.World, tables []string, middle, last uuid.UUID, limit int,
	read func(store *modelstest.Instance, cursor ledger.Cursor, full bool),
) int64 {
	t.Helper()
	first, most := uuid.Nil, uuid.Max
	return entriesRead(t, w, openPlanModes(t, w), tables, func(store *modelstest.Instance) {
		for range 2 {
			for _, cursor := range []ledger.Cursor{{}, {After: &first}, {After: &middle}, {After: &last}, {After: &most}, {Before: &middle}, {Before: &last}, {Before: &most}} {
				cursor.Limit = limit
				read(store, cursor, cursor.After != &last && cursor.After != &most)
			}
		}
	})
}

// A page of days reads all of the list's days once, to count them, and beyond that only its
// own, wherever it lies.
func TestPagesOfDaysReadOnlyTheirDays(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	const days, types, limit = 3_000, 2, 50
	a := w.Organization(t, "a", "10000001")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES ('ffff0000-0000-0000-0000-000000000000', 'delivery.csv', 'csv', 0, 0)`,
	)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout)
		SELECT $1, id, id, 'ffffffff-0000-0000-0000-000000000000', 'delivery.csv', 'csv' FROM deliveries`, a.ID)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO transactions SELECT $1, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid, 'ffff0000-0000-0000-0000-000000000000',
		n, 1, '2015-01-01'::date + n / $2::int, '10000001', '1234', '1', (ARRAY['CARD', 'FEE'])[1 + n % $2::int], 1, 'x' FROM generate_series(0, $2::int * $3::int - 1) n`,
		a.ID,
		types,
		days,
	)
	modelstest.Recount(t, w.URL)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	modelstest.Execute(t, conn, `SELECT pg_stat_force_next_flush()`)
	middle, pages := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), 0
	entries := entriesRead(t, w, openPlanModes(t, w), []string{"daily_totals"}, func(store *modelstest.Instance) {
		for _, cvr := range []string{"", "10000001"} {
			for _, cursor := range []ledger.DayCursor{{}, {After: &middle}, {Before: &middle}} {
				cursor.Limit = limit
				page, err := ledger.Days(t.Context(), store.Tenant(a.ID), cvr, cursor)
				require.NoError(t, err)
				require.Len(t, page.Items, limit)
				require.EqualValues(t, days, page.Total)
				pages++
			}
		}
	})
	require.LessOrEqual(t, entries, int64(pages*types*(days+3*limit)))
}

// planModes are how PostgreSQL may plan a prepared statement: for the arguments, or for any.
var planModes = []string{"force_custom_plan", "force_generic_plan"}

// openPlanModes opens the service once for each plan mode, with a single connection.
func openPlanModes(t *testing.T, w *modelstest.World) (services []*modelstest.Instance) {
	t.Helper()
	for _, mode := range planModes {
		services = append(services, modelstest.OpenConfig(t, database.Config{
			URL: modelstest.With(w.URL, "plan_cache_mode", mode), Role: database.Service, MaxConnections: 1,
		}, modelstest.Secret))
	}
	return services
}

// entriesRead returns how many index entries of these tables the services read.
func entriesRead(
	t *testing.T, w *modelstest.World, services []*modelstest.Instance, tables []string, read func(*modelstest.Instance),
) int64 {
	t.Helper()
	const query = `SELECT ((SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY($1)) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY($1)))::bigint`
	before := modelstest.ValueAt[int64](t, w.URL, query, tables)
	for _, service := range services {
		read(service)
		pool := service.DB().Pool
		require.NoError(t, modelstest.ErrorOf(pool.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`)))
		require.EqualValues(t, 1, pool.Stat().NewConnsCount(), "another connection's reads are not counted yet")
	}
	return modelstest.ValueAt[int64](t, w.URL, query, tables) - before
}
