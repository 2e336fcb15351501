package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Importing the same delivery again, also under another name, with other line ends or
// a byte-order mark, changes nothing and says so: no row, no total, no data version.
func TestDeliveryAgainChangesNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "a", "10000001")
	b := w.Organization(t, "b", "10000001")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000001"))
	load(t, w, imports.DeliveryOptions{Path: path})
	conn := modelstest.Conn(t, w.URL)
	before := everything(t, w)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	other := modelstest.File(t, "renamed.csv", string(text))
	longer := modelstest.File(t, "longer.csv", string(text)+"\n")
	windows := modelstest.File(t, "windows.csv", "\ufeff"+strings.ReplaceAll(string(text), "\n", "\r\n"))
	for _, wanted := range []imports.DeliveryOptions{{Path: path}, {Path: other}, {Path: path, SkipUnknown: true}, {Path: other, Organization: &b},
		{Path: longer}, {Path: windows}, {Path: windows}, {Path: windows, Organization: &b, SkipUnknown: true}, {Path: windows, Repeated: imports.RepeatedReplace},
		{Path: path, Repeated: imports.RepeatedAdditional}} {
		done := load(t, w, wanted)
		requireResult(t, imports.DeliveryResult{Filename: filepath.Base(wanted.Path), Layout: "csv", Records: 2, Already: true}, done)
	}
	require.Equal(t, before, everything(t, w))
	require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(*) FROM deliveries`))
}

// everything returns the text of all rows that imports write.
func everything(t *testing.T, w *modelstest.World) string {
	t.Helper()
	return modelstest.Value[string](t, modelstest.Conn(t, w.URL), `SELECT concat_ws(E'\n',
		(SELECT string_agg(x::text, E'\n' ORDER BY id) FROM organizations x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM companies x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM delivery_files x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM transactions x))`)
}

// If several programs import the same file at once, one of them stores it, and the
// others report that it was imported before.
func TestDeliveryTwiceAtOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001")
	other := modelstest.Open(t, w.URL, database.Operator)
	for range 5 {
		path := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV("10000001", 20))
		results := make([]imports.DeliveryResult, 6)
		var importing errgroup.Group
		for i := range results {
			importing.Go(func() (err error) {
				results[i], err = imports.Delivery(t.Context(), []*modelstest.Instance{w.Operator, other}[i%2].DB(), imports.DeliveryOptions{Path: path})
				return err
			})
		}
		require.NoError(t, importing.Wait())
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
	require.Len(t, modelstest.Transactions(t, w.Service, a, "10000001"), 100)
	require.Len(t, modelstest.Transactions(t, w.Service, b, "10000001"), 100)
}

// An organization that gets a company after one of its files was imported gets the
// records when the file is imported again for that organization, and only then.
// Organizations that already have them keep them unchanged.
func TestDeliveryAgainForALaterOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"), modelstest.Record("10000001"))
	load(t, w, imports.DeliveryOptions{Path: path})
	before := modelstest.Transactions(t, w.Service, a, "10000001")

	w.Companies(t, b, "10000001")
	done := load(t, w, imports.DeliveryOptions{Path: path})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 3, Already: true, Lacking: 1}, done)
	done = load(t, w, imports.DeliveryOptions{Path: path, Organization: &b})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 3, Stored: 2, Organizations: 1, Others: 1}, done)
	requireIndexes(t, w, b, "10000001", 1, 3)
	require.Equal(t, before, modelstest.Transactions(t, w.Service, a, "10000001"))
	require.Zero(t, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM delivery_files WHERE processed_at IS NULL`))
}
