package openapitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// problems lists everything that is wrong with a response.
type problems []error

func problem(format string, args ...any) error { return fmt.Errorf(format, args...) }

func (p *problems) addIf(wrong bool, format string, args ...any) {
	if wrong {
		*p = append(*p, problem(format, args...))
	}
}

func (p *problems) err() error { return errors.Join(*p...) }

// rateLimitHeaders are either all present or all absent.
var rateLimitHeaders = []string{
	"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit",
}

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

func (c *contract) checkHeaders(found *problems, declared *response, headers http.Header) {
	for _, name := range c.headers {
		h, allowed := declared.headers[name]
		value, present := headerValue(headers, name)
		switch {
		case present && !allowed:
			found.addIf(true, "header %s is not declared here, got %q", name, value)
		case present:
			err := h.check(value)
			found.addIf(err != nil, "header %s is %q: %s", name, value, brief(err))
		default:
			found.addIf(h.required, "header %s is missing", name)
		}
	}
	present := slices.DeleteFunc(slices.Clone(rateLimitHeaders), func(name string) bool {
		_, ok := headerValue(headers, name)
		return !ok
	})
	found.addIf(len(present) > 0 && len(present) < len(rateLimitHeaders),
		"only some of the rate limit headers: %s", strings.Join(present, ", "))
}

// checkNotFound checks what the document says in words only: which code and headers a 404 has where.
func (c *contract) checkNotFound(found *problems, declared *response, headers http.Header, body []byte, head bool) {
	code, limited := "COMPANY_NOT_FOUND", true
	if declared == c.shared["NotFound"] {
		code, limited = "NOT_FOUND", false
	}
	_, has := headerValue(headers, "X-RateLimit-Limit")
	found.addIf(has && !limited, "header X-RateLimit-Limit is not declared here")
	found.addIf(!has && limited, "header X-RateLimit-Limit is missing")
	found.addIf(!head && !bytes.Contains(body, []byte(`"`+code+`"`)), "the code must be %s", code)
}

// headerValue returns all values of a header joined by commas. It ignores the case of the name, which may not be
// canonical in a header map that net/http did not fill.
func headerValue(headers http.Header, name string) (string, bool) {
	var values []string
	for key, v := range headers {
		if strings.EqualFold(key, name) {
			values = append(values, v...)
		}
	}
	return strings.Join(values, ", "), len(values) > 0
}

func (h header) check(value string) error {
	if !h.number {
		return h.schema.Validate(value)
	}
	if !integer.MatchString(value) {
		return errors.New("not an integer")
	}
	return h.schema.Validate(json.Number(value))
}

// checkContentType returns the media type, and its schema if it is declared.
func (r *response) checkContentType(found *problems, headers http.Header) (string, *jsonschema.Schema) {
	contentType, _ := headerValue(headers, "Content-Type")
	mediaType, params, err := mime.ParseMediaType(contentType)
	schema, ok := r.content[mediaType]
	delete(params, "charset")
	found.addIf(err != nil || !ok || len(params) > 0, "content type %q is not declared", contentType)
	return mediaType, schema
}

func (r *response) checkBody(found *problems, headers http.Header, body []byte) {
	mediaType, schema := r.checkContentType(found, headers)
	if schema == nil {
		return
	}
	value, err := decode(mediaType, body)
	if err != nil {
		found.addIf(true, "body is not valid %s: %v", mediaType, err)
		return
	}
	if err := schema.Validate(value); err != nil {
		found.addIf(true, "body: %s", brief(err))
		return
	}
	object, _ := value.(map[string]any)
	checkLinks(found, object)
	r.checkError(found, headers, object)
}

// decode returns the value that a schema describes: of JSON what it contains, and of anything else the text.
func decode(mediaType string, body []byte) (any, error) {
	if mediaType != "application/json" {
		return string(body), nil
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(body))
}

// checkLinks checks that a page of a list has a link to the next page exactly if items follow.
func checkLinks(found *problems, page map[string]any) {
	meta, _ := page["meta"].(map[string]any)
	links, _ := page["_links"].(map[string]any)
	if meta == nil || links == nil {
		return
	}
	found.addIf((links["next"] != nil) != (meta["hasMore"] == true), "_links.next is %v, but meta.hasMore is %v", links["next"], meta["hasMore"])
}

// checkError checks that an error has a code of one of the response's examples, and that it says when to retry, like the
// Retry-After header, exactly if a limit was exceeded.
func (r *response) checkError(found *problems, headers http.Header, body map[string]any) {
	detail, ok := body["error"].(map[string]any)
	if !ok {
		return
	}
	code := fmt.Sprint(detail["code"])
	found.addIf(!slices.Contains(r.codes, code), "error.code is %s, but the examples have %s", code, strings.Join(r.codes, ", "))
	seconds, ok := detail["retryAfter"]
	found.addIf(ok != (code == "RATE_LIMIT_EXCEEDED"), "error.retryAfter is %v, but error.code is %s", seconds, code)
	value, _ := headerValue(headers, "Retry-After")
	found.addIf(ok && fmt.Sprint(seconds) != value, "error.retryAfter is %v, but Retry-After is %q", seconds, value)
}

// brief returns the messages of a validation error without the schema's URL.
func brief(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) > 1 {
		lines = lines[1:]
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimSpace(lines[i]), "- ")
	}
	return strings.Join(lines, "; ")
}
