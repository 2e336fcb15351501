package web

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"

	"dispo/models/terms"
)

// Frame is what every page shows around its content.
type Frame struct {
	Path    string         // as requested, without its query; it marks the current page in the navigation
	Address string         // path and query as requested, to come back to
	Now     time.Time      // when the page was made; relative times count from it
	Known   time.Time      // uses of keys before this moment are recorded; later ones may still be in memory
	Locale                 // the reader's language
	Zone    *time.Location // the organization's time zone, in which pages show times and last days end; nil is UTC
	// Expiring are the keys that stop working within two weeks and have no replacement,
	// the first to expire first. Only owners and admins see them.
	Expiring     []ExpiringKey
	FactorDue    time.Time    // from when on the user needs a second factor; zero if it is on, or the service requires none
	UserID       string       // goes into every form as shown_to; empty if nobody is signed in
	ByProvider   bool         // the organization's identity provider opened the session, which has no profile
	UserEmail    string       // empty if nobody is signed in; then the page has no navigation
	Organization Organization // that the user currently works in
	// Organizations are all that the user belongs to, sorted by name. With two or more,
	// the frame offers to switch: POST /organization with organization, an Organization.ID.
	Organizations []Organization
	Role          terms.Role // in Organization
	CanManage     bool       // the user may change keys and members; otherwise pages name the roles that can
	Support       string     // the operator's e-mail address or URL; may be empty
	FormToken     string     // goes into every form as form_token
	Search        string     // what was searched for, for the field in the head
	Notice        string     // reports a completed change, once, after a redirect
}

// ExpiringKey is a key that stops working soon.
type ExpiringKey struct {
	ID        string
	Name      string
	Hint      string // the key's last four characters
	ExpiresAt time.Time
}

// Organization is an organization that the user belongs to.
type Organization struct {
	ID      string
	Name    string
	Role    terms.Role // the user's role there
	Sandbox bool       // its data is made up
	// Suspended means that nobody can work in it until the operator resumes it.
	Suspended bool
}

func (f Frame) supportAddress() templ.SafeURL {
	if strings.HasPrefix(f.Support, "https://") {
		return templ.URL(f.Support)
	}
	return templ.URL("mailto:" + f.Support)
}

// NameOf returns an organization's name, which says so if it is a sandbox.
func (f Frame) NameOf(o Organization) string {
	if o.Sandbox {
		return f.T("{organization} (sandbox)", "organization", o.Name)
	}
	return o.Name
}

// Field is the state of one form field.
type Field struct {
	Value string // as submitted, or the initial value
	Error string // why it was rejected, as a sentence; empty if it was not
}

// Pager links to the neighboring pages of a list.
type Pager struct {
	Prev string // path and query of the previous page; empty if there is none
	Next string // path and query of the next page; empty if there is none
}

// ariaCurrent returns the aria-current value of a navigation link: "page" if it
// leads to the current page, "true" if the current page is below it.
func ariaCurrent(f Frame, path string) string {
	switch {
	case f.Path == path:
		return "page"
	case path != "/" && strings.HasPrefix(f.Path, path+"/"):
		return "true"
	}
	return "false"
}

// titleLength is how long a document's title may be, in characters of its source.
// Search engines and html-validate take 70 for the longest that is shown whole.
const titleLength = 70

// documentTitle is the document's title with the organization's name. Long names are
// shortened, the page's first.
func documentTitle(f Frame, title string) string {
	const site, separator, least = " – Dispo", " – ", 20
	left := titleLength - written(site)
	if f.UserEmail == "" || f.Organization.Name == "" {
		return shorten(title, left) + site
	}
	left -= written(separator)
	name := f.NameOf(f.Organization)
	title = shorten(title, max(least, left-written(name)))
	return title + separator + shorten(name, left-written(title)) + site
}

// shorten cuts text so that it takes at most length characters in HTML.
func shorten(text string, length int) string {
	if written(text) <= length {
		return text
	}
	runes := []rune(text)
	runes = runes[:min(length, len(runes))] // each takes at least one
	for written(string(runes)) >= length {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}

// written is how many characters text takes in HTML, where & takes five.
func written(text string) int { return utf8.RuneCountInString(templ.EscapeString(text)) }

// titleWithErrors marks a page's title if there are errors: screen readers read
// the title first.
func (f Frame) titleWithErrors(title string, errors ...string) string {
	if strings.Join(errors, "") != "" {
		return f.T("Error: {title}", "title", title)
	}
	return title
}

// describedBy links a field to its hint and its error. A rejected field also gets
// the focus.
func describedBy(name, hint string, f Field) templ.Attributes {
	var ids []string
	if hint != "" {
		ids = append(ids, name+"-hint")
	}
	a := templ.Attributes{}
	if f.Error != "" {
		ids = append(ids, name+"-error")
		a["aria-invalid"] = "true"
		a["autofocus"] = true
	}
	if len(ids) > 0 {
		a["aria-describedby"] = strings.Join(ids, " ")
	}
	return a
}

// today is the organization's day, YYYY-MM-DD.
func (f Frame) today() string { return f.local(f.Now).Format(time.DateOnly) }

func (f Frame) zoneName() string { return inZone(f.Now, f.Zone).Location().String() }

func currentPassword() templ.Attributes {
	return templ.Attributes{"type": "password", "autocomplete": "current-password", "required": true}
}

func newPassword() templ.Attributes {
	return templ.Attributes{"type": "password", "autocomplete": "new-password", "required": true}
}
