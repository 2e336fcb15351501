package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A record goes to every organization that has a company with its CVR, and to no
// other. Each gets a file of its own, with the count of its own records.
func TestDeliveryGoesToTheCompanysOrganizations(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000002", "10000003"), w.Organization(t, "c", "10000009")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000002"), modelstest.Record("10000001"), modelstest.Record("10000003"), modelstest.Record("10000002"))

	done := load(t, w, imports.DeliveryOptions{Path: path})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 4, Stored: 6, Organizations: 2}, done)
	requireIndexes(t, w, a, "10000001", 2)
	requireIndexes(t, w, a, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000003", 3)

	conn := modelstest.Conn(t, w.URL)
	require.EqualValues(t, 3, modelstest.Value[int64](t, conn, `SELECT record_count FROM delivery_files WHERE organization_id = $1`, a.ID))
	require.EqualValues(t, 3, modelstest.Value[int64](t, conn, `SELECT record_count FROM delivery_files WHERE organization_id = $1`, b.ID))
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM delivery_files WHERE organization_id = $1`, c.ID))
}

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

// --organization restricts an import to one organization. Records of companies that
// only others have are skipped and counted, and are not errors.
func TestDeliveryForOneOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000002", "10000003")
	wanted := imports.DeliveryOptions{Organization: &a,
		Path: modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"), modelstest.Record("10000003"), modelstest.Record("10000003"))}

	done := load(t, w, wanted)
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 4, Stored: 2, Organizations: 1, Others: 2}, done)
	requireIndexes(t, w, a, "10000001", 1)
	requireIndexes(t, w, a, "10000002", 2)
	requireIndexes(t, w, b, "10000002")
	requireIndexes(t, w, b, "10000003")

	// The others get theirs by an import of their own.
	wanted.Organization = &b
	done = load(t, w, wanted)
	require.False(t, done.Already)
	require.EqualValues(t, 3, done.Stored)
	requireIndexes(t, w, b, "10000002", 2)
	requireIndexes(t, w, b, "10000003", 3, 4)
	requireIndexes(t, w, a, "10000002", 2)
}

// A CVR that no organization has makes the file bad, also in an import for one
// organization, whether or not that one has a company in the file.
func TestDeliveryOfAnUnknownCompany(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000009"), modelstest.Record("10000001"), modelstest.Record("10000008"), modelstest.Record("10000009"))
	conn := modelstest.Conn(t, w.URL)
	for _, organization := range []*models.Organization{nil, &a} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Organization: organization})
		bad := modelstest.BadFile(t, err)
		require.Equal(t, "delivery.csv", bad.Filename)
		require.Zero(t, bad.More)
		require.Len(t, bad.Lines, 3)
		for i, line := range []struct {
			number int64
			cvr    string
		}{{3, "10000009"}, {5, "10000008"}, {6, "10000009"}} {
			require.Equal(t, line.number, bad.Lines[i].Line)
			require.Equal(t, "cvr", bad.Lines[i].Field)
			require.Contains(t, bad.Lines[i].Reason, line.cvr)
			require.Contains(t, bad.Lines[i].Reason, "--skip-unknown")
		}
		requireNothingStored(t, conn)
	}
}

// --skip-unknown holds and counts the records whose CVR no organization has. The
// other records keep the indexes of their lines.
func TestDeliverySkipsUnknown(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	w.Organization(t, "b", "10000002")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000009"), modelstest.Record("10000001"), modelstest.Record("10000002"), modelstest.Record("10000008"), modelstest.Record("10000001"))

	done := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true, Organization: &a})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 5, Stored: 2, Organizations: 1, Held: 2, Others: 1}, done)
	requireIndexes(t, w, a, "10000001", 2, 5)

	// A file of unknown companies only is not an error.
	done = load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, modelstest.Record("10000007")), SkipUnknown: true})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 1, Held: 1}, done)
	require.Equal(t, 1, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM delivery_files`))

	// A malformed CVR is not an unknown one.
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{SkipUnknown: true,
		Path: modelstest.DeliveryFile(t, modelstest.Record("10000009"), modelstest.Record("1000000"), modelstest.Record("10000001"))})
	bad := modelstest.BadFile(t, err)
	require.Len(t, bad.Lines, 1)
	require.EqualValues(t, 3, bad.Lines[0].Line)
}
