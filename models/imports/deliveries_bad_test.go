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
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT (SELECT count(*) FROM transactions) + (SELECT count(*) FROM delivery_files)`))
}

// A file with any bad line stores nothing. Each bad line is reported with its
// number, field and reason. Malformed lines and those of unknown companies are
// reported together, in the file's order, and blank lines count.
func TestDeliveryWithBadLines(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	path := modelstest.DeliveryFile(t,
		modelstest.Record("10000001"),           // 2
		modelstest.Record("1000001"),            // 3
		modelstest.Record("10000009"),           // 4
		"\n",                                    // 5
		"10000001,1234,12,CARD,1.1.26,1,1.00\n", // 6
		modelstest.Record("10000001"),           // 7
		modelstest.Record("10000008"),           // 8
		"10000001,1234\n",                       // 9
	)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
	bad := modelstest.BadFile(t, err)
	require.Zero(t, bad.More)
	var reported []string
	for _, line := range bad.Lines {
		require.NotEmpty(t, line.Reason)
		reported = append(reported, strings.Join([]string{string(rune('0' + line.Line)), line.Field}, " "))
	}
	require.Equal(t, []string{"3 cvr", "4 cvr", "6 dispositionDate", "8 cvr", "9 "}, reported)
	require.Contains(t, err.Error(), "delivery.csv has 5 bad lines, so nothing of it was imported:\n  line 3: cvr: ")
	require.NotContains(t, err.Error(), "1234", "a bank number in an error")
	requireNothingStored(t, modelstest.Conn(t, w.URL))
}

// The first 20 bad lines are reported, and the rest are counted. One bad line is
// not called "lines".
func TestDeliveryBadLinesAreCounted(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	for _, c := range []struct {
		lines []string
		shown int
		more  int64
		says  []string
	}{
		{repeat(modelstest.Record("bad"), 1), 1, 0, []string{"has 1 bad line, so"}},
		{repeat(modelstest.Record("bad"), 20), 20, 0, []string{"has 20 bad lines"}},
		{repeat(modelstest.Record("bad"), 21), 20, 1, []string{"has 21 bad lines", "\n  and 1 more"}},
		{repeat(modelstest.Record("bad")+modelstest.Record("10000009"), 500), 20, 980, []string{"has 1000 bad lines", "\n  and 980 more"}},
		{repeat(modelstest.Record("bad"), 1200), 20, 981, []string{"has more than 1,000 bad lines", "\n  and more"}},
		{repeat(modelstest.Record("10000009"), 1200), 20, 981, []string{"has more than 1,000 bad lines", "\n  and more"}},
		{[]string{"K\xf8benhavn\n"}, 1, 0, []string{"byte 0xF8 at character 2 is not valid UTF-8", "iconv -f WINDOWS-1252 -t UTF-8", "a layout that names its encoding"}},
	} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, append(c.lines, modelstest.Record("10000001"))...)})
		bad := modelstest.BadFile(t, err)
		require.Len(t, bad.Lines, c.shown)
		require.Equal(t, c.more, bad.More)
		for i, line := range bad.Lines {
			require.EqualValues(t, i+2, line.Line)
		}
		for _, text := range c.says {
			require.Contains(t, err.Error(), text)
		}
		require.Equal(t, c.more > 0, strings.Contains(err.Error(), " more"))
	}
	requireNothingStored(t, modelstest.Conn(t, w.URL))
}

func repeat(text string, times int) []string {
	lines := make([]string, times)
	for i := range lines {
		lines[i] = text
	}
	return lines
}
