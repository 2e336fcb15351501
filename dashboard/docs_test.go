package dashboard_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/dashboard"
	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/web"
)

// What the dashboard serves to everybody.
func TestPublicPages(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t,
		dashboard.Config{Support: "help@operator.example", Reference: api.Reference(), Clients: api.Clients()})
	t.Run("documentation", s.docsAreForAnyone)
	t.Run("documentation for programs", s.docsForPrograms)
	t.Run("archives of the clients", s.clientArchives)
	t.Run("files of the samples", s.sampleFiles)
	t.Run("security headers", s.securityHeaders)
	t.Run("encodings of assets", s.encodingsOfAssets)
}

// Anyone can read the documentation, under the same strict policy as every page, also the
// reference. No page may use the browser's camera or other features that it has no use for.
// The documentation shows whom to ask.
func (s *site) docsAreForAnyone(t *testing.T) {
	b := s.browser(t)
	policy := b.get("/sign-in").Header.Get("Content-Security-Policy")
	require.NotContains(t, policy, "unsafe")
	for _, path := range []string{"/sign-in", "/docs", "/nothing", "/"} {
		for _, feature := range []string{"camera", "geolocation", "microphone", "payment", "usb"} {
			require.Contains(t, b.get(path).Header.Get("Permissions-Policy"), feature+"=()", path)
		}
	}
	for _, page := range web.Docs() {
		a := b.get(page.Path)
		require.Equal(t, http.StatusOK, a.StatusCode, page.Path)
		require.Equal(t, policy, a.Header.Get("Content-Security-Policy"), page.Path)
		require.Equal(t, 1, a.count("h1"), page.Path)
	}
	require.Contains(t, b.get("/docs/authentication").body, s.url+"/api/v1/companies")
	require.Equal(t, 1, b.get("/docs/support").count(`a[href="mailto:help@operator.example"]`))
	require.Equal(t, http.StatusNotFound, b.get("/docs/nothing").StatusCode)
	require.Equal(t, "/docs", b.get("/docs/start").Header.Get("Location"))
	require.Equal(t, b.get("/docs/start.md").body, b.get("/docs.md").body)

	// Only the beginning of a long query is searched for, and shown.
	long := b.get("/docs/search?q=" + strings.Repeat("limit+", 500))
	require.Less(t, len(long.attr(`[role=search] [name=q]`, "value")), 201)
	require.Positive(t, long.count(".docs-found li"))
}

// Programs read every page as Markdown, below its path with .md or by Accept, with the
// service's figures. /llms.txt lists all pages, and their links to each other lead to
// Markdown, too.
func (s *site) docsForPrograms(t *testing.T) {
	b := s.browser(t)
	list := b.get("/llms.txt")
	require.Equal(t, "text/plain; charset=utf-8", list.Header.Get("Content-Type"))
	listed := regexp.MustCompile(`(?m)^- \[.+\]\((.*)\): \S.+$`).FindAllStringSubmatch(list.body, -1)
	require.Len(t, listed, len(web.Docs()))
	linked := regexp.MustCompile(`\]\((/docs[^)]*)\)`)
	for i, page := range web.Docs() {
		path := listed[i][1]
		require.True(t, strings.HasSuffix(path, ".md"))
		markdown := b.get(path)
		require.Equal(t, http.StatusOK, markdown.StatusCode, path)
		require.Equal(t, "text/markdown; charset=utf-8", markdown.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(markdown.body, "# "+page.Title+"\n\n"+page.Lead), path)
		require.NotRegexp(t, `\{#|\{\{|<no value>`, markdown.body, path)
		for _, link := range linked.FindAllStringSubmatch(markdown.body, -1) {
			require.Equal(t, http.StatusOK, b.get(link[1]).StatusCode, link[1])
			require.True(t, strings.HasSuffix(link[1], ".md"), "%s links to %s", path, link[1])
		}
		accepted := b.do(http.MethodGet, page.Path, nil, http.Header{"Accept": {"text/markdown, text/html;q=0.9"}})
		require.Equal(t, markdown.body, accepted.body)
		for _, accept := range []string{"", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html, text/markdown;q=0.5"} {
			shown := b.do(http.MethodGet, page.Path, nil, http.Header{"Accept": {accept}})
			require.Equal(t, "text/html; charset=utf-8", shown.Header.Get("Content-Type"), accept)
			require.Contains(t, strings.Join(shown.Header.Values("Vary"), ","), "Accept,")
		}
	}
	require.Contains(t, b.get("/docs/rate-limits.md").body, "1,000 requests")
	require.Contains(t, b.get("/docs/authentication.md").body, s.url+"/api/v1/companies")
	for _, operation := range []string{"## GET /v1/companies/{cvr}/transactions\n", "## GET /v1/days\n", "## Transaction\n"} {
		require.Contains(t, b.get("/docs/reference.md").body, operation)
	}
}

// The archives of the clients can be had where /docs/clients says.
func (s *site) clientArchives(t *testing.T) {
	b := s.browser(t)
	paths := regexp.MustCompile(`curl -fsSO (http.*)`).FindAllStringSubmatch(b.get("/docs/clients.md").body, -1)
	require.Len(t, paths, len(api.Clients()))
	for _, path := range paths {
		archive := b.get(strings.TrimPrefix(path[1], s.url))
		require.Equal(t, http.StatusOK, archive.StatusCode)
		require.NotEmpty(t, unpack(t, archive.body))
	}
}

