package sandbox

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports/format"
	"dispo/models/terms"
)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func requireCVR(t *testing.T, cvr string) {
	t.Helper()
	require.Regexp(t, `^99[0-9]{6}$`, cvr)
	sum := 0
	for i, weight := range []int{2, 7, 6, 5, 4, 3, 2, 1} {
		sum += weight * int(cvr[i]-'0')
	}
	require.Zero(t, sum%11, cvr)
}

// records reads a delivery, which must be one that a real import accepts.
func records(t *testing.T, layout *format.Layout, file []byte, record func(*format.Record)) {
	t.Helper()
	_, err := layout.Read(bytes.NewReader(file), func(r *format.Record) error {
		record(r)
		return nil
	}, func(line format.BadLine) error {
		t.Errorf("bad line: %+v", line)
		return nil
	})
	require.NoError(t, err)
}

// What arrives in a sandbox depends on its id, the day and its companies alone. Each day
// has a delivery that a real import would accept, of companies that the sandbox has.
// Companies arrive and change for as long as there are any left, and each status occurs.
func TestSandboxDays(t *testing.T) {
	id := uuid.MustParse("01a1f74b-efa4-72f7-8634-e887f34268f1")
	other := uuid.MustParse("01a1f74b-efa4-72f7-8634-e887f34268f2")
	day := date(2026, time.August, 1)
	var present []models.Company
	statuses := map[string]bool{}
	for range 2 * 365 {
		made := arrivingOn(id, day, slices.Clone(present))
		require.Equal(t, made, arrivingOn(id, day, present))
		require.NotEqual(t, made.delivery, arrivingOn(other, day, present).delivery)
		for _, c := range made.companies {
			requireCVR(t, c.CVR)
			require.False(t, c.EndDate.Before(c.StartDate))
			statuses[c.Status] = true
			i := slices.IndexFunc(present, func(known models.Company) bool { return known.CVR == c.CVR })
			if i < 0 {
				present = append(present, c)
			} else {
				require.NotEqual(t, present[i], c, "a company that comes has changed")
				present[i] = c
			}
		}
		count := 0
		records(t, format.CSV(), made.delivery, func(r *format.Record) {
			require.Equal(t, day.Format(time.DateOnly), string(r.DispositionDate))
			require.True(t, slices.ContainsFunc(present, func(c models.Company) bool { return c.CVR == string(r.CVR) }))
			count++
		})
		require.Greater(t, count, 10)
		require.Less(t, count, 500)
		want := ""
		if day.Day() == 15 {
			want = filenameOf(day.AddDate(0, 0, -1))
		}
		require.Equal(t, want, made.withdrawn)
		day = day.AddDate(0, 0, 1)
	}
	require.Len(t, present, 59)
	require.Len(t, statuses, len(terms.Statuses))
}

// written writes the demo's files, and returns those of companies as rows by CVR.
func written(t *testing.T, lastDay time.Time) (demo Demo, companies []map[string]map[string]string) {
	t.Helper()
	demo, err := WriteDemo(filepath.Join(t.TempDir(), "new"), lastDay)
	require.NoError(t, err)
	for _, o := range demo.Organizations {
		file, err := os.ReadFile(o.CompaniesFile)
		require.NoError(t, err)
		rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
		require.NoError(t, err)
		byCVR := map[string]map[string]string{}
		for _, row := range rows[1:] {
			named := map[string]string{}
			for i, name := range rows[0] {
				named[name] = row[i]
			}
			require.Nil(t, byCVR[row[0]], "twice in one file")
			byCVR[row[0]] = named
		}
		companies = append(companies, byCVR)
	}
	return demo, companies
}

// The demo has sixty companies with all five statuses, one of them in both organizations,
// and fields of the contract's forms. For any last day, it has 78 weekly deliveries, the newest
// of them os, with about fifty thousand records, each of a bank day. The same last day results
// in the same bytes, in any hour and time zone.
func TestDemo(t *testing.T) {
	var first Demo
	for _, lastDay := range []time.Time{date(2026, time.November, 20), date(2028, time.February, 29)} {
		demo, companies := written(t, lastDay)
		requireDemoCompanies(t, companies)
		requireDemoDeliveries(t, demo, companies, lastDay)
		if first.Deliveries == nil {
			first = demo
		}
	}
	second, _ := written(t, time.Date(2026, time.November, 20, 23, 30, 0, 0, time.FixedZone("", -7*60*60)))
	files := func(demo Demo) []string {
		return append(slices.Clone(demo.Deliveries), demo.Organizations[0].CompaniesFile, demo.Organizations[1].CompaniesFile)
	}
	for i, path := range files(first) {
		a, err := os.ReadFile(path)
		require.NoError(t, err)
		b, err := os.ReadFile(files(second)[i])
		require.NoError(t, err)
		require.True(t, bytes.Equal(a, b), path)
	}
	_, err := WriteDemo(filepath.Join(first.Deliveries[0], "folder"), date(2026, time.November, 20))
	require.Error(t, err)
}

