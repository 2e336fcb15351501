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
	w, a := newWorld(t, "10000001")
	lines := []string{
		"cvr;regNumber;accountNumber;transferType;dispositionDate;count;amountDkk",
		"",
		"10000001;0042;7; KORT ;2024-02-29;9007199254740991;-999999999999.9",
		" ",
		"10000001;9999;0000000000;x;9999-12-31;0;0",
	}
	path := modelstest.File(t, "a delivery.csv", "\ufeff"+strings.Join(lines, "\r\n")+"\r\n")

	before := time.Now().Add(-time.Millisecond)
	w.Import(t, imports.DeliveryOptions{Path: path})
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
	expected := models.Transaction{
		OrganizationID:  a.ID,
		ID:              stored[0].ID,
		DeliveryFileID:  stored[0].DeliveryFileID,
		RecordIndex:     2,
		CVR:             "10000001",
		RegNumber:       "0042",
		AccountNumber:   "7",
		TransferType:    "KORT",
		DispositionDate: day(2024, 2, 29),
		Count:           1<<53 - 1,
		AmountDKK:       "-999999999999.90",
		RawLine:         lines[2],
		CreatedAt:       stored[0].CreatedAt,
		Filename:        "a delivery.csv",
		ProcessedAt:     stored[0].ProcessedAt,
	}
	require.Equal(t, expected, stored[0])
	expected.ID, expected.RecordIndex, expected.RawLine, expected.TransferType = stored[1].ID, 4, lines[4], "x"
	expected.RegNumber, expected.AccountNumber, expected.AmountDKK, expected.Count = "9999", "0000000000", "0.00", 0
	expected.DispositionDate = day(9999, 12, 31)
	require.Equal(t, expected, stored[1])
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Text arrives unchanged, also if it has a meaning in COPY, CSV or SQL.
func TestTextArrivesUnchanged(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	types := []string{
		`\N`, `\.`, `\\`, `\`, `\t`, "a\tb", "\\\t\\", `'; DROP TABLE transactions; --`, `say "ja"`, "æøåÆØÅ", "日本 😀",
		"$1", "%s", "a,b", "NULL", "a\u00a0b",
	}
	var lines []string
	for _, text := range types {
		lines = append(lines, `10000001,1234,1,"`+strings.ReplaceAll(text, `"`, `""`)+`",2026-01-31,1,1.00`)
	}
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, strings.Join(lines, "\n")+"\n")})
	stored := modelstest.Transactions(t, w.Service, a, "10000001")
	require.Len(t, stored, len(types))
	for i, text := range types {
		require.Equal(t, text, stored[i].TransferType)
		require.Equal(t, lines[i], stored[i].RawLine)
	}
	loadCompanies(t, w, a, "cvr,name,address\n10000001,x,\"Vej 1\\n\\N\tÅrhus \"\"C\"\"\"\n")
	require.Equal(t, "Vej 1\\n\\N\tÅrhus \"C\"", *company(t, w, a, "10000001").Address)
}
