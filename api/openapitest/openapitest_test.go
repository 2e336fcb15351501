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

// answer is a request and the answer to it, for tests to bend.
type answer struct {
	method, path string
	status       int
	headers      map[string]string
	body         any
	raw          []byte // in place of body
}

func (a *answer) check() error {
	body := a.raw
	if body == nil && a.body != nil {
		var err error
		if body, err = json.Marshal(a.body); err != nil {
			return err
		}
	}
	resp := &http.Response{StatusCode: a.status, Header: http.Header{}}
	for name, value := range a.headers {
		resp.Header.Set(name, value)
	}
	var req *http.Request
	if a.method != "" {
		req = httptest.NewRequest(a.method, a.path, http.NoBody)
	}
	return Check(api.OpenAPIYAML(), req, resp, body)
}

// example returns an answer made of the document's examples: of the headers that it requires (and the others, if
// asked), and of the body with this name, or the only one.
func example(t *testing.T, path string, status int, name string, optionalHeaders bool) *answer {
	t.Helper()
	doc := document(t)
	declared := at(t, doc, doc, "paths", path, "get", "responses", strconv.Itoa(status))
	a := exampleOf(t, doc, declared, name, optionalHeaders)
	a.method = http.MethodGet
	a.path = "/api" + strings.ReplaceAll(path, "{cvr}", "10315034")
	a.status = status
	return a
}

func exampleOf(t *testing.T, doc object, declared any, name string, optionalHeaders bool) *answer {
	t.Helper()
	a := &answer{headers: map[string]string{"Content-Type": "application/json"}}
	for header := range at(t, doc, declared, "headers").(object) {
		h := at(t, doc, declared, "headers", header).(object)
		if h["required"] == true || optionalHeaders {
			a.headers[header] = fmt.Sprint(h["example"])
		}
	}
	if _, hasContent := declared.(object)["content"]; !hasContent {
		delete(a.headers, "Content-Type")
		return a
	}
	content := at(t, doc, declared, "content", "application/json").(object)
	value := content["example"]
	if name != "" {
		value = at(t, doc, content, "examples", name, "value")
	}
	require.NotNil(t, value)
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &a.body))
	if retryAfter, ok := a.body.(object)["error"].(object); ok && retryAfter["retryAfter"] != nil {
		a.headers["Retry-After"] = fmt.Sprint(retryAfter["retryAfter"])
	}
	return a
}

// sharedExample returns an answer made of the example of one of the components/responses.
func sharedExample(t *testing.T, method, path string, status int, component string) *answer {
	t.Helper()
	doc := document(t)
	a := exampleOf(t, doc, at(t, doc, doc, "components", "responses", component), "", false)
	a.method, a.path, a.status = method, path, status
	return a
}

