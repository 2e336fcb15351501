package ledger_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// The totals of pages are exact, also after an operator has deleted single records, a
// file's records, or a company with all of its records. They change within the
// deleting transaction, so a rollback leaves them as they were.
func TestTotalsAfterDeletes(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001", "10000002")
	w.Companies(t, b, "10000002", "10000003")
	for _, cvr := range []string{"10000001", "10000002", "10000003"} {
		w.Delivery(t, cvr, 7)
		w.Delivery(t, cvr, 4)
	}
	requireCounts := func(organization models.Organization, cvr string, expected int) {
		t.Helper()
		page, err := ledger.Transactions(t.Context(), w.Service.Tenant(organization.ID), cvr, ledger.Cursor{Limit: 100})
		require.NoError(t, err)
		require.Len(t, page.Items, expected)
		require.EqualValues(t, expected, page.Total)
		modelstest.RequireTotals(t, w.URL)
	}
	requireCounts(a, "10000002", 11)

	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `SET ROLE dispo_operator`)
	modelstest.Execute(t, conn, `DELETE FROM transactions WHERE organization_id = $1 AND cvr = '10000002' AND record_index < 4`, a.ID)
	requireCounts(a, "10000002", 5)
	requireCounts(b, "10000002", 11)
	modelstest.Execute(t, conn, `DELETE FROM transactions WHERE record_index = 1`) // of all organizations
	requireCounts(a, "10000001", 9)
	requireCounts(b, "10000003", 9)

	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `DELETE FROM transactions`)
	modelstest.Execute(t, conn, `ROLLBACK`)
	requireCounts(a, "10000001", 9)

	// Companies and files that have transactions cannot be deleted.
	for _, statement := range []string{`DELETE FROM companies WHERE cvr = '10000001'`, `DELETE FROM delivery_files`} {
		_, err := conn.Exec(t.Context(), statement)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, statement)
		require.Equal(t, "23503", refused.Code)
	}
	modelstest.Execute(t, conn, `DELETE FROM transactions WHERE organization_id = $1`, a.ID)
	modelstest.Execute(t, conn, `DELETE FROM delivery_files WHERE organization_id = $1`, a.ID)
	modelstest.Execute(t, conn, `DELETE FROM companies WHERE organization_id = $1 AND cvr = '10000001'`, a.ID)
	requireCounts(a, "10000002", 0)
	page, err := ledger.Companies(t.Context(), w.Service.Tenant(a.ID), ledger.Cursor{Limit: 100})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.EqualValues(t, 1, page.Total)
	requireCounts(b, "10000002", 9)

	// What was deleted can be imported again.
	w.Delivery(t, "10000002", 3)
	requireCounts(a, "10000002", 3)
	requireCounts(b, "10000002", 12)
}

// A transaction of a company or of a file that the organization does not have cannot
// be stored, even if another organization has it.
func TestTransactionsNeedTheirCompanyAndFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000002")
	w.Delivery(t, "10000001", 1)
	w.Delivery(t, "10000002", 1)
	conn := modelstest.Conn(t, w.URL)
	insert := func(organization, cvr, file string) error {
		_, err := conn.Exec(t.Context(), `INSERT INTO transactions
			SELECT o.id, gen_random_uuid(), f.id, 9, 1, '2026-01-31', $2, '1234', '1', 'x', 1, 'x' FROM organizations o, delivery_files f
			WHERE o.slug = $1 AND f.organization_id = (SELECT id FROM organizations WHERE slug = $3)`, organization, cvr, file)
		return err
	}
	require.NoError(t, insert("a", "10000001", "a"))
	for _, row := range [][3]string{{"a", "10000002", "a"}, {"a", "10000001", "b"}, {"b", "10000001", "b"}} {
		var refused *pgconn.PgError
		require.ErrorAs(t, insert(row[0], row[1], row[2]), &refused, row)
		require.Equal(t, "23503", refused.Code)
	}
}
