package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
)

// Asset is a file that pages load. Its path contains a hash of its content, so
// browsers may cache it for good: Cache-Control: public, max-age=31536000,
// immutable.
type Asset struct {
	Path        string // such as /assets/style.0123456789ab.css
	ContentType string
	Content     []byte
	Gzipped     bool // whether Content is compressed with gzip
}

var (
	//go:embed assets/style.css
	styleText []byte
	//go:embed assets/script.js
	scriptText []byte
	//go:embed assets/icon.svg
	iconText []byte
)

// Stylesheet, Script and Icon are everything that pages load. Their content
// security policy can therefore be 'self' for styles, scripts, images and
// connections.
var (
	Stylesheet = asset("style", ".css", "text/css; charset=utf-8", styleText)
	Script     = asset("script", ".js", "text/javascript; charset=utf-8", scriptText)
	Icon       = asset("icon", ".svg", "image/svg+xml", iconText)
)

// Assets returns all files that pages load.
func Assets() []Asset { return []Asset{Stylesheet, Script, Icon} }

func asset(name, extension, contentType string, content []byte) Asset {
	sum := sha256.Sum256(content)
	return Asset{
		Path:        "/assets/" + name + "." + hex.EncodeToString(sum[:6]) + extension,
		ContentType: contentType,
		Content:     content,
	}
}
