package demodata

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lastDays are ordinary days and edge cases.
var lastDays = []time.Time{
	date(2026, time.November, 20), // a Friday
	date(2027, time.January, 3),   // a Sunday after short weeks
	date(2027, time.March, 24),    // the last banking day before Easter
	date(2028, time.February, 29),
}

// written writes the demo's files to a temporary directory.
func written(t *testing.T, lastDay time.Time) Set {
	t.Helper()
	set, err := Write(t.TempDir(), lastDay)
	require.NoError(t, err)
	return set
}

// The same last day results in the same bytes, in any hour and time zone.
func TestSameBytesTwice(t *testing.T) {
	first := written(t, date(2026, time.November, 20))
	evening := time.Date(2026, time.November, 20, 23, 30, 0, 0, time.FixedZone("", -7*60*60))
	second := written(t, evening)

	require.Equal(t, len(first.Deliveries), len(second.Deliveries))
	for i := range first.Deliveries {
		requireSameFile(t, first.Deliveries[i], second.Deliveries[i])
	}
	require.Equal(t, len(first.Organizations), len(second.Organizations))
	for i := range first.Organizations {
		requireSameFile(t, first.Organizations[i].CompaniesFile, second.Organizations[i].CompaniesFile)
		require.Equal(t, first.Organizations[i].SampleCVR, second.Organizations[i].SampleCVR)
	}
}

func requireSameFile(t *testing.T, first, second string) {
	t.Helper()
	require.Equal(t, filepath.Base(first), filepath.Base(second))
	require.True(t, bytes.Equal(content(t, first), content(t, second)), "%s differs", filepath.Base(first))
}

// Write creates a missing directory, and returns an error if it cannot.
func TestWriteDirectory(t *testing.T) {
	_, err := Write(filepath.Join(t.TempDir(), "new", "folder"), lastDays[0])
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = Write(filepath.Join(file, "folder"), lastDays[0])
	require.Error(t, err)
}

// An organization's sample is the REGISTERED company with the most records.
func TestSampleCVR(t *testing.T) {
	set := written(t, lastDays[0])
	tally := make(map[string]int)
	for _, record := range allRecords(t, set) {
		tally[record.cvr]++
	}
	for _, organization := range set.Organizations {
		require.Greater(t, tally[organization.SampleCVR], 2000)
		statuses := make(map[string]string)
		for _, row := range companyRows(t, organization) {
			statuses[row["cvr"]] = row["status"]
			if row["status"] == registered {
				require.LessOrEqual(t, tally[row["cvr"]], tally[organization.SampleCVR])
			}
		}
		require.Equal(t, registered, statuses[organization.SampleCVR])
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	read, err := os.ReadFile(path)
	require.NoError(t, err)
	return read
}

// companyRows reads a file of companies. Each row maps column names to values.
func companyRows(t *testing.T, organization Organization) []map[string]string {
	t.Helper()
	text := strings.TrimPrefix(string(content(t, organization.CompaniesFile)), "\ufeff")
	return csvRows(t, text)
}

// csvRows reads CSV with the separator of its header.
func csvRows(t *testing.T, text string) []map[string]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(text))
	if header, _, _ := strings.Cut(text, "\n"); strings.Contains(header, ";") {
		r.Comma = ';'
	}
	rows, err := r.ReadAll()
	require.NoError(t, err)
	var byName []map[string]string
	for _, row := range rows[1:] {
		named := make(map[string]string)
		for i, name := range rows[0] {
			named[name] = row[i]
		}
		byName = append(byName, named)
	}
	return byName
}
