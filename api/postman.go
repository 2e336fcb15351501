package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// postmanCollection returns the operations of the OpenAPI document as a Postman
// collection (format 2.1). baseURL is the value of its variable baseUrl.
func postmanCollection(baseURL string) []byte {
	var d openapiDocument
	if err := json.Unmarshal(openapiJSON, &d); err != nil {
		panic(err) // it is a part of the program
	}
	c := postmanRoot{
		Info: postmanInfo{Name: d.Info.Title, Description: d.Info.Description,
			Schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		Auth: postmanAuth{Type: "apikey", APIKey: []postmanValue{
			{Key: "key", Value: d.Components.SecuritySchemes["apiKey"].Name}, {Key: "value", Value: "{{apiKey}}"}, {Key: "in", Value: "header"},
		}},
		Variables: []postmanValue{{Key: "baseUrl", Value: baseURL}, {Key: "apiKey", Value: ""}},
	}
	for _, tag := range d.Tags {
		folder := postmanFolder{Name: tag.Name, Description: tag.Description}
		for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
			if operation := d.Paths[path].Get; slices.Contains(operation.Tags, tag.Name) {
				folder.Items = append(folder.Items, d.postmanItem(path, operation))
			}
		}
		c.Items = append(c.Items, folder)
	}
	body, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		panic(err)
	}
	return body
}

func (d *openapiDocument) postmanItem(path string, operation openapiOperation) postmanItem {
	path = strings.NewReplacer("{", ":", "}", "").Replace(path) // as Postman writes parameters
	r := postmanRequest{Method: http.MethodGet, Description: operation.Description,
		URL: postmanURL{Raw: "{{baseUrl}}" + path, Host: []string{"{{baseUrl}}"}, Path: strings.Split(path[1:], "/")}}
	if operation.Security != nil { // the document's own asks for a key
		r.Auth = &postmanAuth{Type: "noauth"}
	}
	for _, parameter := range operation.Parameters {
		parameter = resolve(parameter.Ref, d.Components.Parameters, parameter)
		value := postmanValue{Key: parameter.Name, Value: text(parameter.Example), Description: parameter.Description, Disabled: !parameter.Required}
		switch parameter.In {
		case "path":
			r.URL.Variables = append(r.URL.Variables, value)
		case "query":
			r.URL.Query = append(r.URL.Query, value)
		case "header":
			r.Headers = append(r.Headers, value)
		}
	}
	item := postmanItem{Name: operation.Summary, Request: r, Responses: []postmanResponse{}}
	for _, status := range slices.Sorted(maps.Keys(operation.Responses)) {
		code, _ := strconv.Atoi(status)
		response := operation.Responses[status]
		response = resolve(response.Ref, d.Components.Responses, response)
		for contentType, content := range response.Content {
			if content.Example != nil {
				item.add(code, contentType, http.StatusText(code), content.Example)
			}
			for _, name := range slices.Sorted(maps.Keys(content.Examples)) {
				item.add(code, contentType, content.Examples[name].Summary, content.Examples[name].Value)
			}
		}
	}
	return item
}

// add adds an example of a response.
func (i *postmanItem) add(code int, contentType, name string, body json.RawMessage) {
	var indented bytes.Buffer
	_ = json.Indent(&indented, body, "", "  ") // it is a part of valid JSON
	i.Responses = append(i.Responses, postmanResponse{Name: name, Request: i.Request, Code: code, Status: http.StatusText(code),
		Headers: []postmanValue{{Key: "Content-Type", Value: contentType}}, Body: indented.String()})
}

// resolve returns the component that ref, such as "#/components/parameters/limit",
// refers to, or value if ref is empty.
func resolve[T any](ref string, components map[string]T, value T) T {
	if ref == "" {
		return value
	}
	return components[ref[strings.LastIndexByte(ref, '/')+1:]]
}

// text returns a JSON value as text, a string without its quotes.
func text(value json.RawMessage) string {
	var unquoted string
	if json.Unmarshal(value, &unquoted) == nil {
		return unquoted
	}
	return string(value)
}

// openapiDocument is what a Postman collection takes from the OpenAPI document.
type openapiDocument struct {
	Info struct{ Title, Description string }
	Tags []struct{ Name, Description string }

	Paths map[string]struct{ Get openapiOperation }

	Components struct {
		Parameters      map[string]openapiParameter
		Responses       map[string]openapiResponse
		SecuritySchemes map[string]struct{ Name string }
	}
}

type openapiOperation struct {
	Summary, Description string
	Tags                 []string
	Security             *[]any
	Parameters           []openapiParameter
	Responses            map[string]openapiResponse
}

type openapiParameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Example               json.RawMessage
}

type openapiResponse struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Example  json.RawMessage
		Examples map[string]struct {
			Summary string
			Value   json.RawMessage
		}
	}
}

type postmanRoot struct {
	Info      postmanInfo     `json:"info"`
	Auth      postmanAuth     `json:"auth"`
	Variables []postmanValue  `json:"variable"`
	Items     []postmanFolder `json:"item"`
}

type postmanInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"`
}

type postmanAuth struct {
	Type   string         `json:"type"`
	APIKey []postmanValue `json:"apikey,omitempty"`
}

type postmanFolder struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Items       []postmanItem `json:"item"`
}

type postmanItem struct {
	Name      string            `json:"name"`
	Request   postmanRequest    `json:"request"`
	Responses []postmanResponse `json:"response"`
}

type postmanRequest struct {
	Method      string         `json:"method"`
	Auth        *postmanAuth   `json:"auth,omitempty"` // nil: the collection's
	Headers     []postmanValue `json:"header"`
	URL         postmanURL     `json:"url"`
	Description string         `json:"description"`
}

type postmanURL struct {
	Raw       string         `json:"raw"`
	Host      []string       `json:"host"`
	Path      []string       `json:"path"`
	Query     []postmanValue `json:"query,omitempty"`
	Variables []postmanValue `json:"variable,omitempty"`
}

type postmanResponse struct {
	Name    string         `json:"name"`
	Request postmanRequest `json:"originalRequest"`
	Code    int            `json:"code"`
	Status  string         `json:"status"`
	Headers []postmanValue `json:"header"`
	Body    string         `json:"body"`
}

type postmanValue struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"` // not sent unless the user chooses it
}
