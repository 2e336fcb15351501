package web

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

func each(t *testing.T, check func(t *testing.T, text string)) {
	t.Helper()
	for kind, pages := range map[string]map[string]templ.Component{"full": full(), "zero": zero(), "hostile": hostile()} {
		for name, page := range pages {
			t.Run(kind+" "+name, func(t *testing.T) { check(t, rendered(t, page)) })
		}
	}
}

// Every page renders, also with nothing in its view, and closes what it opens, in
// order.
func TestPagesAreWellFormed(t *testing.T) {
	void := strings.Fields("area base br col embed hr img input link meta source track wbr")
	each(t, func(t *testing.T, text string) {
		var open []string
		tokens := html.NewTokenizer(strings.NewReader(text))
		for {
			kind := tokens.Next()
			if kind == html.ErrorToken {
				break
			}
			name, _ := tokens.TagName()
			switch tag := string(name); {
			case kind == html.StartTagToken && !slices.Contains(void, tag):
				open = append(open, tag)
			case kind == html.EndTagToken:
				if len(open) == 0 || open[len(open)-1] != tag {
					t.Fatalf("</%s> closes nothing; open are %v", tag, open)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("never closed: %v", open)
		}
	})
}

// A strict content security policy breaks nothing: no style, script or handler
// stands in a page, and nothing comes from elsewhere.
func TestPagesHoldToTheirPolicy(t *testing.T) {
	each(t, func(t *testing.T, text string) {
		for node := range elements(t, text) {
			if node.Data == "style" || node.Data == "script" && attribute(node, "src") != Script.Path {
				t.Errorf("<%s> in the page", node.Data)
			}
			for _, a := range node.Attr {
				target, err := url.Parse(a.Val)
				switch {
				case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
					t.Errorf("<%s %s> in the page", node.Data, a.Key)
				case a.Key == "src" || node.Data == "link" && a.Key == "href":
					if !strings.HasPrefix(a.Val, "/assets/") {
						t.Errorf("%s is loaded", a.Val)
					}
				case a.Key == "href" && (err != nil || !slices.Contains([]string{"", "https", "otpauth", "about"}, target.Scheme)):
					t.Errorf("a link to %s", a.Val)
				case a.Key == "action" && !strings.HasPrefix(a.Val, "/") && a.Val != "" && !strings.Contains(a.Val, evil):
					t.Errorf("a form is sent to %s", a.Val)
				}
			}
		}
	})
}

// Whatever people type into a form has a label, every form that changes something
// carries the form token, and what was refused is tied to its reason.
func TestFormsAreLabelledAndProtected(t *testing.T) {
	each(t, func(t *testing.T, text string) {
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
				if !labels[attribute(node, "id")] && attribute(node, "aria-label") == "" {
					t.Errorf("nothing labels %s", attribute(node, "name"))
				}
			case "form":
				if attribute(node, "method") == "post" && !holds(node, "form_token") {
					t.Errorf("no form_token goes to %s", attribute(node, "action"))
				}
			}
			for _, key := range []string{"aria-describedby", "aria-labelledby", "popovertarget", "data-copy", "data-reveal"} {
				for _, id := range strings.Fields(attribute(node, key)) {
					if ids[id] != 1 {
						t.Errorf("%s names %s, which is there %d times", key, id, ids[id])
					}
				}
			}
			if attribute(node, "aria-invalid") == "true" && !strings.Contains(attribute(node, "aria-describedby"), "-error") {
				t.Errorf("%s was refused without a reason", attribute(node, "name"))
			}
		}
	})
}

// A page weighs less than 100 kB with everything that it loads, uncompressed.
func TestPagesAreLight(t *testing.T) {
	for name, page := range full() {
		weight := len(rendered(t, page))
		for _, asset := range Assets() {
			weight += len(asset.Content)
		}
		if weight >= 100_000 {
			t.Errorf("%s weighs %d bytes", name, weight)
		}
	}
}

// A person who may change nothing is shown no form that changes the organization,
// and no way to one.
func TestMembersAreOfferedNoChange(t *testing.T) {
	pages := full()
	for _, name := range []string{"keys-by-member", "members-by-member", "rotation-by-member"} {
		for node := range elements(t, rendered(t, pages[name])) {
			if action := attribute(node, "action"); strings.HasPrefix(action, "/settings/") {
				t.Errorf("%s has a form to %s", name, action)
			}
			if path := attribute(node, "href"); strings.HasSuffix(path, "/revoke") || strings.HasSuffix(path, "/new") || strings.HasSuffix(path, "/remove") {
				t.Errorf("%s leads to %s", name, path)
			}
		}
	}
}

