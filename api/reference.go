package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// Reference returns the operations and schemas of the OpenAPI document as Markdown, for
// programs that read the documentation.
func Reference() string {
	var document referenceDocument
	if err := json.Unmarshal(openapiJSON, &document); err != nil {
		panic(err) // cannot happen: the document is embedded
	}
	var text strings.Builder
	if err := referenceTemplate.Execute(&text, &document); err != nil {
		panic(err)
	}
	return text.String()
}

// referenceDocument is what the reference shows of the OpenAPI document.
type referenceDocument struct {
	Paths members[struct {
		Parameters []referenceParameter
		Get        struct {
			Summary, Description string
			Security             *[]any // empty if no key is needed
			Responses            members[struct {
				Headers members[any]
				Content members[struct {
					Schema   referenceSchema
					Example  json.RawMessage
					Examples members[struct{ Value json.RawMessage }]
				}]
			}]
		}
	}]
	Components struct {
		Parameters map[string]referenceParameter
		Headers    members[referenceParameter]
		Schemas    members[referenceSchema]
	}
}

// referenceParameter is a parameter, or a header of a response.
type referenceParameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Schema                referenceSchema
}

type referenceSchema struct {
	Ref                       string `json:"$ref"`
	Type, Format, Description string
	Enum                      []string
	Minimum, Maximum, Default *int64
	OneOf                     []referenceSchema
	Items                     *referenceSchema
	Properties                members[referenceSchema]
}

// members are the members of a JSON object in their order.
type members[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON reads an object.
func (m *members[T]) UnmarshalJSON(text []byte) error {
	values := map[string]T{}
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	_, _ = decoder.Token() // the brace
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		*m = append(*m, member[T]{name.(string), values[name.(string)]})
		if err := decoder.Decode(new(json.RawMessage)); err != nil {
			return err
		}
	}
	return nil
}

// Parameter returns the parameter that p refers to.
func (d *referenceDocument) Parameter(p referenceParameter) referenceParameter {
	return d.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]]
}

// Headers returns the headers that operations refer to, without the variants for some
// responses.
func (d *referenceDocument) Headers() members[referenceParameter] {
	return slices.DeleteFunc(slices.Clone(d.Components.Headers), func(h member[referenceParameter]) bool {
		return strings.HasSuffix(h.Name, "-IfAuthenticated")
	})
}

// TypeText describes the type of a value, such as: integer, 1 to 100, default 50.
func (s referenceSchema) TypeText() string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	case s.OneOf != nil:
		var types []string
		for _, one := range s.OneOf {
			types = append(types, one.TypeText())
		}
		return strings.Join(types, " or ")
	case s.Items != nil:
		return "array of " + s.Items.TypeText()
	case s.Enum != nil:
		return "`" + strings.Join(s.Enum, "`, `") + "`"
	}
	text := s.Type
	if s.Type == "string" && s.Format != "" {
		text += ", " + s.Format
	}
	if s.Minimum != nil && s.Maximum != nil && *s.Maximum < 1_000_000 {
		text += fmt.Sprintf(", %d to %d", *s.Minimum, *s.Maximum)
	}
	if s.Default != nil {
		text += fmt.Sprintf(", default %d", *s.Default)
	}
	return text
}

var referenceTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"line": func(text string) string { // of a table
		return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	},
	"shown": func(example json.RawMessage) (string, error) { // of a body
		var text string
		if json.Unmarshal(example, &text) == nil { // it is not JSON
			return strings.TrimSpace(text), nil
		}
		var indented bytes.Buffer
		err := json.Indent(&indented, example, "", "  ")
		return indented.String(), err
	},
}).Parse(`{{range $path := .Paths}}{{with .Value.Get}}
## GET {{$path.Name}}

{{.Summary}}.{{if .Security}} Needs no key.{{end}} HEAD returns the same without a body.

{{.Description}}
{{with $path.Value.Parameters}}
| Parameter | In | Type | Meaning |
|---|---|---|---|
{{range .}}{{with $.Parameter .}}| ` + "`{{.Name}}`" + ` | {{.In}} | {{.Schema.TypeText}} | {{line .Description}} |
{{end}}{{end}}{{end}}
{{range .Responses}}{{if .Value.Content}}{{range .Value.Content}}- Status 200 with {{.Name}}: {{.Value.Schema.TypeText}}.
{{end}}- Headers of 200: {{range $i, $h := .Value.Headers}}{{if $i}}, {{end}}` + "`{{$h.Name}}`" + `{{end}}.
- Other statuses: {{else}}{{.Name}}{{if ne .Name "503"}}, {{end}}{{end}}{{end}}. Those from 400 on have an Error.
{{range .Responses}}{{range .Value.Content}}{{with .Value.Example}}
` + "```\n{{shown .}}\n```" + `
{{end}}{{range .Value.Examples}}
` + "```\n{{shown .Value.Value}}\n```" + `
{{end}}{{end}}{{end}}{{end}}{{end}}
## Headers of responses

| Header | Type | Meaning |
|---|---|---|
{{range .Headers}}| ` + "`{{.Name}}`" + ` | {{.Value.Schema.TypeText}} | {{line .Value.Description}} |
{{end}}
{{range .Components.Schemas}}
## {{.Name}}

{{.Value.Description}}
{{with .Value.Properties}}
| Field | Type | Meaning |
|---|---|---|
{{range .}}| ` + "`{{.Name}}`" + ` | {{.Value.TypeText}} | {{line .Value.Description}} |
{{end}}{{else}}
One of {{.Value.TypeText}}.
{{end}}{{end}}`))
