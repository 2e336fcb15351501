package web

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// checkPages runs check on every page with zero and hostile views. Every page renders with them.
func checkPages(t *testing.T, check func(t *testing.T, text string)) {
	t.Helper()
	for kind, pages := range map[string]map[string]templ.Component{"zero": zeroPages(), "hostile": hostilePages()} {
		for name, page := range pages {
			t.Run(kind+" "+name, func(t *testing.T) { check(t, rendered(t, page)) })
		}
	}
}

// Pages work under a strict content security policy: they contain no inline styles,
// scripts or event handlers, and load nothing from other origins.
func TestPagesWorkUnderStrictContentSecurityPolicy(t *testing.T) {
	scripts := []string{Script().Path, referenceRenderer().Path, referenceScript().Path}
	checkPages(t, func(t *testing.T, text string) {
		for node := range elements(t, text) {
			assert.False(t, node.Data == "style" || node.Data == "script" && !slices.Contains(scripts, attribute(node, "src")),
				"inline <%s>", node.Data)
			for _, a := range node.Attr {
				target, err := url.Parse(a.Val)
				switch {
				case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
					t.Errorf("inline <%s %s>", node.Data, a.Key)
				case a.Key == "src" || node.Data == "link" && a.Key == "href":
					assert.True(t, strings.HasPrefix(a.Val, "/assets/"), "loads %s", a.Val)
				case a.Key == "href" && (err != nil || !slices.Contains([]string{"", "https", "otpauth", "mailto", "about"}, target.Scheme)):
					t.Errorf("links to %s", a.Val)
				case a.Key == "action" && !strings.HasPrefix(a.Val, "/") && a.Val != "" && !strings.Contains(a.Val, hostile):
					t.Errorf("sends a form to %s", a.Val)
				}
			}
		}
	})
}

// Every visible form field has a label, every POST form carries the form token, and
// every rejected field refers to its error.
func TestFormsAreLabeledAndProtected(t *testing.T) {
	checkPages(t, func(t *testing.T, text string) {
		labels, ids := map[string]bool{}, map[string]int{}
		for node := range elements(t, text) {
			if node.Data == "label" {
				labels[attribute(node, "for")] = true
			}
			if id := attribute(node, "id"); id != "" {
				ids[id]++
			}
		}
		for node := range elements(t, text) {
			switch node.Data {
			case "input", "select", "textarea":
				if attribute(node, "type") == "hidden" || inside(node, "label") {
					break
				}
				assert.False(t, !labels[attribute(node, "id")] && attribute(node, "aria-label") == "", "%s has no label",
					attribute(node, "name"))
			case "form":
				assert.False(t, attribute(node, "method") == "post" && !hasField(node, "form_token"),
					"the form to %s has no form_token", attribute(node, "action"))
			}
			for _, key := range []string{"aria-describedby", "aria-labelledby", "popovertarget", "data-copy", "data-reveal"} {
				for _, id := range strings.Fields(attribute(node, key)) {
					assert.Equal(t, 1, ids[id], "elements with the id %s, to which %s refers", id, key)
				}
			}
			assert.False(t,
				attribute(node, "aria-invalid") == "true" && !strings.Contains(attribute(node, "aria-describedby"), "-error"),
				"%s is invalid but has no error", attribute(node, "name"))
		}
	})
}

// Only the answers to creating a key can show it. Printing or logging a view does
// not reveal the key.
func TestOnlyCreationShowsKey(t *testing.T) {
	for _, page := range everyPage() {
		name := page.view.Name()
		if got, want := holdsKey(page.view), name == "KeyCreatedView" || name == "RotationView"; got != want {
			t.Errorf("%s can hold a key: %t, want %t", name, got, want)
		}
	}
	created := KeyCreatedView{Text: sampleKey}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		assert.NotContains(t, fmt.Sprintf(format, created), sampleKey, "%s prints the key", format)
	}
}

const hostile = `"><script>alert(1)</script><b onclick='x' style="x">javascript:alert(1)`

// pageType is a page and the type of its view.
type pageType struct {
	view   reflect.Type
	render func(prepare func(view reflect.Value)) templ.Component
}

func pageOf[V any](page func(V) templ.Component) pageType {
	return pageType{
		view: reflect.TypeFor[V](),
		render: func(prepare func(view reflect.Value)) templ.Component {
			var view V
			prepare(reflect.ValueOf(&view).Elem())
			return page(view)
		},
	}
}

