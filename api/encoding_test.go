package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// decoded returns a body without its coding.
func decoded(t testing.TB, coding string, body []byte) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "br":
		from = brotli.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	default:
		require.Empty(t, coding)
	}
	require.NoError(t, err)
	plain, err := io.ReadAll(from)
	require.NoError(t, err)
	return plain
}

// A long answer is sent in the coding that the caller likes best, read or remembered,
// with the same content, length and ETag. A short one is sent as it is.
func TestEncodings(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 100)
	const list, short = "/api/v1/companies/10000001/transactions?limit=100", "/api/v1/companies/10000001"
	weights := map[string]string{
		"":                                       "",
		"*":                                      "",
		"identity":                               "",
		"deflate":                                "",
		"br;q=0":                                 "",
		"*;q=0":                                  "",
		"identity;q=0":                           "",
		"gzip":                                   "gzip",
		"x-gzip":                                 "gzip",
		"GZIP":                                   "gzip",
		"br":                                     "br",
		"zstd":                                   "zstd",
		"gzip;q=0.001":                           "gzip",
		"gzip, deflate, br, zstd":                "br",
		"gzip;q=1.0, br;q=0.5, zstd ;Q=0.8":      "gzip",
		"br;q=0, gzip;q=0.1":                     "gzip",
		"gzip, deflate, identity":                "gzip",
		"identity;q=1, gzip;q=0.5":               "",
		"identity;q=0.5, gzip;q=1":               "gzip",
		"gzip;q=0.5, *;q=0.8, identity;q=0.7":    "br",
		"br;q=0, *;q=0.8, identity;q=0.1":        "zstd",
		"deflate, identity;q=0.5, zstd;q=0.2, *": "br",
		// A coding whose weight is not valid is ignored.
		"br;q=x":             "",
		"br;q=":              "",
		"br;level=1":         "",
		"br;q=1.5":           "",
		"br;q=-1":            "",
		"br;q=NaN":           "",
		"br;q=1e-1":          "",
		"br;q=0.1234":        "",
		"br;q=.5":            "",
		"br; q = 1":          "",
		"br;q=2, gzip;q=0.5": "gzip",
	}
	for _, config := range []settings{{minute: 10_000, hour: 10_000, noCache: true}, {minute: 10_000, hour: 10_000}} {
		service := serve(t, w.Service, config)
		full := map[string]answer{}
		for _, path := range []string{list, short, "/api/openapi.json", "/api/openapi.yaml"} {
			plain := service.send(t, "GET", path, headers("X-API-Key", a.token, "Accept-Encoding", "identity"))
			plain.requireOK(t)
			full[path] = plain
			for accept, want := range weights {
				if path != list && accept != want { // the choice is the same everywhere
					continue
				}
				if path == short {
					want = ""
				}
				for _, method := range []string{"GET", "HEAD"} {
					got := service.send(t, method, path, headers("X-API-Key", a.token, "Accept-Encoding", accept))
					require.Equal(t, http.StatusOK, got.status)
					require.Contains(t, got.header.Get("Vary"), "Accept-Encoding")
					require.Equal(t, plain.header.Get("ETag"), got.header.Get("ETag"))
					require.Equal(t, want, got.header.Get("Content-Encoding"), "%s %q", path, accept)
					if method == "GET" {
						require.Equal(t, string(plain.body), string(decoded(t, want, got.body)))
					}
				}
				require.Equal(t, http.StatusNotModified, service.send(t, "GET", path,
					headers("X-API-Key", a.token, "Accept-Encoding", accept, "If-None-Match", plain.header.Get("ETag"))).status)
			}
		}
		br := service.send(t, "GET", list, headers("X-API-Key", a.token, "Accept-Encoding", "br"))
		require.Less(t, len(br.body)*8, len(full[list].body), "compressing is worth it")
	}
}
