package folder

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func expectation(t *testing.T, text string) *Expectation {
	t.Helper()
	e := &Expectation{}
	require.NoError(t, e.UnmarshalText([]byte(text)))
	return e
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return parsed
}

// An expected time is that of the clock in its zone, on the days that are named.
func TestExpectedTimes(t *testing.T) {
	t.Parallel()
	const bank = "16:00 Europe/Copenhagen bank-days"
	for name, row := range map[string]struct{ expect, now, last, next string }{
		"within a week":            {bank, "2026-11-18T12:00:00+01:00", "2026-11-17T16:00:00+01:00", "2026-11-18T16:00:00+01:00"},
		"to the second":            {bank, "2026-11-18T16:00:00+01:00", "2026-11-18T16:00:00+01:00", "2026-11-19T16:00:00+01:00"},
		"weekend":                  {bank, "2026-11-22T12:00:00+01:00", "2026-11-20T16:00:00+01:00", "2026-11-23T16:00:00+01:00"},
		"now in another zone":      {bank, "2026-11-18T14:30:00Z", "2026-11-17T16:00:00+01:00", "2026-11-18T16:00:00+01:00"},
		"the day has not begun":    {"00:30 Europe/Copenhagen every-day", "2026-11-17T23:10:00Z", "2026-11-17T00:30:00+01:00", "2026-11-18T00:30:00+01:00"},
		"Easter":                   {bank, "2026-04-03T12:00:00+02:00", "2026-04-01T16:00:00+02:00", "2026-04-07T16:00:00+02:00"},
		"the former Store bededag": {bank, "2026-05-01T18:00:00+02:00", "2026-05-01T16:00:00+02:00", "2026-05-04T16:00:00+02:00"},
		"Store bededag in 2023":    {bank, "2023-05-05T18:00:00+02:00", "2023-05-04T16:00:00+02:00", "2023-05-08T16:00:00+02:00"},
		"Ascension":                {bank, "2026-05-14T18:00:00+02:00", "2026-05-13T16:00:00+02:00", "2026-05-18T16:00:00+02:00"},
		"Whit Monday":              {bank, "2026-05-25T18:00:00+02:00", "2026-05-22T16:00:00+02:00", "2026-05-26T16:00:00+02:00"},
		"Grundlovsdag":             {bank, "2026-06-05T18:00:00+02:00", "2026-06-04T16:00:00+02:00", "2026-06-08T16:00:00+02:00"},
		"Christmas":                {bank, "2026-12-24T18:00:00+01:00", "2026-12-23T16:00:00+01:00", "2026-12-28T16:00:00+01:00"},
		"New Year":                 {bank, "2026-12-31T18:00:00+01:00", "2026-12-30T16:00:00+01:00", "2027-01-04T16:00:00+01:00"},
		"weekdays on a holiday":    {"16:00 Europe/Copenhagen weekdays", "2026-12-25T18:00:00+01:00", "2026-12-25T16:00:00+01:00", "2026-12-28T16:00:00+01:00"},
		"every day":                {"16:00 Europe/Copenhagen every-day", "2026-12-26T18:00:00+01:00", "2026-12-26T16:00:00+01:00", "2026-12-27T16:00:00+01:00"},
		"summer time begins":       {"16:00 Europe/Copenhagen every-day", "2026-03-29T12:00:00+02:00", "2026-03-28T16:00:00+01:00", "2026-03-29T16:00:00+02:00"},
		"summer time ends":         {"16:00 Europe/Copenhagen every-day", "2026-10-25T12:00:00+01:00", "2026-10-24T16:00:00+02:00", "2026-10-25T16:00:00+01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := expectation(t, row.expect)
			require.Equal(t, row.last, e.last(at(t, row.now)).Format(time.RFC3339))
			require.Equal(t, row.next, e.next(at(t, row.now)).Format(time.RFC3339))
		})
	}
}

