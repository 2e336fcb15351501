package web

import (
	"regexp"
	"slices"
	"strings"
)

// DocsSearchView is the view of GET /docs/search?q=.
//
// Form: GET /docs/search with q, some words.
type DocsSearchView struct {
	DocsView
	Query string // DocsQueryLength at most
}

// DocsQueryLength is how many bytes of a query are searched for.
const DocsQueryLength = 200

// docFound is a part of a page that has all words of a search.
type docFound struct{ path, title, excerpt string }

var (
	docHeading = regexp.MustCompile(`(?m)^##+ (.*) \{#(.*)\}$`)
	docMarkup  = regexp.MustCompile("\\]\\([^)]*\\)|[`*|\\[]|^[-#0-9. ]+")
)

// docPart is a part of a page, for searches.
type docPart struct {
	path, title string
	text        string    // in lower case
	lines       []docLine // with text
}

type docLine struct{ text, excerpt string }

// parts returns the parts of the page, which begin at its headings.
func (d Doc) parts(markdown string) (parts []docPart) {
	_, _, body := cutDoc(markdown)
	part, text, start := docPart{path: d.Path, title: d.Title}, d.Lead+"\n", 0
	for _, h := range append(docHeading.FindAllStringSubmatchIndex(body, -1), nil) {
		end := len(body)
		if h != nil {
			end = h[0]
		}
		text += body[start:end]
		part.text = strings.ToLower(part.title + "\n" + text)
		for line := range strings.SplitSeq(text, "\n") {
			if line = docMarkup.ReplaceAllString(strings.TrimSpace(line), ""); line != "" {
				part.lines = append(part.lines, docLine{strings.ToLower(line), shorten(line, 160)})
			}
		}
		parts = append(parts, part)
		if h != nil {
			part, text, start = docPart{path: d.Path + "#" + body[h[4]:h[5]], title: d.Title + " › " + body[h[2]:h[3]]}, "", h[1]
		}
	}
	return parts
}

// found returns the parts of the documentation that have all words, in the pages' order.
func (v DocsSearchView) found() (found []docFound) {
	words := strings.Fields(strings.ToLower(v.Query))
	if len(words) == 0 {
		return nil
	}
	for _, part := range v.documentation().parts {
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(part.text, word) }) {
			found = append(found, docFound{part.path, part.title, part.excerpt(words[0])})
		}
	}
	return found
}

// excerpt returns the first line with the word, or the first line.
func (p docPart) excerpt(word string) string {
	i := slices.IndexFunc(p.lines, func(line docLine) bool { return strings.Contains(line.text, word) })
	if i < 0 && len(p.lines) == 0 {
		return ""
	}
	return p.lines[max(i, 0)].excerpt
}
