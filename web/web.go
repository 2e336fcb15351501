// Package web renders the dashboard's pages. It holds the templ components, the
// stylesheet, the script and the icon, and knows neither HTTP nor the database.
// Each page is a function of one view struct, which holds exactly what the page
// shows.
//
// # Rules for every view
//
//   - The page XxxPage takes an XxxView. Render it with Render, which writes the
//     whole page or nothing.
//   - Forms are sent by POST as application/x-www-form-urlencoded and carry
//     form_token (Frame.FormToken), unless the view's comment says GET. That
//     comment names each form's path and fields: it is the contract between page
//     and handler.
//   - To reject a form, show the same page again with status 422, the submitted
//     text in Field.Value and the reason in Field.Error. Never show a submitted
//     password again.
//   - A successful change redirects with 303 to the page it came from, which shows
//     Frame.Notice once. The exceptions are answers that show something once; the
//     view's comment says so.
//   - A zero time.Time means "never" or "not yet". Pages show times in the
//     organization's time zone (Frame.Zone).
//   - Dates and amounts are text in the API's format (2026-01-31, -1234.50). Pages
//     format them for the reader's language, without going through a float.
//   - Texts are in the reader's language: v.T("Save"), v.N(n, "{n} key", "{n} keys"), and
//     @v.Say("Used {when}", "when", ago(v.Now, at)) for a sentence with elements in it.
//     Their Danish is in models/i18n/da.
//   - Pages for signed-in users, and answers that show a key, link or codes once,
//     need Cache-Control: no-store.
package web

// Role is what a person may do in an organization.
type Role string

const (
	Owner  Role = "owner"  // everything, including making others owners
	Admin  Role = "admin"  // manages keys, members and settings
	Viewer Role = "viewer" // sees everything, changes nothing
)

func (r Role) title(f Frame) string {
	switch r {
	case Owner:
		return f.T("Owner")
	case Admin:
		return f.T("Admin")
	case Viewer:
		return f.T("Viewer")
	}
	return string(r)
}

// description says what the role allows.
func (r Role) description(f Frame) string {
	switch r {
	case Owner:
		return f.T("can do everything, including making others owners")
	case Admin:
		return f.T("can create and revoke keys, invite and remove members, and change settings")
	}
	return f.T("can see everything but change nothing")
}

// WithArticle is the role as it reads after "is".
func (r Role) WithArticle(l Locale) string {
	switch r {
	case Owner:
		return l.T("an owner")
	case Admin:
		return l.T("an admin")
	}
	return l.T("a viewer")
}
