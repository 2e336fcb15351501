package web

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// Frame is what every page shows around its content.
type Frame struct {
	// Path is the requested path without its query. It marks the current page in
	// the navigation.
	Path string
	// Now is when the page was made. Relative times such as "3 minutes ago" count
	// from it.
	Now time.Time
	// Locale is the reader's language.
	Locale
	// Zone is the organization's time zone, in which pages show times, and keys' last days
	// end. Nil is UTC.
	Zone *time.Location
	// Expiring are the keys that stop working within two weeks and have no replacement,
	// the first to expire first. Only owners and admins are told.
	Expiring []ExpiringKey
	// UserEmail identifies the signed-in user. If it is empty, nobody is signed in
	// and the page has no navigation.
	UserEmail string
	// Organization is the one that the user currently works in.
	Organization Organization
	// Organizations are all that the user belongs to, including the current one,
	// sorted by name. With two or more, the frame offers to switch: POST
	// /organization with organization (an Organization.ID), which redirects with
	// 303 to /.
	Organizations []Organization
	// Role is the user's role in Organization.
	Role Role
	// CanManage reports whether the user may change keys and members. Otherwise
	// pages show no buttons for that, and say who can.
	CanManage bool
	// FormToken goes into every form as form_token, including those on pages that
	// anyone can open (sign-in, invitations, passwords). The frame's own form, POST
	// /sign-out, has no other field.
	FormToken string
	// Notice reports a completed change, in one or two sentences, for example: Key
	// “Production” is revoked. It is shown once, after a redirect.
	Notice string
}

// ExpiringKey is a key that stops working soon.
type ExpiringKey struct {
	ID        string
	Name      string
	ExpiresAt time.Time
}

// Organization is an organization that the user belongs to.
type Organization struct {
	ID      string
	Name    string
	Role    Role // the user's role there
	Sandbox bool // its data is made up
}

// NameOf returns an organization's name, which says so if it is a sandbox.
func (f Frame) NameOf(o Organization) string {
	if o.Sandbox {
		return f.T("{organization} (sandbox)", "organization", o.Name)
	}
	return o.Name
}

// navigationIcons are the icons of the navigation's items, by path.
var navigationIcons = map[string]string{
	"/": "bars", "/companies": "building", "/transactions": "arrows", "/deliveries": "inbox", "/settings/api-keys": "key",
	"/settings/members": "people", "/settings/audit-log": "list", "/settings/organization": "sliders", "/docs": "book",
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

func (f Frame) zoneName() string { return inZone(f.Now, f.Zone).Location().String() }

// first returns the first of optional attributes.
func first(attributes []templ.Attributes) templ.Attributes {
	if len(attributes) == 0 {
		return nil
	}
	return attributes[0]
}

func currentPassword() templ.Attributes {
	return templ.Attributes{"type": "password", "autocomplete": "current-password", "required": true}
}

func newPassword() templ.Attributes {
	return templ.Attributes{"type": "password", "autocomplete": "new-password", "required": true}
}
