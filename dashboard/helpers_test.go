package dashboard_test

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api/download"
	"dispo/api/server"
	"dispo/dashboard"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/signon"
	"dispo/models/terms"
	"dispo/web"
)

// site serves the dashboard over HTTP, on a database of its own.
type site struct {
	*modelstest.World
	url string
}

const password = "en lang adgangskode"

func newSite(t *testing.T) *site {
	t.Helper()
	return serve(t, modelstest.NewWorld(t), dashboard.Config{})
}

// serve serves with a configuration, to which it adds what is missing. timeout is
// for writing answers.
func serve(t *testing.T, world *modelstest.World, config dashboard.Config, timeout ...time.Duration) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &site{World: world, url: "http://" + listener.Addr().String()}
	public, err := url.Parse(s.url)
	require.NoError(t, err)
	app := fiber.New(fiber.Config{
		WriteTimeout:          append(timeout, 0)[0],
		DisableStartupMessage: true,
		StrictRouting:         true,
		CaseSensitive:         true,
	})
	if config.Downloads == nil {
		config.Downloads = download.NewMaker(int(world.Service.DB().ForExports().Pool.Config().MaxConns))
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	config.Timeout = cmp.Or(config.Timeout, time.Minute) // a machine may be slow
	config.Store, config.Accounts, config.PublicURL = world.Service.Store, world.Service.Accounts, public
	config.SignOn = signon.New(config.Accounts, config.Store, public, true)
	if config.Limits.Use == nil {
		config.Limits = dashboard.Limits{
			Minute: 60,
			Hour:   1000,
			Use: func(_ uuid.UUID, own models.Limits) (minute, hour web.Use) {
				return web.Use{Used: 1, Limit: cmp.Or(own.LimitMinute, 60)}, web.Use{Used: 2, Limit: cmp.Or(own.LimitHour, 1000)}
			},
		}
	}
	dashboard.Routes(app, config)
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(app, listener) }()
	t.Cleanup(func() {
		_ = app.ShutdownWithTimeout(5 * time.Second)
		config.Downloads.Close()
		<-done
	})
	return s
}

// user creates a user with the password.
func (s *site) user(t *testing.T, organization models.Organization, email string, role terms.Role) {
	t.Helper()
	s.User(t, organization, email, role, password)
}

// member creates a user, and returns a browser in which they are signed in.
func (s *site) member(t *testing.T, organization models.Organization, email string, role terms.Role) *browser {
	t.Helper()
	s.user(t, organization, email, role)
	return s.signedIn(t, email)
}

// ownerSite serves a site with the organization a, and returns a browser of its owner. The test
// may have a configuration of its own.
func ownerSite(t *testing.T, config ...dashboard.Config) (*site, models.Organization, *browser) {
	t.Helper()
	s := serve(t, modelstest.NewWorld(t), append(config, dashboard.Config{})[0])
	a := s.Organization(t, "a")
	return s, a, s.member(t, a, "owner@a.example", terms.Owner)
}

// join makes a user a member of another organization.
func (s *site) join(t *testing.T, organization models.Organization, email string, role terms.Role) {
	t.Helper()
	s.execute(t, `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, $3 FROM users WHERE email = $2`,
		organization.ID, email, role)
}

// execute runs a statement on the site's database as its superuser.
func (s *site) execute(t *testing.T, sql string, arguments ...any) {
	t.Helper()
	modelstest.ExecuteAt(t, s.URL, sql, arguments...)
}

// waitFor waits until a query counts n.
func (s *site) waitFor(t *testing.T, n int, query string, arguments ...any) {
	t.Helper()
	modelstest.Eventually(t, func() bool { return modelstest.ValueAt[int](t, s.URL, query, arguments...) == n })
}

// fileID returns the id of the organization's only delivery file, or of the one of a delivery.
func (s *site) fileID(t *testing.T, o models.Organization, delivery ...uuid.UUID) string {
	t.Helper()
	return modelstest.ValueAt[string](t, s.URL, `SELECT id::text FROM delivery_files
		WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR delivery_id = ANY ($2))`, o.ID, delivery)
}

// userID returns the id of a user.
func (s *site) userID(t *testing.T, email string) string {
	t.Helper()
	return modelstest.ValueAt[string](t, s.URL, `SELECT id::text FROM users WHERE email = $1`, email)
}

// confirmed moves back in time when everybody last gave their password.
func (s *site) confirmed(t *testing.T, ago string) {
	t.Helper()
	s.execute(t, `UPDATE sessions SET confirmed_at = now() - $1::interval`, ago)
}

// newestKey returns the organization's newest key.
func (s *site) newestKey(t *testing.T, organization models.Organization) keys.Detail {
	t.Helper()
	listed, err := keys.List(t.Context(), s.Service.Tenant(organization.ID))
	require.NoError(t, err)
	require.NotEmpty(t, listed)
	return listed[0]
}

// used records requests with a key, and returns when they are stored.
func (s *site) used(key keys.Key, requests ...keys.Request) {
	recorder := keys.NewRecorder(s.Service.DB(), slog.New(slog.DiscardHandler))
	for _, request := range requests {
		recorder.Record(modelstest.Caller(key), request)
	}
	recorder.Close()
}

// deliver imports a csv delivery of these lines. Records of companies that nobody has are held.
func (s *site) deliver(t *testing.T, name string, lines ...string) imports.DeliveryResult {
	t.Helper()
	return s.deliverTo(t, nil, name, lines...)
}

