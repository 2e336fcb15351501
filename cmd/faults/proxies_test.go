package faults_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"dispo/models/modelstest"
)

var proxied = flag.Bool("proxies", false, "restart and kill instances behind nginx and HAProxy")

const (
	restarts = 10
	kills    = 10
)

// proxies are started with the configurations of docs/operating.md.
var proxies = []struct {
	name  string
	start func(f *fleet, configuration string) *process
}{
	{"nginx", func(f *fleet, configuration string) *process {
		return f.start(nil, "nginx", "-p", f.folder, "-c", f.write("nginx.conf", `daemon off; pid nginx.pid; error_log stderr;
events { worker_connections 4096; }
http {
access_log off;
client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
ssl_certificate proxy.pem; ssl_certificate_key proxy.pem;
`+configuration+"}\n"))
	}},
	{"HAProxy", func(f *fleet, configuration string) *process {
		return f.start(nil, "haproxy", "-db", "-f", f.write("haproxy.cfg", configuration))
	}},
}

// Behind nginx and HAProxy with the configurations of docs/operating.md, no read fails while
// the instances are restarted in turn, each when the one before it is healthy; and when an
// instance is killed under POSTs, none is counted twice.
func TestProxies(t *testing.T) {
	if !*proxied {
		t.Skip("`make proxies-check` runs it")
	}
	f := newFleet(t)
	for i, instance := range f.instances {
		instance.settings = append(instance.settings, "DISPO_TRUSTED_PROXIES=127.0.0.1", "DISPO_DRAIN=") // the default
		instance.kill()
		f.startInstance(i)
	}
	f.settle()
	document, err := os.ReadFile("../../docs/operating.md")
	require.NoError(t, err)
	f.write("proxy.pem", certificate(t))
	for _, p := range proxies {
		address := freeAddress(t)
		shown := regexp.MustCompile("With " + p.name + ":\n\n```\n((?s:.*?))```").FindSubmatch(document)
		require.NotNil(t, shown, p.name)
		running := p.start(f, strings.NewReplacer(
			"10.0.0.11:8080", strings.TrimPrefix(f.instances[0].site, "http://"),
			"10.0.0.12:8080", strings.TrimPrefix(f.instances[1].site, "http://"),
			"listen 443", "listen "+address, "bind :443", "bind "+address,
			"/etc/haproxy/dispo.pem", f.path("proxy.pem"),
		).Replace(string(shown[1])))
		behind := &behindProxy{fleet: f, process: running, site: "https://" + address}
		modelstest.Eventually(t, func() bool {
			status, _, _ := behind.send(http.MethodGet, "/api/health", nil, nil)
			return status == http.StatusOK || behind.hasEnded()
		})
		require.False(t, behind.hasEnded(), running.err.String())
		behind.restart(p.name)
		behind.killUnderPosts(p.name)
		running.end(syscall.SIGTERM)
	}
}

// certificate returns a certificate for a test and its key.
func certificate(t testing.TB) string {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	defer server.Close()
	made := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(made.PrivateKey)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: made.Certificate[0]}))
	require.NoError(t, pem.Encode(&text, &pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	return text.String()
}

// behindProxy is a fleet behind a proxy.
type behindProxy struct {
	*fleet
	*process
	site string
}

func (b *behindProxy) hasEnded() bool {
	select {
	case <-b.ended:
		return true
	default:
		return false
	}
}

// strict never sends a request twice.
var strict = &fasthttp.Client{
	MaxIdemponentCallAttempts: 1, MaxConnsPerHost: 64, TLSConfig: &tls.Config{InsecureSkipVerify: true},
}

// send sends a request through the proxy. The status is 0 if there is no whole answer.
func (b *behindProxy) send(
	method, path string, headers map[string]string, form url.Values,
) (status int, body string, cookie string) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.Header.SetMethod(method)
	request.SetRequestURI(b.site + path)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	if form != nil {
		request.Header.SetContentType("application/x-www-form-urlencoded")
		request.SetBodyString(form.Encode())
	}
	if err := strict.DoTimeout(request, response, time.Minute); err != nil {
		return 0, err.Error(), ""
	}
	text, _ := response.BodyUncompressed()
	return response.StatusCode(), string(text), string(response.Header.Peek("Set-Cookie"))
}

// reads are what was read while an instance was restarted.
type reads struct {
	mu           sync.Mutex
	sent, failed int
	slowest      time.Duration
	failures     []string
}

func (r *reads) add(status int, body string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	r.slowest = max(r.slowest, took)
	if status != http.StatusOK {
		if r.failed++; r.failed <= 5 {
			r.failures = append(r.failures, fmt.Sprintf("%d after %v: %.100s", status, took, body))
		}
	}
}

