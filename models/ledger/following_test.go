package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A bulk read sorts nothing, so its first row comes at once however many follow, and
// PostgreSQL writes no temporary file: from the start, after a file, inside one, and of one
// day, whether or not PostgreSQL has statistics, and beside other organizations. Only a day
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
		modelstest.Execute(t, conn, `INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES ($1, 'delivery.csv', 'csv', 0, 0)`, id(first))
		modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout) SELECT id, $1, $1, $2, 'delivery.csv', 'csv' FROM organizations`, id(first), id(first+each))
		modelstest.Execute(t, conn, `INSERT INTO transactions SELECT o.id, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid, $1, n, 1, '2026-01-30'::date + n % 2, (10000001 + n % 3 / 2)::text,
			'1234', '1', (ARRAY['CARD', 'CASH', 'FEE'])[1 + n % 3], n, repeat('x', 100) FROM organizations o, generate_series($2::int, $3::int) n ORDER BY md5(n::text)`, id(first), first+1, first+each)
	}
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1`, id(files*(each+1)))
	modelstest.Recount(t, w.URL)
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, prepare := range []string{"SELECT", "VACUUM ANALYZE"} {
		modelstest.Execute(t, conn, prepare)
		for _, of := range []*time.Time{nil, &day} {
			for _, after := range []uuid.UUID{uuid.Nil, id(1 + each), id(each / 2)} {
				described, plan, err := ledger.FollowingPlans(t.Context(), w.Service.Tenant(a.ID), of, after)
				require.NoError(t, err)
				require.NotRegexp(t, `Sort +\(|Materialize`, plan)
				require.Contains(t, plan, "current_setting('dispo.organization_id'", "no policy of the service's role")
				index := map[bool]string{true: "transactions_arrival", false: "transactions_newest"}[of == nil]
				require.Contains(t, plan, "Index Scan using "+index)
				if prepare != "SELECT" && after != uuid.Nil {
					require.Contains(t, described, "Index Only Scan using "+index)
				}
			}
		}
	}
}
