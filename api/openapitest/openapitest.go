// Package openapitest checks the API's responses against its OpenAPI document in tests.
package openapitest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	pathpkg "path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/responses"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"dispo/api"
)

type checker struct {
	*v3.Document
	options  *config.ValidationOptions
	mu       sync.Mutex // the library builds schemas when they are first used
	patterns map[string]*regexp.Regexp
	fitting  map[fitting]bool
}

// fitting is a body that fits its schema. Tests get many of them again and again.
type fitting struct {
	schema *v3.MediaType
	body   [sha256.Size]byte
}

var load = sync.OnceValues(func() (*checker, error) {
	parsed, err := libopenapi.NewDocument(api.OpenAPIYAML)
	if err != nil {
		return nil, err
	}
	model, err := parsed.BuildV3Model()
	if err != nil {
		return nil, err
	}
	// Undeclared fields are mistakes here, although the document allows them for later versions.
	return &checker{
		Document: &model.Model,
		options:  config.NewValidationOptions(config.WithFormatAssertions(), config.WithStrictMode()),
		patterns: map[string]*regexp.Regexp{},
		fitting:  map[fitting]bool{},
	}, nil
})

// Validate fails t if the response to a request does not match the document. request is
// nil if what was sent is not an HTTP request. Whether the request is valid does not
// matter, because bad requests have documented responses too.
func Validate(t testing.TB, request *http.Request, response *http.Response, body []byte) {
	t.Helper()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var problems []string
	addIf := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	declared := d.declared(request, response)
	if declared == nil {
		t.Errorf("the status %d is not declared here: %.2000s", response.StatusCode, body)
		return
	}
	checkHeaders(d, declared, response.Header, addIf)
	mediaType, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	var content *v3.MediaType
	if declared.Content != nil {
		content = declared.Content.GetOrZero(mediaType)
	}
	switch {
	case response.StatusCode == http.StatusNotModified, request != nil && request.Method == http.MethodHead:
		addIf(len(body) > 0, "the body must be empty")
	case content == nil:
		addIf(true, "the content type %q is not declared", mediaType)
	case mediaType == "application/json" && (request == nil || !strings.HasSuffix(request.URL.Path, "/openapi.json")):
		checkRules(response, body, addIf)
		known := fitting{content, sha256.Sum256(body)}
		if d.fitting[known] {
			break
		}
		fits, found := responses.ValidateResponseSchema(&responses.ValidateResponseSchemaInput{
			Request:  cmp.Or(request, &http.Request{URL: &url.URL{}}),
			Response: &http.Response{StatusCode: response.StatusCode, Body: io.NopCloser(bytes.NewReader(body))},
			Schema:   content.Schema.Schema(), Version: 3.1, Options: []config.Option{config.WithExistingOpts(d.options)},
		})
		for _, problem := range found {
			addIf(true, "%v", problem)
		}
		d.fitting[known] = fits
	}
	if len(problems) > 0 {
		t.Errorf("response %d does not match api/openapi.yaml:\n%s\n%.2000s", response.StatusCode,
			strings.Join(problems, "\n"), body)
	}
}

// declared returns the declaration of the response to a request, or nil. Requests that are
// no operation's have the shared responses, and an example may be that of any operation.
func (d *checker) declared(request *http.Request, response *http.Response) *v3.Response {
	if request != nil {
		path, _ := strings.CutPrefix(request.URL.EscapedPath(), d.Servers[0].URL)
		example := strings.HasPrefix(response.Header.Get("Preference-Applied"), "example=")
		var elsewhere *v3.Response
		for template, item := range d.Paths.PathItems.FromOldest() {
			here, _ := pathpkg.Match(strings.ReplaceAll(template, "{cvr}", "?*"), path)
			operation := item.GetOperations().GetOrZero(strings.ToLower(request.Method))
			if operation == nil {
				continue
			}
			declared := operation.Responses.Codes.GetOrZero(strconv.Itoa(response.StatusCode))
			if here && (declared != nil || !example) {
				return declared
			}
			elsewhere = cmp.Or(declared, elsewhere)
		}
		if example {
			return elsewhere
		}
	}
	shared := map[int]string{
		400: "MalformedRequest",
		404: "NotFound",
		405: "MethodNotAllowed",
		431: "HeadersTooLarge",
		500: "InternalError",
		503: "ServiceUnavailable",
	}
	return d.Components.Responses.GetOrZero(shared[response.StatusCode])
}

// checkHeaders checks that every required header is there, that those which the document
// declares anywhere are there only where it declares them, and their values.
func checkHeaders(d *checker, declared *v3.Response, header http.Header, addIf func(bool, string, ...any)) {
	for name := range d.Components.Headers.FromOldest() {
		value, has := strings.Join(header.Values(name), ", "), len(header.Values(name)) > 0
		h := declared.Headers.GetOrZero(name)
		addIf(has && h == nil, "the header %s is not declared here", name)
		addIf(!has && h != nil && h.Required, "the header %s is missing", name)
		if has && h != nil {
			schema := h.Schema.Schema()
			fits := schema.Pattern == "" || d.pattern(schema.Pattern).MatchString(value)
			fits = fits && (schema.Enum == nil || schema.Enum[0].Value == value)
			if slices.Contains(schema.Type, "integer") {
				number, err := strconv.ParseFloat(value, 64)
				fits = err == nil && number >= *schema.Minimum && number <= *schema.Maximum
			}
			addIf(!fits, "the header %s is %q", name, value)
		}
	}
	limits := 0
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"} {
		limits += len(header.Values(name))
	}
	addIf(limits%5 != 0, "there are %d headers of the rate limits", limits)
}

func (d *checker) pattern(text string) *regexp.Regexp {
	if d.patterns[text] == nil {
		d.patterns[text] = regexp.MustCompile(text)
	}
	return d.patterns[text]
}

// checkRules checks what the schemas cannot say.
func checkRules(response *http.Response, body []byte, addIf func(bool, string, ...any)) {
	var view struct {
		Error struct {
			Code       string
			RetryAfter *json.Number
		}
		Meta  struct{ HasMore bool }
		Links struct{ Next *string } `json:"_links"`
	}
	_ = json.Unmarshal(body, &view) // the schema is checked too
	addIf(view.Meta.HasMore != (view.Links.Next != nil), "hasMore does not fit _links.next")
	limited := view.Error.Code == "RATE_LIMIT_EXCEEDED"
	addIf(limited != (view.Error.RetryAfter != nil), "retryAfter does not fit the code")
	addIf(limited && view.Error.RetryAfter.String() != response.Header.Get("Retry-After"),
		"retryAfter does not fit Retry-After")
	authenticated := response.Header.Get("X-RateLimit-Limit") != ""
	addIf(response.StatusCode == http.StatusNotFound && authenticated != (view.Error.Code == "COMPANY_NOT_FOUND"),
		"the code does not fit the headers")
}
