package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

var copenhagen, _ = time.LoadLocation("Europe/Copenhagen")

// at returns a time in Copenhagen.
func at(text string) time.Time {
	moment, err := time.ParseInLocation("2006-01-02 15:04", text, copenhagen)
	if err != nil {
		panic(err)
	}
	return moment
}

// A bank day without a delivery by the expected time is late, until the next one arrives.
// Days are the organization's, also when the clocks change. A delivery that was withdrawn
// in time counts as none, and one that was withdrawn later has arrived.
func TestLateDeliveries(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	type times []string
	number := 0
	for name, row := range map[string]struct {
		arrived   times
		withdrawn [2]string // when it arrived, and when it was withdrawn
		now       string
		expected  times // the late days since Thursday 26 March, with their next arrivals
		late      string
	}{
		"before the time":        {arrived: times{"2026-03-26 08:00"}, now: "2026-03-27 09:59"},
		"at the time":            {arrived: times{"2026-03-26 08:00"}, now: "2026-03-27 10:00", expected: times{"2026-03-27 10:00 -"}, late: "2026-03-27 10:00"},
		"in time":                {arrived: times{"2026-03-26 08:00", "2026-03-27 10:00"}, now: "2026-03-27 12:00"},
		"on the next day":        {arrived: times{"2026-03-26 08:00"}, now: "2026-03-30 09:00", expected: times{"2026-03-27 10:00 -"}, late: "2026-03-27 10:00"},
		"afterwards":             {arrived: times{"2026-03-26 08:00", "2026-03-27 10:01"}, now: "2026-03-27 12:00", expected: times{"2026-03-27 10:00 2026-03-27 10:01"}},
		"after the clocks moved": {arrived: times{"2026-03-26 00:00", "2026-03-27 09:59", "2026-03-28 10:00"}, now: "2026-03-30 10:00", expected: times{"2026-03-30 10:00 -"}, late: "2026-03-30 10:00"},
		"an hour before":         {arrived: times{"2026-03-26 00:00", "2026-03-27 09:59"}, now: "2026-03-30 09:59"},
		"just after midnight":    {arrived: times{"2026-03-26 00:00", "2026-03-27 00:00", "2026-03-30 00:00"}, now: "2026-03-30 23:00"},
		"just before midnight":   {arrived: times{"2026-03-25 23:59"}, now: "2026-03-26 23:00", expected: times{"2026-03-26 10:00 -"}, late: "2026-03-26 10:00"},
		"several days": {arrived: times{"2026-03-30 11:00"}, now: "2026-03-31 12:00",
			expected: times{"2026-03-31 10:00 -", "2026-03-30 10:00 2026-03-30 11:00", "2026-03-27 10:00 2026-03-30 11:00", "2026-03-26 10:00 2026-03-30 11:00"}, late: "2026-03-31 10:00"},
		"over Easter":         {arrived: times{"2026-03-26 09:00", "2026-03-27 09:00", "2026-03-30 09:00", "2026-03-31 09:00"}, now: "2026-04-07 09:00", expected: times{"2026-04-01 10:00 -"}, late: "2026-04-01 10:00"},
		"withdrawn in time":   {withdrawn: [2]string{"2026-03-26 08:00", "2026-03-26 09:00"}, now: "2026-03-26 12:00", expected: times{"2026-03-26 10:00 -"}, late: "2026-03-26 10:00"},
		"withdrawn later":     {withdrawn: [2]string{"2026-03-26 08:00", "2026-03-26 10:30"}, now: "2026-03-26 12:00"},
		"late, and withdrawn": {withdrawn: [2]string{"2026-03-26 10:30", "2026-03-26 11:00"}, now: "2026-03-26 12:00", expected: times{"2026-03-26 10:00 2026-03-26 10:30"}},
	} {
		number++
		t.Run(name, func(t *testing.T) {
			cvr := fmt.Sprint(10000000 + number)
			organization := w.Organization(t, fmt.Sprint("organization-", number), cvr)
			modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET expected_by = '10:00', expected_since = '2026-01-01'`)
			if row.withdrawn[0] != "" {
				delivery := w.Delivery(t, cvr, 1)
				require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), delivery.ID, "x", nil)))
				modelstest.ExecuteAt(t, w.URL,
					`UPDATE withdrawn_files SET created_at = $1, withdrawn_at = $2 WHERE organization_id = $3`, at(row.withdrawn[0]),
					at(row.withdrawn[1]), organization.ID)
			}
			for _, arrived := range row.arrived {
				w.Arrival(t, cvr, at(arrived))
			}
			tenant := w.Service.Tenant(organization.ID)
			days, err := ledger.LateDays(t.Context(), tenant, at("2026-03-26 00:00"), at(row.now))
			require.NoError(t, err)
			var found times
			for _, day := range days {
				next := "-"
				if day.ArrivedAt != nil {
					next = day.ArrivedAt.In(copenhagen).Format("2006-01-02 15:04")
				}
				require.Equal(t, day.Day.Format(time.DateOnly), day.By.Format(time.DateOnly))
				found = append(found, day.By.Format("2006-01-02 15:04")+" "+next)
			}
			require.Equal(t, row.expected, found)
			late, err := ledger.LateDelivery(t.Context(), tenant, at(row.now))
			require.NoError(t, err)
			require.Equal(t, row.late != "", late != nil)
			if late != nil {
				require.True(t, at(row.late).Equal(late.By))
			}
		})
	}
}

// Nothing is expected by default, nor before it was set. Nor does a time count that had
// passed when it was set, or when the time zone changed.
func TestNothingIsExpectedInThePast(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	tenant := w.Service.Tenant(a.ID)
	for _, since := range []string{`expected_by = ''`, `expected_by = '10:00', expected_since = '2026-03-27 11:00+01'`} {
		modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET `+since)
		late, err := ledger.LateDelivery(t.Context(), tenant, at("2026-03-27 12:00"))
		require.NoError(t, err)
		require.Nil(t, late)
	}
	for _, settings := range []models.OrganizationSettings{{Name: "a", TimeZone: "Europe/Copenhagen", ExpectedBy: "00:00"}, {Name: "a", TimeZone: "Pacific/Auckland", ExpectedBy: "00:00"}} {
		modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET expected_since = '2026-01-01'`)
		require.NoError(t, organizations.Change(t.Context(), w.Operator.Tenant(a.ID), settings))
		late, err := ledger.LateDelivery(t.Context(), tenant, time.Now())
		require.NoError(t, err)
		require.Nil(t, late)
		settings.Name = "b"
		modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET expected_since = '2026-01-01'`)
		require.NoError(t, organizations.Change(t.Context(), w.Operator.Tenant(a.ID), settings))
		late, err = ledger.LateDelivery(t.Context(), tenant, time.Now())
		require.NoError(t, err)
		require.NotNil(t, late, "another change leaves it")
	}
}

// A day's deliveries are in by when they are expected, or else by the usual time of a day's
// last one, in the organization's time zone. Neither today nor less than four days tell.
func TestDeliveredBy(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	by := func() string {
		found, err := ledger.DeliveredBy(t.Context(), w.Service.Tenant(a.ID), at("2026-04-10 07:00"))
		require.NoError(t, err)
		return found
	}
	for _, arrived := range []string{"2026-03-01 23:00", "2026-04-02 04:00", "2026-04-02 06:30", "2026-04-07 05:15",
		"2026-04-08 09:00", "2026-04-10 01:00", "2026-04-10 02:00"} {
		w.Arrival(t, "10000001", at(arrived))
	}
	require.Empty(t, by())
	w.Arrival(t, "10000001", at("2026-03-27 06:20")) // before the clocks changed
	require.Equal(t, "06:30", by())
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET expected_by = '10:00'`)
	require.Equal(t, "10:00", by())
}
