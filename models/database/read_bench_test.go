package database_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// BenchmarkCompany reads one company through GORM's scope and row-level security, each
// time for another organization, and by hand with plain pgx as an owner without policies.
// The metric pgx/read is the ratio of their rates: 1 means as fast as by hand.
func BenchmarkCompany(b *testing.B) {
	w := modelstest.NewWorld(b)
	var organizations []models.Organization
	for _, slug := range []string{"a", "b"} {
		organizations = append(organizations, w.Organization(b, slug))
		w.Companies(b, organizations[len(organizations)-1], "10000001")
	}
	plain := modelstest.Conn(b, w.URL)
	const byHand = `SELECT organization_id, id, cvr, name, address, start_date, end_date, status, sender_reg_number, sender_account_number,
		receiver_reg_number, receiver_account_number, default_amount_cents, transaction_count, created_at, updated_at FROM companies WHERE organization_id = $1 AND cvr = $2`
	var read, hand time.Duration
	for i := 0; b.Loop(); i++ {
		organization := organizations[i%2]
		start := time.Now()
		_, err := ledger.Company(b.Context(), w.Service.Tenant(organization.ID), "10000001")
		require.NoError(b, err)
		read += time.Since(start)

		start = time.Now()
		rows, err := plain.Query(b.Context(), byHand, organization.ID, "10000001")
		require.NoError(b, err)
		_, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[models.Company])
		require.NoError(b, err)
		hand += time.Since(start)
	}
	b.ReportMetric(float64(hand)/float64(read), "pgx/read")
}
