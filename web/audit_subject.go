package web

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"dispo/models/i18n"
	"dispo/models/terms"
)

// part is a part of an entry's subject, such as a time or an amount. Entries are stored in
// English, and never change.
type part struct {
	actions string // what the names of its actions begin with
	stored  *regexp.Regexp
	shown   func(f Frame, found []string) string
}

func newPart(actions, stored string, shown func(f Frame, found []string) string) part {
	return part{actions, regexp.MustCompile(stored), shown}
}

const (
	storedSum = `(\d+) transactions? of (-?[\d.]+) DKK`
	storedDay = `(\d{4}-\d\d-\d\d)`
)

var parts = []part{
	newPart("key.", ` \((dispo_\S+)\), called (.*) before`, func(f Frame, p []string) string {
		return f.T(" ({key}), called {name} before", "key", p[1], "name", p[2])
	}),
	newPart("key.", `, note changed$`, func(f Frame, _ []string) string { return f.T(", note changed") }),
	newPart("key.", `, expires at (\S+ \S+ UTC)$`,
		func(f Frame, p []string) string { return f.T(", expires after {day}", "day", f.storedEnd(p[1])) }),
	newPart("key.", `, at (\S+ \S+ UTC)$`,
		func(f Frame, p []string) string { return f.T(", after {day}", "day", f.storedEnd(p[1])) }),
	newPart("key.", `, when unused for (\d+) days?$`, func(f Frame, p []string) string {
		return f.N(whole(p[1]), ", when unused for {n} day", ", when unused for {n} days")
	}),
	newPart("key.", `: unused for (\d+) days?$`, func(f Frame, p []string) string {
		return f.N(whole(p[1]), ": unused for {n} day", ": unused for {n} days")
	}),
	newPart("key.", `, reported as leaked$`, func(f Frame, _ []string) string { return f.T(", reported as leaked") }),
	newPart("key.", `, by schedule`, func(f Frame, _ []string) string { return f.T(", by schedule") }),
	newPart("key.caller", `^other callers`, func(f Frame, _ []string) string { return f.T("Other callers") }),
	newPart("key.caller", `^(.*) from (\S+), `, func(f Frame, p []string) string {
		if p[1] == "unnamed client" {
			p[1] = f.T("An unnamed client")
		}
		return f.T("{client} from {address}", "client", p[1], "address", p[2]) + ", "
	}),
	newPart("organization.change",
		`notification address from (\S+|`+deletedUser+`) to (\S+|`+deletedUser+`)$`, func(f Frame, p []string) string {
			return f.T("notification address from {old} to {new}", "old", f.orNone(p[1]), "new", f.orNone(p[2]))
		}),
	newPart("organization.change", `delivery time from (\S+) to ([^\s,]+)`, func(f Frame, p []string) string {
		return f.T("delivery time from {old} to {new}", "old", f.expectedBy(p[1]), "new", f.expectedBy(p[2]))
	}),
	newPart("organization.change", `time zone from (\S+) to ([^\s,]+)`, func(f Frame, p []string) string {
		return f.T("time zone from {old} to {new}", "old", p[1], "new", p[2])
	}),
	newPart("organization.change", `^name from (.*?) to (.*)$`, func(f Frame, p []string) string {
		return f.T("name from {old} to {new}", "old", p[1], "new", p[2])
	}),
	newPart("provider.set", `^a new client secret for (\S+)$`, func(f Frame, p []string) string {
		return f.T("a new client secret for {provider}", "provider", p[1])
	}),
	newPart("delivery.withdraw", `: `+storedSum+`\. Reason: `, func(f Frame, p []string) string {
		return f.N(whole(p[1]), ": {n} transaction of {amount} DKK. Reason: ", ": {n} transactions of {amount} DKK. Reason: ",
			"amount", f.Amount(p[2]))
	}),
	newPart("delivery.backfill", `^`+storedSum+` from earlier deliveries`, func(f Frame, p []string) string {
		return f.N(whole(p[1]), "{n} transaction of {amount} DKK from earlier deliveries",
			"{n} transactions of {amount} DKK from earlier deliveries", "amount", f.Amount(p[2]))
	}),
	newPart("delivery.backfill", ` of the company (\d{8})`,
		func(f Frame, p []string) string { return f.T(" of the company {cvr}", "cvr", p[1]) }),
	newPart("delivery.backfill", ` from `+storedDay+` on$`,
		func(f Frame, p []string) string { return f.T(" from {day} on", "day", f.dateText(p[1])) }),
}

// exportParts are the parts of a downloaded file's subject, which begins with its format.
var exportParts = []part{
	newPart("", `, from `+storedDay,
		func(f Frame, p []string) string { return f.T(", from {day}", "day", f.dateText(p[1])) }),
	newPart("", `, to `+storedDay, func(f Frame, p []string) string { return f.T(", to {day}", "day", f.dateText(p[1])) }),
	newPart("", `, type `, func(f Frame, _ []string) string { return f.T(", type ") }),
	newPart("", `, amount `, func(f Frame, _ []string) string { return f.T(", amount ") }),
	newPart("", `, search “(.*)”`, func(f Frame, p []string) string { return f.T(", search “{text}”", "text", p[1]) }),
	newPart("", `, status (\w+)`, func(f Frame, p []string) string {
		return f.T(", status {status}", "status", f.CompanyStatus(p[1]))
	}),
	newPart("", `, delivery `, func(f Frame, _ []string) string { return f.T(", delivery ") }),
	newPart("", `, key `, func(f Frame, _ []string) string { return f.T(", key ") }),
	newPart("", `, person `, func(f Frame, _ []string) string { return f.T(", person ") }),
	newPart("", `, action “(.*)”`,
		func(f Frame, p []string) string { return f.T(", action “{action}”", "action", f.Lookup(p[1])) }),
}

// subject is what the action was applied to, for the reader.
func (r AuditRow) subject(f Frame) string {
	return strings.ReplaceAll(r.storedSubject(f), deletedUser, f.person(deletedUser))
}

func (r AuditRow) storedSubject(f Frame) string {
	switch r.Action {
	case "password.set":
		if r.Subject == "by one-time link" {
			return f.T("by one-time link")
		}
	case "member.join":
		return f.roleTitle(terms.Role(r.Subject))
	case "member.invite", "member.role", "user.create":
		if email, role, ok := strings.Cut(r.Subject, ": "); ok {
			return email + ": " + f.roleTitle(terms.Role(role))
		}
	}
	if strings.HasSuffix(r.Action, ".export") {
		for _, format := range DownloadFormats {
			if filter, ok := strings.CutPrefix(r.Subject, format); ok {
				return f.Lookup(format) + r.say(f, filter, exportParts)
			}
		}
	}
	return r.say(f, r.Subject, parts)
}

// say puts the parts of a text into the reader's language.
func (r AuditRow) say(f Frame, text string, parts []part) string {
	for _, p := range parts {
		if strings.HasPrefix(r.Action, p.actions) {
			text = p.stored.ReplaceAllStringFunc(text,
				func(found string) string { return p.shown(f, p.stored.FindStringSubmatch(found)) })
		}
	}
	return text
}

// storedEnd returns when something ends, by the entry, where the organization is.
func (f Frame) storedEnd(text string) string {
	t, err := time.Parse("2006-01-02 15:04 UTC", text)
	if err != nil {
		return text
	}
	day, whole := i18n.LastDay(f.local(t))
	if whole {
		return f.Date(day)
	}
	return f.Time(f.local(t))
}

func (f Frame) orNone(text string) string {
	if text == "none" {
		return f.T("none")
	}
	return text
}

func whole(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}
