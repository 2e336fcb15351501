package dashboard

import (
	"github.com/boombuler/barcode/qr"
	"github.com/gofiber/fiber/v2"

	"dispo/web"
)

// asset serves one file of the pages; its path changes with its content.
func asset(file web.Asset) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		c.Set(fiber.HeaderContentType, file.ContentType)
		return c.Send(file.Content)
	}
}

func (h *handler) docs(v *visit) error {
	return v.show(web.DocsPage(web.DocsView{Frame: v.frame, BaseURL: h.baseURL(),
		LimitMinute: h.Limits.Minute, LimitHour: h.Limits.Hour, PerKey: h.Limits.PerKey}))
}

// qrCode is the QR code of a text, row by row, true being dark; nothing where the
// text does not fit.
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
