package web

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A bar is as high as its sum, whatever its size; withdrawn sums lie on top of it, and the
// usual one is a line. A day that took money back has its bar below the line, at the same
// scale, and a day to come looks like one and is not in what was received.
func TestDayBars(t *testing.T) {
	bars := DayBars{Link: "/transactions", Days: []ReceivedDay{
		{Day: "2026-11-16", Amount: "100.00", UsualAmount: "50.00", UsualCount: 1},
		{Day: "2026-11-17", Amount: "50.00", WithdrawnFiles: 1, WithdrawnAmount: "50.00"},
		{Day: "2026-11-18", Amount: "-40.00", UsualAmount: "0.00"},
		{Day: "2026-11-20", Amount: "0.00"},
		{Day: "2026-11-21", Amount: "-0.75"},
	}}
	d := bars.draw(frame("/"))
	whole, half := d.bars[0].served.height, d.bars[1].served.height
	assert.NotEqual(t, whole, half)
	assert.Equal(t, half, d.bars[1].refused.height)
	assert.Equal(t, d.bars[0].served.y, d.bars[1].refused.y)
	assert.True(t, d.bars[0].usual.y != "" && d.bars[2].usual.y == "", "%+v", d.bars)
	assert.Contains(t, d.bars[2].title, "\u221240.00")
	assert.Contains(t, d.summary, "110.00\u00a0DKK received. The most: 100.00\u00a0DKK, Monday 2026-11-16")
	of := func(text string) (n float64) {
		n, _ = strconv.ParseFloat(text, 64)
		return n
	}
	line := of(d.bars[0].served.y) + of(whole) // of zero
	for i, below := range []bool{false, false, true, true, true} {
		assert.Equal(t, (below || i == 3), of(d.bars[i].served.y) >= line-0.02, "bar %d is at %+v, the line at %v", i,
			d.bars[i].served, line)
	}
	if ratio := of(d.bars[2].served.height) / of(whole); ratio < 0.39 || ratio > 0.41 ||
		of(d.bars[2].served.y)+of(d.bars[2].served.height) > chartHeight+0.02 {
		t.Errorf("%+v beside %s", d.bars[2].served, whole)
	}
	assert.False(t, d.lines[0].label == "0" && d.bars[4].ahead == d.bars[3].ahead, "%+v", d)
	assert.Contains(t, d.bars[4].title, "\u22120.75\u00a0DKK, to come")
	for language, words := range map[Locale][]string{
		English: {"2026-11-16 to 2026-11-20: 110.00\u00a0DKK received", "\u22120.75\u00a0DKK to come", `class="ahead"`},
		Danish:  {"16.11.2026 til 20.11.2026: 110,00\u00a0kr. modtaget", "\u22120,75\u00a0kr. på kommende dage"},
	} {
		f := frame("/")
		f.Locale = language
		text := rendered(t, dayChart(f, bars))
		for _, word := range words {
			assert.Contains(t, text, word)
		}
	}
	bars.Days[1].SentAgain = true
	again := bars.draw(frame("/"))
	assert.Equal(t, "0.00", again.bars[1].refused.height, "what was sent again is not drawn twice")
	assert.False(t, again.withdrawn)
	assert.Contains(t, again.bars[1].title, "and 50.00\u00a0DKK withdrawn, sent again since")
	assert.Contains(t, rendered(t, dayNote(frame("/"), bars.Days[1])), "(sent again since)")
	for i, day := range bars.Days { // the value stands over its bar, and the labels are Mondays
		assert.Contains(t, d.bars[i].value.text, English.Amount(day.Amount))
		assert.Equal(t, day.Day == "2026-11-16", i < len(d.ticks) && d.ticks[i].label == "16 Nov", d.ticks)
	}
	assert.Equal(t, []string{"start", "middle", "end"},
		[]string{d.bars[0].value.anchor, d.bars[2].value.anchor, d.bars[4].value.anchor})
	only := DayBars{Days: []ReceivedDay{{Day: "2026-11-18", Amount: "-40.00"}}}.draw(frame("/"))
	assert.False(t, strings.Contains(only.summary, "nothing") || of(only.bars[0].served.height) < 100, "%+v", only)
	huge := DayBars{
		Days: []ReceivedDay{{Day: "2026-11-16", Amount: "999999999999999999999999999999.00"}, {Day: "x", Amount: "x"}},
	}.draw(frame("/"))
	assert.False(t, huge.bars[0].served.height == "0.00" || strings.Contains(huge.bars[0].served.height, "-"), "%+v",
		huge.bars)
	months := DayBars{ByMonth: true, Link: "/x", Days: []ReceivedDay{{Day: "2026-02-01", Amount: "1.00"}}}.draw(frame("/"))
	assert.Equal(t, "/x?from=2026-02-01&to=2026-02-28 February 2026: 1.00\u00a0DKK Feb",
		months.bars[0].href+" "+months.bars[0].title+" "+months.ticks[0].label)
}

