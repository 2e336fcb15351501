package web

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
)

func rendered(t *testing.T, page templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Render(&b, page))
	return b.String()
}

// inPage renders a part of a page as on a page with the frame.
func inPage(f Frame, part templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return part.Render(withReader(ctx, f), w) })
}
