package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// requireIndexes requires that the company's transactions in the organization come
// from exactly these lines.
func requireIndexes(t *testing.T, w *modelstest.World, organization models.Organization, cvr string, expected ...int64) {
	t.Helper()
	var indexes []int64
	for _, x := range modelstest.Transactions(t, w.Service, organization, cvr) {
		indexes = append(indexes, x.RecordIndex)
	}
	require.Equal(t, expected, indexes, "%s %s", organization.Slug, cvr)
}

// A record goes to every organization that has a company with its CVR, and to no other.
// Organization restricts an import to one, and brings it what it lacks of a delivery that
// was imported before. SkipUnknown holds the records whose CVR no organization has. The
// result counts all of it, and records keep the indexes of their lines.
func TestDeliveryOwners(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000002", "10000003"), w.Organization(t, "c")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000002"), modelstest.Record("10000001"), modelstest.Record("10000003"), modelstest.Record("10000002"), modelstest.Record("10000008"))
	step := func(options imports.DeliveryOptions, expected imports.DeliveryResult) {
		t.Helper()
		options.SkipUnknown = true
		expected.Filename, expected.Layout = "delivery.csv", "csv"
		requireResult(t, expected, load(t, w, options))
	}
	step(imports.DeliveryOptions{Path: path, Organization: &a}, imports.DeliveryResult{Records: 5, Stored: 3, Organizations: 1, Held: 1, Others: 1})
	requireIndexes(t, w, a, "10000001", 2)
	requireIndexes(t, w, a, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000002")
	before := modelstest.Transactions(t, w.Service, a, "10000002")

	step(imports.DeliveryOptions{Path: path, Organization: &b}, imports.DeliveryResult{Records: 5, Stored: 3, Organizations: 1, Held: 1, Others: 1})
	requireIndexes(t, w, b, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000003", 3)
	w.Companies(t, c, "10000002")
	step(imports.DeliveryOptions{Path: path}, imports.DeliveryResult{Records: 5, Already: true, Lacking: 1})
	requireIndexes(t, w, c, "10000002")
	step(imports.DeliveryOptions{Path: path, Organization: &c}, imports.DeliveryResult{Records: 5, Stored: 2, Organizations: 1, Held: 1, Others: 2})
	requireIndexes(t, w, c, "10000002", 1, 4)
	require.Equal(t, before, modelstest.Transactions(t, w.Service, a, "10000002"), "those who have it keep it unchanged")

	step(imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, dated("10000002", "2026-02-01"), dated("10000003", "2026-02-01"))}, imports.DeliveryResult{Records: 2, Stored: 4, Organizations: 3})
	step(imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, modelstest.Record("10000007"))}, imports.DeliveryResult{Records: 1, Held: 1})
	require.Equal(t, 6, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM delivery_files WHERE processed_at IS NOT NULL`))
	modelstest.RequireTotals(t, w.URL)
}
