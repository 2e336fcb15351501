package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

//go:embed da
var files embed.FS

// catalogue maps English texts to their translations. A text for a number of things is
// known by its plural.
type catalogue map[string]forms

// forms are a translation's forms. One is empty if the text has no number.
type forms struct {
	One   string `json:"one"`
	Other string `json:"other"`
}

// UnmarshalJSON reads a text, or an object with both forms.
func (f *forms) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &f.Other)
	}
	type plain forms
	return json.Unmarshal(text, (*plain)(f))
}

var catalogues = map[Language]catalogue{Danish: read("da")}

// read reads the catalogue in a folder. Its files are part of the program, so that a
// broken one stops every test.
func read(folder string) catalogue {
	all := catalogue{}
	names, err := fs.Glob(files, folder+"/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		// The keys of one file are added to those of the others.
		if err := json.Unmarshal(text, &all); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
	}
	return all
}
