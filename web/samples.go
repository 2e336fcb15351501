package web

import (
	"embed"
	"strings"
)

//go:embed samples/sync.*
var sampleFiles embed.FS

// sample is a program in one language, shown in the docs.
type sample struct{ ID, Language, Text string }

// sampleBase is the base URL in the sample files.
const sampleBase = "https://dispo.example/api"

// sampleTag keeps the Go program out of this module, which does not require the client.
const sampleTag = "//go:build ignore\n\n"

// samples returns the sample programs, calling the API at baseURL.
func samples(baseURL string) []sample {
	all := []sample{
		{ID: "py", Language: "Python"},
		{ID: "go", Language: "Go"},
		{ID: "mts", Language: "TypeScript"},
	}
	for i := range all {
		text, err := sampleFiles.ReadFile("samples/sync." + all[i].ID)
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		all[i].Text = strings.NewReplacer(sampleBase, baseURL, sampleTag, "").Replace(strings.TrimSpace(string(text)))
	}
	return all
}
