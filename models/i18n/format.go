package i18n

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const minus = "\u2212"

// Number writes a whole number with thousands separators: 1,234 or 1.234.
func (l Language) Number(n int64) string { return l.Amount(strconv.FormatInt(n, 10)) }

// RoundNumber writes one of the round numbers of a scale in the unit that its largest needs: −2.5 m
// or 1.0 bn, and −2,5 mio. or 1,0 mia.
func (l Language) RoundNumber(n int64, scale ...int64) string {
	in := func(unit float64) string { return l.Amount(strconv.FormatFloat(float64(n)/unit, 'f', 1, 64)) }
	switch largest := slices.Max(scale); {
	case n != 0 && largest >= 1e9:
		return l.T("{number} bn", "number", in(1e9))
	case n != 0 && largest >= 1e6:
		return l.T("{number} m", "number", in(1e6))
	}
	return l.Number(n)
}

// Amount writes a decimal number such as -1234.50 in the language: −1,234.50 or
// −1.234,50. It only moves characters, so that no digit is lost. Text that is not
// decimal is returned unchanged.
func (l Language) Amount(decimal string) string {
	digits, negative := strings.CutPrefix(decimal, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	if !allDigits(whole) || hasFraction && !allDigits(fraction) {
		return decimal
	}
	group, point := ",", "."
	if l == Danish {
		group, point = ".", ","
	}
	var b strings.Builder
	if negative {
		b.WriteString(minus)
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(group)
		}
		b.WriteRune(digit)
	}
	if hasFraction {
		b.WriteString(point + fraction)
	}
	return b.String()
}

func allDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Date writes the day of t in its time zone: 2026-11-21 or 21.11.2026.
func (l Language) Date(t time.Time) string {
	if l == Danish {
		return t.Format("02.01.2006")
	}
	return t.Format(time.DateOnly)
}

// Clock writes the time of day of t in its time zone: 14:05 or 14.05. In UTC, it says so.
func (l Language) Clock(t time.Time) string { return t.Format(l.clock("15:04")) + utc(t) }

// Time writes t in its time zone, to the minute. In UTC, it says so.
func (l Language) Time(t time.Time) string { return l.Date(t) + " " + l.Clock(t) }

// Day writes the day of t in its time zone, as a part of a sentence: 21 November 2026, or
// 21.11.2026.
func (l Language) Day(t time.Time) string {
	if l == Danish {
		return l.Date(t)
	}
	return t.Format("2 January 2006")
}

// At writes t in its time zone, to the minute, as a part of a sentence: 21 November 2026
// at 14:05, or 21.11.2026 kl. 14.05.
func (l Language) At(t time.Time) string {
	if l == Danish {
		return l.Day(t) + " kl. " + t.Format(l.clock("15:04"))
	}
	return l.Day(t) + t.Format(" at 15:04")
}

// End writes when something ends, as a part of a sentence: its last day, or the time if that is
// not the end of a day.
func (l Language) End(t time.Time) string {
	if day, whole := LastDay(t); whole {
		return l.Day(day)
	}
	return l.At(t)
}

// ExactTime writes t to the second, with its time zone.
func (l Language) ExactTime(t time.Time) string {
	return l.Date(t) + " " + t.Format(l.clock("15:04:05")+" MST")
}

// ShortDay writes the day of t without its year: 2 Jan or 2. jan.
func (l Language) ShortDay(t time.Time) string {
	if l == Danish {
		return strconv.Itoa(t.Day()) + ". " + danishMonths[t.Month()-1]
	}
	return t.Format("2 Jan")
}

// ShortMonth writes the month of t without its year: Jan or jan.
func (l Language) ShortMonth(t time.Time) string {
	if l == Danish {
		return danishMonths[t.Month()-1]
	}
	return t.Format("Jan")
}

// Month writes the month of t: January 2026 or januar 2026.
func (l Language) Month(t time.Time) string {
	if l == Danish {
		return danishMonthNames[t.Month()-1] + t.Format(" 2006")
	}
	return t.Format("January 2006")
}

var (
	danishMonths = [...]string{
		"jan.", "feb.", "mar.", "apr.", "maj", "jun.", "jul.", "aug.", "sep.", "okt.", "nov.", "dec.",
	}
	danishMonthNames = [...]string{
		"januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober",
		"november", "december",
	}
)

// clock returns the layout of a time of day in the language.
func (l Language) clock(layout string) string {
	if l == Danish {
		return strings.ReplaceAll(layout, ":", ".")
	}
	return layout
}

func utc(t time.Time) string {
	if t.Location() == time.UTC {
		return " UTC"
	}
	return ""
}

// ReadDay reads a day with the name of its month in any of the languages, also shortened:
// 20 November 2026, Nov 20 or 20. nov. Without a year, it is the newest such day that is not
// after latest.
func ReadDay(text string, latest time.Time) (day time.Time, ok bool) {
	parts := strings.FieldsFunc(strings.ToLower(text),
		func(c rune) bool { return unicode.IsSpace(c) || c == '.' || c == ',' })
	for i, part := range parts {
		if month := monthNamed(part); month != 0 {
			parts[i] = month.String()
		}
	}
	text = strings.Join(parts, " ")
	for _, layout := range []string{"2 January 2006", "January 2 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
		for year := latest.Year(); year > latest.Year()-9; year-- { // 29 February may be eight years apart
			if day, err := time.Parse(layout, text+" "+strconv.Itoa(year)); err == nil && !day.After(latest) {
				return day, true
			}
		}
	}
	return time.Time{}, false
}

// monthNamed returns the month whose name begins with at least three letters, or 0.
func monthNamed(text string) time.Month {
	for month := time.January; len(text) >= 3 && month <= time.December; month++ {
		if strings.HasPrefix(strings.ToLower(month.String()), text) || strings.HasPrefix(danishMonthNames[month-1], text) {
			return month
		}
	}
	return 0
}
