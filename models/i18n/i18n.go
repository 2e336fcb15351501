// Package i18n writes texts, numbers and times in the reader's language.
//
// A text is known by its English words, as in gettext. English needs no catalogue;
// other languages have a folder of JSON files, which map each English text to its
// translation:
//
//	"Rotate {name}": "Udskift {name}",
//	"{n} requests": {"one": "{n} kald", "other": "{n} kald"},
//
// Parameters have names, and translations may put them in any order. A part of a text
// that a page shows in an element, such as a link, is in a tag: "or <all>show all keys</all>".
package i18n

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// Language is a language that texts exist in. The empty Language is English.
type Language string

const (
	English Language = "en"
	Danish  Language = "da"
)

// Offered are the languages that readers can choose and that are found by their
// browser's settings. The first is for everybody else.
var Offered = []Language{English, Danish}

var offered = sync.OnceValue(func() matcher { return matching(Offered...) })

// Match returns the offered language that an Accept-Language header prefers.
func Match(acceptLanguage string) Language { return offered().match(acceptLanguage) }

// IsOffered reports whether readers can choose the language.
func (l Language) IsOffered() bool { return slices.Contains(Offered, l) }

// Name returns the language's name in itself.
func (l Language) Name() string {
	if l == Danish {
		return "Dansk"
	}
	return "English"
}

type matcher struct {
	languages []Language
	language.Matcher
}

func matching(languages ...Language) matcher {
	var tags []language.Tag
	for _, l := range languages {
		tags = append(tags, language.Make(string(l)))
	}
	return matcher{languages, language.NewMatcher(tags)}
}

func (m matcher) match(acceptLanguage string) Language {
	_, i := language.MatchStrings(m, acceptLanguage)
	return m.languages[i]
}

// Tag returns the language's name in HTML and HTTP.
func (l Language) Tag() string {
	if l == "" {
		return string(English)
	}
	return string(l)
}

// T returns a text in the language, or in English if it has no translation. Each
// parameter is a name and a value. Values that are numbers are written in the language.
func (l Language) T(english string, parameters ...any) string {
	return l.Fill(l.lookup(english).Other, parameters...)
}

// N returns a text for n things, which {n} stands for.
func (l Language) N(n int64, one, other string, parameters ...any) string {
	return l.Fill(l.Form(n, one, other), append(parameters, "n", n)...)
}

// Lookup returns a text in the language, without its parameters filled in.
func (l Language) Lookup(english string) string { return l.lookup(english).Other }

// Form returns a text for n things in the language, without its parameters filled in.
// English and Danish both have one form for 1, and another for everything else.
func (l Language) Form(n int64, one, other string) string {
	translated, ok := l.catalogue()[other]
	switch {
	case !ok && n == 1:
		return one
	case !ok:
		return other
	case n == 1 && translated.One != "":
		return translated.One
	}
	return translated.Other
}

func (l Language) lookup(english string) forms {
	if translated, ok := l.catalogue()[english]; ok {
		return translated
	}
	return forms{Other: english}
}

// Fill replaces the parameters in a text.
func (l Language) Fill(text string, parameters ...any) string {
	if len(parameters) == 0 {
		return text
	}
	var b strings.Builder
	for {
		before, name, after, found := CutParameter(text)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if value, known := Parameter(parameters, name); known {
			b.WriteString(l.Value(value))
		} else {
			b.WriteString("{" + name + "}")
		}
		text = after
	}
}

// CutParameter splits a text at its first parameter. A unit of money that follows stays on
// the amount's line.
func CutParameter(text string) (before, name, after string, found bool) {
	before, rest, opened := strings.Cut(text, "{")
	name, after, closed := strings.Cut(rest, "}")
	if !opened || !closed {
		return text, "", "", false
	}
	if strings.HasPrefix(after, " DKK") || strings.HasPrefix(after, " kr.") {
		after = "\u00a0" + after[1:]
	}
	return before, name, after, true
}

// Parameter returns the value of a parameter.
func Parameter(parameters []any, name string) (value any, known bool) {
	for i := 0; i+1 < len(parameters); i += 2 {
		if parameters[i] == name {
			return parameters[i+1], true
		}
	}
	return nil, false
}

// Message is a text that is written when its reader's language is known. It can be a
// parameter of another text.
type Message struct {
	English    string
	Parameters []any
}

// NewMessage returns a message with parameters, each a name and a value.
func NewMessage(english string, parameters ...any) Message { return Message{english, parameters} }

// In returns the message in a language.
func (m Message) In(l Language) string { return l.Fill(l.Lookup(m.English), m.Parameters...) }

// Value writes a parameter's value.
func (l Language) Value(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int:
		return l.Number(int64(v))
	case int64:
		return l.Number(v)
	case Message:
		return v.In(l)
	}
	return fmt.Sprint(value)
}
