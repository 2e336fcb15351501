package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
)

// Asset is a file that pages load. Its path changes with its content, so browsers
// may keep it for ever: Cache-Control: public, max-age=31536000, immutable.
type Asset struct {
	Path        string // /assets/style.0123456789ab.css
	ContentType string
	Content     []byte
}

var (
	//go:embed assets/style.css
	styleText []byte
	//go:embed assets/script.js
	scriptText []byte
	//go:embed assets/icon.svg
	iconText []byte
)

// What pages load; nothing comes from anywhere else, so that a content security
// policy of 'self' for styles, scripts, images and connections lets all of it
// through, and nothing besides.
var (
	Stylesheet = asset("style", ".css", "text/css; charset=utf-8", styleText)
	Script     = asset("script", ".js", "text/javascript; charset=utf-8", scriptText)
	Icon       = asset("icon", ".svg", "image/svg+xml", iconText)
)

// Assets are all files that pages load.
func Assets() []Asset { return []Asset{Stylesheet, Script, Icon} }

func asset(name, extension, contentType string, content []byte) Asset {
	sum := sha256.Sum256(content)
	return Asset{
		Path:        "/assets/" + name + "." + hex.EncodeToString(sum[:6]) + extension,
		ContentType: contentType,
		Content:     content,
	}
}
