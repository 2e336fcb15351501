package openapitest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"dispo/api"
)

// object is a decoded part of the document.
type object = map[string]any

// document returns the decoded document. Tests share it and must not change it.
func document(t *testing.T) object {
	t.Helper()
	doc, err := decodedDocument()
	require.NoError(t, err)
	return doc
}

var decodedDocument = sync.OnceValues(func() (doc object, err error) {
	err = yaml.Unmarshal(api.OpenAPIYAML, &doc)
	return doc, err
})

// at follows keys into a part of the document and resolves every $ref on the way.
func at(t *testing.T, doc object, value any, keys ...string) any {
	t.Helper()
	for i := 0; ; i++ {
		for {
			part, ok := value.(object)
			if !ok {
				break
			}
			ref, ok := part["$ref"].(string)
			if !ok {
				break
			}
			pointer, ok := strings.CutPrefix(ref, "#/")
			require.True(t, ok, "reference %s leaves the document", ref)
			value = at(t, doc, doc, strings.Split(pointer, "/")...)
		}
		if i == len(keys) {
			return value
		}
		part, ok := value.(object)
		require.True(t, ok, "%s is not an object", strings.Join(keys[:i], "/"))
		require.Contains(t, part, keys[i])
		value = part[keys[i]]
	}
}

// keysOf returns the sorted keys of a part of the document.
func keysOf(value any) []string {
	part, _ := value.(object)
	return slices.Sorted(maps.Keys(part))
}

// walk calls visit for value and for every value in it, with their paths.
func walk(where string, value any, visit func(where string, value any)) {
	visit(where, value)
	switch value := value.(type) {
	case object:
		for _, key := range keysOf(value) {
			walk(where+"/"+key, value[key], visit)
		}
	case []any:
		for i, item := range value {
			walk(where+"/"+strconv.Itoa(i), item, visit)
		}
	}
}

// The document has exactly the contract's operations, each with its id, key requirement and statuses.
func TestOperations(t *testing.T) {
	t.Parallel()
	doc := document(t)
	always := []string{"400", "405", "431", "500", "503"}
	tests := []struct {
		path, operationID string
		key               bool
		statuses          []string
	}{
		{"/health", "getHealth", false, []string{"200"}},
		{"/v1/companies", "listCompanies", true, []string{"200", "304", "401", "422", "429"}},
		{"/v1/companies/{cvr}", "getCompany", true, []string{"200", "304", "401", "404", "429"}},
		{"/v1/companies/{cvr}/transactions", "listTransactions", true,
			[]string{"200", "304", "401", "404", "422", "429"}},
		{"/v1/transactions", "listAllTransactions", true, []string{"200", "304", "401", "422", "429"}},
		{"/v1/days", "listDays", true, []string{"200", "304", "401", "422", "429"}},
		{"/v1/companies/{cvr}/days", "listCompanyDays", true, []string{"200", "304", "401", "404", "422", "429"}},
		{"/v1/changes", "listChanges", true, []string{"200", "304", "401", "422", "429"}},
		{"/openapi.json", "getOpenapiJson", false, []string{"200", "304"}},
		{"/openapi.yaml", "getOpenapiYaml", false, []string{"200", "304"}},
	}
	paths := object{}
	for _, test := range tests {
		paths[test.path] = nil
		operation := at(t, doc, doc, "paths", test.path, "get").(object)
		head := at(t, doc, doc, "paths", test.path, "head").(object)
		assert.Equal(t, keysOf(operation["responses"]), keysOf(head["responses"]), "HEAD answers like GET")
		assert.Equal(t, at(t, doc, operation, "responses", "200", "headers"), at(t, doc, head, "responses", "200", "headers"), "HEAD answers like GET")
		assert.Equal(t, test.operationID, operation["operationId"])
		security, overridden := operation["security"]
		assert.Equal(t, test.key, !overridden, test.path)
		if overridden {
			assert.Empty(t, security, test.path)
		}
		assert.ElementsMatch(t, append(test.statuses, always...), keysOf(operation["responses"]), test.path)
	}
	assert.Equal(t, keysOf(paths), keysOf(doc["paths"]))
	assert.Equal(t, []any{object{"apiKey": []any{}}}, doc["security"])
	assert.Equal(t, "X-API-Key", at(t, doc, doc, "components", "securitySchemes", "apiKey", "name"))
	assert.Equal(t, []any{"/api"}, []any{doc["servers"].([]any)[0].(object)["url"]})
}

