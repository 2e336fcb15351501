package modelstest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireTotals requires that every total that the database keeps equals count(*), and
// that every transaction has its company and its file.
func RequireTotals(t testing.TB, url string) {
	t.Helper()
	conn := Conn(t, url)
	for total, query := range map[string]string{
		"organizations.company_count": `SELECT count(*) FROM organizations o
			WHERE company_count <> (SELECT count(*) FROM companies c WHERE c.organization_id = o.id)`,
		"companies.transaction_count": `SELECT count(*) FROM companies c
			WHERE transaction_count <> (SELECT count(*) FROM transactions t WHERE t.organization_id = c.organization_id AND t.cvr = c.cvr)`,
		"delivery_files.record_count": `SELECT count(*) FROM delivery_files f
			WHERE record_count <> (SELECT count(*) FROM transactions t WHERE t.organization_id = f.organization_id AND t.delivery_file_id = f.id)`,
		"transactions without a company": `SELECT count(*) FROM transactions t
			WHERE NOT EXISTS (SELECT FROM companies c WHERE c.organization_id = t.organization_id AND c.cvr = t.cvr)`,
		"transactions without a file": `SELECT count(*) FROM transactions t
			WHERE NOT EXISTS (SELECT FROM delivery_files f WHERE f.organization_id = t.organization_id AND f.id = t.delivery_file_id)`,
	} {
		var wrong int
		require.NoError(t, conn.QueryRow(context.Background(), query).Scan(&wrong))
		require.Zero(t, wrong, total)
	}
}
