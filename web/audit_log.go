package web

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dispo/models/i18n"
)

// AuditLogView is the view of GET /settings/audit-log?person=&action=&key=&from=&to=&before=.
// All parameters are optional.
//
// Forms:
//
//   - GET /settings/audit-log with person, action, from and to.
type AuditLogView struct {
	Frame
	Filter   AuditFilter
	Rows     []AuditRow // newest first
	Pager    Pager      // Prev leads to newer entries, Next to older ones; both keep Filter
	Download Download   // keeps Filter
}

// AuditFilter is the filter of the audit log. Empty fields select everything.
type AuditFilter struct {
	Person   string // e-mail, or operator
	Action   string // as in AuditRow
	Key      string // id of the API key that entries are about
	From, To string // first and last local day, YYYY-MM-DD
}

// Describe says in English words what the filter selects: nothing for everything.
func (f AuditFilter) Describe() []string {
	action := ""
	if f.Action != "" {
		action = "“" + actionTexts[f.Action] + "”"
	}
	return describe("person", f.Person, "action", action, "key", f.Key, "from", f.From, "to", f.To)
}

// people are the people on the page, to choose from, in alphabetical order.
func (v AuditLogView) people() (people []string) {
	for _, r := range v.Rows {
		people = append(people, cmp.Or(r.Actor, "operator"))
	}
	slices.Sort(people)
	return slices.Compact(people)
}

// KnownAction reports whether the audit log has a text for the action.
func KnownAction(action string) bool { return actionTexts[action] != "" }

// Texts describe an entry's action and its subject to a reader. To the zero Frame it is in
// English.
func (r AuditRow) Texts(f Frame) (action, subject string) { return r.actionText(f), r.subject(f) }

// knownActions are the actions with a text, in the order of their texts.
func knownActions(f Frame) []string {
	var actions []string
	for action := range actionTexts {
		actions = append(actions, action)
	}
	i18n.SortNames(actions, func(action string) string { return f.Lookup(actionTexts[action]) })
	return actions
}

// AuditRow is an entry of the audit log.
type AuditRow struct {
	At     time.Time
	Actor  string // e-mail; empty for the operator's command
	Action string // as stored, such as key.create; actionText describes it
	// Subject is what the action was applied to, in words. It may be empty.
	Subject string
	Address string // the client's IP address, or Automatic; empty for the operator's command
	KeyID   string // of the API key that it is about; empty if there is none
}

// Automatic is the address of what Dispo does by itself.
const Automatic = "automatic"

var actionTexts = map[string]string{
	"session.start":           "Signed in",
	"session.fail":            "Failed to sign in",
	"session.switch":          "Switched to this organization",
	"session.sign_out":        "Signed out",
	"session.end":             "Ended another of their sessions",
	"session.end_others":      "Ended all their other sessions",
	"key.create":              "Created a key",
	"key.rotate":              "Created a replacement key",
	"key.revoke":              "Revoked a key",
	"key.leaked":              "Reported a leaked key",
	"key.schedule_revoke":     "Scheduled a key to be revoked",
	"key.unschedule_revoke":   "Canceled the scheduled revocation of a key",
	"key.caller_dismiss":      "Dismissed a caller of a key",
	"key.caller_restore":      "Restored a dismissed caller of a key",
	"key.change":              "Changed a key",
	"key.pause":               "Paused a key",
	"key.resume":              "Resumed a key",
	"delivery.withdraw":       "Withdrew a delivery",
	"delivery.backfill":       "Added earlier records",
	"audit_log.export":        "Exported the audit log",
	"transactions.export":     "Downloaded transactions",
	"companies.export":        "Downloaded companies",
	"deliveries.export":       "Downloaded deliveries",
	"days.export":             "Downloaded days",
	"requests.export":         "Downloaded what was read with a key",
	"member.invite":           "Invited a member",
	"member.uninvite":         "Withdrew an invitation",
	"member.join":             "Joined the organization",
	"member.role":             "Changed a member’s role",
	"member.remove":           "Removed a member",
	"user.create":             "Added a user",
	"user.delete":             "Deleted a user",
	"password.set":            "Set a new password",
	"password.link":           "Created a link to set a password",
	"password.forgotten":      "Asked for a link to set a new password",
	"sign_in.unlock":          "Asked for a link to sign in after too many attempts",
	"provider.set":            "Set the single sign-on",
	"provider.remove":         "Removed the single sign-on",
	"provider.try":            "Tried the single sign-on",
	"provider.enable":         "Turned on single sign-on",
	"provider.disable":        "Turned off single sign-on",
	"provider.require":        "Required single sign-on",
	"provider.allow_password": "Stopped requiring single sign-on",
	"provider.trust_factor":   "Made single sign-on enough where a second factor is required",
	"provider.ask_factor":     "Required a second factor beside single sign-on",
	"provider.link":           "Linked an account to the single sign-on",

	"second_factor.on":      "Turned on the second factor",
	"second_factor.off":     "Turned off the second factor",
	"recovery_codes.create": "Created new recovery codes",
	"recovery_codes.use":    "Used a recovery code",
	"user.disable":          "Disabled a user",
	"user.enable":           "Enabled a user",
	"organization.change":   "Changed the organization’s settings",
	"organization.suspend":  "Suspended the organization",
	"organization.resume":   "Reinstated the organization",
	"organization.limit":    "Set the organization’s limits for requests",

	"organization.renew_history": "Told API clients to copy all data again",

	"second_factor.require":    "Required a second factor for all members",
	"second_factor.allow_none": "Stopped requiring a second factor",
}

// operatorTexts are the actions that read otherwise if the operator did them to a user.
var operatorTexts = map[string]string{
	"session.end":       "Signed a user out everywhere",
	"second_factor.off": "Turned off a user’s second factor",
}

// actionText describes the action. An unknown action is returned as stored.
func (r AuditRow) actionText(f Frame) string {
	if r.Action == "member.remove" && r.Subject == r.Actor {
		return f.T("Left the organization")
	}
	if text, ok := operatorTexts[r.Action]; ok && r.Actor == "" {
		return f.Lookup(text)
	}
	if text, ok := actionTexts[r.Action]; ok {
		return f.Lookup(text)
	}
	return r.Action
}

// person names the actor to the reader.
func (r AuditRow) person(f Frame) string {
	if r.Address == Automatic {
		return f.T("Schedule")
	}
	return capitalize(f.person(r.Actor))
}

// capitalize makes the first letter upper-case, except in an e-mail address.
func capitalize(text string) string {
	if text == "" || strings.Contains(text, "@") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