// restart restarts the instances in turn while callers read, and requires that no read fails.
func (b *behindProxy) restart(proxy string) {
	var now atomic.Pointer[reads]
	now.Store(&reads{})
	all := []*reads{now.Load()}
	lists := []string{"/api/v1/companies?limit=20", "/api/v1/transactions?limit=20", "/api/v1/changes?limit=20"}
	stop := b.repeat(8, 2*time.Millisecond, func(n int) {
		o, began, counted := b.organizations[n%len(b.organizations)], time.Now(), now.Load()
		status, body, _ := b.send(http.MethodGet, lists[n%len(lists)], map[string]string{"X-API-Key": o.key}, nil)
		counted.add(status, body, time.Since(began))
	})
	for n := range restarts {
		b.restartInstance(n % 2)
		if n < restarts-1 {
			all = append(all, &reads{})
			now.Store(all[n+1])
		}
	}
	pause(5 * time.Second) // until the proxy has met the last one
	stop()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "RESTART\tREADS\tFAILED\tSLOWEST\n")
	sum, failures := reads{}, []string(nil)
	for n, r := range all {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d ms\n", n+1, r.sent, r.failed, r.slowest.Milliseconds())
		sum.sent, sum.failed, sum.slowest = sum.sent+r.sent, sum.failed+r.failed, max(sum.slowest, r.slowest)
		failures = append(failures, r.failures...)
	}
	fmt.Fprintf(table, "all\t%d\t%d\t%d ms\n", sum.sent, sum.failed, sum.slowest.Milliseconds())
	_ = table.Flush()
	b.Logf("%s\n%s", proxy, text.String())
	if sum.failed > 0 {
		b.Errorf("%s: %d of %d reads failed: %s", proxy, sum.failed, sum.sent, strings.Join(failures, "; "))
	}
}

func (b *behindProxy) restartInstance(i int) {
	b.instances[i].end(syscall.SIGTERM)
	b.startInstance(i)
	b.settle()
}

// killUnderPosts kills the instances in turn while people try to sign in with a wrong
// password, which is counted when it arrives. An account that was tried once has one failure.
func (b *behindProxy) killUnderPosts(proxy string) {
	_, page, cookie := b.send(http.MethodGet, "/sign-in", nil, nil)
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(b, token, page)
	cookie, _, _ = strings.Cut(cookie, ";")
	prefix := strings.ToLower(proxy)
	var cut, refused, busy atomic.Int64
	stop := b.repeat(4, 0, func(n int) {
		status, body, _ := b.send(http.MethodPost, "/sign-in", map[string]string{
			"Cookie": cookie, "X-Forwarded-For": fmt.Sprintf("10.%d.%d.1", n/250, n%250), // each network has its limit
		}, url.Values{
			"form_token": {token[1]}, "password": {"a wrong password"},
			"email": {fmt.Sprintf("%s-%d@example.com", prefix, n)},
		})
		switch status {
		case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			cut.Add(1)
		case http.StatusUnauthorized, http.StatusUnprocessableEntity:
			refused.Add(1)
		case http.StatusTooManyRequests: // the machine has no time for a password
			busy.Add(1)
		default:
			b.Errorf("%s answers %d to a wrong password: %.300s", proxy, status, body)
		}
	})
	for n := range kills {
		b.rest(time.Second, 2*time.Second)
		b.killInstance(n % 2)
		b.settle()
		pause(3 * time.Second) // until the proxy uses it again
	}
	stop()
	const counted = `SELECT count(*)::int FROM sign_in_failures WHERE subject LIKE 'account ' || $1 || '-% in all' AND count > $2`
	once := modelstest.ValueAt[int](b, b.url, counted, prefix, 0)
	twice := modelstest.ValueAt[int](b, b.url, counted, prefix, 1)
	b.Logf("%s: %d kills, %d POSTs answered, %d too busy, %d cut off, %d counted, %d counted twice",
		proxy, kills, refused.Load(), busy.Load(), cut.Load(), once, twice)
	require.NotZero(b, cut.Load(), "no instance was killed under a POST")
	require.Zero(b, twice)
	require.GreaterOrEqual(b, int64(once), refused.Load())
}

// repeat lets some workers work, each with a pause, until stop is called. The numbers of their
// work are unique.
func (b *behindProxy) repeat(workers int, rest time.Duration, work func(n int)) (stop func()) {
	var over atomic.Bool
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for !over.Load() {
				work(int(next.Add(1)))
				time.Sleep(rest)
			}
		})
	}
	return func() {
		over.Store(true)
		group.Wait()
	}
}
