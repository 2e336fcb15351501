package web

import "time"

// ErrorView is the view of any page that cannot be shown, with status 400 or above.
type ErrorView struct {
	Frame
	Status     int           // HTTP status
	Message    string        // one or two public sentences instead of the status's standard explanation; may be empty
	RequestID  string        // shown from status 500 on, to report to the operator; may be empty
	RetryAfter time.Duration // when to try again; not shown if zero
}

func (v ErrorView) title() string {
	switch v.Status {
	case 400, 405, 422:
		return "This can’t be done like that"
	case 403:
		return "Not yours to do"
	case 404:
		return "Nothing is here"
	case 413, 431:
		return "Too much was sent"
	case 429:
		return "Too much at once"
	case 503:
		return "Away for a moment"
	}
	return "Something went wrong here"
}

func (v ErrorView) explanation() string {
	switch v.Status {
	case 400, 405, 422:
		return "What was sent doesn’t fit this page. Go back, load the page anew, and try once more."
	case 403:
		return "Your role doesn’t allow this, or the form is too old. Go back and load the page anew; if it stays so, an owner or admin can do it."
	case 404:
		return "The address is wrong, or what was here is gone, or belongs to an organization that you are not working in at the moment."
	case 413, 431:
		return "What was sent is larger than this page takes."
	case 429:
		return "There were more attempts or requests than are allowed in so short a time."
	case 503:
		return "The service can’t reach its data at the moment. Nothing is lost."
	}
	return "The mistake is on our side, and it has been noted. What you did last may not have been done: look before you do it again."
}
