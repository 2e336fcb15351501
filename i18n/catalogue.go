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

// read reads the catalogue in a folder. A broken file stops every test.
func read(folder string) catalogue {
	all := catalogue{}
	names, err := fs.Glob(files, folder+"/*.json")
	for _, name := range names {
		var part catalogue
		text, _ := files.ReadFile(name)
		if err = json.Unmarshal(text, &part); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		for english, translated := range part {
			all[english] = translated
		}
	}
	if err != nil {
		panic(err)
	}
	return all
}
