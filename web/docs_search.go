package web

import (
	"cmp"
	"regexp"
	"strings"
)

// DocsSearchView is the view of GET /docs/search?q=.
//
// Form: GET /docs/search with q, some words.
type DocsSearchView struct {
	DocsView
	Query string
}

// docFound is a part of a page that has all words of a search.
type docFound struct{ path, title, excerpt string }

var (
	docHeading = regexp.MustCompile(`(?m)^##+ (.*) \{#(.*)\}$`)
	docMarkup  = regexp.MustCompile("\\]\\([^)]*\\)|[`*|\\[]|^[-#0-9. ]+")
)

// found returns the parts of the documentation that have all words, in the pages' order.
func (v DocsSearchView) found() (found []docFound) {
	words := strings.Fields(strings.ToLower(v.Query))
	for _, d := range Docs() {
		_, _, body := cutDoc(d.Markdown(v.DocsView))
		path, title, start := d.Path, d.Title, 0
		for _, h := range append(docHeading.FindAllStringSubmatchIndex(body, -1), nil) {
			end := len(body)
			if h != nil {
				end = h[0]
			}
			text := body[start:end]
			if start == 0 {
				text = d.Lead + "\n" + text
			}
			if excerpt, ok := excerptOf(title+"\n"+text, words); ok {
				found = append(found, docFound{path, title, excerpt})
			}
			if h != nil {
				path, title, start = d.Path+"#"+body[h[4]:h[5]], d.Title+" › "+body[h[2]:h[3]], h[1]
			}
		}
	}
	return found
}

// excerptOf returns the line with the first word, if the text has all words. Its first line
// is the title.
func excerptOf(text string, words []string) (excerpt string, ok bool) {
	lower := strings.ToLower(text)
	for _, word := range words {
		if !strings.Contains(lower, word) {
			return "", false
		}
	}
	lines := strings.Split(text, "\n")[1:]
	first := ""
	for _, line := range lines {
		line = docMarkup.ReplaceAllString(strings.TrimSpace(line), "")
		first = cmp.Or(first, line)
		if len(words) > 0 && strings.Contains(strings.ToLower(line), words[0]) {
			return shorten(line, 160), true
		}
	}
	return shorten(first, 160), len(words) > 0
}
