package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A company is absent on a day without transactions of it if it had some on at least 6 of the last
// 8 bank days of this weekday: days on which banks are closed are passed over. The largest stand
// first, beside how many there are, and the sum of their medians. Another organization's do not
// count.
func TestAbsentCompanies(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	weeks := map[string]string{ // amounts of the Thursdays before 2026-06-11, the latest first; - for none
		"10000001": "10 10 10 10 10 10 10 10",     // absent
		"10000002": "5 - 1 9 - 2 8 100",           // on 6 days: the median of these is 6.50
		"10000003": "7 - 7 7 - 7 7 -",             // on 5
		"10000004": "4 4 4 4 4 4 4 4",             // has something on the day
		"10000005": "- - 3 3 3 3 3 3 3 3 3 3",     // on 6, whatever came before
		"10000006": "-90 -90 -90 -90 -90 -90 -90", // took money back
		"10000007": "99 99 99 99 99 99 99 99",     // another organization's
	}
	var cvrs []string
	for n := range 6 {
		cvrs = append(cvrs, fmt.Sprint(10000001+n))
	}
	a := w.Organization(t, "a", cvrs...)
	w.Organization(t, "b", "10000007")
	thursday := day("2026-06-11")
	records := []string{"10000004 2026-06-11 1.00", "10000003 2026-06-10 1.00"}
	for cvr, amounts := range weeks {
		before := thursday
		for _, amount := range strings.Fields(amounts) {
			for before = before.AddDate(0, 0, -7); !ledger.BankDay(before); { // Ascension Day, Maundy Thursday
				before = before.AddDate(0, 0, -7)
			}
			if amount != "-" {
				records = append(records, fmt.Sprintf("%s %s %s.00", cvr, before.Format("2006-01-02"), amount))
			}
		}
	}
	deliverReplacing(t, w, "all.csv", records)
	tenant := w.Service.Tenant(a.ID)
	found, err := ledger.AbsentCompanies(t.Context(), tenant, thursday, 3)
	require.NoError(t, err)
	require.Equal(t, []ledger.Absent{
		{CVR: "10000006", CompanyName: "Company 10000006", UsualDKK: "-90.00", Count: 4, SumDKK: "-70.50"},
		{CVR: "10000001", CompanyName: "Company 10000001", UsualDKK: "10.00", Count: 4, SumDKK: "-70.50"},
		{CVR: "10000002", CompanyName: "Company 10000002", UsualDKK: "6.50", Count: 4, SumDKK: "-70.50"},
	}, found)
	for _, other := range []string{"2026-06-10", "2026-05-14", "2026-04-30"} { // a Wednesday, Ascension Day, too early
		found, err := ledger.AbsentCompanies(t.Context(), tenant, day(other), 3)
		require.NoError(t, err)
		require.Empty(t, found, other)
	}
}
