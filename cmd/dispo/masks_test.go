package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
	"dispo/models/terms"
)

// A key that a caller puts into any field of a request is not written down: not in a
// log line, not in a text of the database, not on a page, and not in a metric. It may
// be percent-encoded, cut off, or a sandbox's key, and the field may be too long.
func TestKeysInRequestsAreMasked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, expired := w.Key(t, w.acme)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = now() WHERE lookup_id = $1`, expired[6:18])
	const password = "gammel havn og ny bro"
	w.User(t, w.acme, "ada@example.com", terms.Owner, password)
	s := w.with("DISPO_LOG_LEVEL=debug", "DISPO_ACCESS_LOG=on", "DISPO_METRICS_LISTEN=127.0.0.1:0", "DISPO_LIMIT_MINUTE=100").
		serve(t)

	spellings := spellingsOfAKey()
	var written strings.Builder // with the answers
	b := newBrowser(t, s, &written)

	send := func(method, path, body string, header map[string]string) int {
		return b.send(method, path, body, header)
	}
	for _, key := range spellings {
		recorded := map[string]string{"X-API-Key": expired}
		for _, name := range []string{"User-Agent", "X-Request-Id", "X-Forwarded-For", "Referer", "Origin", "Accept-Language", "If-None-Match", "Cookie", "Sec-Fetch-Site"} {
			recorded[name] = key
		}
		require.Equal(t, http.StatusUnauthorized,
			send("GET", "/api/v1/companies/"+key+"/transactions?limit="+key, "", recorded))
		send("GET", "/api/v1/companies", "", map[string]string{"X-API-Key": key, "User-Agent": key})
		send("GET", "/api/v1/companies?after="+key, "", map[string]string{"X-API-Key": w.key, "User-Agent": key})
		send("GET", "/api/v1/companies/"+key, "", map[string]string{"X-API-Key": w.key, "User-Agent": key})
		send("GET", "/api/"+key, "", recorded)
		send("POST", "/api/v1/companies/"+key, key, recorded)
		for _, path := range []string{"/" + key, "/companies?q=" + key, "/sign-in?next=/" + key, "/password/" + key, "/invitations/" + key, "/?day=" + key + "&key=" + key, "/sign-in/second-factor?next=/" + key} {
			send("GET", path, "", recorded)
			send("POST", path, "form_token="+key, recorded)
		}
		b.submit("/sign-in", "/sign-in", url.Values{"email": {key}, "password": {key}, "next": {"/" + key}}, recorded)
		b.submit("/sign-in", "/sign-in", url.Values{"email": {key + "@example.com"}, "password": {key}}, recorded)
		b.submit("/sign-in", "/sign-in", url.Values{"email": {"ada@example.com"}, "password": {key}}, recorded)
		b.submit("/sign-in", "/sign-in/second-factor", url.Values{"code": {key}, "next": {key}}, recorded)
		modelstest.ExecuteAt(t, w.URL, `UPDATE sign_in_failures SET count = 0`)
	}
	for send("GET", "/api/v1/companies/"+spellings[0], "", map[string]string{"X-API-Key": w.key}) != http.StatusTooManyRequests {
		continue
	}
	for _, key := range spellings { // as a user
		require.Equal(
			t,
			http.StatusSeeOther,
			b.submit("/sign-in", "/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}},
				map[string]string{"User-Agent": key}),
		)
		const create, members = "/settings/api-keys/new", "/settings/members"
		b.submit(create, create, url.Values{"name": {key}, "expires": {key}, "expires_on": {key}, "nonce": {key}}, nil)
		require.Equal(t, http.StatusUnprocessableEntity,
			b.submit(create, create, url.Values{"name": {key}, "expires": {"date"}, "expires_on": {key}}, nil))
		b.submit(members, members+"/invite", url.Values{"email": {key + "@example.com"}, "role": {key}}, nil)
		b.submit(members, members+"/invite", url.Values{"email": {key}, "role": {"viewer"}}, nil)
		require.Equal(t, http.StatusConflict,
			b.submit(create, create, url.Values{"name": {key}, key: {key}, "shown_for": {key}}, nil))
		b.submit("/profile/second-factor", "/profile/second-factor",
			url.Values{"code": {key}, "setup": {key}, "password": {key}}, nil)
		for _, path := range []string{"/companies?q=" + key, "/companies/" + key, "/?key=" + key, "/settings/audit-log?before=" + key, "/" + key} {
			send("GET", path, "", nil)
		}
		b.submit("/", "/sign-out", nil, nil)
	}
	modelstest.ExecuteAt(t, w.URL, `REVOKE SELECT ON companies FROM dispo_app`)
	b.submit("/sign-in", "/sign-in", url.Values{"email": {"ada@example.com"}, "password": {password}}, nil)
	for _, key := range spellings {
		require.Equal(t, http.StatusInternalServerError,
			send("GET", "/companies", "", map[string]string{"User-Agent": key, "Referer": key}))
	}
	modelstest.ExecuteAt(t, w.URL, `GRANT SELECT ON companies TO dispo_app`)
	modelstest.ExecuteAt(t, w.URL, `REVOKE SELECT ON organizations FROM dispo_app`)
	for _, key := range spellings {
		send("GET", "/api/v1/companies?limit=99&x="+key, "", map[string]string{"X-API-Key": w.key, "User-Agent": key})
	}
	modelstest.ExecuteAt(t, w.URL, `GRANT SELECT ON organizations TO dispo_app`)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM refused_requests`) >= len(spellings)
	})
	for _, path := range []string{"/", "/settings/api-keys", "/settings/members", "/settings/audit-log", "/profile", "/companies"} {
		require.Equal(t, http.StatusOK, send("GET", path, "", nil), path)
	}
	require.Contains(t, written.String(), "/api/v1/companies/dispo_0aZ9bY8cX7dW_…", "the page shows which key leaked")
	written.WriteString(s.exposition(t))
	require.Zero(t, s.end(t, terminate))
	require.Contains(t, s.out.String(), `"path":"/api/v1/companies/dispo_0aZ9bY8cX7dW_…","status":400`, "the access log")
	written.WriteString(s.out.String() + s.err.String())
	written.WriteString(modelstest.Dump(t, modelstest.Conn(t, w.URL)))

	text := written.String()
	for range 3 { // levels of encoding
		requireWithout(t, strings.ToLower(text), spelledSecret[:8]) // four letters may stand in a form's token by chance
		text = percentEncoded.ReplaceAllStringFunc(text,
			func(text string) string { decoded, _ := url.PathUnescape(text); return decoded })
	}
}

