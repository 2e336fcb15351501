package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/api/apitest"
	"dispo/api/openapitest"
	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) {
	time.Local = time.FixedZone("elsewhere", 5*3600+1800) // answers must not depend on the local time zone
	os.Exit(modelstest.Main(m))
}

// settings are an instance's settings that tests change. A limit of zero means
// practically unlimited.
type settings struct {
	minute, hour, failures int64
	limitByKey             bool
	trustedProxies         []netip.Prefix
	noCache                bool // remember no responses
	https                  bool
	timeout, patience      time.Duration // of a request and of a download; a minute if zero, because a machine may be slow
	access                 *modelstest.Log
}

// instance is a running instance of the service.
type instance struct {
	store   *modelstest.Instance
	address string // host and port
	client  *http.Client
	log     *modelstest.Log
}

const docsURL = "https://dispo.example/docs"

// serve starts an instance, and stops it with the test. Its log must not contain a key, not
// even at debug level.
func serve(t testing.TB, store *modelstest.Instance, s settings) *instance {
	t.Helper()
	log := &modelstest.Log{}
	t.Cleanup(func() { require.NotRegexp(t, keyForm, log.String()) })
	config := apitest.Config{Config: api.Config{
		DocsURL:    docsURL,
		MCP:        true,
		Origin:     "https://dispo.example",
		LimitByKey: s.limitByKey,
		Observer:   server.Observer{TrustedProxies: s.trustedProxies},
		Timeout:    cmp.Or(s.timeout, time.Minute),
		Log:        slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, Rates: ratelimit.Config{Minute: s.minute, Hour: s.hour, Failures: s.failures}, HTTPS: s.https, Patience: cmp.Or(s.patience, time.Minute)}
	if !s.noCache {
		config.CacheBytes = 8 << 20
	}
	if s.access != nil {
		config.Observer.Access = slog.New(slog.NewJSONHandler(s.access, nil))
	}
	i := &instance{
		store,
		apitest.Start(t, store, config),
		&http.Client{Transport: &http.Transport{DisableCompression: true}},
		log,
	}
	t.Cleanup(i.client.CloseIdleConnections)
	return i
}

// start starts an instance on a database of its own, which has a tenant.
func start(t testing.TB, s settings) (*modelstest.World, tenant, *instance) {
	t.Helper()
	w := modelstest.NewWorld(t)
	return w, newTenant(t, w, "a"), serve(t, w.Service, s)
}

// keyForm matches the start of a key, up to its secret.
var keyForm = regexp.MustCompile(`dispo_(test_)?[0-9A-Za-z]{12}_`)

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
}

// headers returns a request's headers from pairs of name and value.
func headers(pairs ...string) http.Header {
	header := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		header.Add(pairs[i], pairs[i+1])
	}
	return header
}

func withKey(key string) http.Header { return headers("X-API-Key", key) }

// get requests a path with a key.
func (i *instance) get(t testing.TB, path, key string) answer {
	t.Helper()
	return i.send(t, http.MethodGet, path, withKey(key))
}

// send sends a request and validates the answer. It may be called from any goroutine,
// because problems fail the test without ending it.
func (i *instance) send(t testing.TB, method, path string, header http.Header) answer {
	t.Helper()
	start := time.Now()
	request, err := http.NewRequest(method, "http://"+i.address+path, nil)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return answer{}
	}
	request.Header = header
	response, err := i.client.Do(request)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return answer{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
	plain := body
	if len(body) > 0 {
		plain = decoded(t, response.Header.Get("Content-Encoding"), body)
	}
	validate(t, request, response, plain)
	return answer{response.StatusCode, response.Header, body, time.Since(start)}
}

// validate checks an answer against the OpenAPI document, and that it contains no
// key. request is nil if what was sent is not a valid request.
func validate(t testing.TB, request *http.Request, response *http.Response, body []byte) {
	t.Helper()
	openapitest.Validate(t, request, response, body)
	if keyForm.Match(body) {
		t.Errorf("the answer contains a key: %s", body)
	}
}

type object = map[string]any

// object decodes the answer's body. Numbers stay as they are written.
func (a answer) object(t testing.TB) object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	var value object
	require.NoError(t, decoder.Decode(&value), "%s", a.body)
	return value
}

// requireError requires an error as the contract has it: the status, and an envelope
// with code and message, and with retryAfter for RATE_LIMIT_EXCEEDED only. The message
// must contain the texts. That of a 401 or 404 links to the documentation of its code.
func (a answer) requireError(t testing.TB, status int, code string, texts ...string) {
	t.Helper()
	require.Equal(t, status, a.status, "%s", a.body)
	envelope := a.object(t)
	require.Len(t, envelope, 1)
	body := envelope["error"].(object)
	require.Equal(t, code, body["code"])
	fields := 2
	if code == "RATE_LIMIT_EXCEEDED" {
		fields = 3
		require.Equal(t, a.header.Get("Retry-After"), string(body["retryAfter"].(json.Number)))
	}
	require.Len(t, body, fields)
	before, link, linked := strings.Cut(body["message"].(string), " See ")
	require.Equal(t, status == 401 || status == 404, linked, "%s", a.body)
	if linked {
		require.Equal(t, docsURL+"/errors#"+code, link)
	}
	require.NotContains(t, before, docsURL)
	for _, text := range texts {
		require.Contains(t, body["message"], text)
	}
}

// requireOK requires the status 200.
func (a answer) requireOK(t testing.TB) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
}

// tenant is an organization with a key.
type tenant struct {
	models.Organization
	key   keys.Key
	token string // the key's text
}

func newTenant(t testing.TB, w *modelstest.World, slug string) tenant {
	t.Helper()
	return withNewKey(t, w, w.Organization(t, slug))
}

func withNewKey(t testing.TB, w *modelstest.World, organization models.Organization) tenant {
	t.Helper()
	key, token := w.Key(t, organization)
	return tenant{organization, key, token}
}

// selectKeys reads a column of ids or dates from the database as its superuser.
func selectKeys(t testing.TB, w *modelstest.World, query string, args ...any) []string {
	t.Helper()
	return modelstest.ColumnAt[string](t, w.URL, `SELECT key::text FROM (`+query+`) AS keys (key)`, args...)
}
