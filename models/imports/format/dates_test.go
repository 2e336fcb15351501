package format

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dateSpellings are patterns, what package time calls them, and how a date looks then.
var dateSpellings = []struct{ pattern, layout, shape string }{
	{"YYYY-MM-DD", "2006-01-02", `\d{4}-\d\d-\d\d`},
	{"ddMMyy", "020106", `\d{6}`},
	{"D-M-YYYY", "2-1-2006", `\d\d?-\d\d?-\d{4}`},
	{"MMMM D, YYYY", "January 2, 2006", `[A-Za-z]+ \d\d?, \d{4}`},
	{"D. MMM YYYY", "2. Jan 2006", `\d\d?\. [A-Za-z]+\.? \d{4}`},
	{"DDMMMYY", "02Jan06", `\d\d[A-Za-z]+\.?\d\d`},
	{"DD.MMM.YYYY", "02.Jan.2006", `\d\d\.[A-Za-z]+\.\d{4}`},
	{"YYYYDDD", "2006002", `\d{7}`},
	{"YYDDD", "06002", `\d{5}`},
	{"CYYMMDD", "2006-01-02", `\d{7}`},
	{"YYYYMMDD HH:MM:SS", "20060102 15:04:05", `\d{8} \d\d:\d\d:\d\d`},
	{"DD-MM-YYYYTHH.MM", "02-01-2006T15.04", `\d\d-\d\d-\d{4}T\d\d\.\d\d`},
}

var timeOfDay = regexp.MustCompile(`[ Tt]\d\d[:.]\d\d[:.\d]* ?$`)

// danish are the names of months that are not those of English.
var danish = strings.NewReplacer("januar ", "january ", "februar ", "february ", "marts ", "march ", "juni ", "june ",
	"juli ", "july ", "oktober ", "october ", "maj", "may", "okt", "oct")

// spelled returns the dates that a text may be, slowly: with package time.
func spelled(pattern, layout, shape, text string) (day time.Time, ok bool) {
	if !regexp.MustCompile(`^(?:` + shape + `)$`).MatchString(text) {
		return time.Time{}, false
	}
	text = strings.ReplaceAll(danish.Replace(strings.ToLower(text)+" "), "sept.", "sep.")
	text = strings.TrimSuffix(timeOfDay.ReplaceAllString(text, ""), " ")
	layout = timeOfDay.ReplaceAllString(layout, "")
	if pattern == "CYYMMDD" {
		century := map[byte]string{'0': "19", '1': "20", '2': "21", '3': "22", '4': "23", '5': "24", '6': "25", '7': "26",
			'8': "27", '9': "28"}[text[0]]
		text = century + text[1:3] + "-" + text[3:5] + "-" + text[5:]
	}
	day, err := time.Parse(layout, text)
	if !strings.Contains(pattern, "YYYY") && pattern != "CYYMMDD" && day.Year() >= 1969 && day.Year() < 1980 {
		day = day.AddDate(100, 0, 0)
	}
	return day, err == nil && day.Year() >= 1900
}

// Every day from 1980 to 2079 is read from what it is written as under every pattern.
func TestEveryDay(t *testing.T) {
	for _, spelling := range dateSpellings {
		format, ok := newDateFormat(spelling.pattern)
		require.True(t, ok, spelling.pattern)
		var buffer [len(time.DateOnly)]byte
		for day := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2080; day = day.AddDate(0, 0, 1) {
			text := day.Format(spelling.layout)
			if spelling.pattern == "CYYMMDD" {
				text = string(rune('0'+day.Year()/100-19)) + day.Format("060102")
			}
			date, reason := format.parse(&buffer, []byte(text))
			require.Equal(t, day.Format(time.DateOnly), string(date), "%s %s %s", spelling.pattern, text, reason)
		}
	}
}

// A text that is read as a date is that date, and no other text is one.
func FuzzDates(f *testing.F) {
	for i := range dateSpellings {
		for _, text := range []string{"2026-02-29", "290224", "1-2-2026", "March 1, 2026", "3. maj 2026", "03OKT26",
			"03.dec.1999", "2024366", "79365", "1260229", "0991231", "20260203 23:59:59", "03-02-2026T25.00"} {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 || i >= len(dateSpellings) {
			return
		}
		spelling := dateSpellings[i]
		format, _ := newDateFormat(spelling.pattern)
		var buffer [len(time.DateOnly)]byte
		date, reason := format.parse(&buffer, []byte(text))
		assert.Equal(t, reason == "", date != nil)
		if day, ok := spelled(spelling.pattern, spelling.layout, spelling.shape, text); reason == "" {
			assert.True(t, ok, "%q is %s", text, date)
			assert.Equal(t, day.Format(time.DateOnly), string(date))
		}
	})
}
