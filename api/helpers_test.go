package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/api/openapitest"
	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) {
	time.Local = time.FixedZone("elsewhere", 5*3600+1800) // where the service runs is told nobody
	os.Exit(modelstest.Main(m))
}

// patience is how long a test waits for what has to come; pollEvery is the time
// between two looks.
const (
	patience  = 20 * time.Second
	pollEvery = 10 * time.Millisecond
)

// settings are those of an instance that a test may care about; zero limits let
// everything through.
type settings struct {
	minute, hour, failures int64
	limitByKey             bool
	trustedProxies         []netip.Prefix
	noAnswers              bool // remembered
}

// instance is a running instance of the service.
type instance struct {
	store   *models.Store
	address string // host and port
	client  *http.Client
	log     *logged
}

const answersMemory = 8 << 20

// serve starts an instance on a port of its own, and stops it with the test. No
// key ever stands in its log, not even at the level of debugging.
func serve(t testing.TB, store *models.Store, s settings) *instance {
	t.Helper()
	const plenty = 1_000_000
	log := &logged{}
	logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	limits, err := ratelimit.New(ratelimit.Config{
		Minute: orElse(s.minute, plenty), Hour: orElse(s.hour, plenty), Failures: orElse(s.failures, plenty), Log: logger,
	})
	require.NoError(t, err)
	t.Cleanup(limits.Close)
	config := api.Config{
		Store: store, Limits: limits, LimitByKey: s.limitByKey, TrustedProxies: s.trustedProxies, AnswersMemory: answersMemory, Log: logger,
	}
	if s.noAnswers {
		config.AnswersMemory = 0
	}
	app := api.NewServer(api.New(config))
	// Beside the API stand pages, as in the service.
	app.Use(func(c *fiber.Ctx) error { return c.Status(http.StatusNotFound).SendString("no such page") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- app.Listener(listener) }()

	i := &instance{store: store, address: listener.Addr().String(), client: &http.Client{Transport: &http.Transport{}, Timeout: patience}, log: log}
	t.Cleanup(func() {
		i.client.CloseIdleConnections()
		require.NoError(t, app.ShutdownWithTimeout(patience))
		require.NoError(t, <-done)
		require.NotRegexp(t, keyForm, log.text())
	})
	return i
}

func orElse(value, otherwise int64) int64 {
	if value == 0 {
		return otherwise
	}
	return value
}

// keyForm is what a key looks like, up to its secret.
var keyForm = regexp.MustCompile(`dispo_[0-9A-Za-z]{12}_`)

// answer is what a request was answered with.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
}

// with is a request's headers, in pairs of name and value.
func with(pairs ...string) http.Header {
	header := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		header.Add(pairs[i], pairs[i+1])
	}
	return header
}

func withKey(key string) http.Header { return with("X-API-Key", key) }

// get asks for a path with a key.
func (i *instance) get(t testing.TB, path, key string) answer {
	t.Helper()
	return i.send(t, http.MethodGet, path, withKey(key))
}

// send sends a request, and holds the answer against the OpenAPI document; nor
// does any answer hold a key. It may be called from any goroutine: what is wrong
// fails the test without ending it.
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
	hold(t, request, response, body)
	return answer{response.StatusCode, response.Header, body, time.Since(start)}
}

// hold holds an answer against the OpenAPI document; request is nil where what
// was sent is none.
func hold(t testing.TB, request *http.Request, response *http.Response, body []byte) {
	t.Helper()
	openapitest.Validate(t, api.OpenAPIYAML(), request, response, body)
	if keyForm.Match(body) {
		t.Errorf("a key stands in the answer: %s", body)
	}
}

type object = map[string]any

// object reads the answer's body. Numbers stay as they are written.
func (a answer) object(t testing.TB) object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	var value object
	require.NoError(t, decoder.Decode(&value), "%s", a.body)
	return value
}

// requireError holds an error against the contract: the status, and the envelope
// with these two fields, and retryAfter for RATE_LIMIT_EXCEEDED alone; the
// message has these texts in it.
func (a answer) requireError(t testing.TB, status int, code string, texts ...string) {
	t.Helper()
	require.Equal(t, status, a.status, "%s", a.body)
	envelope := a.object(t)
	require.Len(t, envelope, 1)
	inside := envelope["error"].(object)
	require.Equal(t, code, inside["code"])
	fields := 2
	if code == "RATE_LIMIT_EXCEEDED" {
		fields = 3
		require.Equal(t, a.header.Get("Retry-After"), string(inside["retryAfter"].(json.Number)))
	}
	require.Len(t, inside, fields)
	for _, text := range texts {
		require.Contains(t, inside["message"], text)
	}
}

// requireOK wants the status 200.
func (a answer) requireOK(t testing.TB) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
}

// tenant is an organization with a key.
type tenant struct {
	models.Organization
	key   models.APIKey
	token string // the key's text
}

func newTenant(t testing.TB, w *modelstest.World, slug string) tenant {
	t.Helper()
	organization := w.Organization(t, slug)
	key, token := w.Key(t, organization)
	return tenant{organization, key, token}
}

// logged is an instance's log.
type logged struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(line)
}

func (l *logged) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.String()
}

// records gives the log's records with that message.
func (l *logged) records(t testing.TB, message string) []object {
	t.Helper()
	var found []object
	for line := range bytes.Lines([]byte(l.text())) {
		var record object
		require.NoError(t, json.Unmarshal(line, &record), "%s", line)
		if record["msg"] == message {
			found = append(found, record)
		}
	}
	return found
}

// selectIDs reads a column of ids from the database as its superuser.
func selectIDs(t testing.TB, w *modelstest.World, query string, args ...any) []uuid.UUID {
	t.Helper()
	return modelstest.Column[uuid.UUID](t, modelstest.Conn(t, w.URL), query, args...)
}
