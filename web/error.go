package web

import (
	"strings"
	"time"
)

// ErrorView is the view of any page that cannot be shown, with status 400 or above.
type ErrorView struct {
	Frame
	Status     int           // HTTP status
	Message    string        // one or two public sentences instead of the status's standard explanation; may be empty
	RequestID  string        // shown from status 500 on, to report to the operator; may be empty
	RetryAfter time.Duration // when to try again; not shown if zero
	Form       *KeptFormView // to send again; nil for none
	Unsure     bool          // whether Form may have been acted on
}

// ElsewhereView is the view of a page that belongs to another of the user's organizations, or to
// one that is suspended.
//
// Form: POST /organization with organization and next, a path on this site, redirects with 303
// to next.
type ElsewhereView struct {
	Frame
	To Organization
}

// byLink reports whether the page was opened by a one-time link.
func (v ErrorView) byLink() bool {
	return strings.HasPrefix(v.Path, "/invitations/") || strings.HasPrefix(v.Path, "/password/") ||
		strings.HasPrefix(v.Path, "/sign-in/link/")
}

// words returns the page's title, and the status's standard explanation.
func (v ErrorView) words() (title, explanation string) {
	switch v.Status {
	case 400, 405, 422:
		return v.T("This request isn’t valid"),
			v.T("This page can’t handle the request. Go back, reload the page and try again.")
	case 403:
		return v.T("You don’t have permission"), v.T("Your role doesn’t allow this, or the form has expired. " +
			"Go back, reload the page and try again. If that doesn’t help, ask an owner or admin.")
	case 404:
		if v.byLink() {
			return v.T("This link no longer works"),
				v.T("It was already used, was withdrawn or has expired. Ask the person who sent it for a new one.")
		}
		return v.T("Page not found"), v.T("The address may be wrong, or the page may belong to another organization. " +
			"If you belong to several, switch organization and try again.")
	case 413, 431:
		return v.T("The request is too large"), v.T("You sent more than this page accepts.")
	case 429:
		return v.T("Too many requests"), v.T("You have made too many requests in a short time.")
	case 503:
		return v.T("Temporarily unavailable"), v.T("Dispo can’t reach its database right now. No data is lost.")
	}
	return v.T("Something went wrong"), v.T("The error is on our side and has been logged. " +
		"Your last change may not have been saved. Check before you repeat it.")
}
