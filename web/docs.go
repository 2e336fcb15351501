package web

import (
	"bytes"
	"embed"
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	docast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// DocsView is the view of the pages at and below /docs, for authors of clients.
// Anyone may read them.
type DocsView struct {
	Frame
	DocsFigures
}

// DocsFigures are the service's own figures in its documentation.
type DocsFigures struct {
	BaseURL     string // ends in /api
	LimitMinute int64  // requests per minute
	LimitHour   int64  // requests per hour
	PerKey      bool   // whether limits count per key instead of per organization
	Support     string // an e-mail address or URL for questions; empty if the operator set none
	Reference   string // the API's operations and schemas as Markdown
}

// Doc is a page of the documentation: a file in the folder docs, which is a template of
// Markdown. It begins with the page's title and a paragraph that says what it is about.
type Doc struct{ Path, Title, Lead, file string }

//go:embed docs/*.md
var docFiles embed.FS

// docGroups are the headings of the menu with their pages, in the order in which to read
// them.
var docGroups = []struct {
	heading string
	docs    []Doc
}{
	{"Start", docPages("start")},
	{
		"Guides",
		docPages(
			"authentication",
			"allowed-addresses",
			"leaked-keys",
			"pagination",
			"sync",
			"conditional-requests",
			"rate-limits",
			"errors",
			"sandbox",
			"clients",
			"generated",
			"samples",
			"assistants",
		),
	},
	{"Reference", docPages("resources", "reference", "versions")},
	{"For bookkeepers", docPages("spreadsheets")},
	{"For owners", docPages("single-sign-on")},
	{"Help", docPages("support")},
}

var docTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"count": count, "number": English.Number,
	}).ParseFS(docFiles, "docs/*.md"))
})

func docPages(names ...string) (docs []Doc) {
	for _, name := range names {
		file, err := docFiles.ReadFile("docs/" + name + ".md")
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		title, lead, _ := cutDoc(string(file))
		docs = append(docs, Doc{strings.TrimSuffix("/docs/"+name, "/start"), title, lead, name + ".md"})
	}
	return docs
}

// cutDoc splits a page into its title, its first paragraph and the rest.
func cutDoc(markdown string) (title, lead, body string) {
	title, body, _ = strings.Cut(markdown, "\n\n")
	lead, body, _ = strings.Cut(body, "\n\n")
	return strings.TrimPrefix(title, "# "), lead, body
}

// Docs returns the pages of the documentation, in the order in which to read them.
func Docs() (docs []Doc) {
	for _, group := range docGroups {
		docs = append(docs, group.docs...)
	}
	return docs
}

// neighbors returns the pages before and after this one, or nil.
func (d Doc) neighbors() (previous, next *Doc) {
	docs := Docs()
	i := slices.Index(docs, d)
	if i > 0 {
		previous = &docs[i-1]
	}
	if i+1 < len(docs) {
		next = &docs[i+1]
	}
	return previous, next
}

// fill returns the page as Markdown, with the service's own figures.
func (d Doc) fill(figures docFigures) string {
	var filled strings.Builder
	if err := docTemplates().ExecuteTemplate(&filled, d.file, figures); err != nil {
		panic(err) // a mistake in the file, which the tests find
	}
	return filled.String()
}

var (
	headingID = regexp.MustCompile(`(?m)^(##+ .*) \{#.*\}$`)
	docLink   = regexp.MustCompile(`\]\((/docs[a-z/-]*)(?:#[^)]*)?\)`)
)

// MarkdownPath is where programs read the page.
func (d Doc) MarkdownPath() string { return "/docs/" + d.file }

// ForPrograms returns the page as Markdown without the ids of its headings. Its links to
// other pages lead to their Markdown.
func (d Doc) ForPrograms(v DocsView) string { return v.documentation().pages[d.file].forPrograms }

func (d Doc) forPrograms(markdown, reference string) string {
	text := headingID.ReplaceAllString(markdown, "$1")
	text = docLink.ReplaceAllStringFunc(text, func(link string) string {
		path := docLink.FindStringSubmatch(link)[1]
		for _, page := range Docs() {
			if page.Path == path {
				return "](" + page.MarkdownPath() + ")"
			}
		}
		return link
	})
	if d.Path == "/docs/reference" {
		text += reference
	}
	return text
}

// DocsIndex returns the list of all pages for programs (llmstxt.org).
func DocsIndex() string {
	text := "# Dispo API\n\n> Read an organization’s Danish companies and their disposition transactions over HTTP and JSON.\n"
	for _, group := range docGroups {
		text += "\n## " + group.heading + "\n\n"
		for _, d := range group.docs {
			text += fmt.Sprintf("- [%s](%s): %s\n", d.Title, d.MarkdownPath(), d.Lead)
		}
	}
	return text
}

// docSection is a part of a page, with a heading to link to.
type docSection struct{ id, title string }

// Page shows the page.
func (d Doc) Page(v DocsView) templ.Component {
	page := v.documentation().pages[d.file]
	return docsPage(v, d, page.sections, page.html)
}

// render returns the HTML of the page's text, and its sections.
func (d Doc) render(markdown string) (rendered string, sections []docSection) {
	_, _, body := cutDoc(markdown)
	source := []byte(body)
	document := docMarkdown.Parser().Parse(text.NewReader(source))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, ok := n.(*ast.Heading); ok && heading.Level == 2 {
			id, _ := heading.AttributeString("id")
			sections = append(sections, docSection{fmt.Sprintf("%s", id), plainText(heading, source)})
		}
	}
	var written bytes.Buffer
	if err := docMarkdown.Renderer().Render(&written, source, document); err != nil {
		panic(err) // cannot happen: a buffer takes everything
	}
	return written.String(), sections
}

