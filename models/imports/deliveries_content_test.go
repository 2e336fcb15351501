package imports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Every field of a record arrives as the file has it. recordIndex is the line's
// zero-based number, counting every line; rawLine is the line without its end; the
// filename has no folder; processedAt is when the import was done.
func TestDeliveryFields(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	lines := []string{"cvr;regNumber;accountNumber;transferType;dispositionDate;count;amountDkk", "",
		"10000001;0042;7; KORT ;2024-02-29;9007199254740991;-1234.5", " ", "10000001;9999;0000000000;x;9999-12-31;0;0"}
	path := modelstest.File(t, "a delivery.csv", "\ufeff"+strings.Join(lines, "\r\n")+"\r\n")

	before := time.Now().Add(-time.Millisecond)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
	require.NoError(t, err)
	after := time.Now().Add(time.Millisecond)

	stored := modelstest.Transactions(t, w.Service, a, "10000001")
	require.Len(t, stored, 2)
	for _, x := range stored {
		require.NotNil(t, x.ProcessedAt)
		require.True(t, !x.CreatedAt.Before(before) && !x.ProcessedAt.Before(x.CreatedAt) && !x.ProcessedAt.After(after),
			"%s <= %s <= %s <= %s", before, x.CreatedAt, x.ProcessedAt, after)
		require.Equal(t, stored[0].DeliveryFileID, x.DeliveryFileID)
		require.Equal(t, "a delivery.csv", x.Filename)
	}
	require.Equal(t, models.Transaction{
		OrganizationID: a.ID, ID: stored[0].ID, DeliveryFileID: stored[0].DeliveryFileID, RecordIndex: 2, CVR: "10000001", RegNumber: "0042",
		AccountNumber: "7", TransferType: "KORT", DispositionDate: day(2024, 2, 29), Count: 1<<53 - 1, AmountDKK: "-1234.50",
		RawLine: lines[2], CreatedAt: stored[0].CreatedAt, Filename: "a delivery.csv", ProcessedAt: stored[0].ProcessedAt,
	}, stored[0])
	require.Equal(t, models.Transaction{
		OrganizationID: a.ID, ID: stored[1].ID, DeliveryFileID: stored[0].DeliveryFileID, RecordIndex: 4, CVR: "10000001", RegNumber: "9999",
		AccountNumber: "0000000000", TransferType: "x", DispositionDate: day(9999, 12, 31), Count: 0, AmountDKK: "0.00",
		RawLine: lines[4], CreatedAt: stored[0].CreatedAt, Filename: "a delivery.csv", ProcessedAt: stored[0].ProcessedAt,
	}, stored[1])
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Amounts are exact: the file's value with two decimals, to the last øre of the
// greatest amount that fits.
func TestDeliveryAmountsAreExact(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	amounts := [][2]string{
		{"0.00", "0.00"}, {"-0.00", "0.00"}, {"0.01", "0.01"}, {"-0.01", "-0.01"}, {"7", "7.00"}, {"7.5", "7.50"}, {"0.10", "0.10"},
		{"1234.50", "1234.50"}, {"999999999999.99", "999999999999.99"}, {"-999999999999.99", "-999999999999.99"},
		{"9007199254.74", "9007199254.74"}, {"123456789012.34", "123456789012.34"}, {"0.29", "0.29"}, {"1.15", "1.15"},
	}
	var lines []string
	for _, amount := range amounts {
		lines = append(lines, "10000001,1234,1,CARD,2026-01-31,1,"+amount[0]+"\n")
	}
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...)})
	require.NoError(t, err)
	stored := modelstest.Transactions(t, w.Service, a, "10000001")
	require.Len(t, stored, len(amounts))
	for i, amount := range amounts {
		require.Equal(t, amount[1], stored[i].AmountDKK)
	}
}

// Text arrives unchanged, also if it has a meaning in COPY, CSV or SQL.
func TestDeliveryTextArrivesUnchanged(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	types := []string{`\N`, `\.`, `\\`, `\`, `\t`, "a\tb", "\\\t\\", `'; DROP TABLE transactions; --`, `say "ja"`, "æøåÆØÅ", "日本 😀", "$1", "%s", "a,b", "NULL", "a\u00a0b"}
	var lines []string
	for _, text := range types {
		lines = append(lines, `10000001,1234,1,"`+strings.ReplaceAll(text, `"`, `""`)+`",2026-01-31,1,1.00`)
	}
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, strings.Join(lines, "\n")+"\n")})
	require.NoError(t, err)
	stored := modelstest.Transactions(t, w.Service, a, "10000001")
	require.Len(t, stored, len(types))
	for i, text := range types {
		require.Equal(t, text, stored[i].TransferType)
		require.Equal(t, lines[i], stored[i].RawLine)
	}
}
