package server

import (
	"bufio"
	"bytes"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"
)

// ordinary is what a usual client sends through a usual proxy.
const ordinary = "GET /api/v1/companies/10315034/transactions?limit=100&after=019b8d47-03bd-7c41-9f02-5e7a1b3c4d60 HTTP/1.1\r\n" +
	"Host: dispo.example.com\r\nUser-Agent: bookkeeper/2.1 (linux)\r\nAccept: application/json\r\nAccept-Encoding: gzip, br\r\nConnection: keep-alive\r\n" +
	"X-API-Key: dispo_aSl5nroHHTbL_mU93Wr2jD3mnu0ieH30jekQgArHVaCtE0b9jw4\r\nIf-None-Match: W/\"5f0e3a1cbb92d4e7\"\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"

// What the gate lets through, net/http reads too, and as the same request: the same
// target and host, a body that ends at the same place, and the same wish to close.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(ordinary))
	for _, headers := range []string{
		"Host: x\r\nContent-Length: 5", "Host: x\r\nContent-Length: 5\r\nContent-Length: 6", "Host: x\r\nTransfer-Encoding: chunked",
		"Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", "Host: x\r\nTransfer-Encoding:\r\n chunked", "Host: [::1]:80", "Host: u@b",
		"Host: x\nX: y", "Host: x\r\nX Y: z", "Host: x\r\nX: \x00", "Host: x\r\nConnection: a, close\r\nConnection: keep-alive", "Host: x\r\nHost: y",
	} {
		f.Add([]byte("POST /api/health?x=y HTTP/1.1\r\n" + headers + "\r\n\r\n"))
		f.Add([]byte("GET http://a:80/api HTTP/1.0\r\n" + headers + "\r\n\r\n"))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var header fasthttp.RequestHeader
		if header.Read(bufio.NewReader(bytes.NewReader(bytes.Clone(sent)))) != nil {
			return
		}
		got, err := check(&header)
		if err != nil {
			return
		}
		if _, err := url.ParseRequestURI(string(header.RequestURI())); err != nil {
			return // an invalid percent-encoding, which stands for itself
		}
		other, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(sent, "\r\n"))))
		require.NoError(t, err)
		require.Equal(t, string(header.RequestURI()), other.RequestURI)
		require.Equal(t, string(header.Method()), other.Method)
		length := int64(max(0, header.ContentLength()))
		if got.chunked {
			length = -1
		}
		require.Equal(t, length, other.ContentLength)
		require.Equal(t, header.ConnectionClose() || got.last, other.Close)
		var uri fasthttp.URI
		require.NoError(t, uri.Parse(header.Host(), header.RequestURI()))
		require.Equal(t, string(bytes.ToLower([]byte(other.Host))), string(uri.Host()))
		path, err := url.PathUnescape(string(uri.PathOriginal()))
		require.NoError(t, err)
		require.Equal(t, other.URL.Path, path)
	})
}
