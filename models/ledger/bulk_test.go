package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// An export sees one moment: nothing of an import that is stored while it reads. It is in
// the ledger's order, and has the rows of its organization alone. It stops at an error of its
// writer, and its connection goes back.
func TestExportSeesOneMoment(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "20000001")
	w.Organization(t, "b", "20000001", "20000002")
	w.Delivery(t, "20000001", 5000)
	w.Delivery(t, "20000002", 3)
	tenant := w.Service.Tenant(a.ID)
	var seen []ledger.Item
	require.NoError(t, ledger.EachTransaction(t.Context(), tenant, ledger.TransactionFilter{}, func(x *ledger.Item) error {
		if len(seen) == 0 {
			w.Delivery(t, "20000001", 100)
			w.Companies(t, a, "20000009")
		}
		require.Equal(t, a.ID, x.OrganizationID)
		require.Equal(t, "Company 20000001", x.CompanyName)
		seen = append(seen, *x)
		return nil
	}))
	require.Len(t, seen, 5000)
	for i := range seen[1:] {
		require.Positive(t, seen[i].Position().Compare(seen[i+1].Position()))
	}
	companies := 0
	require.NoError(t, ledger.EachCompany(t.Context(), tenant, ledger.CompanySearch{},
		func(*models.Company) error { companies++; return nil }))
	require.Equal(t, 2, companies)

	full, rows := errors.New("the disk is full"), 0
	require.ErrorIs(t, ledger.EachTransaction(t.Context(), tenant, ledger.TransactionFilter{}, func(*ledger.Item) error {
		rows++
		return full
	}), full)
	require.Equal(t, 1, rows)
	modelstest.Eventually(t, func() bool {
		busy := 0
		w.Service.DB().EachPool(func(_ string, count database.Connections) { busy += int(count.Busy) })
		return busy == 0
	})
}

// A bulk read sorts nothing, so its first row comes at once however many follow, and
// PostgreSQL writes no temporary file: from the start, after a file, inside one, of one day,
// and of one company, whether or not PostgreSQL has statistics, and beside other organizations. Only a day
// with more than 100 transfer types is sorted. What follows inside a file is counted by the
// index alone. Row-level security holds meanwhile.
func TestBulkReadsInTheOrderOfAnIndex(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	const files, each = 3, 4000
	a := w.Organization(t, "a", "10000001", "10000002")
	w.Organization(t, "b", "10000001", "10000002")
	id := func(number int) uuid.UUID {
		return modelstest.Value[uuid.UUID](t, conn, `SELECT ('ffff' || lpad(to_hex($1::int), 28, '0'))::uuid`, number)
	}
	for file := range files {
		first := 1 + file*(each+1)
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES ($1, 'delivery.csv', 'csv', 0, 0)`,
			id(first),
		)
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout) SELECT id, $1, $1, $2, 'delivery.csv', 'csv' FROM organizations`,
			id(first),
			id(first+each),
		)
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO transactions SELECT o.id, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid, $1, n, 1, '2026-01-30'::date + n % 2, (10000001 + n % 3 / 2)::text,
			'1234', '1', (ARRAY['CARD', 'CASH', 'FEE'])[1 + n % 3], n, repeat('x', 100) FROM organizations o, generate_series($2::int, $3::int) n ORDER BY md5(n::text)`,
			id(first),
			first+1,
			first+each,
		)
	}
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1`, id(files*(each+1)))
	modelstest.Recount(t, w.URL)
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, prepare := range []string{"SELECT", "VACUUM ANALYZE"} {
		modelstest.Execute(t, conn, prepare)
		for _, mode := range planModes {
			service := modelstest.OpenConfig(
				t, database.Config{URL: modelstest.With(w.URL, "plan_cache_mode", mode), Role: database.Service}, modelstest.Secret)
			requirePlans(t, service.Tenant(a.ID), prepare != "SELECT", day, []uuid.UUID{uuid.Nil, id(1 + each), id(each / 2)})
		}
	}
}

// requirePlans requires that what follows is read by an index, in its order.
func requirePlans(t *testing.T, tenant models.Tenant, analyzed bool, day time.Time, cursors []uuid.UUID) {
	t.Helper()
	for _, of := range []ledger.Part{{}, {Day: &day}, {CVR: "10000001"}} {
		for _, after := range cursors {
			described, plan, err := ledger.FollowingPlans(t.Context(), tenant, of, after)
			require.NoError(t, err)
			require.NotRegexp(t, `Sort +\(|Materialize`, plan)
			require.Contains(t, plan, "current_setting('dispo.organization_id'", "no policy of the service's role")
			index := map[ledger.Part]string{{}: "transactions_arrival", {Day: &day}: "transactions_newest", {CVR: "10000001"}: "transactions_pkey"}[of]
			require.Contains(t, plan, "Index Scan using "+index)
			if analyzed && after != uuid.Nil && of.CVR == "" {
				require.Contains(t, described, "Index Only Scan using "+index)
			}
		}
	}
}
