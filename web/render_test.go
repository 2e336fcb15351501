package web

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/a-h/templ"
)

var pagesDirectory = flag.String("pages", "", "write every page and its assets to this `directory`")

func rendered(t *testing.T, page templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// inPage renders a part of a page as on a page with the frame.
func inPage(f Frame, part templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return part.Render(withReader(ctx, f), w) })
}

func TestMain(m *testing.M) {
	flag.Parse()
	if *pagesDirectory != "" {
		if err := writePages(*pagesDirectory); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func writePages(directory string) error {
	if err := os.MkdirAll(filepath.Join(directory, "assets"), 0o755); err != nil {
		return err
	}
	for _, asset := range Assets() {
		if err := os.WriteFile(filepath.Join(directory, asset.Path), asset.Content(), 0o644); err != nil {
			return err
		}
	}
	pages := realisticPages()
	for name, page := range danishPages() {
		pages[name+".da"] = page
	}
	for name, page := range pages {
		var b bytes.Buffer
		if err := Render(&b, page); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, name+".html"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