// What a day has beside the usual is said in the same words on overview, days and
// deliveries. Only a full day has nothing, or is unusually low: today may still get
// something. A day to come has that word only if it has money already.
func TestVerdictOfDay(t *testing.T) {
	for _, row := range []struct {
		day        string
		count      int64
		amount     string
		usualCount int64
		usual      string
		expected   string
		danish     string
	}{
		{"2026-11-19", 0, "0.00", 4, "100.00", "Nothing received", "Intet modtaget"},
		{"2026-11-20", 0, "0.00", 4, "100.00", "Nothing received yet", "Intet modtaget endnu"},
		{"2026-11-21", 0, "0.00", 4, "100.00", "", ""}, // nothing is known of it
		{"2026-11-19", 4, "49.99", 4, "100.00", "Unusually low", "Usædvanligt lavt"},
		{"2026-11-19", 1, "100.00", 4, "100.00", "Unusually low", "Usædvanligt lavt"},
		{"2026-11-20", 4, "49.99", 4, "100.00", "Unusually low so far", "Usædvanligt lavt indtil nu"},
		{"2026-11-21", 10, "-5474.95", 40, "9000.00", "To come", "Kommende"},
		{"2026-11-21", 10, "9000.00", 0, "", "To come", "Kommende"},
		{"2026-11-19", 2, "50.00", 4, "100.00", "", ""},
		{"2026-11-20", 2, "50.00", 4, "100.00", "", ""},
		{"2026-11-19", 0, "0.00", 0, "0.00", "", ""},
		{"2026-11-20", 0, "0.00", 0, "", "", ""},
	} {
		d := ReceivedDay{Day: row.day, Count: row.count, Amount: row.amount, UsualCount: row.usualCount,
			UsualAmount: row.usual, Files: 1}
		for language, expected := range map[Locale]string{English: row.expected, Danish: row.danish} {
			f := frame("/")
			f.Locale = language
			shown := rendered(t, dayNote(f, d))
			assert.Equal(t, expected, strings.TrimSpace(tags.ReplaceAllString(shown, "")), row)
			assert.Equal(t, expected != "", d.noted(f), row)
			assert.Equal(t, d.short(f), strings.Contains(shown, "state warning"), row)
		}
	}
}

// The overview is about the newest day that is not to come. It names what follows: today until
// its deliveries are in, days to come and withdrawn ones. What is short needs attention, before the
// keys and requests, with what to do, and only there: the latest few of a week, and of all since
// the newest.
func TestLaterDays(t *testing.T) {
	missing := func(day string) ReceivedDay {
		return ReceivedDay{Day: day, Amount: "0.00", UsualCount: 4, UsualAmount: "100.00"}
	}
	withdrawn := ReceivedDay{Day: "2026-11-15", Amount: "0.00", WithdrawnFiles: 1, WithdrawnCount: 2,
		WithdrawnAmount: "7.00", WithdrawnID: "id"}
	ahead := ReceivedDay{Day: "2026-11-23", Count: 10, Amount: "-5474.95", UsualCount: 40, UsualAmount: "9000.00"}
	v := OverviewView{Frame: frame("/"), Newest: ReceivedDay{Day: "2026-11-13", Count: 1, Amount: "5.00"},
		RefusedToday: 100, MoreRefused: true}
	v.Bars.Days = []ReceivedDay{
		missing("2026-11-12"), v.Newest, {Day: "2026-11-14", Amount: "0.00"}, withdrawn,
		missing("2026-11-16"), missing("2026-11-20"), ahead,
	}
	hold := func(text string, words ...string) {
		t.Helper()
		at := 0
		for _, word := range words { // in this order
			next := strings.Index(text[at:], word)
			assert.GreaterOrEqual(t, next, 0, "no %q in %s", word, text[at:])
			at += max(0, next)
		}
	}
	hold(rendered(t, money(v))+rendered(t, days(v)), "Friday 2026-11-13", "Sunday 2026-11-15</a>:",
		"Withdrawn: 2 records of 7.00\u00a0DKK", "Friday 2026-11-20</a>:", "Nothing received yet", "Monday 2026-11-23</a>:",
		"To come", "\u22125,474.95\u00a0DKK so far")
	hold(rendered(t, attention(v)), "Monday 2026-11-16:", "Nothing received",
		"Usually 4 transactions of 100.00\u00a0DKK.",
		"/days?day=2026-11-16&amp;month=2026-11#day-2026-11-16", "At least 100 requests were refused",
		"If a delivery is missing, ask the operator")
	v.Locale = Danish
	hold(rendered(t, attention(v)), "mandag 16.11.2026:",
		"Intet modtaget", "Normalt 4 transaktioner på i alt 100,00\u00a0kr.", "Spørg operatøren")
	if later, short := v.later(), v.short(); len(later) != 3 || later[0].Day != "2026-11-15" || len(short) != 1 ||
		short[0].Day != "2026-11-16" {
		t.Error(later, short)
	}
	v.Newest.Day = "2026-11-19"
	if short := v.short(); len(short) != 1 || short[0].Day != "2026-11-16" {
		t.Error(short, "of the last week")
	}
	for range 10 {
		v.Bars.Days = append(v.Bars.Days, missing("2026-11-19"))
	}
	if short := v.short(); len(short) != shortShown || short[0].Day != "2026-11-19" {
		t.Error(short)
	}
	v.Newest, v.Bars.Days, v.Locale = ReceivedDay{}, []ReceivedDay{ahead}, English
	hold(rendered(t, money(v))+rendered(t, days(v)), "Nothing has been received up to today.",
		"Monday 2026-11-23</a>:", "To come")
}