// Only the answers to a key's creation can show a key, and a view that is printed
// or logged gives none away.
func TestOnlyTwoViewsHoldAKey(t *testing.T) {
	for name, view := range views() {
		if holdsKey(view) != slices.Contains([]string{"KeyCreatedView", "RotationView"}, name) {
			t.Errorf("%s: holds a key: %t", name, holdsKey(view))
		}
	}
	created := KeyCreatedView{Text: theKey}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if printed := fmt.Sprintf(format, created); strings.Contains(printed, theKey) {
			t.Errorf("%s prints the key", format)
		}
	}
	for name, page := range full() {
		shown := strings.Contains(rendered(t, page), theKey)
		if shown != slices.Contains([]string{"key-created", "rotation-2-created"}, name) {
			t.Errorf("%s shows the key: %t", name, shown)
		}
	}
}

// What a page loads is what is embedded, under a path that its content decides.
func TestAssetsAreNamedByTheirContent(t *testing.T) {
	if asset("a", ".css", "", []byte("1")).Path == asset("a", ".css", "", []byte("2")).Path {
		t.Error("another content has the same path")
	}
	text := rendered(t, full()["keys"])
	for _, asset := range Assets() {
		if len(asset.Content) == 0 || !strings.Contains(text, `"`+asset.Path+`"`) {
			t.Errorf("%s (%d bytes) is not loaded", asset.Path, len(asset.Content))
		}
	}
}

const evil = `"><script>alert(1)</script><b onclick='x' style="x">javascript:alert(1)`

// hostile is every page with text in it that tries to break out.
func hostile() map[string]templ.Component {
	return map[string]templ.Component{
		"sign-in":              attacked(SignInPage),
		"second-factor":        attacked(SecondFactorPage),
		"password":             attacked(PasswordPage),
		"invitation":           attacked(InvitationPage),
		"overview":             attacked(OverviewPage),
		"companies":            attacked(CompaniesPage),
		"company":              attacked(CompanyPage),
		"keys":                 attacked(KeysPage),
		"key-new":              attacked(KeyNewPage),
		"key-created":          attacked(KeyCreatedPage),
		"key-revoke":           attacked(KeyRevokePage),
		"rotation":             attacked(RotationPage),
		"members":              attacked(MembersPage),
		"member-remove":        attacked(MemberRemovePage),
		"invitation-created":   attacked(InvitationCreatedPage),
		"audit-log":            attacked(AuditLogPage),
		"profile":              attacked(ProfilePage),
		"totp-setup":           attacked(TOTPSetupPage),
		"second-factor-remove": attacked(SecondFactorRemovePage),
		"recovery-codes-new":   attacked(RecoveryCodesNewPage),
		"recovery-codes":       attacked(RecoveryCodesPage),
		"error":                attacked(ErrorPage),
	}
}

func attacked[V any](page func(V) templ.Component) templ.Component {
	var view V
	fill(reflect.ValueOf(&view).Elem())
	return page(view)
}

// fill sets every text to evil, every flag, and one element into every list.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		// What has a type of its own is one of a few words that code chooses.
		if v.Type() == reflect.TypeFor[string]() || v.Type() == reflect.TypeFor[KeyText]() {
			v.SetString(evil)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	}
}

func views() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for _, view := range []any{
		SignInView{}, SecondFactorView{}, PasswordView{}, InvitationView{}, OverviewView{}, CompaniesView{}, CompanyView{}, KeysView{},
		KeyNewView{}, KeyCreatedView{}, KeyRevokeView{}, RotationView{}, MembersView{}, MemberRemoveView{}, InvitationCreatedView{},
		AuditLogView{}, ProfileView{}, TOTPSetupView{}, SecondFactorRemoveView{}, RecoveryCodesNewView{}, RecoveryCodesView{}, DocsView{}, ErrorView{},
	} {
		all[reflect.TypeOf(view).Name()] = reflect.TypeOf(view)
	}
	return all
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
	if err != nil {
		t.Fatal(err)
	}
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

func holds(form *html.Node, field string) bool {
	for node := range form.Descendants() {
		if attribute(node, "name") == field {
			return true
		}
	}
	return false
}
