package openapitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/helpers"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/utils"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

// contract is a parsed document with all its schemas compiled. It is immutable, so parallel tests can share it without a
// lock. (The library's own validators compile and cache schemas on demand, accept an empty body, and check the values
// of required headers only.)
type contract struct {
	basePath string
	paths    []path
	shared   map[string]*response // components/responses, by name
	headers  []string             // all headers declared anywhere
}

type path struct {
	segments   []string                     // of the template: "", "v1", "companies", "{cvr}"
	operations map[string]map[int]*response // by method and status
}

// response is the declared response for one status of one operation.
type response struct {
	headers map[string]header
	content map[string]*jsonschema.Schema // by media type
	codes   []string                      // error codes of the examples
}

type header struct {
	required bool
	number   bool
	schema   *jsonschema.Schema
}

// sharedStatus maps components/responses that apply outside the declared operations to their statuses.
var sharedStatus = map[string]int{
	"MalformedRequest":   http.StatusBadRequest,
	"NotFound":           http.StatusNotFound,
	"MethodNotAllowed":   http.StatusMethodNotAllowed,
	"HeadersTooLarge":    http.StatusRequestHeaderFieldsTooLarge,
	"InternalError":      http.StatusInternalServerError,
	"ServiceUnavailable": http.StatusServiceUnavailable,
}

func newContract(doc []byte) (*contract, error) {
	document, err := libopenapi.NewDocument(doc)
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	built, err := document.BuildV3Model()
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	model := &built.Model
	if len(model.Servers) != 1 || model.Paths == nil || model.Components == nil {
		return nil, errors.New("the OpenAPI document must have one server, paths and components")
	}

	c := &contract{basePath: model.Servers[0].URL, shared: map[string]*response{}}
	for template, item := range model.Paths.PathItems.FromOldest() {
		p := path{segments: strings.Split(template, "/"), operations: map[string]map[int]*response{}}
		for method, operation := range item.GetOperations().FromOldest() {
			statuses := map[int]*response{}
			for code, declared := range operation.Responses.Codes.FromOldest() {
				status, err := strconv.Atoi(code)
				if err != nil {
					return nil, fmt.Errorf("%s %s: status %q is not a number", method, template, code)
				}
				if statuses[status], err = c.newResponse(declared, status); err != nil {
					return nil, fmt.Errorf("%s %s, %s: %w", method, template, code, err)
				}
			}
			p.operations[strings.ToUpper(method)] = statuses
		}
		c.paths = append(c.paths, p)
	}
	for name, status := range sharedStatus {
		declared, ok := model.Components.Responses.Get(name)
		if !ok {
			return nil, fmt.Errorf("the OpenAPI document has no components/responses/%s", name)
		}
		if c.shared[name], err = c.newResponse(declared, status); err != nil {
			return nil, fmt.Errorf("components/responses/%s: %w", name, err)
		}
	}
	return c, nil
}

// newResponse compiles a declared response. All responses except 304 must declare content.
func (c *contract) newResponse(declared *v3.Response, status int) (*response, error) {
	r := &response{headers: map[string]header{}, content: map[string]*jsonschema.Schema{}}
	for name, h := range declared.Headers.FromOldest() {
		schema, err := compile(h.Schema)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", name, err)
		}
		types := h.Schema.Schema().Type
		r.headers[name] = header{required: h.Required, number: slices.Contains(types, "integer"), schema: schema}
		if !slices.Contains(c.headers, name) {
			c.headers = append(c.headers, name)
		}
	}
	for mediaType, content := range declared.Content.FromOldest() {
		schema, err := compile(content.Schema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", mediaType, err)
		}
		r.content[mediaType] = schema
		if status < http.StatusBadRequest {
			continue
		}
		if r.codes, err = exampleCodes(content); err != nil {
			return nil, fmt.Errorf("%s: %w", mediaType, err)
		}
	}
	if (len(r.content) == 0) != (status == http.StatusNotModified) {
		return nil, errors.New("all statuses except 304 must declare content, and 304 must not")
	}
	return r, nil
}

// exampleCodes returns the error codes in the examples of a response.
func exampleCodes(content *v3.MediaType) (codes []string, err error) {
	examples := []*yaml.Node{content.Example}
	for _, example := range content.Examples.FromOldest() {
		examples = append(examples, example.Value)
	}
	for _, example := range examples {
		var body struct{ Error struct{ Code string } }
		if example == nil {
			continue
		}
		if err := example.Decode(&body); err != nil {
			return nil, err
		}
		if code := body.Error.Code; code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes, nil
}

// compile compiles a schema, closed to undeclared properties and with formats asserted.
func compile(proxy *base.SchemaProxy) (*jsonschema.Schema, error) {
	if proxy == nil {
		return nil, errors.New("no schema declared")
	}
	schema, err := proxy.BuildSchema()
	if err != nil {
		return nil, err
	}
	inline, err := schema.RenderInlineWithContext(base.NewInlineRenderContext())
	if err != nil {
		return nil, err
	}
	text, err := utils.ConvertYAMLtoJSON(inline)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	closeObjects(value)
	if text, err = json.Marshal(value); err != nil {
		return nil, err
	}
	return helpers.NewCompiledSchema("schema", text, config.NewValidationOptions(config.WithFormatAssertions()))
}

// closeObjects forbids undeclared properties in every object schema that declares properties and does not set
// additionalProperties. The published schemas are open, so that generated clients accept fields added later. In a test,
// an undeclared field is a mistake.
func closeObjects(value any) {
	switch value := value.(type) {
	case map[string]any:
		_, hasProperties := value["properties"].(map[string]any)
		_, hasAdditional := value["additionalProperties"]
		if isObject(value["type"]) && hasProperties && !hasAdditional {
			value["additionalProperties"] = false
		}
		for _, item := range value {
			closeObjects(item)
		}
	case []any:
		for _, item := range value {
			closeObjects(item)
		}
	}
}

// isObject reports whether a schema's type is, or includes, object.
func isObject(types any) bool {
	list, _ := types.([]any)
	return types == "object" || slices.Contains(list, any("object"))
}
