package openapitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/api"
)

// exchange is a request and its response, for tests to change.
type exchange struct {
	method, path string
	status       int
	headers      map[string]string
	body         any
	raw          []byte // used instead of body if set
}

func (e *exchange) check() error {
	body := e.raw
	if body == nil && e.body != nil {
		var err error
		if body, err = json.Marshal(e.body); err != nil {
			return err
		}
	}
	resp := &http.Response{StatusCode: e.status, Header: http.Header{}}
	for name, value := range e.headers {
		resp.Header.Set(name, value)
	}
	var req *http.Request
	if e.method != "" {
		req = httptest.NewRequest(e.method, e.path, http.NoBody)
	}
	return Check(api.OpenAPIYAML(), req, resp, body)
}

// example returns an exchange built from the document's examples: the required headers (and the optional ones, if
// wanted), and the body with this name, or the only body if name is empty.
func example(t *testing.T, path string, status int, name string, optionalHeaders bool) *exchange {
	t.Helper()
	doc := document(t)
	declared := at(t, doc, doc, "paths", path, "get", "responses", strconv.Itoa(status))
	e := exampleOf(t, doc, declared, name, optionalHeaders)
	e.method = http.MethodGet
	e.path = "/api" + strings.ReplaceAll(path, "{cvr}", "10315034")
	e.status = status
	return e
}

func exampleOf(t *testing.T, doc object, declared any, name string, optionalHeaders bool) *exchange {
	t.Helper()
	e := &exchange{headers: map[string]string{"Content-Type": "application/json"}}
	for header := range at(t, doc, declared, "headers").(object) {
		h := at(t, doc, declared, "headers", header).(object)
		if h["required"] == true || optionalHeaders {
			e.headers[header] = fmt.Sprint(h["example"])
		}
	}
	if _, hasContent := declared.(object)["content"]; !hasContent {
		delete(e.headers, "Content-Type")
		return e
	}
	content := at(t, doc, declared, "content", "application/json").(object)
	value := content["example"]
	if name != "" {
		value = at(t, doc, content, "examples", name, "value")
	}
	require.NotNil(t, value)
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &e.body))
	if retryAfter, ok := e.body.(object)["error"].(object); ok && retryAfter["retryAfter"] != nil {
		e.headers["Retry-After"] = fmt.Sprint(retryAfter["retryAfter"])
	}
	return e
}

// sharedExample returns an exchange built from the example of one of the components/responses.
func sharedExample(t *testing.T, method, path string, status int, component string) *exchange {
	t.Helper()
	doc := document(t)
	names := map[string]string{"NotFound": "path", "ServiceUnavailable": "database"}
	e := exampleOf(t, doc, at(t, doc, doc, "components", "responses", component), names[component], false)
	e.method, e.path, e.status = method, path, status
	return e
}

// eachExample calls test with the example of every declared response, including those for requests that are not in the
// document.
func eachExample(t *testing.T, test func(t *testing.T, e func() *exchange)) {
	t.Helper()
	for name, e := range map[string]func() *exchange{
		"unknown path":         func() *exchange { return sharedExample(t, "GET", "/api/nothing", 404, "NotFound") },
		"unknown method":       func() *exchange { return sharedExample(t, "POST", "/api/health", 405, "MethodNotAllowed") },
		"invalid HTTP request": func() *exchange { return sharedExample(t, "", "", 400, "MalformedRequest") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, e)
		})
	}
	doc := document(t)
	for path := range doc["paths"].(object) {
		for code := range at(t, doc, doc, "paths", path, "get", "responses").(object) {
			if code == "304" {
				continue // no content
			}
			content := at(t, doc, doc, "paths", path, "get", "responses", code, "content").(object)
			jsonContent, ok := content["application/json"].(object)
			if !ok {
				continue
			}
			names := keysOf(jsonContent["examples"])
			if jsonContent["example"] != nil {
				names = append(names, "")
			}
			status, err := strconv.Atoi(code)
			require.NoError(t, err)
			if status == http.StatusMethodNotAllowed {
				continue // GET is allowed everywhere
			}
			for _, name := range names {
				if status == http.StatusNotFound && name == "path" {
					continue // belongs to unknown paths
				}
				t.Run(fmt.Sprintf("%s %s %s", path, code, name), func(t *testing.T) {
					t.Parallel()
					test(t, func() *exchange { return example(t, path, status, name, status == http.StatusNotFound) })
				})
			}
		}
	}
}

