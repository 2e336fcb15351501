// Package compress compresses responses, of the API and of pages, in the content
// coding that the client prefers.
package compress

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/valyala/fasthttp"
)

type coding int

// The codings, the one with the shortest bodies first.
const (
	brotli coding = iota
	zstandard
	gzipped
	identity
	codings // how many there are
)

var names = [codings]string{"br", "zstd", "gzip", "identity"}

// worthwhile is the size in bytes from which a body is compressed. A smaller one fits
// into a packet or two as it is.
const worthwhile = 1200

// encode encodes a body. A page of 100 transactions, 48.7 kB, takes brotli 0.13 ms for
// 2.2 kB at level 2, and ten times as long for 2.0 kB at level 5. zstd takes 0.11 ms, gzip
// 0.17 ms for 2.9 kB.
func (c coding) encode(body []byte) []byte {
	switch c {
	case brotli:
		return fasthttp.AppendBrotliBytesLevel(nil, body, 2)
	case zstandard:
		return fasthttp.AppendZstdBytesLevel(nil, body, fasthttp.CompressZstdBestSpeed)
	case gzipped:
		return fasthttp.AppendGzipBytesLevel(nil, body, fasthttp.CompressBestSpeed)
	}
	return body
}

// Body is a body that does not change. It is compressed once for each coding that a
// client prefers.
type Body struct {
	mu   sync.Mutex
	made [codings][]byte
}

// NewBody returns a body, which must not be changed afterwards.
func NewBody(plain []byte) *Body { return &Body{made: [codings][]byte{identity: plain}} }

// Len returns the length of the plain body.
func (b *Body) Len() int { return len(b.made[identity]) }

func (b *Body) in(c coding) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made[c] == nil {
		b.made[c] = c.encode(b.made[identity])
	}
	return b.made[c]
}

// Send answers with the body, compressed if the client accepts it and it is long enough.
// The caller sets Vary.
func (b *Body) Send(c *fiber.Ctx) {
	response := c.Response()
	if b.Len() < worthwhile {
		response.SetBodyRaw(b.made[identity])
		return
	}
	coding := preferred(c, brotli)
	if coding != identity {
		response.Header.Set(fiber.HeaderContentEncoding, names[coding])
	}
	response.SetBodyRaw(b.in(coding))
}

// Response compresses the response that the handlers before it have made, unless it is
// streamed or already encoded, or of a type that does not get smaller.
func Response(c *fiber.Ctx) {
	response := c.Response()
	contentType := string(response.Header.ContentType())
	text := strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "json") ||
		strings.Contains(contentType, "javascript") || strings.Contains(contentType, "xml")
	if response.IsBodyStream() || len(response.Header.Peek(fiber.HeaderContentEncoding)) > 0 || !text {
		return
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	NewBody(response.Body()).Send(c)
}

// preferred returns the coding that the request likes best (RFC 9110 section 12.5.3) among
// first and the ones after it, of equal ones the one with the shortest bodies. It is identity
// if the request names none, accepts none of them, or likes a plain body better.
func preferred(c *fiber.Ctx, first coding) coding {
	weights := acceptedWeights(c)
	weightOf := func(c coding) (weight float64, named bool) {
		if weight, named = weights[names[c]]; named {
			return weight, true
		}
		return weights["*"], false
	}
	plain, _ := weightOf(identity)
	best, most := identity, 0.0
	for coding := first; coding < identity; coding++ {
		weight, named := weightOf(coding)
		if weight > most && (weight > plain || weight == plain && named) {
			best, most = coding, weight
		}
	}
	return best
}

// qvalue is a weight (RFC 9110 section 12.4.2).
var qvalue = regexp.MustCompile(`^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$`)

// acceptedWeights returns the weights in Accept-Encoding by name, without those that are
// not valid.
func acceptedWeights(c *fiber.Ctx) map[string]float64 {
	weights := map[string]float64{}
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderAcceptEncoding) {
		for item := range strings.SplitSeq(strings.ToLower(string(line)), ",") {
			name, parameter, weighted := strings.Cut(item, ";")
			weight := 1.0
			if weighted {
				found := qvalue.FindStringSubmatch(strings.TrimSpace(parameter))
				if found == nil {
					continue
				}
				weight, _ = strconv.ParseFloat(found[1], 64) // the form has been checked
			}
			weights[strings.TrimPrefix(strings.TrimSpace(name), "x-")] = weight // x-gzip is gzip
		}
	}
	return weights
}

// ForStream returns the coding that the request likes best for a body whose length is not
// known, or "" for none. Brotli would need a second library.
func ForStream(c *fiber.Ctx) string {
	if coding := preferred(c, zstandard); coding != identity {
		return names[coding]
	}
	return ""
}

// NewWriter returns a writer that compresses in a coding of ForStream. Close it.
func NewWriter(coding string, to io.Writer) (io.WriteCloser, error) {
	switch coding {
	case names[zstandard]:
		return zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(1<<20))
	case names[gzipped]:
		return gzip.NewWriterLevel(to, gzip.BestSpeed)
	}
	return plain{to}, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
