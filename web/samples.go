package web

import (
	"embed"
	"strings"
)

//go:embed samples/sync.*
var sampleFiles embed.FS

// sample is a program in one language, shown in the docs.
type sample struct{ id, language, text string }

// sampleBase is the base URL in the sample files.
const sampleBase = "https://dispo.example/api"

// samples returns the sample programs, calling the API at baseURL.
func samples(baseURL string) []sample {
	all := []sample{
		{id: "sh", language: "curl"},
		{id: "go", language: "Go"},
		{id: "mts", language: "TypeScript"},
		{id: "py", language: "Python"},
	}
	for i := range all {
		text, err := sampleFiles.ReadFile("samples/sync." + all[i].id)
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		all[i].text = strings.ReplaceAll(strings.TrimSpace(string(text)), sampleBase, baseURL)
	}
	return all
}
