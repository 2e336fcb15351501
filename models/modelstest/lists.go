package modelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
)

// everything is a page that no test's list exceeds.
var everything = ledger.Cursor{Limit: 1 << 20}

// Companies reads all of an organization's companies.
func Companies(t testing.TB, instance *Instance, organization models.Organization) []models.Company {
	t.Helper()
	page, err := ledger.Companies(t.Context(), instance.Tenant(organization.ID), everything)
	require.NoError(t, err)
	require.Len(t, page.Items, int(page.Total))
	return page.Items
}

// Transactions reads all of a company's transactions.
func Transactions(t testing.TB, instance *Instance, organization models.Organization, cvr string) []models.Transaction {
	t.Helper()
	page, err := ledger.Transactions(t.Context(), instance.Tenant(organization.ID), cvr, everything)
	require.NoError(t, err)
	require.Len(t, page.Items, int(page.Total))
	return page.Items
}
