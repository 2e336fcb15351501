package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"strings"
	"sync"

	swaggerui "github.com/swaggest/swgui/v5/static"
)

// Asset is a file that pages load. Its path contains a hash of its content, so
// browsers may cache it for good: Cache-Control: public, max-age=31536000,
// immutable.
type Asset struct {
	Path        string // such as /assets/style.0123456789ab.css
	ContentType string

	stored []byte
	packed bool // it is stored compressed with gzip
}

//go:embed assets
var assetFiles embed.FS

// Stylesheet, Script and Icon are everything that most pages load. Their content security
// policy can therefore be 'self' for styles, scripts, images and connections. The API
// reference also loads Swagger UI, which renders the OpenAPI document, the script that
// starts it, and its look. Each is read when it is first needed, which no command does.
var (
	Stylesheet = asset("style.css", "text/css; charset=utf-8", assetFiles, "assets/style.css")
	Script     = asset("script.js", "text/javascript; charset=utf-8", assetFiles, "assets/script.js")
	Icon       = asset("icon.svg", "image/svg+xml", assetFiles, "assets/icon.svg")

	referenceRenderer = asset("swagger-ui.js", "text/javascript; charset=utf-8", swaggerui.FS, "swagger-ui-bundle.js.gz")
	referenceScript   = asset("reference.js", "text/javascript; charset=utf-8", assetFiles, "assets/reference.js")
	referenceStyle    = asset("reference.css", "text/css; charset=utf-8", assetFiles, "assets/reference.css")
)

// Assets returns all files that pages load.
func Assets() []Asset {
	return []Asset{Stylesheet(), Script(), Icon(), referenceRenderer(), referenceScript(), referenceStyle()}
}

func asset(name, contentType string, files embed.FS, path string) func() Asset {
	return sync.OnceValue(func() Asset {
		stored, err := files.ReadFile(path)
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		sum := sha256.Sum256(stored)
		base, extension, _ := strings.Cut(name, ".")
		return Asset{
			"/assets/" + base + "." + hex.EncodeToString(sum[:6]) + "." + extension,
			contentType,
			stored,
			strings.HasSuffix(path, ".gz"),
		}
	})
}

// Content returns the file's content.
func (a Asset) Content() []byte {
	if !a.packed {
		return a.stored
	}
	reader, err := gzip.NewReader(bytes.NewReader(a.stored))
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	return content
}
