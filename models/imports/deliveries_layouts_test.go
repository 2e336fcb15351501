package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/imports/format"
	"dispo/models/modelstest"
)

// osFile returns an OS delivery with one section of two transfers, which total that
// many øre.
func osFile(payer, account string, ore int) string {
	return fmt.Sprintf("OS121%-14s%9s%-20s%3s%s%s%20s\r\n", "KORTNET", "000000001", "DELIVERY-1", "", "12345674", "0", "") +
		fmt.Sprintf("OS2%s%26s%s%s%s%s%s%13s\r\n", "0Å", "", "310126", "1234", account, "12345674", payer, "") +
		fmt.Sprintf("OS5%s%s%s%012d%s%s%s%-20s%13s%44s\r\n", "0Å", "4321", "8765432109", ore-50, "310126", "1234", account, "KØB", "1", "") +
		fmt.Sprintf("OS5%s%s%s%012d%s%s%s%-20s%13s%44s\r\n", "0Å", "4321", "8765432109", 50, "310126", "1234", account, "KØB", "2", "") +
		osEnd(payer, account, ore) + "\r\n" +
		fmt.Sprintf("OS929%4s%010d%012d%06d%s%s%021d\r\n", "", 2, ore, 0, "99999999999999", "12345674", 0)
}

func osEnd(payer, account string, ore int) string {
	return fmt.Sprintf("OS8%s%4s%010d%012d%s%s%s%s%s%13s", "0Å", "", 2, ore, "310126", "1234", account, "12345674", payer, "")
}

func latin1(t *testing.T, text string) string {
	t.Helper()
	encoded, err := charmap.ISO8859_1.NewEncoder().String(text)
	require.NoError(t, err)
	return encoded
}

// A file that starts with OS1 is read as an OS delivery, in Windows-1252. A section's
// end is the payer's record, and rawLine is that line in UTF-8.
func TestOSDelivery(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10150817")
	done := load(t, w, imports.DeliveryOptions{
		Path: modelstest.File(t, "KORT.OS", latin1(t, osFile("10150817", "0012345678", 123_450))),
	})
	requireResult(t, imports.DeliveryResult{Filename: "KORT.OS", Layout: "os", Records: 1, Stored: 1, Organizations: 1}, done)
	stored := modelstest.Transactions(t, w.Service, a, "10150817")
	require.Len(t, stored, 1)
	x := stored[0]
	require.Equal(t, models.Transaction{
		OrganizationID: a.ID, ID: x.ID, DeliveryFileID: x.DeliveryFileID, RecordIndex: 4, CVR: "10150817", RegNumber: "1234", AccountNumber: "0012345678",
		TransferType: "0Å", DispositionDate: day(2026, 1, 31), Count: 2, AmountDKK: "1234.50", RawLine: osEnd("10150817", "0012345678", 123_450),
		CreatedAt: x.CreatedAt, Filename: "KORT.OS", ProcessedAt: x.ProcessedAt,
	}, x)
	require.Equal(t, "os", modelstest.Value[string](t, modelstest.Conn(t, w.URL), `SELECT layout FROM delivery_files`))

	// A section whose transfers do not add up to its total makes the file bad.
	wrong := strings.Replace(osFile("10150817", "0012345678", 99_900), fmt.Sprintf("%012d", 50), fmt.Sprintf("%012d", 51), 1)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "WRONG.OS", latin1(t, wrong))})
	modelstest.BadFile(t, err)
	require.Len(t, modelstest.Transactions(t, w.Service, a, "10150817"), 1)

	// A chosen layout is used even if the file looks like another layout's, and is stored with
	// its name.
	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "x.os", latin1(t, wrong)), Layout: format.CSV()})
	require.EqualValues(t, 1, modelstest.BadFile(t, err).Lines[0].Line)
	chosen := load(t, w, imports.DeliveryOptions{Path: modelstest.File(t, "n.txt", "H,1,,,,,\n"+modelstest.Record("10150817")), Layout: namedLayout})
	require.Equal(t, []any{"named", int64(1)}, []any{chosen.Layout, chosen.Stored})
	requireIndexes(t, w, a, "10150817", 4, 1)
}

// A delivery between the lines of a file transfer is stored without them, but they count
// in the records' indexes. So the same delivery without them has other records, and is
// refused.
func TestOSDeliveryInATransfer(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10150817")
	bare := latin1(t, osFile("10150817", "0012345678", 123_450))
	path := modelstest.File(t, "D26013101", "PBCNET00\r\n"+bare+"PBCNET90\r\n")
	done := load(t, w, imports.DeliveryOptions{Path: path})
	requireResult(t, imports.DeliveryResult{Filename: "D26013101", Layout: "os", Records: 1, Stored: 1, Organizations: 1}, done)
	require.EqualValues(t, 5, modelstest.Transactions(t, w.Service, a, "10150817")[0].RecordIndex)

	unwrapped := modelstest.File(t, "D26013101", bare)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: unwrapped})
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "with other records (now 1 of 1234.50 DKK, stored 1 of 1234.50 DKK)")
	load(t, w, imports.DeliveryOptions{Path: unwrapped, Repeated: imports.RepeatedReplace})
	stored := modelstest.Transactions(t, w.Service, a, "10150817")
	require.Len(t, stored, 1)
	require.EqualValues(t, 4, stored[0].RecordIndex)
}
