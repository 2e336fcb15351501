package web

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2"
)

// docFigures are all that the templates of the documentation depend on.
type docFigures struct {
	DocsFigures
	SignedIn bool
}

func (v DocsView) figures() docFigures { return docFigures{v.DocsFigures, v.UserEmail != ""} }

// documentation is the text of all pages. It is made once, because anyone may read it, as
// often as they like.
type documentation struct {
	pages map[string]docText // by their files
	parts []docPart
}

type docText struct {
	forPrograms, html string
	sections          []docSection
}

var documentations, _ = lru.New[docFigures, func() *documentation](20) // organizations may have limits of their own

func (v DocsView) documentation() *documentation {
	figures := v.figures()
	made := sync.OnceValue(func() *documentation {
		all := &documentation{pages: map[string]docText{}}
		for _, d := range Docs() {
			markdown := d.fill(figures)
			html, sections := d.render(markdown)
			all.pages[d.file] = docText{d.forPrograms(markdown, v.Reference), html, sections}
			all.parts = append(all.parts, d.parts(markdown)...)
		}
		return all
	})
	if known, ok, _ := documentations.PeekOrAdd(figures, made); ok {
		made = known
	}
	return made()
}

// Origin is the scheme and host of the API.
func (f docFigures) Origin() string { return strings.TrimSuffix(f.BaseURL, "/api") }

// Pages are the pages other than /docs.
func (f docFigures) Pages() []Doc { return Docs()[1:] }

// Samples are the sample programs.
func (f docFigures) Samples() []sample { return samples(f.BaseURL) }

// Minute is how many requests fit into a minute.
func (f docFigures) Minute() int64 { return max(1, f.LimitMinute) }

// Hourly is how many requests fit into an hour, at the pace of the minute's limit.
func (f docFigures) Hourly() int64 { return max(1, min(f.LimitHour, 60*f.Minute())) }

// Pace is how many seconds apart requests never meet a limit, rounded up to tenths.
func (f docFigures) Pace() string {
	tenths := max((600+f.Minute()-1)/f.Minute(), (36_000+f.Hourly()-1)/f.Hourly())
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
}

//go:embed samples/sync.* samples/*.curl samples/*.pq samples/*.gs
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
		all[i].Text = docFigures{DocsFigures: DocsFigures{BaseURL: baseURL}}.File("sync." + all[i].ID)
	}
	return all
}

// SampleFiles returns the names of the files that the documentation shows and offers for
// download.
func SampleFiles() (names []string) {
	entries, err := sampleFiles.ReadDir("samples")
	if err != nil {
		panic(err) // cannot happen: the files are embedded
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// SamplePath is where a sample's file can be downloaded.
func SamplePath(name string) string { return "/docs/samples/" + name }

// File returns the text of a sample's file, calling this service.
func (f docFigures) File(name string) string {
	text, err := sampleFiles.ReadFile("samples/" + name)
	if err != nil {
		panic(err) // a mistake in the page, which the tests find
	}
	return strings.NewReplacer(sampleBase, f.BaseURL, sampleTag, "").Replace(strings.TrimSpace(string(text)))
}

// Sample returns what a download of a sample's file has.
func (v DocsView) Sample(name string) string { return v.figures().File(name) + "\n" }