func requireDemoCompanies(t *testing.T, companies []map[string]map[string]string) {
	t.Helper()
	statuses, blank, shared, total := map[string]int{}, map[string]int{}, 0, 0
	for i, byCVR := range companies {
		total += len(byCVR)
		for cvr, row := range byCVR {
			requireCVR(t, cvr)
			if companies[1-i][cvr] != nil {
				shared++
			}
			statuses[row["status"]]++
			require.Less(t, row["startDate"], row["endDate"])
			for _, side := range []string{"sender", "receiver"} {
				require.Regexp(t, `^([0-9]{4} [0-9]{10}| )$`, row[side+"RegNumber"]+" "+row[side+"AccountNumber"])
			}
			for name, field := range row {
				if field == "" {
					blank[name]++
				}
			}
		}
	}
	require.Equal(t, 60, total)
	require.Equal(t, 2, shared, "one company, in both files")
	require.Len(t, statuses, 5)
	require.Greater(t, statuses[terms.Registered], 36)
	for _, name := range []string{"address", "senderRegNumber", "receiverRegNumber", "defaultAmountCents"} {
		require.Positive(t, blank[name], name)
	}
}

// requireDemoDeliveries requires deliveries that a real import accepts. Each record is of a
// company with the account of its file, of a bank day while the company is registered.
func requireDemoDeliveries(t *testing.T, demo Demo, companies []map[string]map[string]string, lastDay time.Time) {
	t.Helper()
	require.Len(t, demo.Deliveries, 78)
	total, negative, tally := 0, 0, map[string]int{}
	for i, path := range demo.Deliveries {
		name := filepath.Base(path)
		layout, form := format.CSV(), `^dispositions-\d{4}-\d\d-\d\d\.csv$`
		if i >= 70 {
			layout, form = format.OS(), `^delivery-\d{4}-\d\d-\d\d\.os$`
		}
		require.Regexp(t, form, name)
		day, err := time.Parse(time.DateOnly,
			name[len(name)-len(filepath.Ext(name))-len(time.DateOnly):len(name)-len(filepath.Ext(name))])
		require.NoError(t, err)
		require.Equal(t, time.Friday, day.Weekday())
		before := int(lastDay.Sub(day).Hours()/24) - 7*(77-i)
		require.True(t, before >= 0 && before < 7, name)
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, layout, format.Detect(file))
		records(t, layout, file, func(r *format.Record) {
			total++
			tally[string(r.CVR)]++
			c := companies[0][string(r.CVR)]
			if c == nil {
				c = companies[1][string(r.CVR)]
			}
			require.NotNil(t, c)
			require.Equal(t, c["senderRegNumber"]+c["senderAccountNumber"], string(r.RegNumber)+string(r.AccountNumber))
			require.NotContains(t, []string{terms.Created, terms.Rejected}, c["status"])
			on := string(r.DispositionDate)
			require.True(t, on >= c["startDate"] && on <= c["endDate"])
			require.True(t, on <= day.Format(time.DateOnly) && on > day.AddDate(0, 0, -5).Format(time.DateOnly))
			require.NotContains(t, []string{"12-25", "01-01"}, on[5:])
			require.Positive(t, r.Count)
			if r.Amount[0] == '-' {
				negative++
			}
		})
	}
	require.InDelta(t, 50_000, total, 5_000)
	require.Positive(t, negative)
	require.Less(t, negative, total/20)
	for i, o := range demo.Organizations {
		require.Greater(t, tally[o.SampleCVR], 2000)
		for cvr, row := range companies[i] {
			switch row["status"] {
			case terms.Registered:
				require.LessOrEqual(t, tally[cvr], tally[o.SampleCVR])
				fallthrough
			case terms.Modified:
				require.Positive(t, tally[cvr], "an active company has records")
			}
		}
	}
}