// Each sample can be downloaded beside its code, and has this service's address.
func (s *site) sampleFiles(t *testing.T) {
	b := s.browser(t)
	found := 0
	for _, page := range []string{"/docs/samples", "/docs/spreadsheets"} {
		for _, match := range regexp.MustCompile(`href="(/docs/samples/.+?)" download`).FindAllStringSubmatch(b.get(page).body, -1) {
			found++
			file := b.get(match[1])
			require.Equal(t, "text/plain; charset=utf-8", file.Header.Get("Content-Type"), match[1])
			if !strings.HasSuffix(match[1], "/file.pq") {
				require.Contains(t, file.body, s.url+"/api", match[1])
			}
		}
	}
	require.Equal(t, len(web.SampleFiles()), found)
}

// Every page, file and refusal of the dashboard tells browsers to load nothing of others, to
// guess no type, to show it in no frame, and to name its address to no other site.
func (s *site) securityHeaders(t *testing.T) {
	b := s.signedIn(t, "owner@a.example")
	style := b.get("/sign-in").attr("link[rel=stylesheet]", "href")
	for _, path := range []string{"/", "/sign-in", "/docs", "/docs.md", "/nothing", "/settings/api-keys/x", style} {
		header := b.get(path).Header
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", path)
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
		require.Equal(t, "DENY", header.Get("X-Frame-Options"), path)
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), path)
		require.Equal(t, "same-origin", header.Get("Referrer-Policy"), path)
		require.Equal(t, "same-origin", header.Get("Cross-Origin-Opener-Policy"), path)
	}
}

// A stylesheet, script or image is sent in the content coding that the client prefers (RFC
// 9110 section 12.5.3). A coding whose weight is not valid is ignored.
func (s *site) encodingsOfAssets(t *testing.T) {
	client := &http.Transport{DisableCompression: true}
	t.Cleanup(client.CloseIdleConnections)
	for accepted, want := range map[string]string{
		"": "", "identity": "", "gzip;q=0": "", "identity;q=1, gzip;q=0.5": "", "gzip;q=5": "", "gzip;q=x, deflate": "",
		"gzip": "gzip", "gzip, br": "br", "gzip, br;q=0.5": "gzip", "zstd;q=1.0000, gzip": "gzip",
	} {
		for _, file := range web.Assets() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+file.Path, nil)
			require.NoError(t, err)
			if accepted != "" {
				request.Header.Set("Accept-Encoding", accepted)
			}
			got, err := client.RoundTrip(request)
			require.NoError(t, err)
			body, err := io.ReadAll(got.Body)
			require.NoError(t, err)
			require.NoError(t, got.Body.Close())
			require.Contains(t, got.Header.Get("Vary"), "Accept-Encoding")
			coding := got.Header.Get("Content-Encoding")
			if coding == "gzip" {
				body = []byte(unpack(t, string(body)))
			}
			if len(file.Content()) > 2000 { // smaller ones are sent as they are
				require.Equal(t, want, coding, "%s: %q", file.Path, accepted)
			}
			if coding == "" || coding == "gzip" {
				require.True(t, bytes.Equal(file.Content(), body), "%s: %q", file.Path, accepted)
			}
		}
	}
}

// An organization's own limits stand where its members read the service's: on the overview,
// and in the documentation, where others still read the service's.
func TestOwnLimitsAreShown(t *testing.T) {
	t.Parallel()
	s, a, member := ownerSite(t)
	_, err := organizations.Limit(t.Context(), s.Operator.Tenant(a.ID), func(own *models.Limits) {
		*own = models.Limits{LimitMinute: 77, LimitHour: 4321}
	})
	require.NoError(t, err)
	require.Contains(t, member.get("/docs/rate-limits").text(), "77 requests a minute and 4,321 requests an hour")
	key, _ := s.Key(t, a)
	s.used(key, modelstest.Request("192.0.2.7", "test"))
	require.Regexp(t, "of 77 requests.*of 4,321 requests", member.get("/").text())
	require.Contains(t, s.browser(t).get("/docs/rate-limits").text(), "60 requests a minute and 1,000 requests an hour")
}

// Where each key has limits of its own, the overview shows those of the key that has the
// fewest requests left in one of them, by its name, or of the key that the chart shows.
func TestLimitsOfKeysAreShown(t *testing.T) {
	t.Parallel()
	used := map[uuid.UUID][2]int64{} // in the minute and the hour
	limits := dashboard.Limits{Minute: 60, Hour: 1000, PerKey: true,
		Use: func(id uuid.UUID, _ models.Limits) (minute, hour web.Use) {
			return web.Use{Used: used[id][0], Limit: 60}, web.Use{Used: used[id][1], Limit: 1000}
		}}
	s, a, member := ownerSite(t, dashboard.Config{Limits: limits})
	make := func(name string, minute, hour int64) keys.Key {
		key, _, err := keys.Create(t.Context(), s.Service.Tenant(a.ID), keys.NewKey{Name: name})
		require.NoError(t, err)
		used[key.ID] = [2]int64{minute, hour}
		s.used(key, modelstest.Request("192.0.2.7", "test"))
		return key
	}
	make("Accounting", 40, 990)
	payroll := make("Payroll", 45, 45)
	make("Reports", 3, 3)
	require.Regexp(t, "40 of 60 requests.*990 of 1,000 requests.*Shown is Accounting, which has the fewest requests left",
		member.get("/").text())
	require.Regexp(t, "45 of 60 requests.*45 of 1,000 requests.*Shown is Payroll[.]",
		member.get("/?key="+payroll.ID.String()).text())
}
