package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
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

// catalogues are read when they are first needed, because most commands do without.
var catalogues = map[Language]func() catalogue{
	Danish: sync.OnceValue(func() catalogue { return read("da") }),
}

// Load reads all catalogues, so that the first reader does not wait for them.
func Load() {
	for l := range catalogues {
		l.catalogue()
	}
}

// catalogue returns the language's catalogue, or nil if it has none.
func (l Language) catalogue() catalogue {
	if once := catalogues[l]; once != nil {
		return once()
	}
	return nil
}

// read reads the catalogue in a folder. Its files are part of the program, so that a
// broken one stops every service, and the tests.
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
