package demodata

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// There are sixty companies with all five statuses, most of them REGISTERED. Exactly
// one CVR is in both organizations.
func TestCompanyCounts(t *testing.T) {
	set := written(t, lastDays[0])
	require.Len(t, set.Organizations, 2)
	statuses := make(map[string]int)
	holders := make(map[string]int)
	total := 0
	for _, organization := range set.Organizations {
		inFile := make(map[string]bool)
		for _, row := range companyRows(t, organization) {
			require.False(t, inFile[row["cvr"]], "%s is twice in one file", row["cvr"])
			inFile[row["cvr"]] = true
			holders[row["cvr"]]++
			statuses[row["status"]]++
			total++
		}
	}
	require.Equal(t, 60, total)
	require.Len(t, holders, 59, "one CVR is in both")
	require.Len(t, statuses, 5)
	for _, status := range []string{created, registered, modified, terminated, rejected} {
		require.Positive(t, statuses[status], status)
	}
	require.Greater(t, statuses[registered], 36)
}

// Every CVR has eight digits, the first of them not zero, and a valid check digit.
func TestCompanyCVRs(t *testing.T) {
	require.True(t, validCVR(supplierCVR))
	for _, organization := range written(t, lastDays[0]).Organizations {
		for _, row := range companyRows(t, organization) {
			require.Regexp(t, `^[1-9][0-9]{7}$`, row["cvr"])
			require.True(t, validCVR(row["cvr"]), row["cvr"])
		}
	}
}

func validCVR(cvr string) bool {
	sum := 0
	for i, weight := range []int{2, 7, 6, 5, 4, 3, 2, 1} {
		sum += weight * int(cvr[i]-'0')
	}
	return sum%11 == 0
}

// Every other field has the contract's format, or is blank if that is allowed.
func TestCompanyFields(t *testing.T) {
	for _, organization := range written(t, lastDays[0]).Organizations {
		blank := make(map[string]int)
		for _, row := range companyRows(t, organization) {
			require.Len(t, row, len(companiesHeader))
			require.NotEmpty(t, row["name"])
			require.NotEmpty(t, row["status"])
			start, err := time.Parse(time.DateOnly, row["startDate"])
			require.NoError(t, err)
			if row["endDate"] != "" {
				end, err := time.Parse(time.DateOnly, row["endDate"])
				require.NoError(t, err)
				require.True(t, end.After(start))
			}
			for _, side := range []string{"sender", "receiver"} {
				require.Regexp(t, `^([0-9]{4})?$`, row[side+"RegNumber"])
				require.Regexp(t, `^([0-9]{10})?$`, row[side+"AccountNumber"])
				require.Equal(t, row[side+"RegNumber"] == "", row[side+"AccountNumber"] == "")
			}
			require.Regexp(t, `^([1-9][0-9]*)?$`, row["defaultAmountCents"])
			for name, field := range row {
				if field == "" {
					blank[name]++
				}
			}
		}
		for _, name := range []string{"address", "senderRegNumber", "receiverRegNumber", "defaultAmountCents"} {
			require.Positive(t, blank[name], "%s has no company without %s", organization.Slug, name)
		}
	}
}

// The two files show what an import of companies accepts: both separators, a byte-order
// mark, quotes, separators in fields, Danish letters, and an open end that is blank or
// 9999-12-31.
func TestCompaniesFileForms(t *testing.T) {
	set := written(t, lastDays[0])
	nordlys := content(t, set.Organizations[0].CompaniesFile)
	havnens := content(t, set.Organizations[1].CompaniesFile)

	require.True(t, bytes.HasPrefix(nordlys, []byte("cvr,name,")))
	require.True(t, bytes.HasPrefix(havnens, []byte("\ufeffcvr;name;")))
	require.Contains(t, string(nordlys), `"Caféen ""Den Skæve Kop"" ApS"`)
	require.Contains(t, string(nordlys), `"Brødrene Øksendahl, Isenkram og Farver I/S"`)
	require.Contains(t, string(havnens), `"Kroen ""Det Glade Søpindsvin"" ApS"`)
	require.Contains(t, string(havnens), ";9999-12-31;")
	require.NotContains(t, string(nordlys), "9999-12-31")
	require.True(t, strings.ContainsRune(string(nordlys), 'å'))
}
