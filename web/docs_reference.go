package web

import (
	_ "embed"

	swaggerui "github.com/swaggest/swgui/v5/static"
)

var (
	//go:embed assets/reference.js
	referenceScriptText []byte
	//go:embed assets/reference.css
	referenceStyleText []byte
)

// The files that the API reference loads beside those of every page: Swagger UI, which
// renders the OpenAPI document, the script that starts it, and its look.
var (
	referenceRenderer = swaggerUI()
	referenceScript   = asset("reference", ".js", "text/javascript; charset=utf-8", referenceScriptText)
	referenceStyle    = asset("reference", ".css", "text/css; charset=utf-8", referenceStyleText)
)

// ReferenceAssets returns the files that only the API reference loads.
func ReferenceAssets() []Asset { return []Asset{referenceRenderer, referenceScript, referenceStyle} }

func swaggerUI() Asset {
	packed, err := swaggerui.FS.ReadFile("swagger-ui-bundle.js.gz")
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	file := asset("swagger-ui", ".js", "text/javascript; charset=utf-8", packed)
	file.Gzipped = true
	return file
}
