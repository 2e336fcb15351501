package demodata

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// record is a delivery's record as a reader should return it.
type record struct {
	cvr, regNumber, accountNumber, transferType, amountDkk string
	day                                                    time.Time
	count                                                  int
}

// records reads a delivery file of either layout.
func records(t *testing.T, path string) []record {
	t.Helper()
	if filepath.Ext(path) == ".os" {
		return osRecords(t, path)
	}
	var all []record
	for _, row := range csvRows(t, string(content(t, path))) {
		day, err := time.Parse(time.DateOnly, row["dispositionDate"])
		require.NoError(t, err)
		count, err := strconv.Atoi(row["count"])
		require.NoError(t, err)
		all = append(all, record{
			cvr: row["cvr"], regNumber: row["regNumber"], accountNumber: row["accountNumber"],
			transferType: row["transferType"], amountDkk: row["amountDkk"], day: day, count: count,
		})
	}
	return all
}

func allRecords(t *testing.T, set Set) []record {
	t.Helper()
	var all []record
	for _, path := range set.Deliveries {
		all = append(all, records(t, path)...)
	}
	return all
}

// For any last day, there are 78 deliveries over eighteen months, a week apart except
// around holidays, with about fifty thousand records in total. The newest one is on the
// last day or shortly before it.
func TestDeliveryCounts(t *testing.T) {
	for _, lastDay := range lastDays {
		t.Run(lastDay.Format(time.DateOnly), func(t *testing.T) {
			set := written(t, lastDay)
			require.Len(t, set.Deliveries, 78)
			var days []time.Time
			for i, path := range set.Deliveries {
				days = append(days, dayOfName(t, path))
				if i > 0 {
					interval := days[i].Sub(days[i-1])
					require.GreaterOrEqual(t, interval, 3*24*time.Hour)
					require.LessOrEqual(t, interval, 11*24*time.Hour)
				}
			}
			newest := days[len(days)-1]
			require.False(t, newest.After(lastDay))
			require.Less(t, lastDay.Sub(newest), 11*24*time.Hour)
			require.InDelta(t, 18*30.4, newest.Sub(days[0]).Hours()/24, 15)

			count := len(allRecords(t, set))
			require.GreaterOrEqual(t, count, 45_000)
			require.LessOrEqual(t, count, 55_000)
		})
	}
}

// Most deliveries are csv, the newest are os.
func TestDeliveryLayouts(t *testing.T) {
	set := written(t, lastDays[0])
	for i, path := range set.Deliveries {
		name := filepath.Base(path)
		if i < 70 {
			require.Regexp(t, `^dispositions-\d{4}-\d\d-\d\d\.csv$`, name)
			require.True(t, strings.HasPrefix(string(content(t, path)), "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"))
		} else {
			require.Regexp(t, `^delivery-\d{4}-\d\d-\d\d\.os$`, name)
			require.True(t, strings.HasPrefix(string(content(t, path)), "OS1"))
		}
	}
	require.Equal(t, "delivery-2026-11-20.os", filepath.Base(set.Deliveries[77]))
}

// Every record's company is in a file of companies. All records of a company have the
// account from that file, and it has records only while it is registered.
func TestDeliveryCompanies(t *testing.T) {
	set := written(t, lastDays[0])
	companies := make(map[string]map[string]string)
	for _, organization := range set.Organizations {
		for _, row := range companyRows(t, organization) {
			companies[row["cvr"]] = row
		}
	}
	accounts := make(map[string]string)
	for _, r := range allRecords(t, set) {
		c, known := companies[r.cvr]
		require.True(t, known, "no organization has %s", r.cvr)
		require.NotContains(t, []string{created, rejected}, c["status"])
		day := r.day.Format(time.DateOnly)
		require.GreaterOrEqual(t, day, c["startDate"])
		require.True(t, c["endDate"] == "" || day <= c["endDate"], "%s after the end of %s", day, r.cvr)

		account := r.regNumber + " " + r.accountNumber
		require.Equal(t, c["senderRegNumber"]+" "+c["senderAccountNumber"], account)
		if accounts[r.cvr] == "" {
			accounts[r.cvr] = account
		}
		require.Equal(t, accounts[r.cvr], account)
	}
	for cvr, c := range companies {
		if c["status"] == registered || c["status"] == modified {
			require.NotEmpty(t, accounts[cvr], "%s is active and has no records", cvr)
		}
	}
}

// Every record has a banking day of the delivery's week, a positive count and an amount
// with two decimals. Few amounts are negative, and only in csv.
func TestDeliveryFields(t *testing.T) {
	set := written(t, lastDays[0])
	negative, total := 0, 0
	types := make(map[string]int)
	for _, path := range set.Deliveries {
		delivered := dayOfName(t, path)
		for _, r := range records(t, path) {
			total++
			types[r.transferType]++
			require.Regexp(t, `^[0-9]{4}$`, r.regNumber)
			require.Regexp(t, `^[0-9]{10}$`, r.accountNumber)
			require.Positive(t, r.count)
			require.Regexp(t, `^-?[1-9][0-9]*\.[0-9]{2}$`, r.amountDkk)
			require.False(t, r.day.After(delivered))
			require.Less(t, delivered.Sub(r.day), 5*24*time.Hour)
			require.NotContains(t, []time.Weekday{time.Saturday, time.Sunday}, r.day.Weekday())
			require.False(t, bankHoliday(r.day), r.day)
			if strings.HasPrefix(r.amountDkk, "-") {
				negative++
				require.Equal(t, ".csv", filepath.Ext(path))
			}
		}
	}
	require.Positive(t, negative)
	require.Less(t, negative, total/20)
	require.Len(t, types, 6, "%v", types)
}

// dayOfName returns the day in a delivery file's name.
func dayOfName(t *testing.T, path string) time.Time {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	day, err := time.Parse(time.DateOnly, name[len(name)-len(time.DateOnly):])
	require.NoError(t, err)
	return day
}
