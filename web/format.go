package web

import (
	"html"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/a-h/templ"

	"dispo/models/i18n"
)

func machineTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// isoDate is the day of t in UTC, in the API's format.
func isoDate(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// dateText formats a date in the API's format.
func (f Frame) dateText(text string) string {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return f.Date(t)
}

// daysUntil is how many days of the calendar are left until an end.
func (f Frame) daysUntil(end time.Time) string {
	last, _ := i18n.LastDay(f.local(end))
	switch days := i18n.DaysUntil(f.local(f.Now), last); days {
	case 0:
		return f.T("today")
	case 1:
		return f.T("tomorrow")
	default:
		return f.N(int64(days), "in {n} day", "in {n} days")
	}
}

// inZone converts t to a time zone. A nil zone is UTC.
func inZone(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}

// timeAgo formats how long before now t was. The script writes it in the same way.
func timeAgo(l Locale, now, t time.Time) string {
	elapsed := now.Sub(t)
	if elapsed < 5*time.Second {
		return l.T("just now")
	}
	return l.T("{duration} ago", "duration", durationIn(l, elapsed))
}

// durationIn formats d in whole units of its largest unit, at least 1 second.
func durationIn(l Locale, d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 365*day:
		return l.N(int64(d/(365*day)), "{n} year", "{n} years")
	case d >= 30*day:
		return l.N(int64(d/(30*day)), "{n} month", "{n} months")
	case d >= day:
		return l.N(int64(d/day), "{n} day", "{n} days")
	case d >= time.Hour:
		return l.N(int64(d/time.Hour), "{n} hour", "{n} hours")
	case d >= time.Minute:
		return l.N(int64(d/time.Minute), "{n} minute", "{n} minutes")
	}
	return l.N(max(1, int64(d/time.Second)), "{n} second", "{n} seconds")
}

// maskedKey is a key without its secret part.
func (f Frame) maskedKey(hint string) string {
	if f.Organization.Sandbox {
		return "dispo_test_…" + hint
	}
	return "dispo_…" + hint
}

// person returns the e-mail, or the operator of this service if it is empty. It puts what
// stands for a deleted user into the reader's language.
func (f Frame) person(email string) string {
	switch email {
	case "":
		return f.T("the operator of this service")
	case deletedUser:
		return f.T("a deleted user")
	}
	return email
}

// deletedUser is stored in place of a deleted user's e-mail.
const deletedUser = "a deleted user"

var mailHost = regexp.MustCompile(`@[^@\s]+`)

// wrapped is text whose e-mail addresses wrap after their @, then before a dot of the host, and
// anywhere if that is not enough.
func wrapped(text string) templ.Component {
	return templ.Raw(mailHost.ReplaceAllStringFunc(html.EscapeString(text), func(host string) string {
		return `@<wbr><span class="host">` + strings.ReplaceAll(host[1:], ".", "<wbr>.") + "</span>"
	}))
}

// initials returns one or two letters for a person's e-mail address: of the first two
// parts of its name.
func initials(email string) string {
	name, _, _ := strings.Cut(email, "@")
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var letters []rune
	for _, part := range parts[:min(len(parts), 2)] {
		letters = append(letters, unicode.ToUpper([]rune(part)[0]))
	}
	return string(letters)
}
