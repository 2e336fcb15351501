package web

import (
	"embed"
	"strings"
)

//go:embed samples
var sampleFiles embed.FS

// sample is a client in one language, shown on the docs page.
type sample struct{ id, language, text string }

// sampleBase is the base URL in the sample files.
const sampleBase = "https://dispo.example/api"

// samples returns the sample clients, calling the API at baseURL.
func samples(baseURL string) []sample {
	all := []sample{
		{id: "curl", language: "curl"},
		{id: "node", language: "Node"},
		{id: "python", language: "Python"},
		{id: "go", language: "Go"},
		{id: "csharp", language: "C#"},
	}
	for i := range all {
		text, err := sampleFiles.ReadFile("samples/" + all[i].id + ".txt")
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		all[i].text = strings.ReplaceAll(strings.TrimSpace(string(text)), sampleBase, baseURL)
	}
	return all
}
