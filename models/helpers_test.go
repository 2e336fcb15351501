package models_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

const deliveryHeader = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"

// record is a good line of a csv delivery.
func record(cvr string) string { return cvr + ",1234,0012345678,CARD,2026-01-31,3,1234.50\n" }

// csvDelivery writes a csv delivery of these lines, each with its line end.
func csvDelivery(t testing.TB, lines ...string) string {
	t.Helper()
	return modelstest.File(t, "delivery.csv", deliveryHeader+strings.Join(lines, ""))
}

// transactions reads all of a company's transactions, page by page.
func transactions(t testing.TB, store *models.Store, organization models.Organization, cvr string) []models.Transaction {
	t.Helper()
	return all(t, func(cursor models.Cursor) (models.Page[models.Transaction], error) {
		return store.Tenant(organization.ID).Transactions(t.Context(), cvr, cursor)
	}, func(x models.Transaction) models.Cursor { return models.Cursor{Limit: 100, After: &x.ID} })
}

// companies reads all of an organization's companies, page by page.
func companies(t testing.TB, store *models.Store, organization models.Organization) []models.Company {
	t.Helper()
	return all(t, func(cursor models.Cursor) (models.Page[models.Company], error) {
		return store.Tenant(organization.ID).Companies(t.Context(), cursor)
	}, func(x models.Company) models.Cursor { return models.Cursor{Limit: 100, After: &x.ID} })
}

func all[T any](t testing.TB, read func(models.Cursor) (models.Page[T], error), after func(T) models.Cursor) []T {
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

// company reads one company.
func company(t testing.TB, w *modelstest.World, organization models.Organization, cvr string) models.Company {
	t.Helper()
	found, err := w.Service.Tenant(organization.ID).Company(t.Context(), cvr)
	require.NoError(t, err)
	return found
}

// requireNothingStored requires that no import has left anything but companies.
func requireNothingStored(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT (SELECT count(*) FROM transactions) + (SELECT count(*) FROM delivery_files)`))
}

// badFile requires that an import was refused for bad lines.
func badFile(t testing.TB, err error) *models.BadFile {
	t.Helper()
	var bad *models.BadFile
	require.True(t, errors.As(err, &bad), "expected bad lines, got: %v", err)
	return bad
}

func requireKind(t testing.TB, kind models.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, models.ErrorKind(err), err.Error())
}

// usedBy is a request that was answered 200, from there and by that client.
func usedBy(address, userAgent string) models.Request {
	return models.Request{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: address, UserAgent: userAgent}
}
