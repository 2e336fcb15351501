package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exact is a request as it is sent, byte for byte, and the answer to it.
type exact struct {
	sent    string
	status  int
	code    string // "" for a good answer
	message string // a part of it
	closed  bool   // the answer is the connection's last
}

const (
	get  = "GET /api/health HTTP/1.1\r\nHost: x\r\n"
	post = "POST /api/health HTTP/1.1\r\nHost: x\r\n"

	// A second request, for those who are made to take the first one's body for it.
	hidden = "GET /api/health HTTP/1.1\r\nHost: x\r\nX-Request-Id: hidden\r\n\r\n"

	chunk = "5\r\nhello\r\n0\r\n\r\n"
)

var hiddenLength = "Content-Length: " + strconv.Itoa(len(hidden))

// requests returns a request for each of the values, which stand where the text has %s, and
// the answer that they get.
func requests(answer exact, text string, values ...string) (all []exact) {
	for _, value := range values {
		answer.sent = strings.ReplaceAll(text, "%s", value)
		all = append(all, answer)
	}
	return all
}

var (
	refused      = exact{status: 400, code: "BAD_REQUEST", message: "The request is malformed", closed: true}
	notFound     = exact{status: 404, code: "NOT_FOUND", message: "/api/openapi.yaml", closed: true}
	acceptedLast = exact{status: 405, code: "METHOD_NOT_ALLOWED", message: "GET", closed: true}
	accepted     = exact{status: 405, code: "METHOD_NOT_ALLOWED", message: "GET"} // a POST, which the routes refuse
	healthy      = exact{status: 200}
	healthyLast  = exact{status: 200, closed: true}
)