func everyPage() map[string]pageType {
	pages := map[string]pageType{
		"sign-in":              pageOf(SignInPage),
		"second-factor":        pageOf(SecondFactorPage),
		"forgotten":            pageOf(ForgottenPage),
		"password":             pageOf(PasswordPage),
		"invitation":           pageOf(InvitationPage),
		"overview":             pageOf(OverviewPage),
		"companies":            pageOf(CompaniesPage),
		"company":              pageOf(CompanyPage),
		"transactions":         pageOf(TransactionsPage),
		"deliveries":           pageOf(DeliveriesPage),
		"delivery":             pageOf(DeliveryPage),
		"search":               pageOf(SearchPage),
		"keys":                 pageOf(KeysPage),
		"key":                  pageOf(KeyPage),
		"key-new":              pageOf(KeyNewPage),
		"key-created":          pageOf(KeyCreatedPage),
		"key-pause":            pageOf(KeyPausePage),
		"key-revoke":           pageOf(KeyRevokePage),
		"rotation":             pageOf(RotationPage),
		"rotation-steps":       pageOf(RotationSteps),
		"members":              pageOf(MembersPage),
		"organization":         pageOf(OrganizationPage),
		"member-remove":        pageOf(MemberRemovePage),
		"invitation-created":   pageOf(InvitationCreatedPage),
		"audit-log":            pageOf(AuditLogPage),
		"profile":              pageOf(ProfilePage),
		"totp-setup":           pageOf(TOTPSetupPage),
		"second-factor-remove": pageOf(SecondFactorRemovePage),
		"recovery-codes-new":   pageOf(RecoveryCodesNewPage),
		"recovery-codes":       pageOf(RecoveryCodesPage),
		"kept-form":            pageOf(KeptFormPage),
		"confirm":              pageOf(ConfirmPage),
		"error":                pageOf(ErrorPage),
		"elsewhere":            pageOf(ElsewherePage),
		"suspended":            pageOf(SuspendedPage),
		"unlock":               pageOf(UnlockPage),
		"days":                 pageOf(DaysPage),
		"key-requests":         pageOf(KeyRequestsPage),
	}
	pages["search.md"] = pageOf(DocsSearchPage)
	for _, d := range Docs() {
		pages[d.file] = pageOf(d.Page)
	}
	return pages
}

// hostilePages returns every page with text that tries to break out of its place.
func hostilePages() map[string]templ.Component {
	pages := map[string]templ.Component{}
	for name, page := range everyPage() {
		pages[name] = page.render(fillHostile)
	}
	return pages
}

// zeroPages returns every page with a zero view, and pages with a zero row.
func zeroPages() map[string]templ.Component {
	pages := map[string]templ.Component{
		"overview with a key": OverviewPage(OverviewView{Keys: []KeyUse{{}}, Refusals: []Refusal{{}}}),
		"companies with one":  CompaniesPage(CompaniesView{Total: 1, Rows: []CompanyRow{{}}}),
		"company with one":    CompanyPage(CompanyView{Ledger: Ledger{Rows: []TransactionRow{{}}}}),
		"deliveries with one": DeliveriesPage(DeliveriesView{Rows: []DeliveryRow{{}}, Days: []ReceivedDay{{}},
			Waiting: []WaitingRow{{}}}),
		"delivery with one": DeliveryPage(DeliveryView{Rows: []TransactionRow{{}}}),
		"search with one": SearchPage(SearchView{Companies: []CompanyRow{{}}, Keys: []KeyRow{{}},
			Amounts: Ledger{Rows: []TransactionRow{{}}}, Deliveries: []DeliveryRow{{}}}),
		"keys with one": KeysPage(KeysView{Keys: []KeyRow{{}}}),
		"key with one": KeyPage(KeyView{Predecessors: []KeyRow{{}}, Successors: []KeyRow{{}}, Refusals: []Refusal{{}},
			Log: []AuditRow{{}}, Served: []ServedRow{{}}}),
		"rotation with successor": RotationPage(RotationView{Successor: &KeyRow{}}),
		"members with one":        MembersPage(MembersView{Members: []MemberRow{{}}, Invitations: []InvitationRow{{}}}),
		"audit log with one":      AuditLogPage(AuditLogView{Rows: []AuditRow{{}}}),
		"profile with one":        ProfilePage(ProfileView{Sessions: []SessionRow{{}}}),
	}
	for name, page := range everyPage() {
		pages[name] = page.render(func(reflect.Value) {})
	}
	return pages
}

// fillHostile sets every string to the hostile text, every bool to true, and gives
// every slice one element.
func fillHostile(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		// The other string types only take constants.
		if v.Type() == reflect.TypeFor[string]() || v.Type() == reflect.TypeFor[KeyText]() {
			v.SetString(hostile)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillHostile(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillHostile(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fillHostile(v.Field(i))
			}
		}
	}
}

func holdsKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return holdsKey(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsKey(t.Field(i).Type) {
				return true
			}
		}
	}
	return t == reflect.TypeFor[KeyText]()
}

func elements(t *testing.T, text string) func(yield func(*html.Node) bool) {
	t.Helper()
	document, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	return func(yield func(*html.Node) bool) {
		for node := range document.Descendants() {
			if node.Type == html.ElementNode && !yield(node) {
				return
			}
		}
	}
}

func attribute(node *html.Node, key string) string {
	for _, a := range node.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func inside(node *html.Node, name string) bool {
	for parent := range node.Ancestors() {
		if parent.Data == name {
			return true
		}
	}
	return false
}

func hasField(form *html.Node, field string) bool {
	for node := range form.Descendants() {
		if attribute(node, "name") == field {
			return true
		}
	}
	return false
}
