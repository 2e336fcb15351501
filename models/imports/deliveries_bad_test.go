package imports_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
)

// requireNothingStored requires that no delivery has left anything behind.
func requireNothingStored(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT (SELECT count(*) FROM transactions)
		+ (SELECT count(*) FROM delivery_files)`))
}

// A file with any bad line stores nothing. The first 20 bad lines are reported, with the
// number that an editor shows, field and reason, in the file's order, and the rest are
// counted. Reading stops after a thousand. Malformed lines and those of companies that no
// organization has are reported together. No bank number is in a message.
func TestBadLines(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	good, bad, unknown := modelstest.Record("10000001"), modelstest.Record("bad"), modelstest.Record("10000009")
	deliver := func(options imports.DeliveryOptions) func(lines string) error {
		return func(lines string) error {
			options.Path = modelstest.File(t, "file.csv", modelstest.DeliveryHeader+lines)
			return modelstest.ErrorOf(w.ImportDelivery(t.Context(), options))
		}
	}
	companies := func(lines string) error {
		return modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, modelstest.File(t, "file.csv", "cvr,name\n"+lines)))
	}
	refuse, skip := deliver(imports.DeliveryOptions{}), deliver(imports.DeliveryOptions{SkipUnknown: true})
	forOne := deliver(imports.DeliveryOptions{Organization: &a})
	const (
		malformed = `cvr: expected exactly 8 digits, found "bad"`
		nobodys   = "cvr: no organization has a company with the CVR 10000009 (--skip-unknown holds such records until one has)"
	)
	before := everything(t, w)
	for _, row := range []struct {
		load  func(lines string) error
		lines string
		shown int
		more  int64
		count string
		last  string
	}{
		{refuse, good + bad + good, 1, 0, "1 bad line", "line 3: " + malformed},
		{refuse, strings.Repeat(bad, 20), 20, 0, "20 bad lines", "line 21: " + malformed},
		{refuse, strings.Repeat(bad, 21), 20, 1, "21 bad lines", "line 21: " + malformed + "\n  and 1 more"},
		{refuse, strings.Repeat(bad+unknown, 500), 20, 980, "1000 bad lines", "line 21: " + nobodys + "\n  and 980 more"},
		{refuse, strings.Repeat(bad, 1200), 20, 981, "more than 1,000 bad lines", "line 21: " + malformed + "\n  and more"},
		{refuse, strings.Repeat(unknown, 1200), 20, 981, "more than 1,000 bad lines", "line 21: " + nobodys + "\n  and more"},
		{companies, strings.Repeat("bad,x\n", 100), 20, 80, "100 bad lines", "\n  and 80 more"},
		{companies, strings.TrimPrefix(modelstest.CompaniesCSV(20_000_000, 3000), "cvr,name\n") + "10000001,other name\nbad,x\n", 1, 0, "1 bad line", `line 3003: cvr: "bad" is not 8 digits`},
		{companies, strings.Repeat("bad,x\n", 1200), 20, 981, "more than 1,000 bad lines", "\n  and more"},
		{companies, "bad,\n10000001,\n", 3, 0, "2 bad lines", "line 2: name: it is required, but blank\n  line 3: name: it is required, but blank"},
		{refuse, good + bad + unknown + "\n10000001,1234,12,CARD,1.1.26,1,1.00\n" + good + unknown + "10000001,1234\n", 5, 0, "5 bad lines",
			"line 3: " + malformed + "\n  line 4: " + nobodys + "\n  line 6: dispositionDate: expected a date from 1900 to 9999 in the format YYYY-MM-DD, found \"1.1.26\"\n" +
				"  line 8: " + nobodys + "\n  line 9: expected 7 fields, found 2"},
		{forOne, good + unknown + good, 1, 0, "1 bad line", "line 3: " + nobodys},
		{skip, unknown + bad + good, 1, 0, "1 bad line", "line 3: " + malformed},
		{refuse, "K\xf8benhavn\n" + good, 1, 0, "1 bad line", "byte 0xF8 at character 2 is not valid UTF-8\n  If the file is Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`. A delivery can also be read by a layout that names its encoding."},
	} {
		err := row.load(row.lines)
		found := modelstest.BadFile(t, err)
		require.Len(t, found.Lines, row.shown)
		require.Equal(t, row.more, found.More)
		text := err.Error()
		require.True(t, strings.HasPrefix(text, "file.csv has "+row.count+", so nothing of it was imported:\n  line "), text)
		require.True(t, strings.HasSuffix(text, row.last), text)
		require.NotContains(t, text, "1234", "a bank number in an error")
		require.Equal(t, before, everything(t, w))
	}
}
