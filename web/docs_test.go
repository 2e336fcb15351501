package web

import (
	"go/format"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// The docs page lists exactly the fields of the OpenAPI document, and only error
// codes that the document has.
func TestDocsMatchOpenAPIDocument(t *testing.T) {
	text, err := os.ReadFile("../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
			}
		}
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for schema, fields := range map[string][]docsField{"Company": companyFields(), "Transaction": transactionFields()} {
		var got, want []string
		for _, f := range fields {
			got = append(got, strings.Split(f.name, ", ")...)
		}
		for name := range document.Components.Schemas[schema].Properties {
			want = append(want, name)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the docs list %v, want %v", schema, got, want)
		}
	}
	for _, e := range docsErrors() {
		if !strings.Contains(string(text), e.code) {
			t.Errorf("the OpenAPI document has no %s", e.code)
		}
	}
}

// The samples call the service that shows them, with a key from the environment.
func TestSamplesCallThisService(t *testing.T) {
	for _, s := range samples("https://reading.example/api") {
		if strings.Contains(s.text, sampleBase) || !strings.Contains(s.text, "https://reading.example/api") {
			t.Errorf("%s calls another service", s.language)
		}
		if !strings.Contains(s.text, "X-API-Key") || strings.Contains(s.text, "dispo_") {
			t.Errorf("%s does not take the key from the environment", s.language)
		}
		if s.id == "go" {
			formatted, err := format.Source([]byte(s.text + "\n"))
			if err != nil || string(formatted) != s.text+"\n" {
				t.Errorf("the Go sample is not formatted: %v", err)
			}
		}
	}
}

// Every action in the audit log has a description.
func TestAuditActionsHaveDescriptions(t *testing.T) {
	text, err := os.ReadFile("../models/audit.go")
	if err != nil {
		t.Fatal(err)
	}
	actions := regexp.MustCompile(`Action\w+\s*= "(.+)"`).FindAllSubmatch(text, -1)
	if len(actions) == 0 {
		t.Fatal("no actions found")
	}
	for _, action := range actions {
		if row := (AuditRow{Action: string(action[1])}); row.actionText(Frame{}) == row.Action {
			t.Errorf("%s has no description", row.Action)
		}
	}
}
