package ledger_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The totals of transactions whose company or file the organization does not have cannot
// be moved, even if another organization has it. So such transactions cannot be stored.
func TestTransactionsNeedTheirCompanyAndFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "a", "10000001")
	w.Organization(t, "b", "10000002")
	w.Delivery(t, "10000001", 1)
	w.Delivery(t, "10000002", 1)
	conn := modelstest.Conn(t, w.URL)
	move := func(organization, cvr, file string) error {
		modelstest.Execute(t, conn, `BEGIN`)
		defer modelstest.Execute(t, conn, `ROLLBACK`)
		modelstest.Execute(t, conn, `SELECT turns_take(ARRAY(SELECT id FROM organizations))`)
		modelstest.Execute(t, conn,
			`INSERT INTO moved SELECT o.id, $2, '2026-01-31', 'x', 1, 1, f.id, f.id, f.id FROM organizations o, delivery_files f
			WHERE o.slug = $1 AND f.organization_id = (SELECT id FROM organizations WHERE slug = $3)`, organization, cvr, file)
		_, err := conn.Exec(t.Context(), `SELECT move_totals(1)`)
		return err
	}
	require.NoError(t, move("a", "10000001", "a"))
	for _, row := range [][3]string{{"a", "10000002", "a"}, {"a", "10000001", "b"}, {"b", "10000001", "b"}} {
		var refused *pgconn.PgError
		require.ErrorAs(t, move(row[0], row[1], row[2]), &refused, row)
		require.Equal(t, "23503", refused.Code)
	}
}
