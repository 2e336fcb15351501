package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
