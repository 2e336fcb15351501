package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The reference has every operation, parameter, header, schema and field of the OpenAPI
// document.
func TestReferenceIsComplete(t *testing.T) {
	t.Parallel()
	var document struct {
		Paths      map[string]any
		Components struct {
			Parameters map[string]struct{ Name string }
			Headers    map[string]any
			Schemas    map[string]struct{ Properties map[string]any }
		}
	}
	require.NoError(t, json.Unmarshal(openapiJSON, &document))
	reference := Reference()
	for path := range document.Paths {
		require.Contains(t, reference, "\n## GET "+path+"\n")
	}
	for _, parameter := range document.Components.Parameters {
		require.Contains(t, reference, "\n| `"+parameter.Name+"` | ")
	}
	for name := range document.Components.Headers {
		if !strings.HasSuffix(name, "-IfAuthenticated") {
			require.Contains(t, reference, "\n| `"+name+"` | ")
		}
	}
	for name, schema := range document.Components.Schemas {
		_, part, found := strings.Cut(reference, "\n## "+name+"\n")
		require.True(t, found, name)
		part, _, _ = strings.Cut(part, "\n## ")
		for field := range schema.Properties {
			require.Contains(t, part, "\n| `"+field+"` | ")
		}
	}
	require.NotContains(t, reference, "<no value>")
}
