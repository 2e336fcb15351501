package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"
	"go.yaml.in/yaml/v4"
)

//go:embed openapi.yaml
var openapiYAML []byte

// openapiHash changes with the form of the API's answers.
var openapiHash = xxhash.Sum64(openapiYAML)

// OpenAPIYAML returns the OpenAPI document as it is written. The bytes are shared: don't change them.
func OpenAPIYAML() []byte { return openapiYAML }

// OpenAPIJSON returns the OpenAPI document as indented JSON, with the content and the key order of the YAML form.
// It is made at the first call. The bytes are shared: don't change them.
func OpenAPIJSON() []byte { return openapiJSON() }

var openapiJSON = sync.OnceValue(func() []byte {
	out, err := yamlToJSON(openapiYAML)
	if err != nil {
		// The document is part of the program, so this is a mistake in its source.
		panic("api: openapi.yaml: " + err.Error())
	}
	return out
})

// yamlToJSON turns a YAML document into indented JSON and keeps the order of its keys. It refuses what JSON can't hold
// or what YAML readers disagree on: keys that are not strings, aliases, merge keys, unquoted dates, numbers that are
// not finite.
func yamlToJSON(doc []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(doc, &root); err != nil {
		return nil, err
	}
	var compact, indented bytes.Buffer
	if err := writeJSON(&compact, &root); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func writeJSON(out *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.DocumentNode:
		return writeJSON(out, node.Content[0])
	case yaml.MappingNode:
		return writeJSONObject(out, node)
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range node.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	case yaml.ScalarNode:
		return writeJSONScalar(out, node)
	}
	return fmt.Errorf("line %d: JSON has no form for this", node.Line)
}

func writeJSONObject(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('{')
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.ShortTag() != "!!str" {
			return fmt.Errorf("line %d: the key %q is not a string: put it in quotes", key.Line, key.Value)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeJSONValue(out, key.Value); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeJSON(out, value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeJSONScalar(out *bytes.Buffer, node *yaml.Node) error {
	switch tag := node.ShortTag(); tag {
	case "!!str":
		return writeJSONValue(out, node.Value)
	case "!!null":
		out.WriteString("null")
		return nil
	case "!!bool":
		var value bool
		if err := node.Decode(&value); err != nil {
			return err
		}
		out.WriteString(strconv.FormatBool(value))
		return nil
	case "!!int":
		var value int64
		if err := node.Decode(&value); err != nil {
			return err
		}
		out.WriteString(strconv.FormatInt(value, 10))
		return nil
	case "!!float":
		var value float64
		if err := node.Decode(&value); err != nil {
			return err
		}
		return writeJSONValue(out, value)
	default:
		return fmt.Errorf("line %d: %q is read as %s: put it in quotes", node.Line, node.Value, tag)
	}
}

// writeJSONValue writes a string or a number, and leaves <, > and & as they are.
func writeJSONValue(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the line end that Encode adds
	return nil
}