// exactRequests are what the service reads strictly.
var exactRequests = slices.Concat(
	// Request lines.
	requests(refused, "%s\r\nHost: x\r\n\r\n", "GARBAGE", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"GET /api/health", " /api/health HTTP/1.1", "G(T /api/health HTTP/1.1", "GET /api/health  HTTP/1.1",
		"GET /api/health HXTP/1.1", "GET /api/health HTTP/1.2", "GET /api/health HTTP/0.9", "PRI * HTTP/2.0",
		"GET /api/hea\x01lth HTTP/1.1", "GET /api/hea\rlth HTTP/1.1", "GET api/health HTTP/1.1", "GET * HTTP/1.1",
		"GET ftp://x/api/health HTTP/1.1", "GET http://u@x/api/health HTTP/1.1", "GET http:///api/health HTTP/1.1",
		"GET http://x HTTP/1.1"),
	requests(refused, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""), // HTTP/2 without an upgrade
	requests(notFound, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", "//api/health", "//x/api/health?://y"),
	requests(acceptedLast, "%s HTTP/1.1\r\nHost: x:443\r\n\r\n", "OPTIONS *", "CONNECT x:443"),
	requests(accepted, "BREW /api/health HTTP/1.1\r\nHost: x\r\n\r\n", ""),
	requests(healthy, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", "/api/health?x=http://y//z", "http://y/api/health"),
	// Hosts.
	requests(refused, "GET /api/health HTTP/1.1\r\n%s\r\n", "", "Accept: */*\r\n", "Host:\r\n", "Host: x\r\nHost: y\r\n"),
	requests(refused, "GET /api/health HTTP/1.1\r\nHost: %s\r\n\r\n",
		"u@b", "a b", "a,b", "a/b", "http://a", "a%2eb", "\u00f8.dk", "x\x00", "a:80:80", "a:000080", "a:http", ":80",
		"[::1", "[x]", "[1.2.3.4]", "[fe80::1%25en0]", "[::1]x:80"),
	requests(refused, "GET %s\r\nHost: u@b\r\n\r\n", "/api/health HTTP/1.0", "http://x/api/health HTTP/1.1"),
	requests(healthy, "GET /api/health HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n", ""),
	// Headers.
	requests(refused, get+"%s\r\n\r\n", "X-A: a\x00b", "X-API-Key: \x00", "X-A: a\rb", "X-A: \x1b[31m", "X-\x00A: a",
		"X A: a", "X-A : a", ": a", "X-A", "X-A: a\r\n b"),
	requests(refused, "GET /api/health HTTP/1.1\r\n%s", " Host: x\r\n\r\n", "Host: x\nX-A: a\r\n\r\n",
		"Host: x\r\n\n"+hidden),
	requests(healthy, "%s\r\n", get+"Accept: */*\r\nUser-Agent: curl/8\r\n", "\r\n"+get, get+"X-A: \u00f8\xff\r\n"),
	// Whether the connection stays.
	requests(healthy, "GET /api/health HTTP/1.%s\r\n\r\n", "0\r\nConnection: Keep-Alive",
		"1\r\nHost: x\r\nConnection: closed, x-close"),
	requests(healthyLast, "GET /api/health HTTP/1.%s\r\n\r\n", "0", "0\r\nConnection: keep-alive, close",
		"1\r\nHost: x\r\nConnection: close", "1\r\nHost: x\r\nConnection: x, close",
		"1\r\nHost: x\r\nConnection: close\r\nConnection: keep-alive"),
	// Lengths.
	requests(refused, post+"%s\r\n\r\nhello", "Content-Length: 5\r\nContent-Length: 0",
		"Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 0", "Content-Length: -5", "Content-Length: +5",
		"Content-Length: 18446744073709551621", "Content-Length:\r\n 5", "Content-Length: 5\r\nTransfer-Encoding: identity",
		"Content-Length: 1000000", "Content-Length: 5000\r\nTransfer-Encoding: chunked",
		"Expect: 100-continue\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"),
	requests(refused, post+"%s\r\n\r\n"+hidden, "Content-Length: 0\r\n"+hiddenLength,
		"Transfer-Encoding: chunked\r\n"+hiddenLength+"\r\n\r\n0", "Transfer-Encoding: identity"),
	requests(accepted, post+"%s", "Content-Length: 5\r\n\r\nhello", hiddenLength+"\r\n\r\n"+hidden),
	requests(accepted, formWithMore(), ""),
	requests(healthy, get+hiddenLength+"\r\n\r\n"+hidden, ""),
	// Chunks.
	requests(refused, post+"%s\r\n\r\n"+chunk, "Content-Length: 5\r\nTransfer-Encoding: chunked",
		"Transfer-Encoding: chunked, chunked", "Transfer-Encoding: identity, chunked",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
		"Transfer-Encoding: chunked;q=1", `Transfer-Encoding: "chunked"`, "Transfer-Encoding: chunked\x00",
		"Transfer-Encoding : chunked", "Transfer-Encoding: chunked\r\nTrailer: Content-Length"),
	requests(refused, "POST /api/health HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"+chunk, ""),
	requests(refused, post+"Transfer-Encoding: chunked\r\n\r\n%s", "zz\r\n", "+5\r\nhello\r\n0\r\n\r\n",
		"10000000000000005\r\nhello\r\n0\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n",
		"0\r\nContent-Length: 5\r\n\r\n"),
	requests(accepted, post+"Transfer-Encoding:%s", "\tchunked\r\n\r\n"+chunk, " chunked\r\n\r\n"+chunk,
		" chunked\r\n\r\n"+strconv.FormatInt(int64(len(hidden)), 16)+"\r\n"+hidden+"\r\n0\r\n\r\n",
		" chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n", " chunked\r\n\r\n5\r\nhello\r\n0\r\nX-A: a\r\n\r\n"),
)

// HTTP is read strictly (RFC 9110 and 9112): what two programs could read as
// different requests gets 400, and the connection is closed. Nothing that follows is answered, so no request can be
// smuggled inside another. Every answer is JSON with an X-Request-Id.
func TestStrictHTTP(t *testing.T) {
	t.Parallel()
	_, _, service := start(t, settings{trustedProxies: loopback})
	for _, row := range exactRequests {
		t.Run(fmt.Sprintf("%.200q", row.sent), func(t *testing.T) {
			t.Parallel()
			conn := service.dial(t)
			_, err := io.WriteString(conn, row.sent+get+"X-Request-Id: next\r\nConnection: close\r\n\r\n")
			require.NoError(t, err)
			from := bufio.NewReader(conn)
			read := func() (a answer, last bool) {
				response, err := http.ReadResponse(from, nil)
				require.NoError(t, err)
				if response.StatusCode == http.StatusContinue { // the real answer follows
					response, err = http.ReadResponse(from, nil)
					require.NoError(t, err)
				}
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				if row.status == 400 {
					validate(t, nil, response, body)
				}
				require.Len(t, response.Header.Values("X-Request-Id"), 1)
				require.Equal(t, "application/json", response.Header.Get("Content-Type"))
				return answer{status: response.StatusCode, header: response.Header, body: body}, response.Close
			}
			first, last := read()
			if row.code == "" {
				first.requireOK(t)
			} else {
				first.requireError(t, row.status, row.code, row.message)
			}
			require.Equal(t, row.closed, last)
			if !row.closed {
				next, _ := read()
				next.requireOK(t)
				require.Equal(t, "next", next.header.Get("X-Request-Id"))
			}
			more, _ := io.ReadAll(from)
			require.Empty(t, string(more))
		})
	}
	t.Cleanup(func() { service.send(t, "GET", "/api/health", nil).requireOK(t) })
}

// formWithMore returns a form for files whose end comes long before the end of its
// body. The rest looks like requests.
func formWithMore() string {
	body := "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--\r\n" + strings.Repeat(hidden, 200)
	return post + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + strconv.Itoa(
		len(body)) + "\r\n\r\n" + body
}

// The fields after a chunked body are not headers: a key there authenticates nobody,
// and is not a second one.
func TestTrailersAreNotHeaders(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{})
	send := func(header, trailer string) string {
		return service.exchange(t,
			"GET /api/v1/companies HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"+
				header+"\r\n"+"1\r\nx\r\n0\r\n"+trailer+"\r\n")
	}
	key := "X-API-Key: " + a.token + "\r\n"
	require.Contains(t, send("", key), "is missing")
	require.Contains(t, send(key, "X-API-Key: another\r\nX-Request-Id: another\r\n"), "HTTP/1.1 200 OK")
}

// A character of the path may be percent-encoded, and the path is the same. An
// encoded slash is not a slash.
func TestPercentEncodingInThePath(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.Companies(t, a.Organization, "98765432")
	for _, row := range []struct {
		path, same string
	}{
		{"/api/v1/companies/%39%38765432", "/api/v1/companies/98765432"},
		{"/api/v1/companies/%39%38765432/tr%61ns%61ctions?limit=5", "/api/v1/companies/98765432/transactions?limit=5"},
		{"/%61pi/v1/compani%65s", "/api/v1/companies"},
		{"/%61%70%69/%76%31/%63%6F%6d%70%61%6E%69%65%73?limit=1", "/api/v1/companies?limit=1"},
		{"/api/openapi%2Eyaml", "/api/openapi.yaml"},
	} {
		expected := service.get(t, row.same, a.token)
		expected.requireOK(t)
		got := service.exchange(t,
			"GET "+row.path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: "+a.token+"\r\n\r\n")
		head, body, _ := strings.Cut(got, "\r\n\r\n")
		require.Contains(t, head, "HTTP/1.1 200 OK", row.path)
		require.True(t, bytes.Equal(expected.body, []byte(body)), row.path)
	}
	for path, code := range map[string]string{
		"/api%2Fv1/companies":                  "no such page",
		"/api/v1%2fcompanies":                  `"NOT_FOUND"`,
		"/api/v1/companies%2F98765432":         `"NOT_FOUND"`,
		"/api/v1/companies/98765432%2F":        `"BAD_REQUEST"`,
		"/api/v1/companies/%2539%38765432":     `"BAD_REQUEST"`, // decoded once
		"/api/v1/companies/9876543%":           `"BAD_REQUEST"`,
		"/api/v1/companies/9876543%3":          `"BAD_REQUEST"`,
		"/api/v1/companies/9876543%zz":         `"BAD_REQUEST"`,
		"/api/v1/companies/98765432%3Flimit=1": `"BAD_REQUEST"`,
		"/api/v1/companies/98765432%23":        `"BAD_REQUEST"`,
		"/api/v1/companies/98765432%00":        `"BAD_REQUEST"`,
		"/api/v1/companies/98765432%0d%0aX:":   `"BAD_REQUEST"`,
	} {
		got := service.exchange(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: "+a.token+"\r\n\r\n")
		require.Contains(t, got, code, path)
	}
}
