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

// The docs page names every field and every error code of the OpenAPI document,
// and none besides.
func TestDocsAgreeWithTheDocument(t *testing.T) {
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
		var told, wanted []string
		for _, f := range fields {
			told = append(told, strings.Split(f.name, ", ")...)
		}
		for name := range document.Components.Schemas[schema].Properties {
			wanted = append(wanted, name)
		}
		slices.Sort(told)
		slices.Sort(wanted)
		if !slices.Equal(told, wanted) {
			t.Errorf("%s has %v, the docs tell of %v", schema, wanted, told)
		}
	}
	for _, e := range docsErrors() {
		if !strings.Contains(string(text), e.code) {
			t.Errorf("the document has no %s", e.code)
		}
	}
}

// The programs ask the service that shows them.
func TestSamplesAskThisService(t *testing.T) {
	for _, s := range samples("https://reading.example/api") {
		if strings.Contains(s.text, sampleBase) || !strings.Contains(s.text, "https://reading.example/api") {
			t.Errorf("%s asks another service", s.language)
		}
		if !strings.Contains(s.text, "X-API-Key") || strings.Contains(s.text, "dispo_") {
			t.Errorf("%s has the key from elsewhere than the environment", s.language)
		}
		if s.id == "go" {
			formatted, err := format.Source([]byte(s.text + "\n"))
			if err != nil || string(formatted) != s.text+"\n" {
				t.Errorf("the Go program is not formatted: %v", err)
			}
		}
	}
}

// Every kind of thing that the audit log notes is said in words.
func TestAuditLogSpeaksInWords(t *testing.T) {
	text, err := os.ReadFile("../models/audit.go")
	if err != nil {
		t.Fatal(err)
	}
	actions := regexp.MustCompile(`Action\w+\s*= "(.+)"`).FindAllSubmatch(text, -1)
	if len(actions) == 0 {
		t.Fatal("no actions found")
	}
	for _, action := range actions {
		if row := (AuditRow{Action: string(action[1])}); row.what() == row.Action {
			t.Errorf("%s has no words", row.Action)
		}
	}
}
