package web

import (
	"cmp"
	"html"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// docMatches returns what the first group of a pattern matches in a part of a page, sorted.
func docMatches(t *testing.T, page, from, to, pattern string) (found []string) {
	t.Helper()
	text, err := docFiles.ReadFile("docs/" + page)
	require.NoError(t, err)
	_, part, _ := strings.Cut(string(text), from)
	if to != "" {
		part, _, _ = strings.Cut(part, to)
	}
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(part, -1) {
		found = append(found, strings.Split(strings.ReplaceAll(match[1], "`", ""), ", ")...)
	}
	slices.Sort(found)
	return found
}

// The docs list exactly the fields of the OpenAPI document.
func TestDocsMatchOpenAPIDocument(t *testing.T) {
	text, err := os.ReadFile("../api/openapi.yaml")
	require.NoError(t, err)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &document))
	for schema, part := range map[string][2]string{"Company": {"## Company ", "## "}, "Transaction": {"## Transaction ", "## "}, "Day": {"## Day ", "## "}, "Change": {"## Change ", "## "}} {
		got := docMatches(t, "resources.md", part[0], part[1], "(?m)^\\| (`[a-zA-Z`, ]+`) \\|")
		want := slices.Sorted(maps.Keys(document.Components.Schemas[schema].Properties))
		assert.Equal(t, want, got, schema)
	}
}

// The docs explain every error code of the API, and no other.
func TestDocsExplainEveryErrorCode(t *testing.T) {
	text, err := os.ReadFile("../api/errors.go")
	require.NoError(t, err)
	var want []string
	for _, code := range regexp.MustCompile(`\tcode\w+\s*= "([A-Z_]+)"`).FindAllSubmatch(text, -1) {
		want = append(want, string(code[1]))
	}
	slices.Sort(want)
	assert.Equal(t, want, docMatches(t, "errors.md", "## The format", "", `(?m)^## \w+ \{#([A-Z_]+)\}$`))
}

// Every link between pages of the documentation leads to a page and to a part of it that
// exist, every page can be reached from the others, and its parts have ids of their own.
func TestDocsLinksLeadSomewhere(t *testing.T) {
	ids, links := map[string]map[string]int{}, map[string][]string{}
	for _, d := range Docs() {
		ids[d.Path] = map[string]int{}
		for _, v := range []DocsView{{Frame: frame(d.Path)}, {Frame: visitorFrame(d.Path), DocsFigures: DocsFigures{Support: "https://example.com/support"}}} {
			v.BaseURL = baseURL
			for node := range elements(t, rendered(t, d.Page(v))) {
				if id := attribute(node, "id"); id != "" && v.DocsFigures.Support == "" {
					ids[d.Path][id]++
				}
				if href := attribute(node, "href"); node.Data == "a" && href != "" {
					links[d.Path] = append(links[d.Path], href)
				}
			}
		}
	}
	elsewhere := []string{"/settings/api-keys", "/settings/members", "/settings/audit-log", "/settings/organization",
		"/profile", "/sign-in", "/", "/companies", "/days", "/transactions", "/deliveries", "/api/openapi.yaml",
		"/api/openapi.json", "/docs/reference.md", "/llms.txt"}
	for from, targets := range links {
		for id, times := range ids[from] {
			assert.Equal(t, 1, times, "%s: elements with the id %s", from, id)
			if id[0] >= '0' && id[0] <= '9' { // which a CSS selector cannot name
				t.Errorf("%s: the id %s begins with a digit", from, id)
			}
		}
		for _, target := range targets {
			path, id, _ := strings.Cut(target, "#")
			path = cmp.Or(path, from)
			switch {
			case ids[path] != nil && (id == "" || ids[path][id] == 1):
			case slices.Contains(SampleFiles(), strings.TrimPrefix(path, SamplePath(""))):
			case ids[path] == nil && (slices.Contains(elsewhere, path) || target == "https://example.com/support" || target == "https://jqlang.org"):
			default:
				t.Errorf("%s links to %s, which does not exist", from, target)
			}
		}
	}
	for path := range ids {
		for from := range links {
			assert.Contains(t, links[from], path, from)
		}
	}
}

// Figures are shown as text, whatever they contain, and the pages have them all.
func TestDocsShowFigures(t *testing.T) {
	for _, d := range Docs() {
		v := DocsView{
			frame(d.Path),
			DocsFigures{BaseURL: "https://<script>/api", LimitMinute: 7, LimitHour: 5000, Support: "<script>alert(1)</script>"},
		}
		page := rendered(t, d.Page(v))
		assert.NotRegexp(t, `<script>|\{\{`, page, d.Path)
		assert.NotContains(t, d.fill(v.figures()), "<no value>", d.Path)
	}
}