// The overview says by how much the newest day differs from a usual one, in whole percent: not
// while more may come with it, nor where too few days are known or the usual is no income.
func TestComparedWithTheUsual(t *testing.T) {
	day := func(amount, usual string, compared bool) ReceivedDay {
		return ReceivedDay{Day: "2026-11-20", Count: 1, Amount: amount, UsualCount: 1, UsualAmount: usual, Compared: compared}
	}
	for _, row := range []struct {
		day     ReceivedDay
		soFar   bool
		english string
		danish  string
	}{
		{day("122.40", "100.00", true), false, "22% more than a usual Friday", "22 % mere end en normal fredag"},
		{day("122.50", "100.00", true), false, "23% more than a usual Friday", "23 % mere end en normal fredag"},
		{day("50.00", "100.00", true), false, "50% less than a usual Friday", "50 % mindre end en normal fredag"},
		{day("-20.00", "100.00", true), false, "120% less than a usual Friday", "120 % mindre end en normal fredag"},
		{day("99.60", "100.00", true), false, "as on a usual Friday", "som en normal fredag"},
		{day("50.00", "100.00", true), true, "so far", "indtil nu"},
		{day("50.00", "100.00", false), true, "so far", "indtil nu"},
		{day("50.00", "100.00", false), false, "", ""},
		{day("50.00", "", true), false, "", ""},
		{day("50.00", "0.00", true), false, "", ""},
		{day("50.00", "-100.00", true), false, "", ""},
	} {
		v := OverviewView{Frame: frame("/"), Newest: row.day, SoFar: row.soFar}
		assert.Equal(t, row.english, v.compared(), row)
		v.Locale = Danish
		assert.Equal(t, row.danish, strings.ReplaceAll(v.compared(), "\u00a0", " "), row)
	}
}

// The companies that usually send on a weekday and sent nothing are named on the overview, also
// where the day as a whole is ordinary: the largest by name, and the others by a link.
func TestAbsentOnOverview(t *testing.T) {
	thursday := ReceivedDay{Day: "2026-11-19", Count: 90, Amount: "90.00"}
	named := []CompanyRow{
		{CVR: "10000001", Name: "First"},
		{CVR: "10000002", Name: "Second"},
		{CVR: "10000003", Name: "Third"},
	}
	for _, row := range []struct {
		count           int64
		english, danish string
	}{
		{0, "", ""},
		{1, "1 company that usually sends on Thursdays sent nothing (usually 1,462.40\u00a0DKK): First",
			"1 virksomhed, der normalt sender om torsdagen, sendte intet (normalt 1.462,40\u00a0kr.): First"},
		{3, "3 companies that usually send on Thursdays sent nothing (usually 1,462.40\u00a0DKK): First · Second · Third",
			"3 virksomheder, der normalt sender om torsdagen, sendte intet (normalt 1.462,40\u00a0kr.): First · Second · Third"},
		{4, ": First · Second · Third and 1 more", ": First · Second · Third og 1 anden"},
		{5, ": First · Second · Third and 2 more", ": First · Second · Third og 2 andre"},
	} {
		for language, want := range map[Locale]string{English: row.english, Danish: row.danish} {
			v := OverviewView{Frame: frame("/"), Absent: AbsentCompanies{Day: thursday, Count: row.count, Usual: "1462.40",
				Named: named[:min(row.count, 3)]}}
			v.Locale = language
			shown := rendered(t, attention(v))
			assert.Equal(t, want == "", shown == "", row)
			assert.Contains(t, strings.Join(strings.Fields(tags.ReplaceAllString(shown, "")), " "),
				strings.ReplaceAll(want, "\u00a0", " "), row)
			assert.Equal(t, row.count > 3, strings.Count(shown, "#day-2026-11-19") == 2, row)
		}
	}
}
