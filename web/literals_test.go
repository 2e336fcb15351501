package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	templates "github.com/a-h/templ/parser/v2"
	"github.com/a-h/templ/parser/v2/visitor"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// english are the files whose texts are not translated: those of the docs, which are for
// programmers.
var english = []string{"docs.templ", "docs.go"}

// No page holds a text outside the calls that translate it.
func TestTextsAreTranslatable(t *testing.T) {
	for _, pattern := range []string{"*.templ", "*.go", "../dashboard/*.go", "../dashboard/site/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_templ.go") || slices.Contains(english, file) {
				continue
			}
			for _, text := range literals(t, file) {
				t.Errorf("%s: %q is not translated", file, text)
			}
		}
	}
}

// literals returns the texts in a file that are not in a call that translates them.
func literals(t *testing.T, file string) (found []string) {
	t.Helper()
	if strings.HasSuffix(file, ".go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		return untranslated(parsed, reads)
	}
	parsed, err := templates.Parse(file)
	require.NoError(t, err)
	expression := func(e templates.Expression, isText func(string) bool) {
		if parsed, err := parser.ParseExpr(e.Value); err == nil {
			found = append(found, untranslated(parsed, isText)...)
		} else if parsed, err := parser.ParseExpr("f(" + e.Value + ")"); err == nil { // several values
			found = append(found, untranslated(parsed, isText)...)
		}
	}
	v := visitor.New()
	v.Text = func(n *templates.Text) error {
		if hasLetters(n.Value) && strings.TrimSpace(n.Value) != "Dispo" {
			found = append(found, n.Value)
		}
		return nil
	}
	v.StringExpression = func(n *templates.StringExpression) error {
		expression(n.Expression, hasLetters)
		return nil
	}
	v.ConstantAttribute = func(n *templates.ConstantAttribute) error {
		if slices.Contains(spoken, n.Key.String()) && hasLetters(n.Value) {
			found = append(found, n.Value)
		}
		return nil
	}
	v.ExpressionAttribute = func(n *templates.ExpressionAttribute) error {
		if slices.Contains(spoken, n.Key.String()) {
			expression(n.Expression, hasLetters)
		}
		return nil
	}
	call := v.TemplElementExpression
	v.TemplElementExpression = func(n *templates.TemplElementExpression) error {
		expression(n.Expression, reads)
		return call(n)
	}
	require.NoError(t, v.VisitTemplateFile(parsed))
	return found
}

// spoken are the attributes whose values people read or hear.
var spoken = strings.Fields("aria-label title placeholder alt data-label")

var (
	letters = regexp.MustCompile(`\pL\pL`)
	// Texts start with a capital letter, or have spaces around their words. Paths,
	// classes and values of attributes do not.
	words = regexp.MustCompile(`^[A-Z][a-z]+( |$|[.,:])|^ \pL|\pL $|\pL[.,:] `)
)

// tables are the variables whose texts are translated where they are shown.
var tables = []string{"DownloadFormats", "actionTexts", "operatorTexts", "parts", "exportParts"}

// universal are the same in every language.
var universal = append(strings.Fields("Edg Edge Opera Firefox Chrome Safari Android Windows Linux Node Python Go"),
	"Mac OS X", "public, max-age=31536000, immutable", "panic: %w\n%s", "%w: %w", "curl -A 'dispo-test' -H 'X-API-Key: ")

func hasLetters(text string) bool { return letters.MatchString(text) }

func reads(text string) bool { return words.MatchString(text) && !slices.Contains(universal, text) }

// untranslated returns the string literals that are texts, except those in calls that
// translate them.
func untranslated(node ast.Node, isText func(string) bool) (found []string) {
	ast.Inspect(node, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			method, ok := node.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"T", "N", "Say", "SayN", "NewError"}, method.Sel.Name) {
				break
			}
			for i, argument := range node.Args {
				if _, literal := argument.(*ast.BasicLit); !literal && i > 0 {
					found = append(found, untranslated(argument, isText)...)
				}
			}
			return false
		case *ast.ValueSpec:
			return !slices.Contains(tables, node.Names[0].Name)
		case *ast.ImportSpec, *ast.Field: // a field's tag
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING && isText(text) {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// A Danish page shows no text in English that has a translation: each of its parts knows
// the reader's language.
func TestDanishPagesAreDanish(t *testing.T) {
	for name, page := range everyPage() {
		if strings.HasSuffix(name, ".md") {
			continue
		}
		for _, fill := range []func(reflect.Value){func(reflect.Value) {}, fillHostile} {
			component := page.render(func(view reflect.Value) {
				fill(view)
				view.FieldByName("Locale").SetString(string(Danish))
			})
			for node := range elements(t, rendered(t, component)) {
				texts := []string{attribute(node, "aria-label"), attribute(node, "title"), attribute(node, "data-label")}
				for child := range node.ChildNodes() {
					if child.Type == html.TextNode {
						texts = append(texts, strings.TrimSpace(child.Data))
					}
				}
				for _, text := range texts {
					if danish := Danish.Lookup(text); danish != text && text != "Time" { // Danish for hour
						t.Errorf("%s: %q instead of %q", name, text, danish)
					}
				}
			}
		}
	}
}
