// Package openapitest holds the answers of the API against its OpenAPI document, in tests.
package openapitest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Validate fails t where the answer to req is not what doc, the text of api/openapi.yaml, says about its path, method,
// status, headers and body. See Check.
func Validate(t testing.TB, doc []byte, req *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if err := Check(doc, req, resp, body); err != nil {
		t.Errorf("not as api/openapi.yaml says:\n%v\nbody: %s", err, shorten(body))
	}
}

// Check returns an error that lists all in which the answer to req differs from doc, the text of an OpenAPI document.
// Only the method and the path of req are looked at, never its validity: bad requests have documented answers too.
//
//   - An operation of the document must answer as it declares, and HEAD as GET does, without a body.
//   - A path that is not in the document must be answered by components/responses/NotFound, and a method that is not,
//     on a path that is, by MethodNotAllowed. Besides them there are MalformedRequest, HeadersTooLarge, InternalError
//     and ServiceUnavailable, which can happen anywhere.
//   - req is nil where what was sent is no HTTP request: MalformedRequest or HeadersTooLarge answers it.
//
// Objects with declared properties may have no others, although the document leaves them open for later versions. A
// header that the document declares somewhere may stand only where it is declared, and the rate limit headers come all
// or none. Any number of goroutines may call Check.
func Check(doc []byte, req *http.Request, resp *http.Response, body []byte) error {
	c, err := contractOf(doc)
	if err != nil {
		return err
	}
	return c.check(req, resp, body)
}

var contracts sync.Map // the text of a document, to a func() (*contract, error)

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

// check finds what the document declares for the request and the status, and holds the answer against it.
func (c *contract) check(req *http.Request, resp *http.Response, body []byte) error {
	declared, head, err := c.find(req, resp.StatusCode)
	if err != nil {
		return err
	}
	var found problems
	c.checkHeaders(&found, declared, resp.Header)
	switch {
	case resp.StatusCode == http.StatusNotModified:
		_, given := headerValue(resp.Header, "Content-Type")
		found.addIf(len(body) > 0 || given, "a 304 has a body of %d bytes, or a content type", len(body))
	case head:
		found.addIf(len(body) > 0, "a HEAD answer has a body of %d bytes", len(body))
		declared.checkContentType(&found, resp.Header)
	default:
		declared.checkBody(&found, resp.Header, body)
	}
	return found.err()
}

// find returns what the document declares for the answer with this status, and whether it is one without a body.
func (c *contract) find(req *http.Request, status int) (declared *response, head bool, err error) {
	if req == nil {
		declared, err = c.sharedResponse("what is no HTTP request", status, "MalformedRequest", "HeadersTooLarge")
		return declared, false, err
	}
	head = req.Method == http.MethodHead
	what := req.Method + " " + req.URL.EscapedPath()
	path, ok := strings.CutPrefix(req.URL.EscapedPath(), c.basePath)
	if !ok || path != "" && path[0] != '/' {
		return nil, head, problem("%s is not below %s: the document says nothing about it", what, c.basePath)
	}

	operations, ok := c.operationsAt(path)
	if !ok {
		declared, err = c.sharedResponse(what+", a path that is not in the document", status,
			"NotFound", "MalformedRequest", "HeadersTooLarge", "InternalError", "ServiceUnavailable")
		return declared, head, err
	}
	method := req.Method
	if head {
		method = http.MethodGet
	}
	responses, ok := operations[method]
	if !ok {
		declared, err = c.sharedResponse(what+", a method that is not in the document", status,
			"MethodNotAllowed", "MalformedRequest", "HeadersTooLarge", "InternalError", "ServiceUnavailable")
		return declared, head, err
	}
	if status == http.StatusMethodNotAllowed {
		return nil, head, problem("%s: the status is 405, but the method is allowed", what)
	}
	declared, ok = responses[status]
	if !ok {
		return nil, head, problem("%s: the status %d is not declared", what, status)
	}
	return declared, head, nil
}

// sharedResponse returns the one of the named components/responses that has this status.
func (c *contract) sharedResponse(what string, status int, names ...string) (*response, error) {
	i := slices.IndexFunc(names, func(name string) bool { return sharedStatus[name] == status })
	if i < 0 {
		return nil, problem("%s: the status %d is not among those of %s", what, status, strings.Join(names, ", "))
	}
	return c.shared[names[i]], nil
}

// operationsAt returns the operations of a path, by method, or false for a path that is not in the document. Unlike
// the library's search it tells /a and /a/ apart.
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

// shorten keeps a failure readable when the body is a whole page.
func shorten(body []byte) string {
	const most = 2000
	if len(body) <= most {
		return string(body)
	}
	return string(body[:most]) + "…"
}
