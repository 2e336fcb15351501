package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/net/html"
)

// nativeRoles are roles that elements have by themselves.
var nativeRoles = map[string]string{
	"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tfoot": "rowgroup", "tr": "row", "td": "cell", "th": "",
	"a": "link", "button": "button", "form": "form", "ul": "list", "ol": "list", "li": "listitem",
	"main": "main", "nav": "navigation", "header": "banner",
}

// nameable are elements that screen readers announce with a name from an aria
// attribute. Others need a role for that.
var nameable = strings.Fields(
	"a button dialog fieldset figure form iframe img input main nav section select summary table textarea")

// Pages are valid HTML: what html-validate's recommended rules found once does not
// come back.
func TestPagesAreValid(t *testing.T) {
	checkPages(t, func(t *testing.T, text string) {
		assert.False(t, strings.Contains(text, "<html") && !strings.HasPrefix(text, "<!DOCTYPE html>"),
			"the page starts with %.20q", text)
		for tokens := html.NewTokenizer(strings.NewReader(text)); tokens.Next() != html.ErrorToken; {
			var keys []string
			for _, a := range tokens.Token().Attr {
				assert.NotContains(t, keys, a.Key, "the attribute %s occurs twice in one tag", a.Key)
				keys = append(keys, a.Key)
			}
		}
		for node := range elements(t, text) {
			role := attribute(node, "role")
			if native, known := nativeRoles[node.Data]; known && role != "" && (role == native || native == "") {
				t.Errorf("<%s> has the role %s, which it has by itself", node.Data, role)
			}
			named := attribute(node, "aria-label") + attribute(node, "aria-labelledby")
			assert.False(t, named != "" && role == "" && !slices.Contains(nameable, node.Data),
				"<%s> is named %s, but has no role to announce it with", node.Data, named)
			assert.False(t, node.Data == "button" && attribute(node, "type") == "", "the button %q has no type", textOf(node))
			assert.False(t, node.Data == "title" && inside(node, "head") && written(textOf(node)) > titleLength,
				"the title is too long: %q", textOf(node))
		}
	})
}

// The title names the page and the organization, and shortens the page first.
func TestDocumentTitle(t *testing.T) {
	long := strings.Repeat("Vesterhav ", 20)
	for _, c := range []struct{ title, organization, want string }{
		{"API keys", "Nordlys A/S", "API keys – Nordlys A/S – Dispo"},
		{"API keys", "", "API keys – Dispo"},
		{"Rotate Bookkeeping, production, the second server", "Vesterhav Transport & Logistik", "Rotate Bookkeeping, prod… – Vesterhav Transport & Logistik – Dispo"},
		{"API keys", long, "API keys – Vesterhav Vesterhav Vesterhav Vesterhav Vesterhav… – Dispo"},
		{"Skibsprovianten Anker, Tov & Tjære A/S", "Havnens Handel ApS", "Skibsprovianten Anker, Tov & Tjære A… – Havnens Handel ApS – Dispo"},
		{long, "", "Vesterhav Vesterhav Vesterhav Vesterhav Vesterhav Vesterhav V… – Dispo"},
	} {
		f := Frame{UserEmail: "a@b.example", Organization: Organization{Name: c.organization}}
		assert.Equal(t, c.want, documentTitle(f, c.title))
	}
}

// textOf is the node's text with single spaces.
func textOf(node *html.Node) string {
	var text strings.Builder
	for child := range node.Descendants() {
		if child.Type == html.TextNode {
			text.WriteString(child.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
