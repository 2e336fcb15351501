package api_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
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

var hiddenLength = "Content-Length: " + strconv.Itoa(len(hidden)) + "\r\n"

func refused(sent string) exact {
	return exact{sent, 400, "BAD_REQUEST", "The request is malformed", true}
}

// accepted is a POST, which the routes refuse, so its connection stays open.
func accepted(sent string) exact { return exact{sent, 405, "METHOD_NOT_ALLOWED", "GET", false} }

func healthy(sent string, closed bool) exact { return exact{sent, 200, "", "", closed} }

// exactRequests are what the service reads strictly, by what is special about them.
var exactRequests = map[string]exact{
	"garbage":                       refused("GARBAGE\r\n\r\n"),
	"binary garbage":                refused("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
	"HTTP/0.9":                      refused("GET /api/health\r\n\r\n"),
	"an empty method":               refused(" /api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a method with a bracket":       refused("G(T /api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"another protocol":              refused("GET /api/health HXTP/1.1\r\nHost: x\r\n\r\n"),
	"version 1.2":                   refused("GET /api/health HTTP/1.2\r\nHost: x\r\n\r\n"),
	"version 0.9":                   refused("GET /api/health HTTP/0.9\r\nHost: x\r\n\r\n"),
	"two spaces":                    refused("GET /api/health  HTTP/1.1\r\nHost: x\r\n\r\n"),
	"HTTP/2 without an upgrade":     refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
	"a control character in a path": refused("GET /api/hea\x01lth HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a bare CR in a path":           refused("GET /api/hea\rlth HTTP/1.1\r\nHost: x\r\n\r\n"),
	"no slash before the path":      refused("GET api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"* with GET":                    refused("GET * HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a URL of another scheme":       refused("GET ftp://x/api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a URL with a user":             refused("GET http://u@x/api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a URL without a host":          refused("GET http:///api/health HTTP/1.1\r\nHost: x\r\n\r\n"),
	"a URL without a path":          refused("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n"),

	"no Host":                   refused("GET /api/health HTTP/1.1\r\n\r\n"),
	"no Host, but others":       refused("GET /api/health HTTP/1.1\r\nAccept: */*\r\n\r\n"),
	"an empty Host":             refused("GET /api/health HTTP/1.1\r\nHost:\r\n\r\n"),
	"two Hosts":                 refused(get + "Host: y\r\n\r\n"),
	"a Host with a user":        refused("GET /api/health HTTP/1.1\r\nHost: u@b\r\n\r\n"),
	"a Host with a space":       refused("GET /api/health HTTP/1.1\r\nHost: a b\r\n\r\n"),
	"a Host with a comma":       refused("GET /api/health HTTP/1.1\r\nHost: a,b\r\n\r\n"),
	"a Host with a path":        refused("GET /api/health HTTP/1.1\r\nHost: a/b\r\n\r\n"),
	"a Host with a scheme":      refused("GET /api/health HTTP/1.1\r\nHost: http://a\r\n\r\n"),
	"a Host with escapes":       refused("GET /api/health HTTP/1.1\r\nHost: a%2eb\r\n\r\n"),
	"a Host beyond ASCII":       refused("GET /api/health HTTP/1.1\r\nHost: \u00f8.dk\r\n\r\n"),
	"a Host with two ports":     refused("GET /api/health HTTP/1.1\r\nHost: a:80:80\r\n\r\n"),
	"a Host with a long port":   refused("GET /api/health HTTP/1.1\r\nHost: a:000080\r\n\r\n"),
	"a Host with a named port":  refused("GET /api/health HTTP/1.1\r\nHost: a:http\r\n\r\n"),
	"a port alone":              refused("GET /api/health HTTP/1.1\r\nHost: :80\r\n\r\n"),
	"an open bracket":           refused("GET /api/health HTTP/1.1\r\nHost: [::1\r\n\r\n"),
	"no IPv6 in brackets":       refused("GET /api/health HTTP/1.1\r\nHost: [x]\r\n\r\n"),
	"IPv4 in brackets":          refused("GET /api/health HTTP/1.1\r\nHost: [1.2.3.4]\r\n\r\n"),
	"IPv6 with a zone":          refused("GET /api/health HTTP/1.1\r\nHost: [fe80::1%25en0]\r\n\r\n"),
	"more after the brackets":   refused("GET /api/health HTTP/1.1\r\nHost: [::1]x:80\r\n\r\n"),
	"a bad Host in HTTP/1.0":    refused("GET /api/health HTTP/1.0\r\nHost: u@b\r\n\r\n"),
	"a bad Host beside a URL":   refused("GET http://x/api/health HTTP/1.1\r\nHost: u@b\r\n\r\n"),
	"NUL in a Host":             refused("GET /api/health HTTP/1.1\r\nHost: x\x00\r\n\r\n"),
	"NUL in a value":            refused(get + "X-A: a\x00b\r\n\r\n"),
	"NUL in a key":              refused(get + "X-API-Key: \x00\r\n\r\n"),
	"a bare CR in a value":      refused(get + "X-A: a\rb\r\n\r\n"),
	"an escape in a value":      refused(get + "X-A: \x1b[31m\r\n\r\n"),
	"NUL in a name":             refused(get + "X-\x00A: a\r\n\r\n"),
	"a space in a name":         refused(get + "X A: a\r\n\r\n"),
	"a space before the colon":  refused(get + "X-A : a\r\n\r\n"),
	"no name":                   refused(get + ": a\r\n\r\n"),
	"no colon":                  refused(get + "X-A\r\n\r\n"),
	"a folded value":            refused(get + "X-A: a\r\n b\r\n\r\n"),
	"a space before the first":  refused("GET /api/health HTTP/1.1\r\n Host: x\r\n\r\n"),
	"LF alone after a header":   refused("GET /api/health HTTP/1.1\r\nHost: x\nX-A: a\r\n\r\n"),
	"LF alone after the others": refused("GET /api/health HTTP/1.1\r\nHost: x\r\n\n" + hidden),

	"two lengths":                   refused(post + "Content-Length: 5\r\nContent-Length: 0\r\n\r\nhello"),
	"two lengths, the last of both": refused(post + "Content-Length: 0\r\n" + hiddenLength + "\r\n" + hidden),
	"two equal lengths":             refused(post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
	"two lengths on a line":         refused(post + "Content-Length: 5, 0\r\n\r\nhello"),
	"a negative length":             refused(post + "Content-Length: -5\r\n\r\n"),
	"a length with a sign":          refused(post + "Content-Length: +5\r\n\r\nhello"),
	"a length beyond 64 bits":       refused(post + "Content-Length: 18446744073709551621\r\n\r\nhello"),
	"a folded length":               refused(post + "Content-Length:\r\n 5\r\n\r\nhello"),
	"a length and chunks":           refused(post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk),
	"chunks and a length":           refused(post + "Transfer-Encoding: chunked\r\n" + hiddenLength + "\r\n0\r\n\r\n" + hidden),
	"a length and no more":          refused(post + "Content-Length: 5000\r\nTransfer-Encoding: chunked\r\n\r\n"),
	"a length, chunks and a wait":   refused(post + "Expect: 100-continue\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
	"a length and identity":         refused(post + "Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello"),

	"identity":                 refused(post + "Transfer-Encoding: identity\r\n\r\n" + hidden),
	"chunked twice":            refused(post + "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunk),
	"identity, chunked":        refused(post + "Transfer-Encoding: identity, chunked\r\n\r\n" + chunk),
	"chunked in two headers":   refused(post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk),
	"xchunked":                 refused(post + "Transfer-Encoding: xchunked\r\n\r\n" + chunk),
	"chunked with a parameter": refused(post + "Transfer-Encoding: chunked;q=1\r\n\r\n" + chunk),
	"chunked in quotes":        refused(post + "Transfer-Encoding: \"chunked\"\r\n\r\n" + chunk),
	"chunked after a tab":      accepted(post + "Transfer-Encoding:\tchunked\r\n\r\n" + chunk),
	"chunked and NUL":          refused(post + "Transfer-Encoding: chunked\x00\r\n\r\n" + chunk),
	"chunked before a colon":   refused(post + "Transfer-Encoding : chunked\r\n\r\n" + chunk),
	"chunked in HTTP/1.0":      refused("POST /api/health HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk),

	"a chunk without a size":          refused(post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
	"a chunk with a signed size":      refused(post + "Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n"),
	"a chunk of a huge size":          refused(post + "Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n"),
	"a chunk with LF alone":           refused(post + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n"),
	"a chunk that is too long":        refused(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n"),
	"a length after the chunks":       refused(post + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n"),
	"a length announced as a trailer": refused(post + "Transfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n" + chunk),
	"a large body":                    refused(post + "Content-Length: 1000000\r\n\r\n"),

	"a path after two slashes":        {"GET //api/health HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND", "/api/openapi.yaml", true},
	"a host after two slashes":        {"GET //x/api/health?://y HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND", "/api/openapi.yaml", true},
	"OPTIONS *":                       {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 405, "METHOD_NOT_ALLOWED", "GET", true},
	"CONNECT":                         {"CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", 405, "METHOD_NOT_ALLOWED", "GET", true},
	"an unknown method":               {"BREW /api/health HTTP/1.1\r\nHost: x\r\n\r\n", 405, "METHOD_NOT_ALLOWED", "GET", false},
	"a form that ends before its end": accepted(formWithMore()),

	"an ordinary request":      healthy(get+"Accept: */*\r\nUser-Agent: curl/8\r\n\r\n", false),
	"a blank line before it":   healthy("\r\n"+get+"\r\n", false),
	"a value beyond ASCII":     healthy(get+"X-A: \u00f8\xff\r\n\r\n", false),
	"a colon in a query":       healthy("GET /api/health?x=http://y//z HTTP/1.1\r\nHost: x\r\n\r\n", false),
	"a URL":                    healthy("GET http://y/api/health HTTP/1.1\r\nHost: x\r\n\r\n", false),
	"a Host with IPv6":         healthy("GET /api/health HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n", false),
	"HTTP/1.0":                 healthy("GET /api/health HTTP/1.0\r\n\r\n", true),
	"HTTP/1.0 kept alive":      healthy("GET /api/health HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", false),
	"close":                    healthy(get+"Connection: close\r\n\r\n", true),
	"close in a list":          healthy(get+"Connection: x, close\r\n\r\n", true),
	"close in another header":  healthy(get+"Connection: close\r\nConnection: keep-alive\r\n\r\n", true),
	"close in HTTP/1.0":        healthy("GET /api/health HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", true),
	"closed, but not close":    healthy(get+"Connection: closed, x-close\r\n\r\n", false),
	"a body":                   accepted(post + "Content-Length: 5\r\n\r\nhello"),
	"a request as a body":      accepted(post + hiddenLength + "\r\n" + hidden),
	"a body with GET":          healthy(get+hiddenLength+"\r\n"+hidden, false),
	"chunks":                   accepted(post + "Transfer-Encoding: chunked\r\n\r\n" + chunk),
	"a request as a chunk":     accepted(post + "Transfer-Encoding: chunked\r\n\r\n" + strconv.FormatInt(int64(len(hidden)), 16) + "\r\n" + hidden + "\r\n0\r\n\r\n"),
	"chunks with an extension": accepted(post + "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n"),
	"chunks with a trailer":    accepted(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-A: a\r\n\r\n"),
}

// HTTP is read strictly (RFC 9110 and 9112): what two programs could read as
// different requests gets 400, and the connection is closed. Nothing that follows is answered, so no request can be
// smuggled inside another. Every answer is JSON with an X-Request-Id.
func TestStrictHTTP(t *testing.T) {
	t.Parallel()
	_, _, service := start(t, settings{trustedProxies: loopback})
	for name, row := range exactRequests {
		t.Run(name, func(t *testing.T) {
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
	return post + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// The fields after a chunked body are not headers: a key there authenticates nobody,
// and is not a second one.
func TestTrailersAreNotHeaders(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{})
	send := func(header, trailer string) string {
		return service.exchange(t, "GET /api/v1/companies HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"+
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
		got := service.exchange(t, "GET "+row.path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: "+a.token+"\r\n\r\n")
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
