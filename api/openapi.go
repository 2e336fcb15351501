package api

import (
	_ "embed"

	"github.com/cespare/xxhash/v2"
)

// openapi.yaml is the source. yq keeps the order of its keys.
//
//go:generate go run github.com/mikefarah/yq/v4@v4.53.6 --output-format json --split-exp "\"openapi\"" openapi.yaml

var (
	//go:embed openapi.yaml
	openapiYAML []byte

	//go:embed openapi.json
	openapiJSON []byte
)

// openapiHash changes with the form of the API's answers.
var openapiHash = xxhash.Sum64(openapiYAML)

// OpenAPIYAML returns the OpenAPI document as YAML. The bytes are shared: don't change them.
func OpenAPIYAML() []byte { return openapiYAML }

// OpenAPIJSON returns the OpenAPI document as indented JSON, with the content and the key order of the YAML document.
// The bytes are shared: don't change them.
func OpenAPIJSON() []byte { return openapiJSON }
