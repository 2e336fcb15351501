package dashboard

import (
	"fmt"
	"strconv"
	"time"
)

// valueOf returns what a pointer points to, or the zero value for nil.
func valueOf[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

// optional formats a value, or returns "" for none.
func optional[T any](value *T, format func(T) string) string {
	if value == nil {
		return ""
	}
	return format(*value)
}

// kroner formats an amount in øre as kroner.
func kroner(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// apiDate returns a day as the API writes it.
func apiDate(day time.Time) string { return day.UTC().Format(time.DateOnly) }

// apiTime returns a time as the API writes it.
func apiTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// lastDay returns a day, or nothing for the end of a registration that is open-ended.
func lastDay(day time.Time) string {
	if day.Year() == 9999 {
		return ""
	}
	return apiDate(day)
}
