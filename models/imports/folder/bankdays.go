package folder

import (
	"slices"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/dk"
)

// bankCalendar has the days on which Danish banks are closed: the public holidays, and
// those on which the banks' association, Finans Danmark, closes them too ("bankernes
// lukkedage").
var bankCalendar = func() *cal.BusinessCalendar {
	calendar := cal.NewBusinessCalendar()
	calendar.Holidays = slices.Concat(dk.Holidays, []*cal.Holiday{
		{Name: "Dagen efter Kristi Himmelfartsdag", Type: cal.ObservanceBank, Offset: 40, Func: cal.CalcEasterOffset},
		{Name: "Juleaftensdag", Type: cal.ObservanceBank, Month: time.December, Day: 24, Func: cal.CalcDayOfMonth},
		{Name: "Nytårsaftensdag", Type: cal.ObservanceBank, Month: time.December, Day: 31, Func: cal.CalcDayOfMonth},
	})
	return calendar
}()

func isBankDay(day time.Time) bool { return bankCalendar.IsWorkday(day) }
