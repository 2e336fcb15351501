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
