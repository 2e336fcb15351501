package imports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/imports/format"
	"dispo/models/modelstest"
)

// osDelivery returns an os delivery, in Windows-1252, with two records of 10150817.
func osDelivery(t *testing.T) string {
	t.Helper()
	text := modelstest.ReadFile(t, "format/testdata/delivery.os.txt")
	return strings.NewReplacer("OS207", "OS20\xc5", "OS507", "OS50\xc5", "OS807", "OS80\xc5").Replace(string(text))
}

// A file that starts with OS1 is read as an OS delivery, in Windows-1252. A section's
// end is the payer's record, and rawLine is that line in UTF-8. A chosen layout is used even
// if the file looks like another layout's, and is stored with its name.
func TestOSDelivery(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10150817")
	path := modelstest.File(t, "KORT.OS", osDelivery(t))
	done := w.Import(t, imports.DeliveryOptions{Path: path})
	requireResult(t, imports.DeliveryResult{Filename: "KORT.OS", Layout: "os", Records: 2, Stored: 2, Organizations: 1},
		done)
	requireHas(t, w, "a7:4,7")
	last := modelstest.Transactions(t, w.Service, a, "10150817")[1]
	require.Equal(t, "0Å", last.TransferType)
	require.Contains(t, last.RawLine, "OS80Å ")
	require.Equal(t, "os", modelstest.ValueAt[string](t, w.URL, `SELECT layout FROM delivery_files`))

	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Layout: format.CSV()})
	require.EqualValues(t, 1, modelstest.BadFile(t, err).Lines[0].Line)
	chosen := w.Import(t, imports.DeliveryOptions{
		Path:   modelstest.File(t, "n.txt", "H,1,,,,,\n"+modelstest.Record("10150817")),
		Layout: namedLayout,
	})
	require.Equal(t, []any{"named", int64(1)}, []any{chosen.Layout, chosen.Stored})
}

// A delivery between the lines of a file transfer is stored without them, but they count
// in the records' indexes. So the same delivery without them has other records, and is
// refused.
func TestOSDeliveryInATransfer(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10150817")
	w.Import(t,
		imports.DeliveryOptions{Path: modelstest.File(t, "D26013101", "PBCNET00\r\n"+osDelivery(t)+"PBCNET90\r\n")})
	requireHas(t, w, "a7:5,8")

	unwrapped := modelstest.File(t, "D26013101", osDelivery(t))
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: unwrapped})
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "with other records (now 2 of 3001500.75 DKK, stored 2 of 3001500.75 DKK)")
	w.Import(t, imports.DeliveryOptions{Path: unwrapped, Repeated: imports.RepeatedReplace})
	requireHas(t, w, "a7:4,7")
}

// A record that spans lines is stored with all of them in rawLine, and with the index of the
// first. In a field, a blank stands for a line break.
func TestRecordOfSeveralLines(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10150817", "12345674")
	layout, err := format.ParseLayout(modelstest.ReadFile(t, "../../docs/example/statement.yaml"))
	require.NoError(t, err)
	w.Import(t, imports.DeliveryOptions{Path: "../../docs/example/statement.csv", Layout: layout})
	first := modelstest.Transactions(t, w.Service, a, "10150817")[0]
	require.Equal(t, []any{int64(3), "Dankort NETS", "1234.50"},
		[]any{first.RecordIndex, first.TransferType, first.AmountDKK})
	require.Equal(t, "10150817;1234-0012345678;\"Dankort\nNETS\";3. feb. 2026;;1.234,50 kr.", first.RawLine)
	second := modelstest.Transactions(t, w.Service, a, "12345674")[0]
	require.Equal(t, []any{int64(5), "-99.50"}, []any{second.RecordIndex, second.AmountDKK})
}
