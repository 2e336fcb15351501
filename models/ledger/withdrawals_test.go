package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// deliverReplacing imports records, such as "10000001 2026-01-31 1.00", instead of the delivery
// that they repeat.
func deliverReplacing(t *testing.T, w *modelstest.World, name string, records []string) uuid.UUID {
	t.Helper()
	lines := make([]string, len(records))
	for i, record := range records {
		cvr, rest, _ := strings.Cut(record, " ")
		day, amount, _ := strings.Cut(rest, " ")
		lines[i] = fmt.Sprintf("%s,1234,0012345678,CARD,%s,1,%s\n", cvr, day, amount)
	}
	done := w.Import(t, imports.DeliveryOptions{
		Path:     modelstest.File(t, name, modelstest.DeliveryHeader+strings.Join(lines, "")),
		Repeated: imports.RepeatedReplace,
	})
	return done.ID
}

// What is withdrawn, or replaced, stays known by company and day, beside what was received
// now, to the organization that had it. A day counts only files with records of it.
func TestWithdrawals(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000003")
	deliver := func(name string, records ...string) uuid.UUID { return deliverReplacing(t, w, name, records) }
	deliver("kept.csv", "10000001 2026-01-01 1.00", "10000001 2026-01-03 5.00")
	wrong := deliver("wrong.csv", "10000001 2026-01-03 10.00", "10000001 2026-01-03 20.00", "10000002 2026-01-02 -40.00",
		"10000003 2026-01-02 7.00")
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), wrong, "twice", nil)))
	deliver("replaced.csv", "10000002 2026-01-04 3.00")
	deliver("right.csv", "10000002 2026-01-04 3.00", "10000002 2026-01-04 4.00")

	tenant, other := w.Service.Tenant(a.ID), w.Service.Tenant(b.ID)
	day1, day2, day3, day4 := day("2026-01-01"), day("2026-01-02"), day("2026-01-03"), day("2026-01-04")
	for _, test := range []struct {
		tenant   models.Tenant
		cvr      string
		from, to *time.Time
		expected []string
	}{
		{tenant, "", nil, nil, []string{"replaced.csv: 1 of 3.00", "wrong.csv: 3 of -10.00"}},
		{tenant, "", &day2, &day2, []string{"wrong.csv: 1 of -40.00"}},
		{tenant, "", nil, &day3, []string{"wrong.csv: 3 of -10.00"}},
		{tenant, "", &day4, nil, []string{"replaced.csv: 1 of 3.00"}},
		{tenant, "", nil, &day1, nil},
		{tenant, "10000001", nil, nil, []string{"wrong.csv: 2 of 30.00"}},
		{tenant, "10000001", &day2, &day2, nil},
		{tenant, "10000003", nil, nil, nil},
		{other, "", nil, nil, []string{"wrong.csv: 1 of 7.00"}},
	} {
		found, err := ledger.Withdrawals(t.Context(), test.tenant, test.cvr, test.from, test.to, 3)
		require.NoError(t, err)
		var actual []string
		for _, x := range found {
			actual = append(actual, fmt.Sprintf("%s: %d of %s", x.Filename, x.Count, x.AmountDKK))
		}
		require.Equal(t, test.expected, actual, "%+v", test)
	}
	again := map[string]bool{} // only what came after a withdrawal was sent again, by day and by file
	for _, cvr := range []string{"", "10000001", "10000002"} {
		days, err := ledger.ArrivalDays(t.Context(), tenant, cvr, day1, day1, day4)
		require.NoError(t, err)
		for _, d := range days {
			again[cvr+" "+d.Day.Format("02")] = d.SentAgain
		}
		files, err := ledger.Withdrawals(t.Context(), tenant, cvr, nil, nil, 3)
		require.NoError(t, err)
		for _, f := range files {
			again[cvr+" "+f.Filename] = f.SentAgain
		}
	}
	require.Equal(t, map[string]bool{
		" 01": false, " 02": false, " 03": false, " 04": true, " wrong.csv": false, " replaced.csv": true,
		"10000001 01": false, "10000001 03": false, "10000001 wrong.csv": false,
		"10000002 02": false, "10000002 04": true, "10000002 wrong.csv": false, "10000002 replaced.csv": true,
	}, again)
	latest, err := ledger.Withdrawals(t.Context(), tenant, "", nil, nil, 1)
	require.NoError(t, err)
	require.Len(t, latest, 1)
	require.Equal(t, "replaced by right.csv", latest[0].Reason)

	arrivals, _, err := ledger.Arrivals(t.Context(), tenant, nil, 10)
	require.NoError(t, err)
	for _, x := range arrivals {
		require.Equal(t, x.Filename == "replaced.csv", x.SentAgain, x.Filename)
	}
	file := arrivals[slices.IndexFunc(arrivals, func(x ledger.Arrival) bool { return x.Filename == "wrong.csv" })].ID
	days, more, err := ledger.WithdrawnDays(t.Context(), tenant, file, nil, 2)
	require.NoError(t, err)
	require.False(t, more)
	of1 := ledger.Withdrawn{Count: 2, AmountDKK: "30.00", ReceivedCount: 1, ReceivedDKK: "5.00"}
	of2 := ledger.Withdrawn{Count: 1, AmountDKK: "-40.00", ReceivedDKK: "0.00"}
	require.Equal(t, []ledger.WithdrawnDay{
		{CVR: "10000001", CompanyName: "Company 10000001", Day: day3, Withdrawn: of1, OfDay: of1},
		{CVR: "10000002", CompanyName: "Company 10000002", Day: day2, Withdrawn: of2, OfDay: of2},
	}, days)
	latestDay, more, err := ledger.WithdrawnDays(t.Context(), tenant, file, nil, 1)
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, days[:1], latestDay)
	days, _, err = ledger.WithdrawnDays(t.Context(), other, arrivals[0].ID, nil, 2)
	require.NoError(t, err)
	require.Empty(t, days)

	received, err := ledger.ArrivalDays(t.Context(), tenant, "", day1, day1, day4)
	require.NoError(t, err)
	var actual []string
	for _, d := range received {
		actual = append(actual, fmt.Sprintf("%s: %d of %s in %d, %d of %s in %d", d.Day.Format(time.DateOnly), d.Count,
			d.AmountDKK, d.Files, d.WithdrawnCount, d.WithdrawnDKK, d.WithdrawnFiles))
		if d.Day.Equal(day3) {
			require.Equal(t, &file, d.WithdrawnID)
		}
	}
	require.Equal(t, []string{
		"2026-01-04: 2 of 7.00 in 1, 1 of 3.00 in 1",
		"2026-01-03: 1 of 5.00 in 1, 2 of 30.00 in 1",
		"2026-01-02: 0 of 0.00 in 0, 1 of -40.00 in 1",
		"2026-01-01: 1 of 1.00 in 1, 0 of 0.00 in 0",
	}, actual)
}
