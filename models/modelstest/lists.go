package modelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// Companies reads all of an organization's companies, page by page.
func Companies(t testing.TB, instance *Instance, organization models.Organization) []models.Company {
	t.Helper()
	return readAll(t, func(cursor models.Cursor) (models.Page[models.Company], error) {
		return instance.Tenant(organization.ID).Companies(t.Context(), cursor)
	}, func(x models.Company) models.Cursor { return models.Cursor{Limit: 100, After: &x.ID} })
}

// Transactions reads all of a company's transactions, page by page.
func Transactions(t testing.TB, instance *Instance, organization models.Organization, cvr string) []models.Transaction {
	t.Helper()
	return readAll(t, func(cursor models.Cursor) (models.Page[models.Transaction], error) {
		return instance.Tenant(organization.ID).Transactions(t.Context(), cvr, cursor)
	}, func(x models.Transaction) models.Cursor { return models.Cursor{Limit: 100, After: &x.ID} })
}

func readAll[T any](t testing.TB, read func(models.Cursor) (models.Page[T], error), after func(T) models.Cursor) []T {
	t.Helper()
	var items []T
	cursor := models.Cursor{Limit: 100}
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
