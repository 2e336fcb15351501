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

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
)

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.977 generate -path ..

// Render writes a page, or a part of one, to w. If rendering fails, it writes
// nothing.
func Render(w io.Writer, page templ.Component) error {
	var buffer bytes.Buffer
	if err := page.Render(context.Background(), &buffer); err != nil {
		return err
	}
	_, err := w.Write(buffer.Bytes())
	return err
}