// The samples call the service that shows them, with a key from the environment, unless
// DISPO_URL names another one.
func TestSamplesCallThisService(t *testing.T) {
	for _, s := range samples("https://reading.example/api") {
		assert.NotContains(t, s.Text, sampleBase)
		assert.Equal(t, 1, strings.Count(s.Text, "https://reading.example/api"), s.Language)
		for _, want := range []string{"DISPO_KEY", "DISPO_URL"} {
			assert.Contains(t, s.Text, want, s.Language)
		}
	}
}

// Every action in the audit log has a description.
func TestAuditActionsHaveDescriptions(t *testing.T) {
	text, err := os.ReadFile("../models/audit.go")
	require.NoError(t, err)
	actions := regexp.MustCompile(`Action\w+\s*= "(.+)"`).FindAllSubmatch(text, -1)
	require.NotEmpty(t, actions)
	for _, action := range actions {
		if row := (AuditRow{Action: string(action[1])}); row.actionText(Frame{}) == row.Action {
			t.Errorf("%s has no description", row.Action)
		}
	}
}

// A search of the documentation finds the parts of pages that have all its words, and links
// to them.
func TestDocsSearch(t *testing.T) {
	v := DocsSearchView{
		DocsView: DocsView{visitorFrame("/docs/search"), DocsFigures{BaseURL: baseURL, LimitMinute: 60, LimitHour: 1000}},
	}
	for query, want := range map[string]string{
		"Retry-After limit":    "/docs/rate-limits",
		"If-None-Match":        "/docs/conditional-requests",
		"VALIDATION_ERROR":     "/docs/errors#VALIDATION_ERROR",
		"webhook":              "/docs/conditional-requests#wait",
		"negative":             "/docs/resources#transaction",
		"excel":                "/docs/spreadsheets#excel",
		"ip address":           "/docs/authentication#secret",
		"401":                  "/docs/errors#UNAUTHORIZED",
		"Sample programs FOUR": "/docs/samples",
	} {
		v.Query = query
		page := rendered(t, DocsSearchPage(v))
		assert.Contains(t, page, `<a href="`+want, query)
		for _, d := range v.found() {
			assert.NotEmpty(t, d.excerpt, d.path)
			assert.NotContains(t, d.excerpt, "](", d.path)
		}
	}
	for _, query := range []string{"", "nothing-has-this", "limit nothing-has-this"} {
		if v.Query = query; len(v.found()) > 0 {
			t.Errorf("%q finds %v", query, v.found())
		}
	}
}

// Code keeps its text when it is colored, and comments, strings and keywords are.
func TestColoredCode(t *testing.T) {
	for _, s := range samples(baseURL) {
		got := colored(s.ID, s.Text)
		assert.Equal(t, s.Text, html.UnescapeString(regexp.MustCompile(`</?span[^>]*>`).ReplaceAllString(got, "")),
			s.Language)
		for _, class := range []string{"comment", "string", "keyword"} {
			assert.Contains(t, got, `<span class="`+class+`">`, s.Language)
		}
	}
	for code, want := range map[string]string{
		`x := "// <no>" // yes`: `x := <span class="string">&#34;// &lt;no&gt;&#34;</span><span class="comment">// yes</span>`,
		"if a.if_b {":           `<span class="keyword">if</span> a.if_b {`,
	} {
		assert.Equal(t, want,
			strings.ReplaceAll(colored("go", code), "</span> <span class=\"comment", "</span><span class=\"comment"))
	}
}

// The documentation is open to anybody, so it is rendered and indexed once. After that no
// page and no search, whatever it asks for, takes as much work as rendering one does.
func TestDocsAreRenderedOnce(t *testing.T) {
	v := DocsView{visitorFrame("/docs"), DocsFigures{BaseURL: baseURL, LimitMinute: 60, LimitHour: 1000}}
	var rare, common []string
	for char := 'a'; char <= 'z'; char++ {
		rare, common = append(rare, string(char)+string(char)+"x"), append(common, string(char))
	}
	pages := map[string]func() templ.Component{}
	for _, d := range Docs() {
		pages[d.Path] = func() templ.Component { return d.Page(v) }
		pages[d.MarkdownPath()] = func() templ.Component { return templ.Raw(d.ForPrograms(v)) }
	}
	for _, query := range []string{"", "e", "rate limit", strings.Join(rare, " "), strings.Join(common, " ")} {
		pages["search for "+query] = func() templ.Component { return DocsSearchPage(DocsSearchView{v, query}) }
	}
	for name, page := range pages {
		work := testing.AllocsPerRun(5, func() {
			require.NoError(t, Render(io.Discard, page()))
		})
		assert.LessOrEqual(t, work, 1000.0, name)
	}
}
