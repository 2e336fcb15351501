package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// collection is the parts of a Postman collection that say what it sends.
type collection struct {
	Auth      postmanAuth
	Variables []postmanValue `json:"variable"`
	Folders   []struct {
		Items []struct {
			Request struct {
				Method  string
				Auth    *postmanAuth
				Headers []postmanValue `json:"header"`
				URL     struct {
					Raw        string
					Host, Path []string
					Query      []postmanValue
					Variables  []postmanValue `json:"variable"`
				}
			}
			Responses []struct {
				Code int
				Body string
			} `json:"response"`
		} `json:"item"`
	} `json:"item"`
}

type postmanAuth struct {
	Type   string
	APIKey []postmanValue
}

type postmanValue struct {
	Key, Value string
	Disabled   bool
}

// The Postman collection names this service, has a request for every path, and each of
// them is answered once the key is filled in, with each optional parameter as well.
func TestPostmanCollection(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10315034")
	service := serve(t, w.Service, settings{})
	var c collection
	require.NoError(t, json.Unmarshal(service.get(t, "/api/postman.json", "").body, &c))
	require.Equal(t, []postmanValue{{Key: "baseUrl", Value: baseURL}, {Key: "apiKey"}}, c.Variables)
	require.Equal(t, postmanAuth{"apikey", []postmanValue{{Key: "key", Value: "X-API-Key"}, {Key: "value", Value: "{{apiKey}}"}, {Key: "in", Value: "header"}}}, c.Auth)

	var sent []string
	for _, folder := range c.Folders {
		for _, item := range folder.Items {
			r := item.Request
			key := a.token
			if r.Auth != nil {
				require.Equal(t, "noauth", r.Auth.Type)
				key = ""
			}
			require.Equal(t, r.URL.Raw, strings.Join(append(r.URL.Host, r.URL.Path...), "/"))
			path := strings.Replace(r.URL.Raw, "{{baseUrl}}", "/api", 1)
			for _, variable := range r.URL.Variables {
				path = strings.Replace(path, ":"+variable.Key, variable.Value, 1)
			}
			service.send(t, r.Method, path, withKey(key)).requireOK(t)
			for _, query := range r.URL.Query {
				require.True(t, query.Disabled)
				service.send(t, r.Method, path+"?"+query.Key+"="+query.Value, withKey(key)).requireOK(t)
			}
			for _, header := range r.Headers {
				require.True(t, header.Disabled)
				service.send(t, r.Method, path, headers("X-API-Key", key, header.Key, header.Value)).requireOK(t)
			}
			sent = append(sent, strings.Replace(path, "10315034", "10000001", 1))
			require.NotEmpty(t, item.Responses, path)
			for _, response := range item.Responses {
				require.NotEmpty(t, http.StatusText(response.Code))
				require.NotEmpty(t, response.Body)
			}
		}
	}
	require.ElementsMatch(t, paths, sent)
}
