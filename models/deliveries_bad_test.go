package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A file with any bad line stores nothing, and each bad line is told with its
// number, field and reason: those that can't be read and those of unknown
// companies together, in the file's order, blank lines counted.
func TestDeliveryWithBadLines(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	path := csvDelivery(t,
		record("10000001"),                      // 2
		record("1000001"),                       // 3
		record("10000009"),                      // 4
		"\n",                                    // 5
		"10000001,1234,12,CARD,1.1.26,1,1.00\n", // 6
		record("10000001"),                      // 7
		record("10000008"),                      // 8
		"10000001,1234\n",                       // 9
	)
	_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	bad := badFile(t, err)
	require.Zero(t, bad.More)
	var told []string
	for _, line := range bad.Lines {
		require.NotEmpty(t, line.Reason)
		told = append(told, strings.Join([]string{string(rune('0' + line.Line)), line.Field}, " "))
	}
	require.Equal(t, []string{"3 cvr", "4 cvr", "6 dispositionDate", "8 cvr", "9 "}, told)
	require.Contains(t, err.Error(), "delivery.csv has 5 bad lines, so nothing of it was imported:\n  line 3: cvr: ")
	require.NotContains(t, err.Error(), "1234", "a bank number in an error")
	requireNothingStored(t, modelstest.Conn(t, w.URL))
}

// The first 20 bad lines are told, and how many more there are; one is told as one.
func TestDeliveryBadLinesAreCounted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	for _, c := range []struct {
		lines []string
		shown int
		more  int64
		says  []string
	}{
		{repeat(record("bad"), 1), 1, 0, []string{"has 1 bad line, so"}},
		{repeat(record("bad"), 20), 20, 0, []string{"has 20 bad lines"}},
		{repeat(record("bad"), 21), 20, 1, []string{"has 21 bad lines", "\n  and 1 more"}},
		{repeat(record("bad")+record("10000009"), 500), 20, 980, []string{"has 1000 bad lines", "\n  and 980 more"}},
	} {
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: csvDelivery(t, append(c.lines, record("10000001"))...)})
		bad := badFile(t, err)
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

// A file that is empty, or has nothing but a header, can't be told from one that
// was cut off, and is bad.
func TestDeliveryWithoutRecords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	for name, text := range map[string]string{"empty": "", "header": deliveryHeader, "blank": "\n\n"} {
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: modelstest.File(t, name+".csv", text)})
		bad := badFile(t, err)
		require.Len(t, bad.Lines, 1, name)
		require.Contains(t, err.Error(), name+".csv has 1 bad line")
	}
	requireNothingStored(t, modelstest.Conn(t, w.URL))
}
