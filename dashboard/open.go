package dashboard

import (
	"sync"

	"github.com/boombuler/barcode/qr"
	"github.com/gofiber/fiber/v2"

	"dispo/api/compress"
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
func (h *handler) doc(page web.Doc) func(*request) error {
	return func(r *request) error {
		return r.show(page.Page(web.DocsView{Frame: r.frame, BaseURL: h.baseURL(), Support: h.Support,
			LimitMinute: h.Limits.Minute, LimitHour: h.Limits.Hour, PerKey: h.Limits.PerKey}))
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
