package web

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// DocsView is the view of the pages at and below /docs, for people who write clients.
// Anyone may read them.
type DocsView struct {
	Frame
	BaseURL     string // ends in /api
	LimitMinute int64  // requests per minute
	LimitHour   int64  // requests per hour
	PerKey      bool   // whether limits count per key instead of per organization
	Support     string // an e-mail address or URL for questions; empty if the operator set none
}

// Doc is a page of the documentation.
type Doc struct {
	Path  string
	title string
	lead  string
	group string // its heading in the menu
	// anchors are the ids that the sections with its content had when /docs was one page.
	// They still lead here.
	anchors  []string
	sections func(DocsView) []docSection
}

// docSection is a part of a page, with a heading to link to.
type docSection struct {
	id, title string
	body      templ.Component
}

// Docs returns the pages of the documentation, in the order in which to read them.
func Docs() []Doc {
	return []Doc{
		docStart(), docAuthentication(), docPagination(), docSync(), docConditionalRequests(), docRateLimits(), docErrorCodes(),
		docSandbox(), docSamples(), docResources(), docReference(), docVersions(), docSupport(),
	}
}

// Page shows the page.
func (d Doc) Page(v DocsView) templ.Component { return docsPage(v, d) }

// documentTitle is the page's name in the browser.
func (d Doc) documentTitle() string {
	if d.Path == "/docs" {
		return "API documentation"
	}
	return d.title + " – API docs"
}

// neighbors returns the pages before and after this one, or nil.
func (d Doc) neighbors() (previous, next *Doc) {
	all := Docs()
	for i := range all {
		if all[i].Path != d.Path {
			continue
		}
		if i > 0 {
			previous = &all[i-1]
		}
		if i+1 < len(all) {
			next = &all[i+1]
		}
	}
	return previous, next
}

// docGroups returns the headings of the menu, each with its pages.
func docGroups() (groups [][]Doc) {
	for _, d := range Docs() {
		if len(groups) == 0 || groups[len(groups)-1][0].group != d.group {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], d)
	}
	return groups
}

// docLink is a page of the documentation in a list of pages.
type docLink struct {
	Doc
	id   string   // of the item, or empty
	more []string // further ids
}

// docLinks returns the pages other than /docs, with the ids that /docs once had.
func docLinks() (links []docLink) {
	for _, d := range Docs()[1:] {
		link := docLink{Doc: d}
		if len(d.anchors) > 0 {
			link.id, link.more = d.anchors[0], d.anchors[1:]
		}
		links = append(links, link)
	}
	return links
}

// origin is the scheme and host of the API.
func (v DocsView) origin() string { return strings.TrimSuffix(v.BaseURL, "/api") }

// coded shows a text in which code stands between backticks.
func coded(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		for i, part := range strings.Split(text, "`") {
			part = templ.EscapeString(part)
			if i%2 == 1 {
				part = "<code>" + part + "</code>"
			}
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		return nil
	})
}

// count formats a number with its noun: 1 request, 2 requests.
func count(n int64, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return number(n, English) + " " + plural
}
