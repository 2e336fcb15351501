package web

import (
	"embed"
	"strings"
)

//go:embed samples
var sampleFiles embed.FS

// sample is a program that reads everything, in one language.
type sample struct{ id, language, text string }

const sampleBase = "https://dispo.example/api"

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
			panic(err) // it's embedded
		}
		all[i].text = strings.ReplaceAll(strings.TrimSpace(string(text)), sampleBase, baseURL)
	}
	return all
}