const (
	companies    = "/v1/companies"
	company      = "/v1/companies/{cvr}"
	transactions = "/v1/companies/{cvr}/transactions"
)

// Every example of a response is valid.
func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, e func() *exchange) {
		assert.NoError(t, e().check())
	})
}

// Check accepts valid responses: HEAD, unknown paths, other methods, optional headers, every form of a link.
func TestValidResponses(t *testing.T) {
	t.Parallel()
	shared := func(method, path string, status int, component string) *exchange {
		return sharedExample(t, method, path, status, component)
	}
	head := func(e *exchange) *exchange {
		e.method, e.body = http.MethodHead, nil
		return e
	}
	for name, e := range map[string]*exchange{
		"not modified":                example(t, companies, 304, "", false),
		"example of another's error":  with(shared("GET", "/api/v1/companies", 405, "MethodNotAllowed"), withHeader("Preference-Applied", "example=METHOD_NOT_ALLOWED")),
		"not modified, HEAD":          head(example(t, transactions, 304, "", false)),
		"HEAD":                        head(example(t, companies, 200, "firstPage", false)),
		"HEAD of an error":            head(example(t, company, 404, "company", true)),
		"HEAD of an unknown path":     head(shared("HEAD", "/api/nothing", 404, "NotFound")),
		"a query":                     with(example(t, companies, 200, "firstPage", false), withPath("/api/v1/companies?limit=2&x=1")),
		"an unknown path":             shared("GET", "/api/nothing", 404, "NotFound"),
		"the root":                    shared("GET", "/api", 404, "NotFound"),
		"another version":             shared("POST", "/api/v2/companies", 404, "NotFound"),
		"a trailing slash":            shared("GET", "/api/v1/companies/", 404, "NotFound"),
		"a path in another case":      shared("GET", "/api/V1/companies", 404, "NotFound"),
		"an empty segment":            shared("GET", "/api/v1//companies", 404, "NotFound"),
		"another method":              shared("POST", "/api/v1/companies", 405, "MethodNotAllowed"),
		"another method with a cvr":   shared("DELETE", "/api/v1/companies/1/transactions", 405, "MethodNotAllowed"),
		"a nonstandard method":        shared("BREW", "/api/health", 405, "MethodNotAllowed"),
		"malformed":                   shared("", "", 400, "MalformedRequest"),
		"malformed with a path":       shared("PUT", "/api/nothing", 400, "MalformedRequest"),
		"large headers":               shared("", "", 431, "HeadersTooLarge"),
		"large headers, unknown path": shared("GET", "/api/nothing", 431, "HeadersTooLarge"),
		"large headers, known path":   shared("GET", "/api/v1/companies", 431, "HeadersTooLarge"),
		"500, unknown path":           shared("GET", "/api/nothing", 500, "InternalError"),
		"503, another method":         shared("POST", "/api/health", 503, "ServiceUnavailable"),
		"429 with rate limits":        example(t, companies, 429, "limit", true),
		"429 without rate limits":     example(t, companies, 429, "failures", false),
		"500 with rate limits":        example(t, companies, 500, "", true),
		"503 with rate limits":        example(t, companies, 503, "database", true),
		"a charset":                   with(example(t, company, 200, "", false), withHeader("Content-Type", "application/json; charset=utf-8")),
		"a numeric request id":        with(example(t, company, 200, "", false), withHeader("X-Request-Id", "1234567890")),
		"an undeclared header":        with(example(t, company, 200, "", false), withHeader("Cache-Control", "no-store")),
		"a cursor of version 4":       with(example(t, companies, 200, "firstPage", false), withField("_links/prev", "/api/v1/companies?before=3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5&limit=2")),
		"a page before the first":     with(example(t, companies, 200, "firstPage", false), withField("data", []any{}), withField("_links/next", "/api/v1/companies?limit=2")),
		"no requests left":            with(example(t, companies, 200, "firstPage", false), withHeader("RateLimit", `"hour";r=0;t=3600`), withHeader("X-RateLimit-Remaining", "0")),
		"the last company status":     with(example(t, company, 200, "", false), withField("status", "REJECTED")),
		"null timestamps":             with(example(t, transactions, 200, "lastPage", false), withField("data/0/createdAt", nil), withField("data/0/processedAt", nil)),
		"the smallest amount":         with(example(t, transactions, 200, "lastPage", false), withField("data/0/amountDkk", "-999999999999.99")),
		"any text in rawLine":         with(example(t, transactions, 200, "lastPage", false), withField("data/0/rawLine", "Ærø \t\"quoted\"; \u0001  ")),
		"this document as JSON":       {method: "GET", path: "/api/openapi.json", status: 200, raw: api.OpenAPIJSON(), headers: map[string]string{"Content-Type": "application/json", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`, "Access-Control-Allow-Origin": "*"}},
		"this document as YAML":       {method: "GET", path: "/api/openapi.yaml", status: 200, raw: api.OpenAPIYAML(), headers: map[string]string{"Content-Type": "application/yaml", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`, "Access-Control-Allow-Origin": "*"}},
		"this document as JSON, HEAD": {method: "HEAD", path: "/api/openapi.json", status: 200, headers: map[string]string{"Content-Type": "application/json", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`, "Access-Control-Allow-Origin": "*"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.NoError(t, e.check())
		})
	}
}

// with applies changes to an exchange.
func with(e *exchange, changes ...func(*exchange)) *exchange {
	for _, change := range changes {
		change(e)
	}
	return e
}

func withPath(path string) func(*exchange)     { return func(e *exchange) { e.path = path } }
func withMethod(method string) func(*exchange) { return func(e *exchange) { e.method = method } }
func withStatus(status int) func(*exchange)    { return func(e *exchange) { e.status = status } }
func withBody(body string) func(*exchange)     { return func(e *exchange) { e.raw = []byte(body) } }

// withHeader sets a header, or removes it if value is empty.
func withHeader(name, value string) func(*exchange) {
	return func(e *exchange) {
		if value == "" {
			delete(e.headers, name)
			return
		}
		e.headers[name] = value
	}
}

// withField sets the value at a path in the body, such as "data/0/id".
func withField(path string, value any) func(*exchange) {
	return func(e *exchange) {
		keys := strings.Split(path, "/")
		part := e.body
		for _, key := range keys[:len(keys)-1] {
			if list, ok := part.([]any); ok {
				index, _ := strconv.Atoi(key)
				part = list[index]
				continue
			}
			part = part.(object)[key]
		}
		part.(object)[keys[len(keys)-1]] = value
	}
}

// Check rejects responses that the document does not describe, and says what is wrong.
func TestInvalidResponses(t *testing.T) {
	t.Parallel()
	page := func() *exchange { return example(t, companies, 200, "firstPage", false) }
	one := func() *exchange { return example(t, company, 200, "", false) }
	list := func() *exchange { return example(t, transactions, 200, "lastPage", false) }
	health := func() *exchange { return example(t, "/health", 200, "", false) }
	unchanged := func() *exchange { return example(t, companies, 304, "", false) }
	noKey := func() *exchange { return example(t, companies, 401, "missing", false) }
	notFound := func() *exchange { return example(t, company, 404, "company", true) }
	limited := func() *exchange { return example(t, companies, 429, "limit", true) }
	shared := func(method, path string, status int, component string) *exchange {
		return sharedExample(t, method, path, status, component)
	}
	jsonResponse := func(text string) *exchange {
		return &exchange{method: "GET", path: "/api/openapi.json", status: 200, raw: []byte(text),
			headers: map[string]string{"Content-Type": "application/json", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`, "Access-Control-Allow-Origin": "*"}}
	}
	const id = "019b8d47-03bd-7c41-9f02-5e7a1b3c4d60"

	for _, test := range []struct {
		name  string
		e     *exchange
		error string
	}{
		// Path, method and status.
		{"an undeclared status", with(page(), withStatus(418)), "status 418 is not declared"},
		{"an undeclared success status", with(page(), withStatus(204)), "status 204 is not declared"},
		{"another operation's status", with(notFound(), withPath("/api/v1/companies")), "status 404 is not declared"},
		{"401 from an operation without a key", with(noKey(), withPath("/api/health")), "status 401 is not declared"},
		{"405 to GET", shared("GET", "/api/v1/companies", 405, "MethodNotAllowed"), "the method is allowed"},
		{"405 to HEAD", with(shared("HEAD", "/api/v1/companies", 405, "MethodNotAllowed"), withBody("")), "the method is allowed"},
		{"200 to an unknown path", with(page(), withPath("/api/v1/company")), "status 200 does not belong to"},
		{"200 to another method", with(page(), withMethod("POST")), "status 200 does not belong to"},
		{"405 to an unknown path", shared("POST", "/api/v3", 405, "MethodNotAllowed"), "status 405 does not belong to"},
		{"404 to another method", shared("POST", "/api/health", 404, "NotFound"), "status 404 does not belong to"},
		{"COMPANY_NOT_FOUND for a trailing slash", with(notFound(), withPath("/api/v1/companies/10315034/")), "X-RateLimit-Limit is not declared"},
		{"401 to an unknown path", with(noKey(), withPath("/api/v9")), "status 401 does not belong to"},
		{"404 to an invalid HTTP request", shared("", "", 404, "NotFound"), "status 404 does not belong to"},
		{"a path without /api", with(page(), withPath("/v1/companies")), "is not below /api"},
		{"a path with the prefix /apis", with(page(), withPath("/apis/v1/companies")), "is not below /api"},
		{"COMPANY_NOT_FOUND for an unknown path", with(notFound(), withPath("/api/nothing")), "the code must be NOT_FOUND"},

		// Headers.
		{"no request id", with(page(), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"no request id on an unknown path", with(shared("GET", "/api/x", 404, "NotFound"), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"no request id on an invalid HTTP request", with(shared("", "", 400, "MalformedRequest"), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"a request id with a space", with(page(), withHeader("X-Request-Id", "a b")), "X-Request-Id is"},
		{"no ETag", with(page(), withHeader("ETag", "")), "ETag is missing"},
		{"a malformed ETag", with(one(), withHeader("ETag", `"1"`)), "ETag is"},
		{"an ETag on an error", with(notFound(), withHeader("ETag", `W/"0123456789abcdef"`)), "ETag is not declared"},
		{"304 with a body", with(unchanged(), withBody("{}")), "304 response has a body of 2 bytes"},
		{"304 with a content type", with(unchanged(), withHeader("Content-Type", "application/json")), "content type"},
		{"304 without rate limits", with(unchanged(), withHeader("RateLimit", "")), "RateLimit is missing"},
		{"304 for /health", with(unchanged(), withPath("/api/health")), "status 304 is not declared"},
		{"no rate limit", with(page(), withHeader("X-RateLimit-Limit", "")), "X-RateLimit-Limit is missing"},
		{"no rate limit on a 404", with(notFound(), withHeader("X-RateLimit-Limit", "")), "X-RateLimit-Limit is missing"},
		{"no rate limit for HEAD", with(page(), withMethod("HEAD"), withBody(""), withHeader("RateLimit", "")), "RateLimit is missing"},
		{"a limit that is not an integer", with(page(), withHeader("X-RateLimit-Limit", "60.5")), "not an integer"},
		{"a limit of zero", with(page(), withHeader("X-RateLimit-Limit", "0")), "X-RateLimit-Limit is"},
		{"a reset of zero", with(page(), withHeader("X-RateLimit-Reset", "0")), "X-RateLimit-Reset is"},
		{"a limit of zero on a 429", with(limited(), withHeader("X-RateLimit-Limit", "0")), "X-RateLimit-Limit is"},
		{"a negative remainder on a 429", with(limited(), withHeader("X-RateLimit-Remaining", "-1")), "X-RateLimit-Remaining is"},
		{"a reset of zero on a 429", with(limited(), withHeader("X-RateLimit-Reset", "0")), "X-RateLimit-Reset is"},
		{"a policy of zero on a 429", with(limited(), withHeader("RateLimit-Policy", `"minute";q=0;w=60, "hour";q=0;w=3600`)), "RateLimit-Policy is"},
		{"a challenge with another scheme", with(noKey(), withHeader("WWW-Authenticate", "Basic")), "WWW-Authenticate is"},
		{"a negative remainder", with(page(), withHeader("X-RateLimit-Remaining", "-1")), "X-RateLimit-Remaining is"},
		{"a reset that is a time", with(page(), withHeader("X-RateLimit-Reset", "2026-02-03T05:10:42Z")), "not an integer"},
		{"a reset with a sign", with(page(), withHeader("X-RateLimit-Reset", "+1770095442")), "not an integer"},
		{"a policy without the hour", with(page(), withHeader("RateLimit-Policy", `"minute";q=60;w=60`)), "RateLimit-Policy is"},
		{"a window without quotes", with(page(), withHeader("RateLimit", "minute;r=59;t=42")), "RateLimit is"},
		{"an invalid optional header", with(limited(), withHeader("RateLimit", "0")), "RateLimit is"},
		{"only some rate limit headers", with(limited(), withHeader("RateLimit", "")), "only some of the rate limit headers: X-RateLimit-Limit"},
		{"rate limits on a 401", with(noKey(), withHeader("X-RateLimit-Limit", "60")), "X-RateLimit-Limit is not declared"},
		{"rate limits on /health", with(health(), withHeader("RateLimit", `"minute";r=59;t=42`)), "RateLimit is not declared"},
		{"a 401 without a challenge", with(noKey(), withHeader("WWW-Authenticate", "")), "WWW-Authenticate is missing"},
		{"a 429 without Retry-After", with(limited(), withHeader("Retry-After", "")), "Retry-After is missing"},
		{"a Retry-After that is a date", with(limited(), withHeader("Retry-After", "Tue, 03 Feb 2026 05:10:42 GMT")), "not an integer"},
		{"a Retry-After of zero", with(limited(), withHeader("Retry-After", "0"), withField("error/retryAfter", 0)), "Retry-After is"},
		{"a Retry-After that differs from the body", with(limited(), withHeader("Retry-After", "18")), "error.retryAfter is 17"},
		{"a Retry-After on a 200", with(page(), withHeader("Retry-After", "1")), "Retry-After is not declared"},
		{"a 503 without Retry-After", with(example(t, "/health", 503, "database", false), withHeader("Retry-After", "")), "Retry-After is missing"},
		{"a 405 without Allow", with(shared("POST", "/api/health", 405, "MethodNotAllowed"), withHeader("Allow", "")), "Allow is missing"},
		{"a 405 that allows too much", with(shared("POST", "/api/health", 405, "MethodNotAllowed"), withHeader("Allow", "GET, HEAD, POST")), "Allow is"},

		// Content type and body.
		{"no content type", with(page(), withHeader("Content-Type", "")), "content type"},
		{"HTML", with(page(), withHeader("Content-Type", "text/html")), "content type"},
		{"HTML for HEAD", with(page(), withMethod("HEAD"), withBody(""), withHeader("Content-Type", "text/html")), "content type"},
		{"an unknown path in plain text", with(shared("GET", "/api/x", 404, "NotFound"), withHeader("Content-Type", "text/plain")), "content type"},
		{"another JSON media type", with(page(), withHeader("Content-Type", "application/problem+json")), "content type"},
		{"no body", with(page(), withBody("")), "body is not valid application/json"},
		{"a body that is not JSON", with(page(), withBody("Not Found")), "body is not valid application/json"},
		{"half a page", with(page(), withBody(`{"data":[`)), "body is not valid application/json"},
		{"two bodies", with(health(), withBody(`{"status":"ok"}{"status":"ok"}`)), "body is not valid application/json"},
		{"null", with(page(), withBody("null")), "body: "},
		{"an array", with(page(), withBody("[]")), "body: "},
		{"a body for HEAD", with(page(), withMethod("HEAD")), "HEAD response has a body"},
		{"a company in an envelope", with(one(), func(e *exchange) { e.body = object{"data": e.body} }), "data"},
		{"an OpenAPI 3.0 document", jsonResponse(`{"openapi":"3.0.3","info":{},"paths":{}}`), "/openapi"},
		{"a document without a version", jsonResponse(`{"info":{},"paths":{}}`), "openapi"},
		{"a document without paths", jsonResponse(`{"openapi":"3.1.0","info":{},"paths":null}`), "/paths"},
		{"a document without info", jsonResponse(`{"openapi":"3.1.0","info":"a","paths":{}}`), "/info"},
		{"a document that is a list", jsonResponse(`[{"openapi":"3.1.0"}]`), "got array"},
		{"a document that is not JSON", jsonResponse("openapi: 3.1.0\n"), "body is not valid application/json"},
		{"an OpenAPI 3.0 document as YAML", with(jsonResponse("openapi: 3.0.3\n"), withPath("/api/openapi.yaml"), withHeader("Content-Type", "application/yaml")), "does not match pattern"},

		// Fields: formats, enumerations and dependencies between fields.
		{"another health", with(health(), withField("status", "fine")), "/status"},
		{"an id with a newline", with(one(), withField("id", id+"\n")), "/id"},
		{"a cvr with non-ASCII digits", with(one(), withField("cvr", "1031503٤")), "/cvr"},
		{"too many transactions on a page", with(list(), withField("data", slices.Repeat(list().body.(object)["data"].([]any), 51))), "/data"},
		{"hasMore without a next page of transactions", with(list(), withField("meta/hasMore", true)), "_links.next is <nil>"},
		{"a next page of transactions without hasMore", with(list(), withField("_links/next", "/api/v1/companies/10315034/transactions?limit=50&after="+id)), "meta.hasMore is false"},
		{"too many companies on a page", with(page(), withField("data", slices.Repeat([]any{one().body}, 101))), "/data"},
		{"hasMore without a next page", with(page(), withField("_links/next", nil)), "_links.next is <nil>"},
		{"a next page without hasMore", with(page(), withField("meta/hasMore", false)), "meta.hasMore is false"},
		{"a link with a host", with(page(), withField("_links/next", "https://example.com/api/v1/companies?limit=2&after="+id)), "/_links/next"},
		{"a link without /api", with(page(), withField("_links/next", "/v1/companies?limit=2&after="+id)), "/_links/next"},
		{"a link without a limit", with(page(), withField("_links/next", "/api/v1/companies?after="+id)), "/_links/next"},
		{"a link with another parameter", with(page(), withField("_links/next", "/api/v1/companies?limit=2&after="+id+"&x=1")), "/_links/next"},
		{"a next link with before", with(page(), withField("_links/next", "/api/v1/companies?limit=2&before="+id)), "/_links/next"},
		{"a prev link with after", with(page(), withField("_links/prev", "/api/v1/companies?limit=2&after="+id)), "/_links/prev"},
		{"another operation's code", with(notFound(), withField("error/code", "NOT_FOUND")), "the code must be COMPANY_NOT_FOUND"},
		{"another status's code", with(noKey(), withField("error/code", "BAD_REQUEST")), "error.code is BAD_REQUEST, but the examples have UNAUTHORIZED"},
		{"an unknown code", with(noKey(), withField("error/code", "OTHER")), "/error/code"},
		{"a 429 without retryAfter", with(limited(), func(e *exchange) { delete(e.body.(object)["error"].(object), "retryAfter") }), "error.retryAfter is <nil>"},
		{"retryAfter on a 503", with(example(t, companies, 503, "database", false), withField("error/retryAfter", 5)), "retryAfter"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := test.e.check()
			require.Error(t, err)
			assert.Regexp(t, test.error, err.Error())
		})
	}
}

// badValues lists invalid values for the fields of each name.
var badValues = map[string][]any{
	"id":                        {"", "1", "3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5", "019B8D47-03BD-7C41-9F02-5E7A1B3C4D60", nil},
	"cardNetworkDeliveryFileId": {"", "1", "3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5", nil},
	"cvr":                       {"", "1031503", "103150340", "DK10315034", 10315034, nil},
	"name":                      {"", strings.Repeat("x", 1<<20+1), nil},
	"address":                   {"", strings.Repeat("x", 1<<20+1)},
	"startDate":                 {"", "0999-12-31", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"endDate":                   {"", "0999-12-31", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"dispositionDate":           {"", "1899-12-31", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"status":                    {"", "created", "ACTIVE", nil},
	"senderRegNumber":           {"", "401", "40190", "401x"},
	"receiverRegNumber":         {"", "401", "40190", "401x"},
	"regNumber":                 {"", "401", "40190", "401x", nil},
	"senderAccountNumber":       {"", "00035174901", "3517-490"},
	"receiverAccountNumber":     {"", "00035174901", "3517-490"},
	"accountNumber":             {"", "00035174901", "3517-490", nil},
	"defaultAmountCents":        {100_000_000_000_000, -100_000_000_000_000, 0.5, "250000"},
	"createdAt":                 {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"updatedAt":                 {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"processedAt":               {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"recordIndex":               {-1, 0.5, "1", nil},
	"count":                     {-1, 1 << 53, 0.5, "1", nil},
	"amountDkk":                 {"", "01.00", "1", "1.5", "1,50", ".50", "+1.00", "1e2", "1000000000000.00", 1.25, nil},
	"rawLine":                   {"a\n", strings.Repeat("x", 1<<16+1), nil},
	"transferType":              {"", strings.Repeat("x", 101), nil},
	"filename":                  {"", "in/a.csv", strings.Repeat("x", 256), nil},
	"total":                     {-1, 0.5, "1", nil},
	"limit":                     {0, 101, 0.5, "50", nil},
	"hasMore":                   {"true", nil},
	"self":                      {"", "/api/v1/companies", "/v1/companies?limit=50", "/api/v1/companies?limit=50&x=1", nil},
	"prev":                      {"", "/api/v1/companies?limit=50", "/v1/companies?limit=50&before=019b8d47-03bd-7c41-9f02-5e7a1b3c4d60"},
	"next":                      {"", "/api/v1/companies", "/v1/companies?limit=50"},
	"code":                      {"", "bad_request", "OTHER", nil},
	"message":                   {"", "two\nlines", strings.Repeat("x", 501), nil},
	"retryAfter":                {0, -1, 3601, 0.5, "17", nil},
}

// In every example of a response, Check rejects a missing field, an added field, and a field of the wrong type or with an
// invalid value, at every depth, and a missing required header.
func TestEveryFieldAndHeaderIsChecked(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, good func() *exchange) {
		var parts []string
		walk("", good().body, func(where string, value any) {
			if _, ok := value.(object); ok {
				parts = append(parts, where)
			}
		})
		require.NotEmpty(t, parts)
		if strings.HasSuffix(good().path, ".json") {
			parts = nil // the schemas of documents are open
		}
		for _, part := range parts {
			bad := func(what string, change func(object)) {
				e := good()
				change(objectAt(e.body, part))
				assert.Error(t, e.check(), "%s: %s", part, what)
			}
			bad("added field", func(part object) { part["added"] = nil })
			for _, field := range keysOf(objectAt(good().body, part)) {
				bad(field+" missing", func(part object) { delete(part, field) })
				bad(field+" is an array", func(part object) { part[field] = []any{true} })
				bad(field+" is an object", func(part object) { part[field] = object{"a": true} })
				for _, value := range badValues[field] {
					bad(fmt.Sprintf("%s: %#v", field, value), func(part object) { part[field] = value })
				}
			}
		}
		for name := range good().headers {
			if name == "X-API-Key-Expires" || name == "X-API-Key-Notice" || name == "Link" || name == "Preference-Applied" { // absent where there is nothing to say
				continue
			}
			assert.Error(t, with(good(), withHeader(name, "")).check(), "without %s", name)
		}
	})
}

// objectAt returns the object at a path, as reported by walk, in a body.
func objectAt(body any, path string) object {
	for _, key := range strings.Split(path, "/")[1:] {
		if list, ok := body.([]any); ok {
			index, _ := strconv.Atoi(key)
			body = list[index]
			continue
		}
		body = body.(object)[key]
	}
	return body.(object)
}

// recorder is a testing.TB that records its failures.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// Validate fails the test for an invalid response with the reasons and the body, and accepts a valid one.
func TestValidateFailsTheTest(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequest(http.MethodGet, "/api/health", http.NoBody)
	resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"a"}}}

	good := &recorder{TB: t}
	Validate(good, api.OpenAPIYAML(), req, resp, []byte(`{"status":"ok"}`))
	assert.Empty(t, good.failures)

	bad := &recorder{TB: t}
	resp.Header.Del("X-Request-Id")
	Validate(bad, api.OpenAPIYAML(), req, resp, []byte(`{"status":"down"}`))
	require.Len(t, bad.failures, 1)
	assert.Contains(t, bad.failures[0], "header X-Request-Id is missing")
	assert.Contains(t, bad.failures[0], "/status")
	assert.Contains(t, bad.failures[0], `{"status":"down"}`)
}

// Check returns an error for an unusable document instead of accepting any response.
func TestUnusableDocumentIsAnError(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequest(http.MethodGet, "/api/health", http.NoBody)
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	for name, doc := range map[string]string{
		"empty":                "",
		"not OpenAPI":          "a: b\n",
		"no server":            "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\ncomponents: {}\n",
		"no shared components": strings.ReplaceAll(string(api.OpenAPIYAML()), "MalformedRequest", "OtherRequest"),
		"an undefined schema":  strings.Replace(string(api.OpenAPIYAML()), "schemas/Health\"", "schemas/Nothing\"", 1),
	} {
		assert.Error(t, Check([]byte(doc), req, resp, []byte(`{"status":"ok"}`)), name)
	}
}

// Parallel tests can share a document, even while it is parsed for the first time.
func TestCheckFromManyGoroutines(t *testing.T) {
	t.Parallel()
	fresh := append(slices.Clone(api.OpenAPIYAML()), "\n# "+t.Name()+"\n"...)
	req := httptest.NewRequest(http.MethodGet, "/api/v1/companies/10315034/transactions", http.NoBody)
	e := example(t, transactions, 200, "lastPage", false)
	body, err := json.Marshal(e.body)
	require.NoError(t, err)
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	for name, value := range e.headers {
		resp.Header.Set(name, value)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				assert.NoError(t, Check(fresh, req, resp, body))
				assert.Error(t, Check(fresh, req, resp, []byte(`{}`)))
			}
		})
	}
	wait.Wait()
}
