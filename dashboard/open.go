package dashboard

import (
	"cmp"
	"strings"
	"sync"

	"github.com/boombuler/barcode/qr"
	"github.com/gofiber/fiber/v2"

	"dispo/api/compress"
	"dispo/models"
	"dispo/web"
)

// asset serves a stylesheet, script or image. Browsers may keep it forever, because its
// path changes with its content.
func asset(file web.Asset) fiber.Handler {
	body := sync.OnceValue(func() *compress.Body { return compress.NewBody(file.Content()) })
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		c.Set(fiber.HeaderContentType, file.ContentType)
		c.Vary(fiber.HeaderAcceptEncoding)
		body().Send(c)
		return nil
	}
}

// doc shows a page of the documentation.
func (h *handler) doc(doc web.Doc) page {
	return func(r *request) error {
		r.c.Vary(fiber.HeaderAccept)
		if r.c.Accepts(fiber.MIMETextHTML, mimeMarkdown) == mimeMarkdown {
			return r.send(mimeMarkdown, doc.ForPrograms(h.docsView(r)))
		}
		return r.show(doc.Page(h.docsView(r)))
	}
}

// docSearch finds words in the documentation.
func (h *handler) docSearch(r *request) error {
	return r.show(
		web.DocsSearchPage(
			web.DocsSearchView{
				DocsView: h.docsView(r),
				Query:    models.Storable(strings.TrimSpace(r.query("q")), web.DocsQueryLength),
			},
		),
	)
}

const mimeMarkdown = "text/markdown"

// docMarkdown sends a page of the documentation as Markdown.
func (h *handler) docMarkdown(doc web.Doc) page {
	return func(r *request) error { return r.send(mimeMarkdown, doc.ForPrograms(h.docsView(r))) }
}

func (h *handler) docsView(r *request) web.DocsView {
	var own models.Limits
	if r.session != nil {
		own = r.session.Current.Limits
	}
	return web.DocsView{
		Frame: r.frame,
		DocsFigures: web.DocsFigures{
			BaseURL:   h.baseURL(),
			Support:   h.Support,
			Reference: h.Reference,
			LimitMinute: cmp.Or(
				own.LimitMinute,
				h.Limits.Minute,
			),
			LimitHour: cmp.Or(own.LimitHour, h.Limits.Hour),
			PerKey:    h.Limits.PerKey,
		},
	}
}

// send answers with a text, in UTF-8.
func (r *request) send(contentType, text string) error {
	r.c.Set(fiber.HeaderCacheControl, "no-cache")
	r.c.Set(fiber.HeaderContentType, contentType+"; charset=utf-8")
	err := r.c.SendString(text)
	compress.Response(r.c)
	return err
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
