package dashboard

import (
	"cmp"
	"strings"

	"github.com/boombuler/barcode/qr"
	"github.com/gofiber/fiber/v2"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/web"
)

// doc shows a page of the documentation.
func (c Config) doc(doc web.Doc) site.Page {
	return func(r *site.Request) error {
		r.Ctx.Vary(fiber.HeaderAccept)
		if r.Ctx.Accepts(fiber.MIMETextHTML, mimeMarkdown) == mimeMarkdown {
			return r.Send(mimeMarkdown, doc.ForPrograms(c.docsView(r)))
		}
		return r.Show(doc.Page(c.docsView(r)))
	}
}

// docSearch finds words in the documentation.
func (c Config) docSearch(r *site.Request) error {
	query := models.Storable(strings.TrimSpace(r.Query("q")), web.DocsQueryLength)
	return r.Show(web.DocsSearchPage(web.DocsSearchView{DocsView: c.docsView(r), Query: query}))
}

const mimeMarkdown = "text/markdown"

// docMarkdown sends a page of the documentation as Markdown.
func (c Config) docMarkdown(doc web.Doc) site.Page {
	return func(r *site.Request) error { return r.Send(mimeMarkdown, doc.ForPrograms(c.docsView(r))) }
}

func (c Config) docsView(r *site.Request) web.DocsView {
	var own models.Limits
	if r.Session != nil {
		own = r.Session.Current.Limits
	}
	return web.DocsView{
		Frame: r.Frame,
		DocsFigures: web.DocsFigures{
			BaseURL:     r.URL("/api"),
			Support:     r.Site.Support,
			Reference:   c.Reference,
			LimitMinute: cmp.Or(own.LimitMinute, c.Limits.Minute),
			LimitHour:   cmp.Or(own.LimitHour, c.Limits.Hour),
			PerKey:      c.Limits.PerKey,
		},
	}
}

// qrCode returns the rows of a text's QR code, in which true is dark, or nil if the
// text is too long for one.
func qrCode(text string) [][]bool {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil
	}
	size := code.Bounds()
	rows := make([][]bool, size.Dy())
	for y := range rows {
		rows[y] = make([]bool, size.Dx())
		for x := range rows[y] {
			red, _, _, _ := code.At(size.Min.X+x, size.Min.Y+y).RGBA()
			rows[y][x] = red == 0
		}
	}
	return rows
}
