package models_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/modelstest"
)

// The same file again, also under another name and from another folder, changes
// nothing and says so: no row, no total, no version of the data.
func TestDeliveryAgainChangesNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000001")
	path := csvDelivery(t, record("10000001"), record("10000001"))
	_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	require.NoError(t, err)
	conn := modelstest.Conn(t, w.URL)
	before := everything(t, w)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	other := modelstest.File(t, "renamed.csv", string(text))
	for _, wanted := range []models.DeliveryImport{{Path: path}, {Path: other}, {Path: path, SkipUnknown: true}, {Path: other, Organization: &b}} {
		done, err := w.Operator.ImportDelivery(t.Context(), wanted)
		require.NoError(t, err)
		require.Equal(t, models.DeliveryImported{Filename: filepath.Base(wanted.Path), Layout: "csv", Records: 2, Already: true}, done)
	}
	require.Equal(t, before, everything(t, w))

	// One byte more, and it is another file.
	done, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: modelstest.File(t, "longer.csv", string(text)+"\n")})
	require.NoError(t, err)
	require.False(t, done.Already)
	require.Equal(t, 4, modelstest.Value[int](t, conn, `SELECT count(*) FROM delivery_files`))
}

// everything is the text of all rows.
func everything(t *testing.T, w *modelstest.World) string {
	t.Helper()
	return modelstest.Value[string](t, modelstest.Conn(t, w.URL), `SELECT concat_ws(E'\n',
		(SELECT string_agg(x::text, E'\n' ORDER BY id) FROM organizations x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM companies x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM delivery_files x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM transactions x))`)
}

// The same file imported by several programs at once is stored by one of them;
// the others say that it was there already.
func TestDeliveryTwiceAtOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000001")
	other := modelstest.Open(t, w.URL, models.Operator)
	for range 5 {
		path := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV("10000001", 20))
		results := make([]models.DeliveryImported, 6)
		var imports errgroup.Group
		for i := range results {
			imports.Go(func() (err error) {
				results[i], err = []*models.Store{w.Operator, other}[i%2].ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
				return err
			})
		}
		require.NoError(t, imports.Wait())
		stored := 0
		for _, done := range results {
			if done.Already {
				require.Zero(t, done.Stored)
				continue
			}
			stored++
			require.EqualValues(t, 40, done.Stored)
		}
		require.Equal(t, 1, stored)
	}
	require.Len(t, transactions(t, w.Service, a, "10000001"), 100)
	require.Len(t, transactions(t, w.Service, b, "10000001"), 100)
}

// An organization that gets a company after a file of it was imported gets that
// file's records when it is imported again; who has them already keeps them as
// they are.
func TestDeliveryAgainForALaterOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001", "10000002")
	path := csvDelivery(t, record("10000001"), record("10000002"), record("10000001"))
	_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	require.NoError(t, err)
	before := transactions(t, w.Service, a, "10000001")

	w.Companies(t, b, "10000001")
	done, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	require.NoError(t, err)
	require.Equal(t, models.DeliveryImported{Filename: "delivery.csv", Layout: "csv", Records: 3, Stored: 2, Organizations: 1}, done)
	requireIndexes(t, w, b, "10000001", 1, 3)
	require.Equal(t, before, transactions(t, w.Service, a, "10000001"))
	require.Zero(t, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM delivery_files WHERE processed_at IS NULL`))
}
