package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// The totals of pages are exact after a delivery was withdrawn from one organization, and
// then from all, and after it was imported again.
func TestTotalsAfterWithdrawals(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000002")
	w.Delivery(t, "10000001", 4)
	w.Delivery(t, "10000002", 7)
	w.Delivery(t, "10000002", 4)
	requireCounts := func(organization models.Organization, expected int) {
		t.Helper()
		page, err := ledger.Transactions(t.Context(), w.Service.Tenant(organization.ID), "10000002", ledger.Cursor{Limit: 100})
		require.NoError(t, err)
		require.Len(t, page.Items, expected)
		require.EqualValues(t, expected, page.Total)
		modelstest.RequireTotals(t, w.URL)
	}
	requireCounts(a, 11)
	delivery := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM deliveries WHERE record_count = 7`)
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), delivery, "test", &a)))
	requireCounts(a, 4)
	requireCounts(b, 11)
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), delivery, "test", nil)))
	requireCounts(b, 4)
	w.Delivery(t, "10000002", 3)
	requireCounts(a, 7)
}

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
		modelstest.Execute(t, conn, `SELECT totals_open()`)
		modelstest.Execute(t, conn, `INSERT INTO moved SELECT o.id, $2, '2026-01-31', 'x', 1, 1, f.id, f.id, f.id FROM organizations o, delivery_files f
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
