package modelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
)

// Companies reads all of an organization's companies, page by page.
func Companies(t testing.TB, instance *Instance, organization models.Organization) []models.Company {
	t.Helper()
	return readAll(t, func(cursor ledger.Cursor) (ledger.Page[models.Company], error) {
		return ledger.Companies(t.Context(), instance.Tenant(organization.ID), cursor)
	}, func(x models.Company) ledger.Cursor { return ledger.Cursor{Limit: 100, After: &x.ID} })
}

// Transactions reads all of a company's transactions, page by page.
func Transactions(t testing.TB, instance *Instance, organization models.Organization, cvr string) []models.Transaction {
	t.Helper()
	return readAll(t, func(cursor ledger.Cursor) (ledger.Page[models.Transaction], error) {
		return ledger.Transactions(t.Context(), instance.Tenant(organization.ID), cvr, cursor)
	}, func(x models.Transaction) ledger.Cursor { return ledger.Cursor{Limit: 100, After: &x.ID} })
}

func readAll[T any](t testing.TB, read func(ledger.Cursor) (ledger.Page[T], error), after func(T) ledger.Cursor) []T {
	t.Helper()
	var items []T
	cursor := ledger.Cursor{Limit: 100}
	for {
		page, err := read(cursor)
		require.NoError(t, err)
		items = append(items, page.Items...)
		if !page.HasMore {
			require.Len(t, items, int(page.Total))
			return items
		}
		cursor = after(items[len(items)-1])
	}
}
