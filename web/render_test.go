package web

import (
	"bytes"
	"flag"
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
		if err := os.WriteFile(filepath.Join(directory, asset.Path), asset.Content, 0o644); err != nil {
			return err
		}
	}
	for name, page := range realisticPages() {
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
