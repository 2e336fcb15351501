package web

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

const minus = "\u2212"

// number formats a whole number with thousands separators.
func number(n int64, locale Locale) string {
	return amount(strconv.FormatInt(n, 10), locale)
}

// amount formats decimal text for the locale. It only moves characters and never
// parses a number. It returns text that is not decimal unchanged.
func amount(text string, locale Locale) string {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	if !allDigits(whole) || hasFraction && !allDigits(fraction) {
		return text
	}
	group, point := ",", "."
	if locale == Danish {
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

// count formats a number with its noun: 1 request, 2 requests.
func count(n int64, locale Locale, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return number(n, locale) + " " + plural
}

func machineTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func exactTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }

func shortTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

func isoDate(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// lastDate is the last day, or part of one, before t in a time zone.
func lastDate(t time.Time, zone *time.Location) string {
	return inZone(t.Add(-time.Nanosecond), zone).Format(time.DateOnly)
}

// inZone converts t to a time zone. A nil zone is UTC.
func inZone(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}

// timeAgo formats how long before now t was.
func timeAgo(now, t time.Time) string {
	elapsed := now.Sub(t)
	if elapsed < 5*time.Second {
		return "just now"
	}
	return duration(elapsed) + " ago"
}

// duration formats d in whole units of its largest unit, at least 1 second.
func duration(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{
		{365 * 24 * time.Hour, "year"},
		{30 * 24 * time.Hour, "month"},
		{24 * time.Hour, "day"},
		{time.Hour, "hour"},
		{time.Minute, "minute"},
	} {
		if d >= unit.length {
			return count(int64(d/unit.length), English, unit.name, unit.name+"s")
		}
	}
	return count(max(1, int64(d/time.Second)), English, "second", "seconds")
}

// maskedKey is a key without its secret part.
func maskedKey(hint string) string { return "dispo_…" + hint }

// personOrOperator returns the e-mail, or "the operator" if it is empty.
func personOrOperator(email string) string {
	if email == "" {
		return "the operator"
	}
	return email
}

// splitEmail splits an e-mail address after the @.
func splitEmail(text string) (name, host string) {
	if at := strings.Index(text, "@"); at >= 0 {
		return text[:at+1], text[at+1:]
	}
	return text, ""
}

// ClientName names the client of a user agent for people, such as Chrome on Windows.
func ClientName(userAgent string) string { return shortUserAgent(userAgent) }

// shortUserAgent shortens a user agent to its browser and system, or to the product
// that a program names first, in the program's own form, such as bookkeeper/2.1.
func shortUserAgent(userAgent string) string {
	if userAgent == "" {
		return "an unnamed client"
	}
	if !strings.HasPrefix(userAgent, "Mozilla/") {
		product, rest, _ := strings.Cut(userAgent, " ")
		if rest != "" && rest[0] >= '0' && rest[0] <= '9' && !strings.Contains(product, "/") {
			version, _, _ := strings.Cut(rest, " ")
			return product + " " + version
		}
		return product
	}
	// Programs that call themselves compatible give their own name after that.
	if _, program, ok := strings.Cut(userAgent, "(compatible; "); ok {
		if end := strings.IndexAny(program, ";) "); end > 0 {
			return program[:end]
		}
	}
	browser := firstMatch(userAgent, "a browser",
		"Edg", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := firstMatch(userAgent, "",
		"iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS X", "macOS", "Linux", "Linux")
	if system == "" {
		return browser
	}
	return browser + " on " + system
}

// firstMatch takes pairs of a substring and a name. It returns the name of the
// first substring in text, or fallback if text contains none.
func firstMatch(text, fallback string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if strings.Contains(text, pairs[i]) {
			return pairs[i+1]
		}
	}
	return fallback
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
