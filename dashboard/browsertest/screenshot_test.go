package browsertest

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	// screenshotScale is the number of screenshot pixels per CSS pixel.
	screenshotScale = 2

	// maxScreenshotSize is the largest size of a screenshot file, in bytes.
	maxScreenshotSize = 200_000
)

var phone = viewport{width: 390, height: 844, narrow: true}

// screenshot opens a page. With -screenshots, it also writes a screenshot of it.
func (b *tab) screenshot(name string, v viewport, scheme, path string) {
	b.t.Helper()
	b.setViewport(v)
	b.setColorScheme(scheme)
	defer func() {
		b.setViewport(wide)
		b.setColorScheme("light")
	}()
	b.open(path)
	if *screenshots == "" {
		return
	}
	var shot []byte
	b.do(
		emulation.SetDeviceMetricsOverride(v.width, v.height, screenshotScale, v.narrow),
		emulation.SetScrollbarsHidden(true),
		chromedp.Evaluate("document.activeElement.blur()", nil),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			shot, err = page.CaptureScreenshot().Do(ctx)
			return err
		}),
	)
	picture, err := png.Decode(bytes.NewReader(shot))
	require.NoError(b.t, err)
	folder := filepath.Join("..", "..", *screenshots)
	if filepath.IsAbs(*screenshots) {
		folder = *screenshots
	}
	require.NoError(b.t, os.MkdirAll(folder, 0o755))
	var small bytes.Buffer
	require.NoError(b.t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, reduceColors(picture)))
	require.Less(b.t, small.Len(), maxScreenshotSize, name)
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), small.Bytes(), 0o644))
}

// reduceColors returns the picture in its 256 most frequent colors, replacing every
// other color by the nearest of them. Pages have few colors, except on the edges of
// letters.
func reduceColors(picture image.Image) *image.Paletted {
	bounds := picture.Bounds()
	counts := map[color.NRGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)]++
		}
	}
	all := make([]color.NRGBA, 0, len(counts))
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.NRGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range all[:min(len(all), 256)] {
		palette = append(palette, c)
	}
	nearest := map[color.NRGBA]uint8{}
	for _, c := range all {
		nearest[c] = uint8(palette.Index(c))
	}
	small := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			small.SetColorIndex(x, y, nearest[color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)])
		}
	}
	return small
}