// deliverTo is deliver for one organization alone.
func (s *site) deliverTo(t *testing.T, only *models.Organization, name string, lines ...string) imports.DeliveryResult {
	t.Helper()
	result, err := s.ImportDelivery(t.Context(), imports.DeliveryOptions{Organization: only, SkipUnknown: true,
		Path: modelstest.File(t, name, modelstest.DeliveryHeader+strings.Join(lines, ""))})
	require.NoError(t, err)
	return result
}

// withdraw takes a delivery back from all organizations.
func (s *site) withdraw(t *testing.T, delivery imports.DeliveryResult, reason string) {
	t.Helper()
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), s.Operator.DB(), delivery.ID, reason, nil)))
}

// dayLine is a line of a csv delivery.
func dayLine(cvr, transferType, day, amount string) string {
	return fmt.Sprintf("%s,1234,0000000001,%s,%s,1,%s\n", cvr, transferType, day, amount)
}

// browser keeps cookies, and does not follow redirects by itself.
type browser struct {
	t    *testing.T
	site *site
	http *http.Client
	last *answer
}

type answer struct {
	*http.Response
	body string
	page *goquery.Document
}

func (s *site) browser(t *testing.T) *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, site: s, http: &http.Client{Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// at returns the browser at another instance: browsers send cookies to every port.
func (b *browser) at(s *site) *browser { return &browser{t: b.t, site: s, http: b.http} }

// signedIn returns a browser in which the user is signed in.
func (s *site) signedIn(t *testing.T, email string) *browser {
	t.Helper()
	b := s.browser(t)
	a := b.signIn(email, password)
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.text())
	return b
}

func (b *browser) do(method, path string, form url.Values, header http.Header) *answer {
	b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.site.url+path, body)
	require.NoError(b.t, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := b.http.Do(request)
	require.NoError(b.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	page, err := goquery.NewDocumentFromReader(strings.NewReader(string(text)))
	require.NoError(b.t, err)
	b.last = &answer{response, string(text), page}
	return b.last
}

func (b *browser) get(path string) *answer { b.t.Helper(); return b.do(http.MethodGet, path, nil, nil) }

// token returns the token that the browser's forms have.
func (b *browser) token() string {
	b.t.Helper()
	for _, path := range []string{"/docs", "/sign-in"} { // with and without a session
		if token, ok := b.get(path).page.Find("input[name=form_token]").Attr("value"); ok {
			return token
		}
	}
	require.Fail(b.t, "no form")
	return ""
}

// submit submits the current page's form with that action: its hidden fields and
// default values, changed by values.
func (b *browser) submit(action string, values url.Values) *answer {
	b.t.Helper()
	return b.do(http.MethodPost, action, b.form(action, values), nil)
}

// send opens a page and submits its form with that action.
func (b *browser) send(page, action string, values url.Values) *answer {
	b.t.Helper()
	b.get(page)
	return b.submit(action, values)
}

// post opens the page of a form that has the page's own address, and submits it.
func (b *browser) post(path string, values url.Values) *answer {
	b.t.Helper()
	return b.send(path, path, values)
}

// signIn signs a user in, or tries to.
func (b *browser) signIn(email, password string) *answer {
	b.t.Helper()
	return b.post("/sign-in", url.Values{"email": {email}, "password": {password}})
}

// form returns what submit would send.
func (b *browser) form(action string, changed url.Values) url.Values {
	b.t.Helper()
	var found *goquery.Selection
	b.last.page.Find("form").EachWithBreak(func(_ int, form *goquery.Selection) bool {
		to, _ := form.Attr("action")
		matches := to == action
		for name, values := range changed { // of several forms with this action, the one with this button
			if name == "action" && form.Find(fmt.Sprintf(`[name=action][value=%q]`, values[0])).Length() == 0 {
				matches = false
			}
		}
		if matches {
			found = form
		}
		return found == nil
	})
	require.NotNil(b.t, found, "no form with the action %s:\n%s", action, b.last.text())
	values := url.Values{}
	found.Find("input[name], button[name]").Each(func(_ int, input *goquery.Selection) {
		name, _ := input.Attr("name")
		value, _ := input.Attr("value")
		kind, _ := input.Attr("type")
		_, checked := input.Attr("checked")
		if (kind != "radio" && kind != "checkbox" || checked) && goquery.NodeName(input) == "input" {
			values.Set(name, value)
		}
	})
	found.Find("select[name]").Each(func(_ int, choice *goquery.Selection) {
		name, _ := choice.Attr("name")
		value, _ := choice.Find("option[selected]").Attr("value")
		values.Set(name, value)
	})
	for name, value := range changed {
		values[name] = value
	}
	return values
}

// follow follows the last answer's redirect.
func (b *browser) follow() *answer {
	b.t.Helper()
	to, err := url.Parse(b.last.Header.Get("Location"))
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusSeeOther, b.last.StatusCode, b.last.text())
	return b.get(to.RequestURI())
}

// text returns the text of the page, or of its elements that a selector finds.
func (a *answer) text(selector ...string) string {
	return squeeze(a.page.Find(strings.Join(append([]string{"body"}, selector...), " ")).Text())
}

// count returns the number of elements of the page that a selector finds.
func (a *answer) count(selector string) int { return a.page.Find(selector).Length() }

// attr returns an attribute of the first element that a selector finds; empty if there is none.
func (a *answer) attr(selector, name string) string { return a.page.Find(selector).AttrOr(name, "") }

// unpack returns what is compressed with gzip.
func unpack(t *testing.T, packed string) string {
	t.Helper()
	reader, err := gzip.NewReader(strings.NewReader(packed))
	require.NoError(t, err)
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(text)
}

// squeeze returns text with single spaces.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestMain(m *testing.M) {
	os.Exit(modelstest.Main(m))
}
