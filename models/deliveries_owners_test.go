package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A record goes to every organization that has a company with its CVR, and to no
// other; each gets a file of its own with its own records' number.
func TestDeliveryGoesToWhoHasTheCompany(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")
	w.Companies(t, a, "10000001", "10000002")
	w.Companies(t, b, "10000002", "10000003")
	w.Companies(t, c, "10000009")
	path := csvDelivery(t, record("10000002"), record("10000001"), record("10000003"), record("10000002"))

	done, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	require.NoError(t, err)
	require.Equal(t, models.DeliveryImported{Filename: "delivery.csv", Layout: "csv", Records: 4, Stored: 6, Organizations: 2}, done)
	requireIndexes(t, w, a, "10000001", 2)
	requireIndexes(t, w, a, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000002", 1, 4)
	requireIndexes(t, w, b, "10000003", 3)

	conn := modelstest.Conn(t, w.URL)
	require.EqualValues(t, 3, modelstest.Value[int64](t, conn, `SELECT record_count FROM delivery_files WHERE organization_id = $1`, a.ID))
	require.EqualValues(t, 3, modelstest.Value[int64](t, conn, `SELECT record_count FROM delivery_files WHERE organization_id = $1`, b.ID))
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM delivery_files WHERE organization_id = $1`, c.ID))
}

// requireIndexes requires that the organization has exactly these lines as the
// company's transactions.
func requireIndexes(t *testing.T, w *modelstest.World, organization models.Organization, cvr string, expected ...int64) {
	t.Helper()
	var indexes []int64
	for _, x := range transactions(t, w.Service, organization, cvr) {
		indexes = append(indexes, x.RecordIndex)
	}
	require.Equal(t, expected, indexes, "%s %s", organization.Slug, cvr)
}

// --organization narrows an import to one organization: records of companies that
// only others have are left out and counted, and are no mistake.
func TestDeliveryForOneOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001", "10000002")
	w.Companies(t, b, "10000002", "10000003")
	wanted := models.DeliveryImport{Organization: &a,
		Path: csvDelivery(t, record("10000001"), record("10000002"), record("10000003"), record("10000003"))}

	done, err := w.Operator.ImportDelivery(t.Context(), wanted)
	require.NoError(t, err)
	require.Equal(t, models.DeliveryImported{Filename: "delivery.csv", Layout: "csv", Records: 4, Stored: 2, Organizations: 1, Others: 2}, done)
	requireIndexes(t, w, a, "10000001", 1)
	requireIndexes(t, w, a, "10000002", 2)
	requireIndexes(t, w, b, "10000002")
	requireIndexes(t, w, b, "10000003")

	// The others get theirs when they are asked for.
	wanted.Organization = &b
	done, err = w.Operator.ImportDelivery(t.Context(), wanted)
	require.NoError(t, err)
	require.False(t, done.Already)
	require.EqualValues(t, 3, done.Stored)
	requireIndexes(t, w, b, "10000002", 2)
	requireIndexes(t, w, b, "10000003", 3, 4)
	requireIndexes(t, w, a, "10000002", 2)
}

// A CVR that nobody has makes the file bad, also for one organization, whether or
// not that one has any company in it.
func TestDeliveryOfAnUnknownCompany(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	path := csvDelivery(t, record("10000001"), record("10000009"), record("10000001"), record("10000008"), record("10000009"))
	conn := modelstest.Conn(t, w.URL)
	for _, organization := range []*models.Organization{nil, &a} {
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path, Organization: organization})
		bad := badFile(t, err)
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

// --skip-unknown leaves the records of CVRs that nobody has out, and counts them;
// the indexes of the others stay those of their lines.
func TestDeliverySkipsUnknown(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000002")
	path := csvDelivery(t, record("10000009"), record("10000001"), record("10000002"), record("10000008"), record("10000001"))

	done, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path, SkipUnknown: true, Organization: &a})
	require.NoError(t, err)
	require.Equal(t, models.DeliveryImported{Filename: "delivery.csv", Layout: "csv", Records: 5, Stored: 2, Organizations: 1, Unknown: 2, Others: 1}, done)
	requireIndexes(t, w, a, "10000001", 2, 5)

	// A file of nothing but unknown companies stores nothing, and is done all the same.
	done, err = w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: csvDelivery(t, record("10000009")), SkipUnknown: true})
	require.NoError(t, err)
	require.Equal(t, models.DeliveryImported{Filename: "delivery.csv", Layout: "csv", Records: 1, Unknown: 1}, done)
	require.Equal(t, 1, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM delivery_files`))

	// Bad lines are not unknown companies.
	_, err = w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{SkipUnknown: true,
		Path: csvDelivery(t, record("10000009"), record("1000000"), record("10000001"))})
	bad := badFile(t, err)
	require.Len(t, bad.Lines, 1)
	require.EqualValues(t, 3, bad.Lines[0].Line)
}
