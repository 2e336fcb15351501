package ledger

import (
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/dk"
)

// bankCalendar has the days on which Danish banks are closed, which are more than the public
// holidays: https://www.nationalbanken.dk/da/vores-arbejde/stabile-priser-pengepolitik-og-dansk-oekonomi/banklukkedage
var bankCalendar = newBankCalendar()

func newBankCalendar() *cal.BusinessCalendar {
	calendar := cal.NewBusinessCalendar()
	calendar.AddHoliday(dk.Holidays...)
	calendar.AddHoliday(
		&cal.Holiday{Offset: 40, Func: cal.CalcEasterOffset}, // the day after Ascension Day
		&cal.Holiday{Month: time.December, Day: 24, Func: cal.CalcDayOfMonth},
		&cal.Holiday{Month: time.December, Day: 31, Func: cal.CalcDayOfMonth},
	)
	return calendar
}

// BankDay reports whether Danish banks are open on the day of a time, in its own zone.
func BankDay(day time.Time) bool { return bankCalendar.IsWorkday(day) }
