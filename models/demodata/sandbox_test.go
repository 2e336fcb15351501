package demodata

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports/format"
)

// What arrives in a sandbox depends on its id, the day and its companies alone. Each day
// has a delivery that a real import would accept, of companies that the sandbox has.
// Companies arrive and change for as long as there are any left, and each status occurs.
func TestSandboxDays(t *testing.T) {
	id, other := uuid.MustParse("01a1f74b-efa4-72f7-8634-e887f34268f1"), uuid.MustParse("01a1f74b-efa4-72f7-8634-e887f34268f2")
	day := date(2026, time.August, 1)
	var present []models.Company
	statuses := map[string]bool{}
	for range 2 * 365 {
		made := SandboxOn(id, day, slices.Clone(present))
		require.Equal(t, made, SandboxOn(id, day, present))
		require.NotEqual(t, made.Delivery, SandboxOn(other, day, present).Delivery)
		for _, c := range made.Companies {
			require.Regexp(t, `^99[0-9]{6}$`, c.CVR)
			require.True(t, validCVR(c.CVR), c.CVR)
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
		records := 0
		_, err := format.CSV().Read(bytes.NewReader(made.Delivery), func(r *format.Record) error {
			require.Equal(t, day.Format(time.DateOnly), string(r.DispositionDate))
			require.True(t, slices.ContainsFunc(present, func(c models.Company) bool { return c.CVR == string(r.CVR) }))
			records++
			return nil
		}, func(line format.BadLine) error {
			t.Errorf("%s: %+v", made.Filename, line)
			return nil
		})
		require.NoError(t, err)
		require.Greater(t, records, 10)
		require.Less(t, records, 500)
		require.Equal(t, day.Day() == 15, made.Withdrawn != "")
		if made.Withdrawn != "" {
			require.Equal(t, sandboxFilename(day.AddDate(0, 0, -1)), made.Withdrawn)
		}
		day = day.AddDate(0, 0, 1)
	}
	require.Len(t, present, 59)
	require.Len(t, statuses, len(models.Statuses))
}