// All errors have one schema with the contract's codes, and the examples of each response show the codes that it has.
func TestErrorCodes(t *testing.T) {
	t.Parallel()
	doc := document(t)
	want := map[string]string{
		"BadRequest":         "BAD_REQUEST",
		"MalformedRequest":   "BAD_REQUEST",
		"Unauthorized":       "UNAUTHORIZED",
		"NotFound":           "COMPANY_NOT_FOUND NOT_FOUND",
		"MethodNotAllowed":   "METHOD_NOT_ALLOWED",
		"ValidationFailed":   "VALIDATION_ERROR",
		"TooManyRequests":    "RATE_LIMIT_EXCEEDED",
		"HeadersTooLarge":    "HEADERS_TOO_LARGE",
		"InternalError":      "INTERNAL_ERROR",
		"ServiceUnavailable": "SERVICE_UNAVAILABLE",
	}
	responses := at(t, doc, doc, "components", "responses")
	assert.ElementsMatch(t, slices.AppendSeq([]string{"NotModified", "DocumentNotModified"}, maps.Keys(want)), keysOf(responses))
	var all []string
	for name, codes := range want {
		content := at(t, doc, responses, name, "content").(object)
		assert.Equal(t, []string{"application/json"}, keysOf(content))
		assert.Equal(t, object{"$ref": "#/components/schemas/Error"}, content["application/json"].(object)["schema"], name)
		var shown []string
		walk("", content, func(where string, value any) {
			if strings.HasSuffix(where, "/error/code") {
				shown = append(shown, value.(string))
			}
		})
		slices.Sort(shown)
		assert.Equal(t, strings.Fields(codes), slices.Compact(shown), name)
		all = append(all, strings.Fields(codes)...)
	}
	slices.Sort(all)
	var declared []string
	for _, code := range at(t, doc, doc, "components", "schemas", "ErrorCode", "enum").([]any) {
		declared = append(declared, code.(string))
	}
	assert.ElementsMatch(t, slices.Compact(all), declared)
}

// All properties are required, because every field is always present, except retryAfter. No schema forbids additional
// properties, so that clients generated from the document accept fields added later. JavaScript can hold every integer
// exactly.
func TestSchemasAreCompleteAndOpen(t *testing.T) {
	t.Parallel()
	objects := 0
	walk("", document(t)["components"].(object)["schemas"], func(where string, value any) {
		schema, ok := value.(object)
		if ok && schema["type"] == "integer" {
			assert.LessOrEqual(t, schema["maximum"], 1<<53-1, where)
			assert.GreaterOrEqual(t, schema["minimum"], -(1<<53 - 1), where)
		}
		if !ok || schema["type"] != "object" {
			return
		}
		objects++
		properties := slices.DeleteFunc(keysOf(schema["properties"]), func(name string) bool { return name == "retryAfter" })
		if len(properties) > 0 {
			assert.ElementsMatch(t, properties, schema["required"], where)
		}
		assert.NotEqual(t, false, schema["additionalProperties"], where)
	})
	assert.Greater(t, objects, 8)
}

// The parameters have the contract's bounds.
func TestParameters(t *testing.T) {
	t.Parallel()
	doc := document(t)
	parameters := at(t, doc, doc, "components", "parameters")
	assert.Equal(t, []string{"after", "afterDay", "before", "beforeDay", "cvr", "dispositionDate", "ifNoneMatch", "limit", "limitOfAll", "prefer"}, keysOf(parameters))
	assert.Equal(t, "^[0-9]{8}$", at(t, doc, parameters, "cvr", "schema", "pattern"))
	assert.Equal(t, object{"type": "integer", "format": "int32", "minimum": 1, "maximum": 100, "default": 50}, at(t, doc, parameters, "limit", "schema"))
	assert.Equal(t, object{"type": "integer", "format": "int32", "minimum": 1, "maximum": 1000, "default": 50}, at(t, doc, parameters, "limitOfAll", "schema"))
	for _, cursor := range []string{"after", "before"} {
		assert.Equal(t, "uuid", at(t, doc, parameters, cursor, "schema", "format"))
		assert.Equal(t, "date", at(t, doc, parameters, cursor+"Day", "schema", "format"))
	}
}
