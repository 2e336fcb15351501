package api

import (
	"mime"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// preferredMedia returns the media type, of those offered, that the request's Accept likes
// best (RFC 9110 section 12.5.1), of equal ones the one it names first. Parameters other than
// q refuse nothing. It is the first if the request accepts none, or all alike.
func preferredMedia(c *fiber.Ctx, offers ...string) string {
	var ranges []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderAccept) {
		quoted := false
		ranges = append(ranges, strings.FieldsFunc(string(line), func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ',' && !quoted
		})...)
	}
	best, most, first := offers[0], 0.0, 0
	for _, offer := range offers {
		kind, _, _ := strings.Cut(offer, "/")
		weight, place, specific := 0.0, 0, 0
		for i, item := range ranges {
			media, parameters, err := mime.ParseMediaType(item)
			rank := map[string]int{"*/*": 1, kind + "/*": 2, offer: 3}[media]
			if err != nil || rank <= specific {
				continue
			}
			q := 1.0
			if text, weighted := parameters["q"]; weighted {
				if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) {
					continue
				}
			}
			weight, place, specific = q, i, rank
		}
		if weight > most || weight > 0 && weight == most && place < first {
			best, most, first = offer, weight, place
		}
	}
	return best
}