// eachExample calls test with every example of an answer: those of the operations, and those to what is not in the
// document.
func eachExample(t *testing.T, test func(t *testing.T, a func() *answer)) {
	t.Helper()
	for name, a := range map[string]func() *answer{
		"no path":   func() *answer { return sharedExample(t, "GET", "/api/nothing", 404, "NotFound") },
		"no method": func() *answer { return sharedExample(t, "POST", "/api/health", 405, "MethodNotAllowed") },
		"no HTTP":   func() *answer { return sharedExample(t, "", "", 400, "MalformedRequest") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, a)
		})
	}
	doc := document(t)
	for path := range doc["paths"].(object) {
		for code := range at(t, doc, doc, "paths", path, "get", "responses").(object) {
			if code == "304" {
				continue // has no content
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
				t.Run(fmt.Sprintf("%s %s %s", path, code, name), func(t *testing.T) {
					t.Parallel()
					test(t, func() *answer { return example(t, path, status, name, false) })
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

// Every example of an answer in the document is a good answer.
func TestExamplesAreGoodAnswers(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, a func() *answer) {
		assert.NoError(t, a().check())
	})
}

// A good answer is never refused: HEAD, unknown paths, other methods, optional headers, every form of a link.
func TestGoodAnswers(t *testing.T) {
	t.Parallel()
	shared := func(method, path string, status int, component string) *answer {
		return sharedExample(t, method, path, status, component)
	}
	head := func(a *answer) *answer {
		a.method, a.body = http.MethodHead, nil
		return a
	}
	for name, a := range map[string]*answer{
		"nothing new":                     example(t, companies, 304, "", false),
		"nothing new, by HEAD":            head(example(t, transactions, 304, "", false)),
		"HEAD":                            head(example(t, companies, 200, "firstPage", false)),
		"HEAD, an error":                  head(example(t, company, 404, "", false)),
		"HEAD, an unknown path":           head(shared("HEAD", "/api/nothing", 404, "NotFound")),
		"a query":                         bend(example(t, companies, 200, "firstPage", false), withPath("/api/v1/companies?limit=2&x=1")),
		"an unknown path":                 shared("GET", "/api/nothing", 404, "NotFound"),
		"the root":                        shared("GET", "/api", 404, "NotFound"),
		"another version":                 shared("POST", "/api/v2/companies", 404, "NotFound"),
		"a slash at the end":              shared("GET", "/api/v1/companies/", 404, "NotFound"),
		"a path in another case":          shared("GET", "/api/V1/companies", 404, "NotFound"),
		"an empty segment":                shared("GET", "/api/v1//companies", 404, "NotFound"),
		"another method":                  shared("POST", "/api/v1/companies", 405, "MethodNotAllowed"),
		"another method, with a cvr":      shared("DELETE", "/api/v1/companies/1/transactions", 405, "MethodNotAllowed"),
		"a method that nobody knows":      shared("BREW", "/api/health", 405, "MethodNotAllowed"),
		"malformed":                       shared("", "", 400, "MalformedRequest"),
		"malformed, with a path":          shared("PUT", "/api/nothing", 400, "MalformedRequest"),
		"large headers":                   shared("", "", 431, "HeadersTooLarge"),
		"large headers, unknown path":     shared("GET", "/api/nothing", 431, "HeadersTooLarge"),
		"large headers, known path":       shared("GET", "/api/v1/companies", 431, "HeadersTooLarge"),
		"failure, unknown path":           shared("GET", "/api/nothing", 500, "InternalError"),
		"away, other method":              shared("POST", "/api/health", 503, "ServiceUnavailable"),
		"429 with rate limits":            example(t, companies, 429, "limit", true),
		"429 without rate limits":         example(t, companies, 429, "failures", false),
		"500 with rate limits":            example(t, companies, 500, "", true),
		"503 with rate limits":            example(t, companies, 503, "", true),
		"a charset":                       bend(example(t, company, 200, "", false), withHeader("Content-Type", "application/json; charset=utf-8")),
		"a request id of digits":          bend(example(t, company, 200, "", false), withHeader("X-Request-Id", "1234567890")),
		"a header nobody declares":        bend(example(t, company, 200, "", false), withHeader("Cache-Control", "no-store")),
		"a cursor of version 4":           bend(example(t, companies, 200, "firstPage", false), withField("_links/prev", "/api/v1/companies?before=3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5&limit=2")),
		"a page before the first":         bend(example(t, companies, 200, "firstPage", false), withField("data", []any{}), withField("_links/next", "/api/v1/companies?limit=2")),
		"nothing left":                    bend(example(t, companies, 200, "firstPage", false), withHeader("RateLimit", `"hour";r=0;t=3600`), withHeader("X-RateLimit-Remaining", "0")),
		"the last status of a company":    bend(example(t, company, 200, "", false), withField("status", "REJECTED")),
		"a transaction without times":     bend(example(t, transactions, 200, "lastPage", false), withField("data/0/createdAt", nil), withField("data/0/processedAt", nil)),
		"the smallest amount":             bend(example(t, transactions, 200, "lastPage", false), withField("data/0/amountDkk", "-999999999999.99")),
		"a line of any text":              bend(example(t, transactions, 200, "lastPage", false), withField("data/0/rawLine", "Ærø \t\"quoted\"; \u0001  ")),
		"a type nobody has seen":          bend(example(t, transactions, 200, "lastPage", false), withField("data/0/transferType", "")),
		"this document, as JSON":          {method: "GET", path: "/api/openapi.json", status: 200, raw: api.OpenAPIJSON(), headers: map[string]string{"Content-Type": "application/json", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`}},
		"this document, as YAML":          {method: "GET", path: "/api/openapi.yaml", status: 200, raw: api.OpenAPIYAML(), headers: map[string]string{"Content-Type": "application/yaml", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`}},
		"this document, as JSON, by HEAD": {method: "HEAD", path: "/api/openapi.json", status: 200, headers: map[string]string{"Content-Type": "application/json", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.NoError(t, a.check())
		})
	}
}

// bend changes an answer.
func bend(a *answer, changes ...func(*answer)) *answer {
	for _, change := range changes {
		change(a)
	}
	return a
}

func withPath(path string) func(*answer)     { return func(a *answer) { a.path = path } }
func withMethod(method string) func(*answer) { return func(a *answer) { a.method = method } }
func withStatus(status int) func(*answer)    { return func(a *answer) { a.status = status } }
func withBody(body string) func(*answer)     { return func(a *answer) { a.raw = []byte(body) } }

// header sets a header, or takes it away where value is "".
func withHeader(name, value string) func(*answer) {
	return func(a *answer) {
		if value == "" {
			delete(a.headers, name)
			return
		}
		a.headers[name] = value
	}
}

// set puts value where the path into the body leads: "data/0/id".
func withField(path string, value any) func(*answer) {
	return func(a *answer) {
		keys := strings.Split(path, "/")
		part := a.body
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

// An answer that the document doesn't describe is caught, and the error says what is wrong.
func TestBadAnswersAreCaught(t *testing.T) {
	t.Parallel()
	page := func() *answer { return example(t, companies, 200, "firstPage", false) }
	one := func() *answer { return example(t, company, 200, "", false) }
	list := func() *answer { return example(t, transactions, 200, "lastPage", false) }
	health := func() *answer { return example(t, "/health", 200, "", false) }
	unchanged := func() *answer { return example(t, companies, 304, "", false) }
	noKey := func() *answer { return example(t, companies, 401, "missing", false) }
	notFound := func() *answer { return example(t, company, 404, "", false) }
	limited := func() *answer { return example(t, companies, 429, "limit", true) }
	shared := func(method, path string, status int, component string) *answer {
		return sharedExample(t, method, path, status, component)
	}
	yamlAnswer := func(text string) *answer {
		return &answer{method: "GET", path: "/api/openapi.yaml", status: 200, raw: []byte(text),
			headers: map[string]string{"Content-Type": "application/yaml", "X-Request-Id": "a", "ETag": `W/"0123456789abcdef"`}}
	}
	const id = "019b8d47-03bd-7c41-9f02-5e7a1b3c4d60"

	for _, test := range []struct {
		name  string
		a     *answer
		error string
	}{
		// Path, method and status.
		{"an undeclared status", bend(page(), withStatus(418)), "status 418 is not declared"},
		{"an undeclared status of success", bend(page(), withStatus(204)), "status 204 is not declared"},
		{"a status of another operation", bend(notFound(), withPath("/api/v1/companies")), "status 404 is not declared"},
		{"a status that needs a key, without", bend(noKey(), withPath("/api/health")), "status 401 is not declared"},
		{"405 to GET", shared("GET", "/api/v1/companies", 405, "MethodNotAllowed"), "the method is allowed"},
		{"405 to HEAD", bend(shared("HEAD", "/api/v1/companies", 405, "MethodNotAllowed"), withBody("")), "the method is allowed"},
		{"200 to an unknown path", bend(page(), withPath("/api/v1/company")), "the status 200 is not among"},
		{"200 to another method", bend(page(), withMethod("POST")), "the status 200 is not among"},
		{"405 to an unknown path", shared("POST", "/api/v3", 405, "MethodNotAllowed"), "the status 405 is not among"},
		{"404 to another method", shared("POST", "/api/health", 404, "NotFound"), "the status 404 is not among"},
		{"404 to a slash at the end is not a company", bend(notFound(), withPath("/api/v1/companies/10315034/")), "X-RateLimit-Limit is not declared"},
		{"401 to an unknown path", bend(noKey(), withPath("/api/v9")), "the status 401 is not among"},
		{"404 to what is no request", shared("", "", 404, "NotFound"), "the status 404 is not among"},
		{"a path without /api", bend(page(), withPath("/v1/companies")), "is not below /api"},
		{"a path that only begins like /api", bend(page(), withPath("/apis/v1/companies")), "is not below /api"},
		{"an unknown path that is answered like a company", bend(notFound(), withPath("/api/nothing")), "COMPANY_NOT_FOUND|NOT_FOUND"},

		// Headers.
		{"no request id", bend(page(), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"no request id on an unknown path", bend(shared("GET", "/api/x", 404, "NotFound"), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"no request id on what is no request", bend(shared("", "", 400, "MalformedRequest"), withHeader("X-Request-Id", "")), "X-Request-Id is missing"},
		{"a request id with a space", bend(page(), withHeader("X-Request-Id", "a b")), "X-Request-Id is"},
		{"no tag", bend(page(), withHeader("ETag", "")), "ETag is missing"},
		{"a tag of another form", bend(one(), withHeader("ETag", `"1"`)), "ETag is"},
		{"a tag on an error", bend(notFound(), withHeader("ETag", `W/"0123456789abcdef"`)), "ETag is not declared"},
		{"304 with a body", bend(unchanged(), withBody("{}")), "a 304 has a body of 2 bytes"},
		{"304 with a content type", bend(unchanged(), withHeader("Content-Type", "application/json")), "content type"},
		{"304 without limits", bend(unchanged(), withHeader("RateLimit", "")), "RateLimit is missing"},
		{"304 for /health", bend(unchanged(), withPath("/api/health")), "status 304 is not declared"},
		{"no limit", bend(page(), withHeader("X-RateLimit-Limit", "")), "X-RateLimit-Limit is missing"},
		{"no limit on a 404", bend(notFound(), withHeader("X-RateLimit-Remaining", "")), "X-RateLimit-Remaining is missing"},
		{"no limit for HEAD", bend(page(), withMethod("HEAD"), withBody(""), withHeader("RateLimit", "")), "RateLimit is missing"},
		{"a limit that is no integer", bend(page(), withHeader("X-RateLimit-Limit", "60.5")), "is no integer"},
		{"a limit of nothing", bend(page(), withHeader("X-RateLimit-Limit", "0")), "X-RateLimit-Limit is"},
		{"a reset of nothing", bend(page(), withHeader("X-RateLimit-Reset", "0")), "X-RateLimit-Reset is"},
		{"a limit of nothing on a 429", bend(limited(), withHeader("X-RateLimit-Limit", "0")), "X-RateLimit-Limit is"},
		{"a remainder below zero on a 429", bend(limited(), withHeader("X-RateLimit-Remaining", "-1")), "X-RateLimit-Remaining is"},
		{"a reset of nothing on a 429", bend(limited(), withHeader("X-RateLimit-Reset", "0")), "X-RateLimit-Reset is"},
		{"a policy of nothing on a 429", bend(limited(), withHeader("RateLimit-Policy", `"minute";q=0;w=60, "hour";q=0;w=3600`)), "RateLimit-Policy is"},
		{"a challenge of another scheme", bend(noKey(), withHeader("WWW-Authenticate", "Basic")), "WWW-Authenticate is"},
		{"a remainder below zero", bend(page(), withHeader("X-RateLimit-Remaining", "-1")), "X-RateLimit-Remaining is"},
		{"a reset that is a time", bend(page(), withHeader("X-RateLimit-Reset", "2026-02-03T05:10:42Z")), "is no integer"},
		{"a reset with a sign", bend(page(), withHeader("X-RateLimit-Reset", "+1770095442")), "is no integer"},
		{"a policy without the hour", bend(page(), withHeader("RateLimit-Policy", `"minute";q=60;w=60`)), "RateLimit-Policy is"},
		{"a window without quotes", bend(page(), withHeader("RateLimit", "minute;r=59;t=42")), "RateLimit is"},
		{"an optional header that is wrong", bend(limited(), withHeader("RateLimit", "0")), "RateLimit is"},
		{"some rate limit headers", bend(limited(), withHeader("RateLimit", "")), "there are only X-RateLimit-Limit"},
		{"rate limits on a 401", bend(noKey(), withHeader("X-RateLimit-Limit", "60")), "X-RateLimit-Limit is not declared"},
		{"rate limits on /health", bend(health(), withHeader("RateLimit", `"minute";r=59;t=42`)), "RateLimit is not declared"},
		{"a 401 without its challenge", bend(noKey(), withHeader("WWW-Authenticate", "")), "WWW-Authenticate is missing"},
		{"a 429 without Retry-After", bend(limited(), withHeader("Retry-After", "")), "Retry-After is missing"},
		{"a Retry-After that is a date", bend(limited(), withHeader("Retry-After", "Tue, 03 Feb 2026 05:10:42 GMT")), "is no integer"},
		{"a Retry-After of nothing", bend(limited(), withHeader("Retry-After", "0"), withField("error/retryAfter", 0)), "Retry-After is"},
		{"a Retry-After unlike the body's", bend(limited(), withHeader("Retry-After", "18")), "error.retryAfter is 17"},
		{"a Retry-After on a 200", bend(page(), withHeader("Retry-After", "1")), "Retry-After is not declared"},
		{"a 503 without Retry-After", bend(example(t, "/health", 503, "", false), withHeader("Retry-After", "")), "Retry-After is missing"},
		{"a 405 without Allow", bend(shared("POST", "/api/health", 405, "MethodNotAllowed"), withHeader("Allow", "")), "Allow is missing"},
		{"a 405 that allows too much", bend(shared("POST", "/api/health", 405, "MethodNotAllowed"), withHeader("Allow", "GET, HEAD, POST")), "Allow is"},

		// Content type and body.
		{"no content type", bend(page(), withHeader("Content-Type", "")), "content type"},
		{"HTML", bend(page(), withHeader("Content-Type", "text/html")), "content type"},
		{"HTML for HEAD", bend(page(), withMethod("HEAD"), withBody(""), withHeader("Content-Type", "text/html")), "content type"},
		{"an unknown path in plain text", bend(shared("GET", "/api/x", 404, "NotFound"), withHeader("Content-Type", "text/plain")), "content type"},
		{"JSON of another kind", bend(page(), withHeader("Content-Type", "application/problem+json")), "content type"},
		{"no body", bend(page(), withBody("")), "the body is no application/json"},
		{"no JSON", bend(page(), withBody("Not Found")), "the body is no application/json"},
		{"half a page", bend(page(), withBody(`{"data":[`)), "the body is no application/json"},
		{"two bodies", bend(health(), withBody(`{"status":"ok"}{"status":"ok"}`)), "the body is no application/json"},
		{"null", bend(page(), withBody("null")), "the body"},
		{"an array", bend(page(), withBody("[]")), "the body"},
		{"a body for HEAD", bend(page(), withMethod("HEAD")), "a HEAD answer has a body"},
		{"a company in an envelope", bend(one(), func(a *answer) { a.body = object{"data": a.body} }), "data"},
		{"a document of another version", yamlAnswer(`{"openapi":"3.0.3","info":{},"paths":{}}`), "/openapi"},
		{"a document without its version", yamlAnswer(`{"info":{},"paths":{}}`), "openapi"},
		{"a document without paths", yamlAnswer(`{"openapi":"3.1.0","info":{},"paths":null}`), "/paths"},
		{"a document without a head", yamlAnswer(`{"openapi":"3.1.0","info":"a","paths":{}}`), "/info"},
		{"a document that is a list", yamlAnswer("- openapi: 3.1.0\n"), "got array"},
		{"a document that is no YAML", yamlAnswer("\t:"), "the body is no application/yaml"},

		// Fields: formats, lists of values, and what hangs together.
		{"another health", bend(health(), withField("status", "fine")), "/status"},
		{"an id with a line end", bend(one(), withField("id", id+"\n")), "/id"},
		{"a cvr of other digits", bend(one(), withField("cvr", "1031503٤")), "/cvr"},
		{"a page of transactions too large", bend(list(), withField("data", slices.Repeat(list().body.(object)["data"].([]any), 51))), "/data"},
		{"more transactions, without a next page", bend(list(), withField("meta/hasMore", true)), "/_links/next"},
		{"a next page, without more transactions", bend(list(), withField("_links/next", "/api/v1/companies/10315034/transactions?limit=50&after="+id)), "/_links/next"},
		{"a page too large", bend(page(), withField("data", slices.Repeat([]any{one().body}, 101))), "/data"},
		{"more, without a next page", bend(page(), withField("_links/next", nil)), "/_links/next"},
		{"a next page, without more", bend(page(), withField("meta/hasMore", false)), "/_links/next"},
		{"a link with a host", bend(page(), withField("_links/next", "https://example.com/api/v1/companies?limit=2&after="+id)), "/_links/next"},
		{"a link without /api", bend(page(), withField("_links/next", "/v1/companies?limit=2&after="+id)), "/_links/next"},
		{"a link without a limit", bend(page(), withField("_links/next", "/api/v1/companies?after="+id)), "/_links/next"},
		{"a link that carries more", bend(page(), withField("_links/next", "/api/v1/companies?limit=2&after="+id+"&x=1")), "/_links/next"},
		{"a next page that goes back", bend(page(), withField("_links/next", "/api/v1/companies?limit=2&before="+id)), "/_links/next"},
		{"a previous page that goes on", bend(page(), withField("_links/prev", "/api/v1/companies?limit=2&after="+id)), "/_links/prev"},
		{"another code", bend(notFound(), withField("error/code", "NOT_FOUND")), "/error/code"},
		{"a code of another status", bend(noKey(), withField("error/code", "BAD_REQUEST")), "/error/code"},
		{"retryAfter elsewhere", bend(example(t, companies, 503, "", false), withField("error/retryAfter", 5)), "retryAfter"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := test.a.check()
			require.Error(t, err)
			assert.Regexp(t, test.error, err.Error())
		})
	}
}

// badValues are values of the right type that a field of this name can't have, wherever it stands.
var badValues = map[string][]any{
	"id":                        {"", "1", "3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5", "019B8D47-03BD-7C41-9F02-5E7A1B3C4D60", nil},
	"cardNetworkDeliveryFileId": {"", "1", "3f0c2a9e-5d1b-4c7e-9a42-8b6f1d20e7c5", nil},
	"cvr":                       {"", "1031503", "103150340", "DK10315034", 10315034, nil},
	"name":                      {"", nil},
	"startDate":                 {"", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"endDate":                   {"", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"dispositionDate":           {"", "2026-02-30", "05-01-2026", "2026-01-05T00:00:00Z", nil},
	"status":                    {"", "created", "ACTIVE", nil},
	"senderRegNumber":           {"", "401", "40190", "401x"},
	"receiverRegNumber":         {"", "401", "40190", "401x"},
	"regNumber":                 {"", "401", "40190", "401x", nil},
	"senderAccountNumber":       {"", "00035174901", "3517-490"},
	"receiverAccountNumber":     {"", "00035174901", "3517-490"},
	"accountNumber":             {"", "00035174901", "3517-490", nil},
	"defaultAmountCents":        {0.5, "250000"},
	"createdAt":                 {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"updatedAt":                 {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"processedAt":               {"", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.125000Z", "2026-01-05T09:30:00.125+01:00", "2026-02-30T08:30:00.125Z"},
	"recordIndex":               {-1, 0.5, "1", nil},
	"count":                     {0.5, "1", nil},
	"amountDkk":                 {"", "1", "1.5", "1,50", ".50", "+1.00", "1e2", "1000000000000.00", 1.25, nil},
	"rawLine":                   {"a\n", nil},
	"transferType":              {nil},
	"filename":                  {"", "in/a.csv", nil},
	"total":                     {-1, 0.5, "1", nil},
	"limit":                     {0, 101, 0.5, "50", nil},
	"hasMore":                   {"true", nil},
	"self":                      {"", "/api/v1/companies", "/v1/companies?limit=50", "/api/v1/companies?limit=50&x=1", nil},
	"prev":                      {"", "/api/v1/companies?limit=50", "/v1/companies?limit=50&before=019b8d47-03bd-7c41-9f02-5e7a1b3c4d60"},
	"next":                      {"", "/api/v1/companies", "/v1/companies?limit=50"},
	"code":                      {"", "bad_request", "OTHER", nil},
	"message":                   {"", nil},
	"retryAfter":                {0, -1, 0.5, "17", nil},
}

// In every answer that the document gives an example of, each field that is left out, added, of another type or of a
// value that it can't have is caught, at every depth, and so is each required header that is left out.
func TestEveryFieldAndHeaderIsHeld(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, good func() *answer) {
		var parts []string
		walk("", good().body, func(where string, value any) {
			if _, ok := value.(object); ok {
				parts = append(parts, where)
			}
		})
		require.NotEmpty(t, parts)
		for _, part := range parts {
			bad := func(what string, change func(object)) {
				a := good()
				change(objectAt(a.body, part))
				assert.Error(t, a.check(), "%s: %s", part, what)
			}
			bad("a field added", func(part object) { part["added"] = nil })
			for _, field := range keysOf(objectAt(good().body, part)) {
				bad(field+" left out", func(part object) { delete(part, field) })
				bad(field+" an array", func(part object) { part[field] = []any{true} })
				bad(field+" an object", func(part object) { part[field] = object{"a": true} })
				for _, value := range badValues[field] {
					bad(fmt.Sprintf("%s: %#v", field, value), func(part object) { part[field] = value })
				}
			}
		}
		for name := range good().headers {
			assert.Error(t, bend(good(), withHeader(name, "")).check(), "without %s", name)
		}
	})
}

// objectAt follows a path, as walk tells it, to an object in a body.
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

// recorder is a test that notes its failures.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// Validate fails the test for a bad answer, telling what is wrong and showing the body, and lets a good one pass.
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

// A document that can't be used fails the test: nothing is taken for good because there is nothing to hold it against.
func TestUnusableDocumentIsAnError(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequest(http.MethodGet, "/api/health", http.NoBody)
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	for name, doc := range map[string]string{
		"empty":                "",
		"no OpenAPI":           "a: b\n",
		"no server":            "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\ncomponents: {}\n",
		"no shared components": strings.ReplaceAll(string(api.OpenAPIYAML()), "MalformedRequest", "OtherRequest"),
		"an undefined schema":  strings.Replace(string(api.OpenAPIYAML()), "schemas/Health\"", "schemas/Nothing\"", 1),
	} {
		assert.Error(t, Check([]byte(doc), req, resp, []byte(`{"status":"ok"}`)), name)
	}
}

// Parallel tests may share a document, also while it is being read for the first time.
func TestCheckFromManyGoroutines(t *testing.T) {
	t.Parallel()
	fresh := append(slices.Clone(api.OpenAPIYAML()), "\n# "+t.Name()+"\n"...)
	req := httptest.NewRequest(http.MethodGet, "/api/v1/companies/10315034/transactions", http.NoBody)
	a := example(t, transactions, 200, "lastPage", false)
	body, err := json.Marshal(a.body)
	require.NoError(t, err)
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	for name, value := range a.headers {
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
