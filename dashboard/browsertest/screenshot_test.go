package browsertest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
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

// screenshot opens a page and writes a screenshot of it, with -screenshots.
func (b *tab) screenshot(name string, v viewport, scheme, path string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	b.setViewport(v)
	b.setColorScheme(scheme)
	defer func() {
		b.setViewport(wide)
		b.setColorScheme("light")
	}()
	b.open(path)
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
	counts := map[color.Color]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			counts[picture.At(x, y)]++
		}
	}
	palette := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	small := image.NewPaletted(picture.Bounds(), palette[:min(len(palette), 256)])
	draw.Draw(small, small.Rect, picture, image.Point{}, draw.Src)
	return small
}
