package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A delivery in a .gz is the same as outside of it: it has the same layout and
// records, and is recognized by its bytes. Its name is that of the file on disk.
func TestDeliveryInACompressedFile(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001", "10150817")
	for _, text := range []string{modelstest.DeliveryCSV("10000001", 3), osDelivery(t)} {
		first := w.Import(t, imports.DeliveryOptions{Path: modelstest.File(t, "week.gz", imports.Gzipped(t, text))})
		require.Equal(t, "week.gz", first.Filename)
		require.Equal(t, first.Records, first.Stored)
		for name, file := range map[string]string{"week": text, "week.GZ": imports.Gzipped(t, text)} {
			again := w.Import(t, imports.DeliveryOptions{Path: modelstest.File(t, name, file)})
			require.True(t, again.Already, name)
			require.Equal(t, first.Layout, again.Layout)
			require.Equal(t, first.ID, again.ID)
		}
	}
	require.Equal(t, 2, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM delivery_bytes`))
}

// A compressed file that is damaged, even in its last bytes, is refused by both imports,
// and nothing of it is stored.
func TestImportOfADamagedCompressedFile(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	cut := func(name, file string) string { return modelstest.File(t, name, file[:len(file)-4]) }
	const companies = "cvr,name\n10000001,A\n"
	require.ErrorContains(t,
		modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, cut("a.gz", imports.Gzipped(t, companies)))), ": get it again")
	require.Zero(t, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM companies`))
	done, err := w.ImportCompanies(t.Context(), a, modelstest.File(t, "a.gz", imports.Gzipped(t, companies)))
	require.NoError(t, err)
	require.EqualValues(t, 1, done.Inserted)
	_, err = w.ImportDelivery(t.Context(),
		imports.DeliveryOptions{Path: cut("a.gz", imports.Gzipped(t, modelstest.DeliveryCSV("10000001", 3)))})
	require.ErrorContains(t, err, ": get it again")
	requireNothingStored(t, modelstest.Conn(t, w.URL))
}

// Both imports refuse UTF-16 as such, whether it is compressed or not.
func TestImportOfUTF16(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	const text = "\xff\xfec\x00v\x00r\x00\n\x00"
	for name, file := range map[string]string{"a.csv": text, "a.csv.gz": imports.Gzipped(t, text)} {
		path := modelstest.File(t, name, file)
		require.ErrorContains(t, modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, path)), " is UTF-16: ")
		require.ErrorContains(t, modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})),
			" is UTF-16: ")
	}
}