// docMarkdown renders Markdown as the pages' own HTML. HTML in it is left out, so a figure
// can't bring any in.
var docMarkdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
	goldmark.WithParserOptions(parser.WithHeadingAttribute(),
		parser.WithASTTransformers(util.Prioritized(docTables{}, 100))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(docCode{}, 100))),
)

// docTables gives tables the pages' look: narrow screens show the heading of its column
// with each cell.
type docTables struct{}

// Transform adds attributes to the document's docast.
func (docTables) Transform(document *ast.Document, reader text.Reader, _ parser.Context) {
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != docast.KindTable {
			continue
		}
		n.SetAttributeString("class", "rows")
		var labels []string
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			column := 0
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				if row.Kind() == docast.KindTableHeader {
					labels = append(labels, plainText(cell, reader.Source()))
				} else if column > 0 {
					cell.SetAttributeString("data-label", labels[column])
				}
				if cell.(*docast.TableCell).Alignment == docast.AlignRight {
					cell.SetAttributeString("class", "amount")
				}
				column++
			}
		}
	}
}

// docCode renders blocks of code, with a button that copies them if their language is named,
// and a link that downloads them if that is the name of a sample's file.
type docCode struct{}

// RegisterFuncs registers the renderer.
func (docCode) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(
		ast.KindFencedCodeBlock,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			if block := node.(*ast.FencedCodeBlock); entering {
				tab := tabOf(node, source)
				if tab != "" && tabOf(node.PreviousSibling(), source) == "" {
					_, _ = w.WriteString(`<fieldset class="tabs"><legend class="visually-hidden">Language</legend>`)
					for n, checked := node, " checked"; tabOf(n, source) != ""; n, checked = n.NextSibling(), "" {
						fmt.Fprintf(w,
							`<input type="radio" class="visually-hidden" name="tabs" id="tab-%d"%s><label for="tab-%[1]d">%[3]s</label>`,
							n.Pos(), checked, html.EscapeString(tabOf(n, source)))
					}
				}
				button, id, language := "", fmt.Sprintf("code-%d", block.Pos()), string(block.Language(source))
				if language != "" {
					button = fmt.Sprintf(`<button type="button" class="quiet" data-copy="%s" hidden>Copy</button>`, id)
				}
				if strings.Contains(language, ".") {
					button = fmt.Sprintf(
						`<div class="code-actions"><a class="button quiet" href="%s" download>Download %s</a>%s</div>`,
						SamplePath(language), language, button)
					language = strings.TrimPrefix(path.Ext(language), ".")
				}
				code := colored(language, strings.TrimSuffix(string(block.Lines().Value(source)), "\n"))
				fmt.Fprintf(w, `<div class="code-box">%s<pre class="code" tabindex="0"><code id="%s">%s</code></pre></div>`, button,
					id, code)
				if tab != "" && tabOf(node.NextSibling(), source) == "" {
					_, _ = w.WriteString(`</fieldset>`)
				}
			}
			return ast.WalkSkipChildren, nil
		},
	)
}

// tabOf returns the label of a block of code that is one of several tabs: what follows its
// language. It is empty for any other node.
func tabOf(node ast.Node, source []byte) string {
	if block, ok := node.(*ast.FencedCodeBlock); ok && block.Info != nil {
		_, label, _ := strings.Cut(string(block.Info.Value(source)), " ")
		return label
	}
	return ""
}

// What is colored in code: comments, strings and some keywords. It is enough for the samples.
var (
	hashCode = regexp.MustCompile(
		`((?m:(?:^|\s)#.*$))|("""[^"]*"""|"(?:[^"\\]|\\.)*"|'[^']*')|\b(and|as|class|def|do|done|elif|else|except|export|fi|for|from|if|import|in|is|not|or|raise|return|then|try|until|while|with)\b`,
	)
	slashCode = regexp.MustCompile(
		"((?m://.*$))|(\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`)" + `|\b(async|await|case|const|defer|else|export|for|from|func|function|go|if|import|in|let|new|of|package|range|return|struct|switch|throw|try|type|var|while)\b`,
	)
	codeRules = map[string]*regexp.Regexp{
		"sh":  hashCode,
		"py":  hashCode,
		"go":  slashCode,
		"mts": slashCode,
		"gs":  slashCode,
		"m":   slashCode,
	}
)

// colored returns code as HTML.
func colored(language, code string) string {
	rule := codeRules[language]
	if rule == nil {
		return html.EscapeString(code)
	}
	var colored strings.Builder
	end := 0
	for _, match := range rule.FindAllStringSubmatchIndex(code, -1) {
		for i, class := range []string{"comment", "string", "keyword"} {
			if from, to := match[2*i+2], match[2*i+3]; from >= 0 {
				fmt.Fprintf(&colored, `%s<span class="%s">%s</span>`, html.EscapeString(code[end:from]), class,
					html.EscapeString(code[from:to]))
				end = to
			}
		}
	}
	return colored.String() + html.EscapeString(code[end:])
}

// plainText returns the text of a node without its markup.
func plainText(node ast.Node, source []byte) (plain string) {
	for n := node.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			plain += string(t.Value(source))
		}
		plain += plainText(n, source)
	}
	return plain
}

// count formats a number with its noun: 1 request, 2 requests.
func count(n int64, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return English.Number(n) + " " + plural
}
