package web

import (
	"strconv"
	"strings"
	"time"
)

const minus = "\u2212"

// number writes a whole number with its thousands apart.
func number(n int64, locale Locale) string {
	return amount(strconv.FormatInt(n, 10), locale)
}

// amount writes decimal text in the reader's way. It moves characters and never
// counts with them; what is no decimal text stays as it is.
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

// counted writes a number with its noun: 1 request, 2 requests.
func counted(n int64, locale Locale, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n, locale) + " " + many
}

func machineTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func exactTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }

func shortTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// since says how long before now something was.
func since(now, t time.Time) string {
	gone := now.Sub(t)
	if gone < 5*time.Second {
		return "just now"
	}
	return span(gone) + " ago"
}

// span says a length of time in its largest unit.
func span(d time.Duration) string {
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
			return counted(int64(d/unit.length), English, unit.name, unit.name+"s")
		}
	}
	return counted(max(1, int64(d/time.Second)), English, "second", "seconds")
}

const openEnded = "9999-12-31"

// hinted is a key as far as it can be shown again.
func hinted(hint string) string { return "dispo_…" + hint }

// by names who did something.
func by(email string) string {
	if email == "" {
		return "the operator"
	}
	return email
}

// client makes a user agent short: a browser and its system, or the first product
// that a program names.
func client(userAgent string) string {
	if userAgent == "" {
		return "an unnamed client"
	}
	if !strings.HasPrefix(userAgent, "Mozilla/") {
		product, _, _ := strings.Cut(userAgent, " ")
		return strings.Replace(product, "/", " ", 1)
	}
	browser := firstIn(userAgent, "a browser",
		"Edg", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := firstIn(userAgent, "",
		"iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS X", "macOS", "Linux", "Linux")
	if system == "" {
		return browser
	}
	return browser + " on " + system
}

// firstIn gives the name after the first of the marks that the text contains.
func firstIn(text, none string, marksAndNames ...string) string {
	for i := 0; i < len(marksAndNames); i += 2 {
		if strings.Contains(text, marksAndNames[i]) {
			return marksAndNames[i+1]
		}
	}
	return none
}

// grouped sets a secret that is typed by hand in groups of four.
func grouped(secret string) string {
	var groups []string
	for len(secret) > 4 {
		groups, secret = append(groups, secret[:4]), secret[4:]
	}
	return strings.Join(append(groups, secret), " ")
}

func (r Role) title() string {
	switch r {
	case Owner:
		return "Owner"
	case Admin:
		return "Admin"
	case Member:
		return "Member"
	}
	return string(r)
}

func (r Role) may() string {
	switch r {
	case Owner:
		return "does everything, and can make others owners"
	case Admin:
		return "creates and revokes keys, invites and removes people"
	}
	return "sees everything, changes nothing"
}

func (r Role) article() string {
	if r == Member {
		return "a member"
	}
	return "an " + string(r)
}

func (s CompanyStatus) title() string {
	if s == "" {
		return ""
	}
	return string(s[:1]) + strings.ToLower(string(s[1:]))
}