const spelledSecret = "abcdefghijklmnopqrstuvwxyz012345Zz9Yy8"

// spellingsOfAKey returns the ways in which a key with spelledSecret may stand in a request.
func spellingsOfAKey() []string {
	const secret = spelledSecret
	spellings := []string{
		"dispo_0aZ9bY8cX7dW_" + secret,
		"dispo_test_0aZ9bY8cX7dW_" + secret,
		"DISPO_0AZ9BY8CX7DW_" + strings.ToUpper(secret),
		"dispo_0aZ9bY8cX7dW_" + secret[:12],
		"dispo%5F0aZ9bY8cX7dW%5f" + secret,
		"%64ispo%255F0aZ9bY8cX7dW%255F" + strings.ReplaceAll(secret, "d", "%2564"),
	}
	for length := 130; length < 200; length += 25 { // a text of 200 bytes ends within the key
		spellings = append(spellings, strings.Repeat("x", length)+spellings[0])
	}
	return spellings
}

var (
	percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	formToken      = regexp.MustCompile(`name="form_token" value="([^"]+)"`)
	hiddenNonce    = regexp.MustCompile(`name="nonce" value="([^"]+)"`)
)

// browser sends requests as a browser does, and writes the answers down.
type browser struct {
	t       *testing.T
	service *service
	http    *http.Client
	answers io.Writer
	body    string // of the last answer
}

func newBrowser(t *testing.T, s *service, answers io.Writer) *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, service: s, answers: answers, http: &http.Client{Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (b *browser) send(method, path, body string, header map[string]string) int {
	b.t.Helper()
	request, err := http.NewRequest(method, b.service.url+path, strings.NewReader(body))
	require.NoError(b.t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := b.http.Do(request)
	require.NoError(b.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	b.body = string(text)
	fmt.Fprintf(b.answers, "%v\n%s\n", response.Header, text)
	return response.StatusCode
}

// submit opens a page and submits its form.
func (b *browser) submit(page, action string, values url.Values, header map[string]string) int {
	b.t.Helper()
	b.send("GET", page, "", nil)
	form := url.Values{}
	if token := formToken.FindStringSubmatch(b.body); token != nil {
		form.Set("form_token", token[1])
	}
	if nonce := hiddenNonce.FindStringSubmatch(b.body); nonce != nil {
		form.Set("nonce", nonce[1])
	}
	for name := range values {
		form.Set(name, values.Get(name))
	}
	own := map[string]string{}
	for name, value := range header {
		if name != "Cookie" && name != "Origin" && name != "Sec-Fetch-Site" { // with these it would not be accepted
			own[name] = value
		}
	}
	return b.send("POST", action, form.Encode(), own)
}
