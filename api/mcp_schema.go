package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"

	"github.com/google/jsonschema-go/jsonschema"
)

// openAPI is what the MCP server's tools take from the API's document.
type openAPI struct {
	Info  struct{ Version string }
	Paths map[string]struct {
		Parameters []map[string]string
		Get        struct {
			Summary   string
			Responses map[string]struct {
				Content map[string]struct{ Schema json.RawMessage }
			}
		}
	}
	Components struct {
		Parameters map[string]struct {
			Name, In, Description string
			Schema                map[string]any
		}
		Schemas map[string]json.RawMessage
	}
}

// operation is how a path is read.
type operation struct {
	path, title string
	arguments   map[string]any // the schema of each parameter
	required    []string       // the arguments that it cannot do without
	response    *jsonschema.Schema
}

func readOpenAPI() (document openAPI) {
	if err := json.Unmarshal(openapiJSON, &document); err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return document
}

// operations returns the GET operations of paths. It leaves out headers, and before, because a
// list is read onward.
func (d openAPI) operations(paths ...string) (all []operation) {
	for _, at := range paths {
		get := d.Paths[at].Get
		o := operation{path: at, title: get.Summary, arguments: map[string]any{}, required: []string{}}
		for _, reference := range d.Paths[at].Parameters {
			parameter := d.Components.Parameters[path.Base(reference["$ref"])]
			if parameter.In == "header" || parameter.Name == "before" {
				continue
			}
			schema := maps.Clone(parameter.Schema)
			schema["description"] = parameter.Description
			o.arguments[parameter.Name] = schema
			if parameter.In == "path" {
				o.required = append(o.required, parameter.Name)
			}
		}
		response := d.inline(get.Responses["200"].Content["application/json"].Schema)
		// Escaped texts are longer, and a tool's two operations have different links.
		for _, keyword := range []string{"maxLength", "pattern"} {
			response = bytes.ReplaceAll(response, []byte(`"`+keyword+`"`), []byte(`"x-`+keyword+`"`))
		}
		_ = json.Unmarshal(response, &o.response) // cannot fail: a test reads each schema
		all = append(all, o)
	}
	return all
}

var schemaReference = regexp.MustCompile(`{\s*"\$ref":\s*"#/components/schemas/(\w+)"\s*}`)

// inline returns a schema with those that it refers to in it.
func (d openAPI) inline(schema []byte) []byte {
	return schemaReference.ReplaceAllFunc(schema, func(found []byte) []byte {
		return d.inline(d.Components.Schemas[string(schemaReference.FindSubmatch(found)[1])])
	})
}
