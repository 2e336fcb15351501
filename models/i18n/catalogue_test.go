package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown is a place in the program that shows a text.
type shown struct {
	place      string
	text       string   // with a number, the plural
	one        string   // the singular, if the text has a number
	parameters []string // their names; nil if they are not known
}

// Every text of the program has a Danish translation with the same parameters, and the
// catalogue has no others.
func TestCatalogue(t *testing.T) {
	used := map[string]bool{}
	for _, s := range program(t) {
		used[s.text] = true
		translated, ok := Danish.catalogue()[s.text]
		if !assert.True(t, ok, "%s: no Danish for %q", s.place, s.text) {
			continue
		}
		assert.Equal(t, s.one == "", translated.One == "", "%s: %q has a number in one language only", s.place, s.text)
		want := names(s.text)
		if s.parameters != nil {
			assert.Equal(t, want, s.parameters, "%s: the parameters of %q", s.place, s.text)
		}
		for _, form := range []string{s.one, translated.One, translated.Other} {
			assert.True(t, form == "" || slices.Equal(names(form), want), "%s: %q and %q have other parameters", s.place, s.text,
				form)
		}
	}
	for english := range Danish.catalogue() {
		assert.True(t, used[english], "nothing shows the text %q", english)
	}
}

var topLevelKey = regexp.MustCompile(`(?m)^\t("(?:[^"\\]|\\.)*"):`)

// Each text is translated once, in one file.
func TestCatalogueHasNoDuplicates(t *testing.T) {
	files, err := filepath.Glob("da/*.json")
	require.NoError(t, err)
	first := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, key := range topLevelKey.FindAllStringSubmatch(string(text), -1) {
			assert.Empty(t, first[key[1]], "%s is in %s, too", key[1], file)
			first[key[1]] = file
		}
	}
	assert.Len(t, first, len(Danish.catalogue()), "a key does not stand on a line of its own after one tab")
}

// tables are the variables whose texts are translated where they are shown.
var tables = []string{"DownloadFormats", "actionTexts", "operatorTexts"}

// functions show the text in this argument. N and SayN have the singular before it.
var functions = map[string]int{"T": 0, "Say": 0, "NewMessage": 0, "NewError": 1, "providerFault": 1, "N": 2, "SayN": 2}

// errorFolders are those whose errors people see on pages, and not only in the API's
// answers or on the command line.
var errorFolders = []string{
	"../../dashboard",
	"../../dashboard/export",
	"../../dashboard/site",
	"../../api/download",
	"../../models",
	"../../models/accounts",
	"../../models/accounts/password",
	"../../models/keys",
	"../../models/ledger",
	"../../models/organizations",
	"../../models/signon",
	"../../models/tasks",
}

// apiOnly have errors that only the API returns, which is in English.
var apiOnly = []string{"../../models/keys/text.go", "../../models/keys/verifier.go"}

// program returns the places of the program that show a text. Commands speak English.
func program(t *testing.T) (all []shown) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." || slices.Contains([]string{"cmd"}, entry.Name())):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				return node.Name.Name != "providerFault" // its callers have the texts
			case *ast.CallExpr:
				name := called(node)
				at, known := functions[name]
				if known && len(node.Args) > at && (name != "NewError" || onPages(path, node.Args[1])) {
					all = append(all, showing(t, files, node, at))
				}
			case *ast.ValueSpec:
				if slices.Contains(tables, node.Names[0].Name) && len(node.Values) == 1 {
					for _, element := range node.Values[0].(*ast.CompositeLit).Elts {
						text, _ := constant(element.(*ast.KeyValueExpr).Value)
						all = append(all, shown{place: files.Position(element.Pos()).String(), text: text})
					}
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(all), 50)
	return all
}

func called(call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name
	case *ast.Ident:
		return function.Name
	}
	return ""
}

// onPages reports whether an error is shown on pages. What is only for commands or the
// API is elsewhere, or starts with a small letter.
func onPages(path string, message ast.Expr) bool {
	if !slices.Contains(errorFolders, filepath.ToSlash(filepath.Dir(path))) ||
		slices.Contains(apiOnly, filepath.ToSlash(path)) {
		return false
	}
	if call, ok := message.(*ast.CallExpr); ok && called(call) == "Sprintf" {
		message = call.Args[0]
	}
	text, ok := constant(message)
	return !ok || text != "" && !unicode.IsLower([]rune(text)[0]) && text[0] != '%'
}

// showing reads a call of one of the functions.
func showing(t *testing.T, files *token.FileSet, call *ast.CallExpr, at int) shown {
	s, arguments, ok := shown{place: files.Position(call.Pos()).String()}, call.Args[at:], true
	if called(call) == "providerFault" { // of a provider, by signon
		s.parameters = append(s.parameters, "provider")
	}
	if at == 2 {
		s.one, ok = constant(call.Args[1])
		s.parameters = append(s.parameters, "n")
	}
	text, constantText := constant(arguments[0])
	s.text = text
	assert.True(t, ok && constantText, "%s: the text is not a constant", s.place)
	for i := 1; i < len(arguments); i += 2 {
		name, ok := constant(arguments[i])
		assert.True(t, ok && i+1 < len(arguments), "%s: %q gets a parameter without a name or value", s.place, s.text)
		s.parameters = append(s.parameters, name)
	}
	slices.Sort(s.parameters)
	if s.parameters == nil {
		s.parameters = []string{}
	}
	return s
}

// constant returns the value of a string literal, or of several with + between them.
func constant(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, okX := constant(e.X)
		y, okY := constant(e.Y)
		return x + y, okX && okY && e.Op == token.ADD
	}
	return "", false
}

var name = regexp.MustCompile(`[{<]([a-zA-Z]+)[}>]`)

// names returns the names of a text's parameters, sorted. A tag named strong or code is
// none.
func names(text string) []string {
	found := []string{}
	for _, match := range name.FindAllStringSubmatch(text, -1) {
		if match[1] != "strong" && match[1] != "code" {
			found = append(found, match[1])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
