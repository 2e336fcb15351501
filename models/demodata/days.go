package demodata

import (
	"slices"
	"time"
)

// bankingWeeks returns the banking days of the last count weeks that are complete on
// lastDay, oldest first. A week is complete on its last banking day, which is the day
// of its delivery.
func bankingWeeks(lastDay time.Time, count int) [][]time.Time {
	last := date(lastDay.Date())
	monday := last.AddDate(0, 0, -(int(last.Weekday())+6)%7)
	if deliveryDay(bankingWeek(monday)).After(last) {
		monday = monday.AddDate(0, 0, -7)
	}
	weeks := make([][]time.Time, count)
	for i := range weeks {
		weeks[i] = bankingWeek(monday.AddDate(0, 0, 7*(i+1-count)))
	}
	return weeks
}

// deliveryDay returns the day of a week's delivery.
func deliveryDay(week []time.Time) time.Time { return week[len(week)-1] }

// newestDay returns the day of the newest delivery.
func newestDay(weeks [][]time.Time) time.Time { return deliveryDay(weeks[len(weeks)-1]) }

func bankingWeek(monday time.Time) []time.Time {
	var days []time.Time
	for i := range 5 {
		if day := monday.AddDate(0, 0, i); !bankHoliday(day) {
			days = append(days, day)
		}
	}
	return days
}

// bankHoliday reports whether Danish banks are closed on a weekday.
func bankHoliday(day time.Time) bool {
	switch day.Month() {
	case time.January:
		return day.Day() == 1
	case time.June:
		if day.Day() == 5 {
			return true
		}
	case time.December:
		return slices.Contains([]int{24, 25, 26, 31}, day.Day())
	}
	// Maundy Thursday, Good Friday, Easter Monday, Ascension Day and the day
	// after it, Whit Monday.
	afterEaster := int(day.Sub(easterSunday(day.Year())) / (24 * time.Hour))
	return slices.Contains([]int{-3, -2, 1, 39, 40, 50}, afterEaster)
}

// easterSunday returns the date of Easter, by the anonymous Gregorian computus.
func easterSunday(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return date(year, time.Month(month), day)
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
