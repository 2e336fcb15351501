// Package openapitest checks the API's responses against its OpenAPI document in tests.
package openapitest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Validate fails t if the response to req does not match doc, the text of api/openapi.yaml. See Check.
func Validate(t testing.TB, doc []byte, req *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if err := Check(doc, req, resp, body); err != nil {
		t.Errorf("response does not match api/openapi.yaml:\n%v\nbody: %s", err, shorten(body))
	}
}

// Check returns an error that lists every way in which the response to req differs from doc, the text of an OpenAPI
// document. It looks only at the method and path of req, not at whether req is valid, because bad requests have
// documented responses too.
//
//   - The response of an operation must match its declaration. HEAD must match GET, without a body.
//   - The response for an unknown path must match components/responses/NotFound, and for an unknown method on a known
//     path MethodNotAllowed. MalformedRequest, HeadersTooLarge, InternalError and ServiceUnavailable are allowed
//     everywhere.
//   - If req is nil, what was sent was not an HTTP request. Its response must match MalformedRequest or HeadersTooLarge.
//
// An object may have only the properties that its schema declares, although the document leaves schemas open for later
// versions. A header that is declared anywhere may appear only where it is declared. Either all rate limit headers are
// present or none. A 404 of an operation is COMPANY_NOT_FOUND with them, and any other is NOT_FOUND without.
//
// All errors have one schema. The code must be that of an example of the response, and only RATE_LIMIT_EXCEEDED has
// retryAfter, with the value of the Retry-After header. A page of a list has a next link if and only if meta.hasMore is
// true.
//
// With Preference-Applied: example=CODE, any operation may have the response of any other. Check may be called
// concurrently.
func Check(doc []byte, req *http.Request, resp *http.Response, body []byte) error {
	c, err := contractOf(doc)
	if err != nil {
		return err
	}
	return c.check(req, resp, body)
}

// contracts maps the text of a document to a func() (*contract, error).
var contracts sync.Map

func contractOf(doc []byte) (*contract, error) {
	text := string(doc)
	load, ok := contracts.Load(text)
	if !ok {
		load, _ = contracts.LoadOrStore(text, sync.OnceValues(func() (*contract, error) {
			return newContract([]byte(text))
		}))
	}
	return load.(func() (*contract, error))()
}

// check compares a response with what the document declares for the request and the status.
func (c *contract) check(req *http.Request, resp *http.Response, body []byte) error {
	applied, _ := headerValue(resp.Header, "Preference-Applied")
	example := strings.HasPrefix(applied, "example=")
	declared, head, err := c.find(req, resp.StatusCode, example)
	if err != nil {
		return err
	}
	var found problems
	c.checkHeaders(&found, declared, resp.Header)
	if resp.StatusCode == http.StatusNotFound && !example {
		c.checkNotFound(&found, declared, resp.Header, body, head)
	}
	switch {
	case resp.StatusCode == http.StatusNotModified:
		_, hasType := headerValue(resp.Header, "Content-Type")
		found.addIf(len(body) > 0 || hasType, "304 response has a body of %d bytes or a content type", len(body))
	case head:
		found.addIf(len(body) > 0, "HEAD response has a body of %d bytes", len(body))
		declared.checkContentType(&found, resp.Header)
	default:
		declared.checkBody(&found, resp.Header, body)
	}
	return found.err()
}

// find returns the declared response for a request and a status, and whether the request is a HEAD. An example is
// declared if any operation declares its status.
func (c *contract) find(req *http.Request, status int, example bool) (declared *response, head bool, err error) {
	if req == nil {
		declared, err = c.sharedResponse("invalid HTTP request", status, "MalformedRequest", "HeadersTooLarge")
		return declared, false, err
	}
	head = req.Method == http.MethodHead
	what := req.Method + " " + req.URL.EscapedPath()
	path, ok := strings.CutPrefix(req.URL.EscapedPath(), c.basePath)
	if !ok || path != "" && path[0] != '/' {
		return nil, head, problem("%s is not below %s", what, c.basePath)
	}

	operations, ok := c.operationsAt(path)
	if !ok {
		declared, err = c.sharedResponse(what+" (unknown path)", status,
			"NotFound", "MalformedRequest", "HeadersTooLarge", "InternalError", "ServiceUnavailable")
		return declared, head, err
	}
	method := req.Method
	if head {
		method = http.MethodGet
	}
	responses, ok := operations[method]
	if !ok {
		declared, err = c.sharedResponse(what+" (unknown method)", status,
			"MethodNotAllowed", "MalformedRequest", "HeadersTooLarge", "InternalError", "ServiceUnavailable")
		return declared, head, err
	}
	if status == http.StatusMethodNotAllowed && !example {
		return nil, head, problem("%s: status 405, but the method is allowed", what)
	}
	declared, ok = responses[status]
	for i := 0; example && !ok && i < len(c.paths); i++ {
		declared, ok = c.paths[i].operations[method][status]
	}
	if !ok {
		return nil, head, problem("%s: status %d is not declared", what, status)
	}
	return declared, head, nil
}

// sharedResponse returns the one of the named components/responses with this status.
func (c *contract) sharedResponse(what string, status int, names ...string) (*response, error) {
	i := slices.IndexFunc(names, func(name string) bool { return sharedStatus[name] == status })
	if i < 0 {
		return nil, problem("%s: status %d does not belong to %s", what, status, strings.Join(names, " or "))
	}
	return c.shared[names[i]], nil
}

// operationsAt returns the operations of a path by method, or false if the path is not in the document. Unlike the
// library's lookup, it distinguishes /a from /a/.
func (c *contract) operationsAt(path string) (map[string]map[int]*response, bool) {
	segments := strings.Split(path, "/")
	for _, p := range c.paths {
		if slices.EqualFunc(p.segments, segments, matches) {
			return p.operations, true
		}
	}
	return nil, false
}

func matches(template, segment string) bool {
	if strings.HasPrefix(template, "{") {
		return segment != ""
	}
	return template == segment
}

// shorten keeps a failure message readable if the body is a whole page.
func shorten(body []byte) string {
	const maxBytes = 2000
	if len(body) <= maxBytes {
		return string(body)
	}
	return string(body[:maxBytes]) + "…"
}