// On every day of a year, each expected time comes once, also where the clocks change at
// that time.
func TestExpectedOnceADay(t *testing.T) {
	t.Parallel()
	for _, clock := range []string{"00:00", "02:30", "03:00", "23:59"} {
		for _, zone := range []string{"Europe/Copenhagen", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC"} {
			e := expectation(t, clock+" "+zone+" every-day")
			expected := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
			now := e.last(expected)
			for range 366 {
				next := e.next(now)
				require.Greater(t, next.Sub(now), 22*time.Hour, "%s %s", clock, zone)
				require.Less(t, next.Sub(now), 26*time.Hour, "%s %s", clock, zone)
				require.Equal(t, now, e.last(next.Add(-1)))
				require.Equal(t, next, e.last(next))
				now = next
			}
		}
	}
}

// A wrong expectation is refused in one sentence that shows a right one.
func TestWrongExpectations(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"":                                    "not three words",
		"16:00 Europe/Copenhagen":             "not three words",
		"16:00 Europe/Copenhagen bank days":   "not three words",
		"9:00 Europe/Copenhagen bank-days":    `"9:00" is not a time`,
		"24:00 Europe/Copenhagen bank-days":   `"24:00" is not a time`,
		"16:00:00 UTC bank-days":              `"16:00:00" is not a time`,
		"16:00 Europe/Atlantis bank-days":     `"Europe/Atlantis" is not a time zone`,
		"16:00 ../../etc/localtime bank-days": "is not a time zone",
		"16:00 UTC Monday":                    `"Monday" does not name days`,
	} {
		err := new(Expectation).UnmarshalText([]byte(text))
		require.ErrorContains(t, err, part)
		require.ErrorContains(t, err, `such as "16:00 Europe/Copenhagen bank-days"`)
	}
}

// A file counts for a day if it came since the expected time before. One that comes late
// ends the alarm, but does not count for the next day too. All watchers of a folder, and
// those that are started later, know what has come.
func TestOverdue(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(folder+"/"+stateName, nil, 0o600))
	watcher := func(started string) *Watcher {
		return &Watcher{options: Options{Folder: folder, Expect: expectation(t, "16:00 UTC every-day")}, log: slog.New(slog.DiscardHandler), started: at(t, started)}
	}
	w := watcher("2026-11-16T17:00:00Z")
	for _, step := range []struct {
		now   string
		comes bool
		late  bool
	}{
		{now: "2026-11-16T17:00:00Z"}, // nothing was expected before the first start
		{now: "2026-11-17T15:59:59Z"},
		{now: "2026-11-17T16:00:00Z", late: true},
		{now: "2026-11-18T12:00:00Z", late: true},
		{now: "2026-11-18T15:00:00Z", comes: true}, // for the 17th
		{now: "2026-11-18T15:59:59Z"},
		{now: "2026-11-18T16:00:00Z", late: true},
		{now: "2026-11-18T16:01:00Z", comes: true}, // for the 18th
		{now: "2026-11-18T17:00:00Z", comes: true}, // for the 19th
		{now: "2026-11-19T16:00:00Z"},
		{now: "2026-11-20T15:59:00Z"},
		{now: "2026-11-20T16:00:00Z", late: true},
		{now: "2026-11-25T12:00:00Z", late: true},
		{now: "2026-11-25T13:00:00Z", comes: true}, // for all that were missed
		{now: "2026-11-25T15:00:00Z", comes: true},
		{now: "2026-11-25T16:00:00Z"},
	} {
		now := at(t, step.now)
		if step.comes {
			w.came(now)
		}
		for _, w := range []*Watcher{w, watcher(step.now)} {
			w.expect(now)
			require.Equal(t, step.late, w.Overdue.Load(), step.now)
			if w.started.Equal(at(t, "2026-11-16T17:00:00Z")) && step.now < "2026-11-18T15" {
				break // nothing has ever come, so a new watcher expects nothing yet
			}
		}
	}
}
