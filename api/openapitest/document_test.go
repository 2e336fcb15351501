package openapitest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"dispo/api"
)

// object is a decoded part of the document.
type object = map[string]any

// document is what the tests look at.
type document struct {
	Paths    map[string]struct{ Get, Head operation }
	Security []object
	Servers  []struct{ URL string }

	Components struct {
		SecuritySchemes object `yaml:"securitySchemes"`
		Parameters      map[string]struct{ Schema object }
		Responses       map[string]struct {
			Content map[string]struct {
				Schema   object
				Example  errorBody
				Examples map[string]struct{ Value errorBody }
			}
		}
		Schemas map[string]object
	}
}

type errorBody struct{ Error struct{ Code string } }

type operation struct {
	OperationID string `yaml:"operationId"`
	Security    *[]object
	Responses   map[string]struct{ Headers object }
}

func decoded(t *testing.T) (d document) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal(api.OpenAPIYAML, &d))
	return d
}

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// The document has exactly the contract's operations, each with its id, its statuses beside
// those that every path has, and whether it needs a key. HEAD is like GET.
func TestOperations(t *testing.T) {
	t.Parallel()
	d := decoded(t)
	found := map[string]string{}
	for path, operations := range d.Paths {
		get, head := operations.Get, operations.Head
		assert.Equal(t, sortedKeys(get.Responses), sortedKeys(head.Responses), path)
		assert.Equal(t, get.Responses["200"].Headers, head.Responses["200"].Headers, path)
		assert.True(t, get.Security == nil || len(*get.Security) == 0, path)
		for _, status := range []string{"400", "405", "431", "500", "503"} {
			if path != "/health/live" || status != "503" { // it answers whatever the database does
				assert.Contains(t, get.Responses, status, path)
			}
			delete(get.Responses, status)
		}
		key := map[bool]string{true: "key", false: "open"}[get.Security == nil]
		found[path] = strings.Join(append([]string{get.OperationID, key}, sortedKeys(get.Responses)...), " ")
	}
	assert.Equal(t, map[string]string{
		"/health":                          "getHealth open 200",
		"/health/live":                     "getLiveness open 200",
		"/openapi.json":                    "getOpenapiJson open 200 304",
		"/openapi.yaml":                    "getOpenapiYaml open 200 304",
		"/v1/companies":                    "listCompanies key 200 304 401 422 429",
		"/v1/companies/{cvr}":              "getCompany key 200 304 401 404 429",
		"/v1/companies/{cvr}/transactions": "listTransactions key 200 304 401 404 422 429",
		"/v1/companies/{cvr}/days":         "listCompanyDays key 200 304 401 404 422 429",
		"/v1/transactions":                 "listAllTransactions key 200 304 401 422 429",
		"/v1/days":                         "listDays key 200 304 401 422 429",
		"/v1/changes":                      "listChanges key 200 304 401 422 429",
	}, found)
	assert.Equal(t, []object{{"apiKey": []any{}}}, d.Security)
	assert.Equal(t, "X-API-Key", d.Components.SecuritySchemes["apiKey"].(object)["name"])
	assert.Equal(t, "/api", d.Servers[0].URL)
}

// All errors have one schema with the contract's codes, and the examples of each response
// show the codes that it has.
func TestErrorCodes(t *testing.T) {
	t.Parallel()
	d := decoded(t)
	shown, codes := map[string][]string{}, map[any]bool{}
	for name, response := range d.Components.Responses {
		if strings.HasSuffix(name, "NotModified") {
			continue
		}
		assert.Equal(t, []string{"application/json"}, sortedKeys(response.Content))
		content := response.Content["application/json"]
		assert.Equal(t, object{"$ref": "#/components/schemas/Error"}, content.Schema, name)
		of := map[string]bool{}
		for _, example := range content.Examples {
			of[example.Value.Error.Code] = true
		}
		if code := content.Example.Error.Code; code != "" {
			of[code] = true
		}
		shown[name] = sortedKeys(of)
		for code := range of {
			codes[code] = true
		}
	}
	assert.Equal(t, map[string][]string{
		"BadRequest":         {"BAD_REQUEST"},
		"MalformedRequest":   {"BAD_REQUEST"},
		"Unauthorized":       {"UNAUTHORIZED"},
		"NotFound":           {"COMPANY_NOT_FOUND", "NOT_FOUND"},
		"MethodNotAllowed":   {"METHOD_NOT_ALLOWED"},
		"ValidationFailed":   {"VALIDATION_ERROR"},
		"TooManyRequests":    {"RATE_LIMIT_EXCEEDED"},
		"HeadersTooLarge":    {"HEADERS_TOO_LARGE"},
		"InternalError":      {"INTERNAL_ERROR"},
		"ServiceUnavailable": {"SERVICE_UNAVAILABLE"},
	}, shown)
	assert.ElementsMatch(t, slices.Collect(maps.Keys(codes)), d.Components.Schemas["ErrorCode"]["enum"])
}

// All properties are required, because every field is always present, except retryAfter. No
// schema forbids additional properties, so that clients generated from the document accept
// fields added later. JavaScript can hold every integer exactly.
func TestSchemasAreCompleteAndOpen(t *testing.T) {
	t.Parallel()
	objects := 0
	var check func(where string, value any)
	check = func(where string, value any) {
		list, _ := value.([]any)
		for _, inner := range list {
			check(where, inner)
		}
		part, _ := value.(object)
		for key, inner := range part {
			check(where+"/"+key, inner)
		}
		switch part["type"] {
		case "integer":
			assert.LessOrEqual(t, part["maximum"], 1<<53-1, where)
			assert.GreaterOrEqual(t, part["minimum"], -(1<<53 - 1), where)
		case "object":
			objects++
			properties, _ := part["properties"].(object)
			if fields := slices.DeleteFunc(sortedKeys(properties),
				func(name string) bool { return name == "retryAfter" }); len(fields) > 0 {
				assert.ElementsMatch(t, fields, part["required"], where)
			}
			assert.NotEqual(t, false, part["additionalProperties"], where)
		}
	}
	for name, schema := range decoded(t).Components.Schemas {
		check(name, schema)
	}
	assert.Greater(t, objects, 8)
}

// The parameters have the contract's bounds.
func TestParameters(t *testing.T) {
	t.Parallel()
	parameters := decoded(t).Components.Parameters
	assert.Equal(t, []string{
		"after", "afterDay", "before", "beforeDay", "cvr", "dispositionDate", "ifNoneMatch", "limit",
		"limitOfAll", "prefer",
	}, sortedKeys(parameters))
	assert.Equal(t, "^[0-9]{8}$", parameters["cvr"].Schema["pattern"])
	for name, maximum := range map[string]int{"limit": 100, "limitOfAll": 1000} {
		assert.Equal(t, object{"type": "integer", "format": "int32", "minimum": 1, "maximum": maximum, "default": 50},
			parameters[name].Schema)
	}
	for _, cursor := range []string{"after", "before"} {
		assert.Equal(t, "uuid", parameters[cursor].Schema["format"])
		assert.Equal(t, "date", parameters[cursor+"Day"].Schema["format"])
	}
}
